//! A game as it was played.

use crate::facts::Facts;
use std::time::Duration;
use tabia::Keyed;
use tabia_engines::{Eval, MoveHistory};
use tabia_games::Game;
use tabia_play::choice::GameHistory;

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct PlayedGame<G: Game> {
    /// What reports need of it.
    pub facts: Facts,
    /// Its moves, those of the opening first.
    pub history: MoveHistory<G>,
    /// What was said of the moves after the opening.
    pub remarks: Vec<Remark>,
    /// What the first and the second engine are called.
    pub names: [String; 2],
    /// How it was counted: `B+3.5` in Go.
    pub score: Option<String>,
    /// What exactly ended it, where there is more to say: an engine's last words, an illegal move.
    pub detail: String,
}

/// A remark on a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// What its engine thought.
    pub eval: Option<Eval>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How long it took.
    pub took: Duration,
    /// Whether it came from a Tabia book.
    pub is_book: bool,
}

impl<G: Game> PlayedGame<G> {
    /// What the player of a side is called: that of the game's first player for 0.
    pub fn name_of_side(&self, side: usize) -> &str {
        &self.names[side ^ self.facts.first.index()]
    }

    /// The game with the keys that such books have for its positions.
    pub(crate) fn in_book(&self, keyed: Keyed) -> GameHistory<G> {
        let mut history = GameHistory::start(self.history.start().clone(), keyed);
        self.history.plies().iter().for_each(|(_, played)| history.play(played));
        history
    }

    /// What was said of the move of this ply.
    pub fn remark(&self, ply: usize) -> Option<&Remark> {
        ply.checked_sub(self.facts.from as usize).and_then(|at| self.remarks.get(at))
    }
}
