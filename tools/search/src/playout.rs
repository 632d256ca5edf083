//! Games that chance plays to their end: what a tree search learns from what a position is worth.

use tabia_games::{Game, Komi, Outcome, mix};

/// Numbers by chance, the same ones for the same seed: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// A number from 0 to below `count`, which is not 0. Of counts below 2^16, as those of moves
    /// are, all numbers are alike to one part in 2^48.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mix(self.0)) * count as u128) >> 64) as usize
    }
}

/// Plies after which a game is given up.
const MOST_PLIES: usize = 1000;

/// How games go on by chance: in Go so that they end, in others any legal move is as likely as any other.
pub struct Playout<G: Game> {
    #[cfg(feature = "go")]
    go: crate::go_playout::GoPlayout,
    moves: Vec<G::Move>,
}

impl<G: Game> Playout<G> {
    /// In Go White has this komi.
    #[cfg_attr(not(feature = "go"), expect(unused_variables, reason = "komi is of Go"))]
    pub fn new(komi: Komi) -> Self {
        Self {
            #[cfg(feature = "go")]
            go: crate::go_playout::GoPlayout::new(komi),
            moves: Vec::new(),
        }
    }

    /// Plays a game from this position on, and says how it ends: without an end as a draw.
    pub fn outcome(&mut self, position: &G, chance: &mut Chance) -> Outcome {
        #[cfg(feature = "go")]
        if let Some(position) = position.as_own().downcast_ref() {
            return self.go.outcome(position, chance);
        }
        let mut game = position.clone();
        for _ in 0..MOST_PLIES {
            if let Some(outcome) = game.outcome() {
                return outcome;
            }
            game.legal_moves(&mut self.moves);
            if self.moves.is_empty() {
                break;
            }
            game.play(&self.moves[chance.below(self.moves.len())]);
        }
        Outcome::Draw
    }
}
