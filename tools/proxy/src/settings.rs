//! How a book is played from.

use crate::book_stack::BookFiles;
use tabia_play::choice::{Limits, RuleSpec};

/// How a book is played from, whatever the protocol.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// Whether it is at all.
    pub own_book: bool,
    /// The books, for the GUI to see and to change.
    pub files: BookFiles,
    /// The rule.
    pub rule: RuleSpec,
    /// No move of the book after this many plies.
    pub plies: Option<usize>,
    /// A game that left the book so many plies ago is looked up no more. Until then it is found
    /// again if it comes back by another order of moves.
    pub max_out: usize,
    /// Only moves and positions with at least this many games.
    pub min_games: u64,
    /// Where chance comes from.
    pub seed: u64,
    /// No move to a position that was there.
    pub avoids_repetition: bool,
    /// Whether the engine ponders where the book will answer.
    pub ponders: bool,
}

impl BookSettings {
    /// [`BookSettings::max_out`] if nothing else is said.
    pub const MAX_OUT: usize = 10;

    /// What holds for a choice, of these moves if there are any.
    pub(crate) fn limits<M>(&self, among: Option<Vec<M>>) -> Limits<M> {
        Limits {
            among,
            plies: self.plies,
            avoids_repetition: self.avoids_repetition,
            min_games: self.min_games,
        }
    }
}
