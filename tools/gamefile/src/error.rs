//! What can go wrong with files of games.

use std::path::PathBuf;

/// The result of operations on files of games.
pub type Result<T> = std::result::Result<T, GameFileError>;

/// Why a file of games can't be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameFileError {
    /// The engine, or the system.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
    /// The file is no file of games that can be opened.
    #[error("{}: {what} ({rule})", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The rule of `format-spec/games.md` that it breaks.
        rule: &'static str,
        /// What is wrong.
        what: String,
    },
    /// A part of the file is damaged.
    #[error("{}: {what} at byte {offset} ({rule})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The rule of `format-spec/games.md` that it breaks.
        rule: &'static str,
        /// Where in the file.
        offset: u64,
        /// What was found.
        what: String,
    },
    /// Two files can't be merged, or a file doesn't belong to a book.
    #[error("{}: it doesn't go together with {}: {what}", first.display(), second.display())]
    Incompatible {
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// What differs.
        what: String,
    },
    /// More than the format has room for.
    #[error("{}: too many {what}", path.display())]
    Limit {
        /// The file.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
    },
}
