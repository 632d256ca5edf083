//! Othello: an estimate of the final difference in discs, and endgames searched to their end.
//!
//! The estimate is a weighted sum of [`features`], with weights for each stage of the game, by least
//! squares from the results of tournament games (`weights.rs` says which).

mod features;
mod solver;
mod weights;

use crate::budget::Budget;
use crate::evaluate::{End, Evaluate};
use features::features;
use solver::Solver;
use tabia_games::othello::{Disc, moves};
use tabia_games::{Game, Othello, Side};
use weights::WEIGHTS;

/// What a search knows of Othello.
#[derive(Debug, Default)]
pub struct OthelloKnowledge {
    solver: Solver,
}

/// Corners, the squares beside them, and the other squares of the edge.
const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x42c3_0000_0000_c342;
const EDGES: u64 = 0xff81_8181_8181_81ff;

/// The discs of the side to move and of its opponent.
fn discs(position: &Othello) -> [u64; 2] {
    let [black, white] = position.discs();
    if position.side() == Side::First { [black, white] } else { [white, black] }
}

/// How many squares are empty.
fn empties([own, opponent]: [u64; 2]) -> u32 {
    (own | opponent).count_zeros()
}

impl Evaluate<Othello> for OthelloKnowledge {
    fn value(&mut self, position: &Othello) -> i32 {
        let discs = discs(position);
        let weights = &WEIGHTS[weights::stage(empties(discs))];
        let features = features(discs);
        let sum: i32 = features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        sum.clamp(-6_400, 6_400)
    }

    fn end(&self, position: &Othello, moves: &[Disc]) -> Option<End> {
        moves.is_empty().then(|| {
            let [black, white] = position.score().map(|discs| discs as i32);
            let ahead = if position.side() == Side::First { black - white } else { white - black };
            End::Hundredths(100 * ahead)
        })
    }

    /// Few replies are good, corners better, and squares beside empty corners bad.
    fn order(&self, position: &Othello, played: &Disc) -> i32 {
        let [own, opponent] = discs(position);
        let square = 1u64 << played.square();
        let flips = tabia_games::othello::flips(own, opponent, played.square());
        let (after, before) = (own | flips | square, opponent & !flips);
        let replies = moves(before, after);
        let place = match square {
            _ if square & CORNERS != 0 => 16,
            _ if square & BESIDE_CORNERS != 0 => -6,
            _ if square & EDGES != 0 => 2,
            _ => 0,
        };
        place - 2 * (replies.count_ones() + (replies & CORNERS).count_ones() * 2) as i32
    }

    fn repeats(&self) -> bool {
        false
    }

    /// About three times as many positions an empty square, as measured.
    fn plies_left(&self, position: &Othello) -> Option<(u32, u64)> {
        let empties = empties(discs(position));
        Some((empties, 3_u64.saturating_pow(empties.min(40)) / 15))
    }

    fn solve(
        &mut self,
        position: &Othello,
        alpha: i32,
        beta: i32,
        budget: &mut Budget,
    ) -> Option<i32> {
        let [own, opponent] = discs(position);
        // Scores are whole discs: what is above alpha is above its floor.
        let alpha = alpha.div_euclid(100).max(-65);
        let beta = (-(-beta).div_euclid(100)).clamp(alpha + 1, 65.max(alpha + 1));
        self.solver.solve(own, opponent, [alpha, beta], budget).map(|discs| 100 * discs)
    }

    fn forget(&mut self) {
        self.solver.forget();
    }
}
