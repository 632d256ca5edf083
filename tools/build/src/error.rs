//! What can go wrong while a book is built.

use std::io;
use std::path::PathBuf;
use tabia_archives::{ArchiveError, IngestError};
use tabia_gamefile::GameFileError;

/// Why a book was not built. Except after [`BuildError::Saved`] and [`BuildError::AfterAll`], all
/// files are as they were.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The engine could not read or write a book.
    #[error(transparent)]
    Engine(tabia::Error),
    /// An archive can't be used.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The observer or [`tabia::Progress`] asked to stop.
    #[error("interrupted: nothing was changed")]
    Interrupted,
    /// The observer asked to stop, and the parts that were finished are in this folder.
    #[error("interrupted: what was read so far is kept in {}", .0.display())]
    Saved(PathBuf),
    /// The plan contradicts itself, or can't be followed with these games.
    #[error("{0}")]
    Plan(String),
    /// An argument is a folder or a pattern that leads to no archive.
    #[error("{}: there is no archive of games there", .0.display())]
    NoArchive(PathBuf),
    /// A pattern that can't be used, and what is wrong with it.
    #[error("{}: {}", .0.display(), .1)]
    Pattern(PathBuf, String),
    /// The archives that were named are of different games.
    #[error("{} seems to be of {game}, {} of {other}", path.display(), second.display())]
    MixedGames {
        /// An archive.
        path: PathBuf,
        /// What it seems to be of.
        game: &'static str,
        /// Another archive.
        second: PathBuf,
        /// What that one seems to be of.
        other: &'static str,
    },
    /// The archives seem to be of a game whose rules aren't here.
    #[error("{} seems to be of a game that isn't known here", .0.display())]
    UnknownGame(PathBuf),
    /// An archive was named twice, or a copy of it was, by this other name.
    #[error("{}: the archive is given {}", .0.display(), .1.as_ref().map_or("twice".to_owned(), |first| format!("already, as {}", first.display())))]
    GivenTwice(PathBuf, Option<PathBuf>),
    /// The plan asks for something that the archives of the book were not read with.
    #[error("{option}={given} is asked for, and the book's archives were read {}", book.as_ref().map_or_else(|| format!("without {option}"), |book| format!("with {option}={book}")))]
    ReadDifferently {
        /// The option.
        option: String,
        /// What the plan asks for.
        given: String,
        /// What the archives of the book were read with, if it was said.
        book: Option<String>,
    },
    /// The archives of the book were not all read in the same way.
    #[error("the book's archives were read in {0} ways")]
    ReadInSeveralWays(usize),
    /// No game was counted.
    #[error("no game went in: {}", if *read == 0 { format!("there is none in the archives; {why}") } else { format!("of {read} that were read all were left out ({why})") })]
    NoGame {
        /// How many games were read.
        read: u64,
        /// Why they were not counted, with numbers; if none was read, what can be.
        why: String,
        /// Whether tags that blank lines part from their moves were read as games of their own.
        are_split: bool,
    },
    /// An interrupted build left its parts in this folder.
    #[error("{}: an interrupted build was kept here", .0.display())]
    Unfinished(PathBuf),
    /// The parts in this folder are of another plan or of other archives.
    #[error("{} is of a build with other archives or options", .0.display())]
    OtherPlan(PathBuf),
    /// The parts in this folder are not what they were when they were written, and what is wrong.
    #[error("{} is damaged ({})", .0.display(), .1)]
    DamagedParts(PathBuf, String),
    /// The file with the fingerprints of a book's games can't be used, and what is wrong.
    #[error("{}: these are no fingerprints of games that can be used ({})", .0.display(), .1)]
    Fingerprints(PathBuf, String),
    /// A file that belongs to a book isn't beside it.
    #[error("{}: {} belongs to it, and is not there or lacks what it is to have", path.display(), file.display())]
    Missing {
        /// The book.
        path: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// Games would count twice that are in several books which leave out copies.
    #[error("{}: games in it are in other books too, {games} in all, as their fingerprints say, and would count twice; they can't be counted again: {why}", path.display())]
    Copies {
        /// One of the books.
        path: PathBuf,
        /// How many games.
        games: u64,
        /// Why they can't be counted again, each once.
        why: String,
    },
    /// Books, one of them a share, are not all shares of one book, and why.
    #[error("{0}")]
    NotASet(String),
    /// Adding to a set was interrupted, and whether a share has the new archives can't be told.
    #[error("{}: it has {now} archives, and had {before} when adding was interrupted: whether those of {} are among them can't be told", share.display(), new.display())]
    AddedOrNot {
        /// The share.
        share: PathBuf,
        /// How many archives it has.
        now: usize,
        /// How many it had before.
        before: usize,
        /// The book of the new archives' games.
        new: PathBuf,
    },
    /// What came last into this share of a set didn't come with archives that came into the others, too.
    #[error("{}: what came into it last is no addition to all shares of the set: take back what came into a share alone by its name", .0.display())]
    Alone(PathBuf),
    /// Adding other archives to a set was interrupted.
    #[error("{}: adding {} was interrupted", new.display(), names.join(", "))]
    AddingOthers {
        /// The book of their games.
        new: PathBuf,
        /// What the archives are called.
        names: Vec<String>,
        /// The set's folder.
        folder: PathBuf,
    },
    /// The file of the book's games can't be read or written.
    #[error(transparent)]
    Games(GameFileError),
    /// The list of skipped games can't be written.
    #[error("{}: cannot {action}: {source}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// What failed.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// The book is as it was to be, but the list of skipped games could not be put in its place.
    #[error("the book is done, but not the list of skipped games: {0}")]
    AfterAll(Box<Self>),
}

/// What to do about the failures of the system that users meet most, as it goes on behind the error in one
/// sentence; empty about all others.
pub fn hint_of_system(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => " (check the path)",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            " (check the permissions, or choose another folder)"
        }
        io::ErrorKind::FileTooLarge => " (raise the limit on the size of files: ulimit -f)",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            " (free some space, or choose another folder)"
        }
        _ => "",
    }
}

/// The result of building.
pub type Result<T> = std::result::Result<T, BuildError>;

impl From<tabia::Error> for BuildError {
    fn from(error: tabia::Error) -> Self {
        match error {
            tabia::Error::Interrupted => Self::Interrupted,
            error => Self::Engine(error),
        }
    }
}

impl From<GameFileError> for BuildError {
    fn from(error: GameFileError) -> Self {
        match error {
            GameFileError::Engine(error) => error.into(),
            error => Self::Games(error),
        }
    }
}

impl From<IngestError<Self>> for BuildError {
    fn from(error: IngestError<Self>) -> Self {
        match error {
            IngestError::Archive(error) => Self::Archive(error),
            IngestError::Sink(error) => error,
            IngestError::Stopped => Self::Interrupted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_and_what_to_do_are_one_sentence() {
        for (kind, said) in [
            (io::ErrorKind::NotFound, "cannot write: entity not found (check the path)"),
            (
                io::ErrorKind::StorageFull,
                "cannot write: no storage space (free some space, or choose another folder)",
            ),
            (io::ErrorKind::TimedOut, "cannot write: timed out"),
        ] {
            let source = io::Error::from(kind);
            let hint = hint_of_system(&source);
            let error = tabia::Error::Io { action: "write", path: "a/b.tabia".into(), source };
            assert_eq!(format!("{error}{hint}"), format!("a/b.tabia: {said}"));
        }
    }
}
