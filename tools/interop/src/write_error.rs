//! Why a book couldn't be written to a file of another format.

use std::io;
use std::path::PathBuf;

/// Why a book couldn't be written to a file of another format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The engine's word: the book can't be read, or the work was to stop.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// The system's word: the file can't be written.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// Of Arena's books: the book isn't of chess.
    #[error("{}: it is a book of {game}, and Arena's are of chess", path.display())]
    Game {
        /// The book.
        path: PathBuf,
        /// Its game.
        game: String,
    },
    /// Of trees: the book is keyed by position, where transpositions meet.
    #[error("{}: it is keyed by position, and a tree has lines: build a book with --keyed line", path.display())]
    ByPosition {
        /// The book.
        path: PathBuf,
    },
    /// Of trees: the book's rows don't make one.
    #[error("{}: its rows are no tree: a line goes on for more than {} moves, or leads to rows more than once", path.display(), crate::mcst::DEEPEST)]
    NoTree {
        /// The book.
        path: PathBuf,
    },
    /// Of rows: those of other than one table were to be written to a Parquet file.
    #[error("a Parquet file holds one table")]
    OneTable,
    /// Of rows: this crate was built without its feature `parquet`.
    #[error("this program was built without the feature `parquet`")]
    NoParquet,
}
