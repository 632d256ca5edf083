//! Which moves a book knows.

use crate::learning::error::LearnError;
use tabia::{Book, Key, TableKind};

/// The moves that a book knows.
pub struct BookMoves<'a> {
    book: &'a Book,
    has_moves: bool,
}

impl<'a> BookMoves<'a> {
    /// Those of this book.
    #[must_use]
    pub fn of(book: &'a Book) -> Self {
        Self { book, has_moves: book.has(TableKind::Moves) }
    }

    /// Whether a move is in the book: of a position, by its code, to another. Without a table of
    /// moves it is if both positions are.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn has(&self, key: Key, code: u16, to: Key) -> Result<bool, LearnError> {
        if self.has_moves {
            return Ok(self.book.moves(key)?.iter().any(|row| row.code() == code));
        }
        Ok(self.book.position(key)?.is_some() && self.book.position(to)?.is_some())
    }
}
