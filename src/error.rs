//! What can go wrong, one variant a cause, and what to do about it.

use crate::format::{Refusal, Rule};
use crate::row::TableKind;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of what touches books.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong with books, journals and the disk they stand on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The system refused something.
    Io {
        /// What was tried, after "cannot".
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is no book that can be opened.
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        refusal: Refusal,
    },
    /// A part of a book or journal is damaged.
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
    /// The journal beside a book extends another book (J-3).
    ForeignJournal {
        /// The journal.
        path: PathBuf,
        /// The digest of the book it extends.
        base: crate::format::Digest,
        /// The digest of the book it stands beside.
        digest: crate::format::Digest,
    },
    /// Another process has the book, or the file to be made, open for writing.
    Locked {
        /// The locked file.
        path: PathBuf,
    },
    /// The output is there already.
    Exists {
        /// The output.
        path: PathBuf,
    },
    /// Something that isn't ours has a name that a file is to have.
    InTheWay {
        /// What is in the way.
        path: PathBuf,
        /// What it is, and what to do.
        what: &'static str,
    },
    /// Two books can't be merged or compared.
    Incompatible {
        /// One book.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// What differs.
        what: String,
    },
    /// An archive would go into a book twice.
    DuplicateSource {
        /// The book or archive that brings it again.
        path: PathBuf,
        /// The archive's name.
        name: String,
        /// Its games.
        games: u64,
    },
    /// The book has no such table.
    NoTable {
        /// The book.
        path: PathBuf,
        /// The missing table.
        table: TableKind,
    },
    /// Moves with ratings would go into a book whose moves have none.
    NoRatings {
        /// The book.
        path: PathBuf,
    },
    /// Rows with wins or losses would go into a book of counts without results.
    Results {
        /// The book.
        path: PathBuf,
    },
    /// A writer that failed before is used again.
    Poisoned {
        /// The book.
        path: PathBuf,
    },
    /// An input changed while it was read twice.
    Changed {
        /// The output that was not made.
        path: PathBuf,
    },
    /// Something is beyond the limits of the format.
    Limit {
        /// The file.
        path: PathBuf,
        /// What is too large.
        what: &'static str,
    },
    /// The caller asked to stop.
    Interrupted,
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// One line: the file, what is wrong with it, and what to do.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        match self {
            Self::Io { action, source, .. } => write!(f, "cannot {action}: {source}{}", advice(source)),
            Self::Refused { refusal, .. } => write!(f, "{refusal}"),
            Self::Damaged { rule, offset, what, .. } => {
                write!(f, "{what} at byte {offset} ({rule}): `tabia check` lists the damage, `tabia salvage` keeps what is sound")
            }
            Self::ForeignJournal { base, digest, .. } => write!(
                f,
                "this journal belongs to another book (its base is {base}, this book is {digest}; J-2): \
                 put the book it belongs to back, or move the journal away"
            ),
            Self::Locked { .. } => write!(f, "another program is writing to it: wait until it is done"),
            Self::Exists { .. } => write!(f, "it exists already: use --force to replace it, or choose another name"),
            Self::Incompatible { second, what, .. } => write!(f, "it doesn't go together with {}: {what}", second.display()),
            Self::DuplicateSource { name, games, .. } => write!(
                f,
                "the archive `{name}` ({games} games) is in it already: its games would count twice; \
                 use --allow-duplicate-sources if you want that"
            ),
            Self::NoTable { table, .. } => write!(f, "the book has no {table} table: build it with --tables positions,moves"),
            Self::NoRatings { .. } => {
                write!(f, "the book's moves have no ratings, those to be added have: merge them into a new book (`tabia merge -o`)")
            }
            Self::Results { .. } => {
                write!(
                    f,
                    "the book counts games without results (every game as a draw), but a row for it has wins or losses: make a book with results of such rows"
                )
            }
            Self::Poisoned { .. } => write!(f, "an earlier write failed: open the book again to see what was kept"),
            Self::Changed { .. } => write!(f, "an input changed while it was read: nothing was written"),
            Self::InTheWay { what, .. } | Self::Limit { what, .. } => write!(f, "{what}"),
            Self::Interrupted => write!(f, "interrupted: nothing was changed"),
        }
    }
}

impl Error {
    /// The file it is about.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Io { path, .. }
            | Self::Refused { path, .. }
            | Self::Damaged { path, .. }
            | Self::ForeignJournal { path, .. }
            | Self::Locked { path }
            | Self::Exists { path }
            | Self::Incompatible { first: path, .. }
            | Self::DuplicateSource { path, .. }
            | Self::NoTable { path, .. }
            | Self::NoRatings { path }
            | Self::Results { path }
            | Self::Poisoned { path }
            | Self::Changed { path }
            | Self::InTheWay { path, .. }
            | Self::Limit { path, .. } => Some(path),
            Self::Interrupted => None,
        }
    }

    /// Whether this speaks of a book or journal that is there but damaged, as opposed to a failure to read or write it.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Refused { refusal, .. } => matches!(refusal, Refusal::Damaged { .. } | Refusal::Length { .. }),
            _ => false,
        }
    }
}

/// A hint for the failures that users meet most.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => " (check the path)",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => " (check the permissions, or choose another folder)",
        io::ErrorKind::FileTooLarge => " (raise the limit on the size of files: ulimit -f)",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => " (free some space, or choose another folder)",
        _ => "",
    }
}

/// Puts the path and the action to a system's error.
pub(crate) trait Context<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T>;
}

impl<T> Context<T> for io::Result<T> {
    fn at(self, action: &'static str, path: &Path) -> Result<T> {
        self.map_err(|source| Error::Io { action, path: path.to_owned(), source })
    }
}
