//! What can go wrong, one variant a cause, and what to do about it.

use crate::column::Columns;
use crate::format::{Refusal, Rule, Share, Tag};
use crate::row::TableKind;
use std::io;
use std::path::{Path, PathBuf};

/// The result of operations on books.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong with books, journals and the disk they are on. Displayed, it is one line: the
/// file, and what is wrong with it. What to do about it depends on the program.
///
/// ```
/// use tabia::{Book, Error};
///
/// match Book::open("no such book") {
///     Err(Error::Io { path, source, .. }) => assert_eq!(source.kind(), std::io::ErrorKind::NotFound),
///     Err(Error::Refused { refusal, .. }) => println!("not a book, or not one for this version: {refusal}"),
///     Err(error) => println!("{error}"),
///     Ok(_) => println!("it is there"),
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused something.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// What was tried, after "cannot".
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// All is done and in its place, but the folder could not be synced: after a power cut what was
    /// there before may be there again. There is no way back from here, and nothing is lost.
    #[error("{}: it is done, but its folder could not be synced: after a power cut what was there before may be there again: {source}", path.display())]
    Unsynced {
        /// The file that is in its place.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is no book that can be opened.
    #[error("{}: {refusal}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        refusal: Refusal,
    },
    /// A part of a book or journal is damaged.
    #[error("{}: {what} at byte {offset} ({rule})", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The broken rule.
        rule: Rule,
        /// Where in the file.
        offset: u64,
        /// What was found.
        what: String,
    },
    /// The journal beside a book extends another book (J-2).
    #[error("{}: this journal belongs to another book (its base is {base}, this book is {digest}; J-2)", path.display())]
    ForeignJournal {
        /// The journal.
        path: PathBuf,
        /// The digest of the book it extends.
        base: crate::format::Digest,
        /// The digest of the book it is beside.
        digest: crate::format::Digest,
    },
    /// Another process has the book, or the file to be made, open for writing.
    #[error("{}: another program is writing to it", path.display())]
    Locked {
        /// The locked file.
        path: PathBuf,
    },
    /// The output is there already.
    #[error("{}: it exists already", path.display())]
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// Something that isn't ours has a name that a file is to have.
    #[error("{}: {what}", path.display())]
    InTheWay {
        /// What is in the way.
        path: PathBuf,
        /// What it is, and what to do.
        what: &'static str,
    },
    /// Two books can't be merged or compared.
    #[error("{}: it doesn't go together with {}: {what}", first.display(), second.display())]
    Incompatible {
        /// One book.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// What differs.
        what: String,
    },
    /// An archive would go into a book twice.
    #[error("{}: the archive `{name}` ({games} games) is in it already: its games would count twice", path.display())]
    DuplicateSource {
        /// The book or archive that brings it again.
        path: PathBuf,
        /// The archive's name.
        name: String,
        /// Its games.
        games: u64,
    },
    /// Only the rows of a book would be taken, and what else belongs to it left behind.
    #[error("{}: {} belongs to it, and taking its rows alone leaves that behind", path.display(), file.display())]
    LeftBehind {
        /// The book.
        path: PathBuf,
        /// The file beside it that would be missing beside the new one.
        file: PathBuf,
    },
    /// The book has no such table.
    #[error("{}: the book has no {table} table", path.display())]
    NoTable {
        /// The book.
        path: PathBuf,
        /// The missing table.
        table: TableKind,
    },
    /// Rows with cells of these columns would go into a book that doesn't have them.
    #[error("{}: the book doesn't have what the rows to be added have ({columns})", path.display())]
    NoColumn {
        /// The book.
        path: PathBuf,
        /// The columns that it lacks.
        columns: Columns,
    },
    /// The book has columns that this code doesn't know, and that would be lost in a book made of
    /// it (B-28).
    #[error("{}: it has a column `{tag}` that this program doesn't know and would lose", path.display())]
    UnknownColumn {
        /// The book.
        path: PathBuf,
        /// The tag of one of them.
        tag: Tag,
    },
    /// Books are not the shares of one whole.
    #[error("{}: {what}", path.display())]
    Shares {
        /// One of the books, or the one to be made of them.
        path: PathBuf,
        /// What is wrong with them.
        what: String,
    },
    /// A row would go into a book that holds another share of the hashes.
    #[error("{}: the book holds share {share} of the hashes, and a row belongs to another one", path.display())]
    Share {
        /// The book.
        path: PathBuf,
        /// The share that it holds.
        share: Share,
    },
    /// Rows with wins or losses would go into a book of counts without results.
    #[error("{}: the book counts games without results (every game as a draw), but a row for it has wins or losses", path.display())]
    Results {
        /// The book.
        path: PathBuf,
    },
    /// A writer that failed before is used again.
    #[error("{}: an earlier write failed: open the book again to see what was kept", path.display())]
    Poisoned {
        /// The book.
        path: PathBuf,
    },
    /// An input changed while it was read twice.
    #[error("{}: an input changed while it was read: nothing was written", path.display())]
    Changed {
        /// The output that was not made.
        path: PathBuf,
    },
    /// Something is beyond the limits of the format.
    #[error("{}: {what}", path.display())]
    Limit {
        /// The file.
        path: PathBuf,
        /// What is too large.
        what: &'static str,
    },
    /// The caller asked to stop.
    #[error("interrupted: nothing was changed")]
    Interrupted,
}

impl Error {
    /// The same of a step after which more is to be done: where a folder can't be synced, that is a
    /// failure like others, and nothing is in its place.
    ///
    /// ```
    /// use std::{io, path::Path};
    /// use tabia::Error;
    ///
    /// let source = io::Error::from(io::ErrorKind::StorageFull);
    /// let done = Error::Unsynced { path: Path::new("scratch.tabia").to_owned(), source };
    /// assert!(matches!(done.of_a_step(), Error::Io { .. }));
    /// ```
    #[must_use]
    pub fn of_a_step(self) -> Self {
        match self {
            Self::Unsynced { path, source } => Self::Io { action: "sync its folder", path, source },
            error => error,
        }
    }

    /// Whether this error is about a book or journal that exists but is damaged, as opposed to a
    /// failure to read or write it.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Refused { refusal, .. } => {
                matches!(refusal, Refusal::Damaged { .. } | Refusal::Length { .. })
            }
            _ => false,
        }
    }
}

/// Puts the path and the action to a system's error.
pub trait Context<T> {
    /// What was done, or [`Error::Io`] with the action that failed, as in `cannot read`, and the path.
    ///
    /// # Errors
    /// The system's, so explained.
    fn at(self, action: &'static str, path: &Path) -> Result<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T> {
        self.map_err(|source| Error::Io { action, path: path.to_owned(), source })
    }
}
