//! A position with the key that a book has for it: its own, or that of the line that led there.

use tabia::Key;
use tabia::format::Keyed;
use tabia_games::{Game, line_next, line_start};

/// A place in a book.
#[derive(Clone, Debug)]
pub struct Node<G> {
    /// The position there.
    pub position: G,
    /// What the book knows it by.
    pub key: Key,
    keyed: Keyed,
}

impl<G: Game> Node<G> {
    /// A position without moves before it.
    #[must_use]
    pub fn start(position: G, keyed: Keyed) -> Self {
        let key = match keyed {
            Keyed::Position => position.key(),
            Keyed::Line => line_start(position.key()),
        };
        Self { position, key, keyed }
    }

    /// Where a legal move leads.
    #[must_use]
    pub fn after(&self, played: &G::Move) -> Self {
        let mut position = self.position.clone();
        position.play(played);
        let key = match self.keyed {
            Keyed::Position => position.key(),
            Keyed::Line => line_next(self.key, self.position.code(played)),
        };
        Self { position, key, keyed: self.keyed }
    }
}
