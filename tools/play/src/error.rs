//! What can go wrong with walking and trimming.

use std::path::PathBuf;

/// A book that can't be walked or trimmed as was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
    /// A position to start from that the book knows nothing of.
    #[error("{}: the position to start from isn't in the book: {setup}", path.display())]
    NotThere {
        /// The book.
        path: PathBuf,
        /// The position's set-up text.
        setup: String,
    },
    /// More positions or moves than are held in memory.
    #[error("more than 4,294,967,295 positions or moves are reached: read only positions with more games (min-games)")]
    TooLarge,
}
