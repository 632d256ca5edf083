//! Games that chance plays to their end: what a tree search learns from what a position is worth.

use tabia_games::{Game, Outcome, mix};

/// Numbers by chance, the same ones for the same seed: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Begins the numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to below `count`, which is not 0. Of counts below 2^16, as those of moves
    /// are, all numbers are alike to one part in 2^48.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mix(self.0)) * count as u128) >> 64) as usize
    }
}

/// How a game goes on by chance.
pub trait Playout<G: Game>: Send {
    /// Plays a game from this position on to its end, and says how that is. A game that doesn't end
    /// is drawn.
    fn outcome(&mut self, position: &G, chance: &mut Chance) -> Outcome;
}

/// Plies after which a game is given up.
const MOST_PLIES: usize = 1000;

/// Any legal move is as likely as any other.
#[derive(Debug)]
pub struct Uniform<G: Game> {
    moves: Vec<G::Move>,
}

impl<G: Game> Default for Uniform<G> {
    fn default() -> Self {
        Self { moves: Vec::new() }
    }
}

impl<G: Game> Playout<G> for Uniform<G>
where
    G::Move: Send,
{
    fn outcome(&mut self, position: &G, chance: &mut Chance) -> Outcome {
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
