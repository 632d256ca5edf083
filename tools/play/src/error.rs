//! What can go wrong with walking, trimming and playing.

use std::path::PathBuf;

/// A book that can't be walked, trimmed or played from as was asked.
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
    /// A rule that can't be followed in these books.
    #[error("{rule}: {why}")]
    Rule {
        /// The rule.
        rule: String,
        /// Why not, and what to do instead.
        why: &'static str,
    },
    /// More positions or moves than are held in memory.
    #[error(
        "more than 4,294,967,295 positions or moves are reached: read only positions with more games (min-games)"
    )]
    TooLarge,
}
