//! A position with the key that a book has for it: its own, or that of the line that led there.

use crate::{Game, Line};
use tabia::Key;
use tabia::format::Keyed;

/// A place in a book.
#[derive(Clone, Debug)]
pub struct Node<G> {
    /// The position there.
    pub position: G,
    /// What the book knows it by.
    pub key: Key,
    /// The line that led there, if that is what the book is keyed by.
    line: Option<Line>,
}

impl<G: Game> Node<G> {
    /// A position without moves before it.
    #[must_use]
    pub fn start(position: G, keyed: Keyed) -> Self {
        let line = (keyed == Keyed::Line).then(|| Line::start(&position));
        Self { key: line.map_or_else(|| position.key(), Line::key), position, line }
    }

    /// What a book is keyed by that has this key for it.
    #[must_use]
    pub fn keyed(&self) -> Keyed {
        if self.line.is_some() { Keyed::Line } else { Keyed::Position }
    }

    /// Where a legal move leads.
    #[must_use]
    pub fn after(&self, played: &G::Move) -> Self {
        let mut position = self.position.clone();
        position.play(played);
        let line = self.line.map(|line| line.after(&self.position, played));
        Self { key: line.map_or_else(|| position.key(), Line::key), position, line }
    }

    /// The code that the book has for a legal move here.
    #[must_use]
    pub fn code(&self, played: &G::Move) -> u16 {
        self.line.map_or_else(|| self.position.code(played), |line| line.code(&self.position, played))
    }

    /// A legal move that the book has this code for; none if there is none.
    #[must_use]
    pub fn move_of_code(&self, code: u16) -> Option<G::Move> {
        self.line.map_or_else(|| self.position.move_of_code(code), |line| line.move_of_code(&self.position, code))
    }
}
