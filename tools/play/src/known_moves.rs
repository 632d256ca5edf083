//! The moves of a book in memory, to ask of many games whether the book has them.

use crate::move_graph::MoveGraph;
use crate::thresholds::Thresholds;
use crate::trim::check_moves;
use crate::watch::Watch;
use tabia::{Book, Key, Result, mix};

/// All moves of a book, about twelve bytes each. It can be asked from several threads.
#[derive(Debug)]
pub struct KnownMoves(MoveGraph);

impl KnownMoves {
    /// Reads them.
    ///
    /// # Errors
    /// [`tabia::Error::NoTable`] if the book has no moves; those of reading it;
    /// [`tabia::Error::Interrupted`].
    pub fn read(book: &Book, watch: Watch<'_>) -> Result<Self> {
        check_moves(book)?;
        MoveGraph::read(book, &Thresholds::default(), None, watch).map(Self)
    }

    /// Whether the book has a move at this position.
    #[must_use]
    pub fn answers(&self, key: Key) -> bool {
        !self.0.moves(mix(key)).is_empty()
    }

    /// Whether it has the move with this code there.
    #[must_use]
    pub fn has(&self, key: Key, code: u16) -> bool {
        self.0.look(mix(key), code).0.is_some()
    }

    /// Bytes of memory it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}
