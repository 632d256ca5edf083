//! Why files of rows don't make a book.

use super::ReadError;
use std::path::PathBuf;

/// Why files of rows don't make a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file can't be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: Box<ReadError>,
    },
    /// A file says something else than was given, or said by files before it.
    #[error("{}: it says that {what} is {said}, and {before} was said before", path.display())]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// What it speaks of: `game`, `keys`, `keyed`, `results` or `the share of the hashes`.
        what: &'static str,
        /// What it says.
        said: String,
        /// What was said before.
        before: String,
    },
    /// No table is in a file.
    #[error("{}: there is no table in it", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
    },
    /// Neither a file says this of its rows, nor was it given.
    #[error("{}: it doesn't say the {what} of its rows", path.display())]
    MissingFact {
        /// The first file.
        path: PathBuf,
        /// What isn't said: `game` or `keys`.
        what: &'static str,
    },
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
}
