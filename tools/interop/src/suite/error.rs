//! What can go wrong with looking for openings.

use std::path::PathBuf;

/// A book that gives no openings.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
    /// The book knows no move of the start.
    #[error("{}: no move of the start of the game is in it", path.display())]
    NoStart {
        /// The book.
        path: PathBuf,
    },
    /// More positions than are held in memory.
    #[error(
        "more than {most} positions are reached at ply {ply}: ask for more games, or for fewer plies"
    )]
    TooMany {
        /// The most there may be.
        most: usize,
        /// Where there are more.
        ply: u32,
    },
}
