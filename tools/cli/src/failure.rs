//! How a verb ends: what it found, or why it couldn't be done, as one line and an exit code.

use crate::advice::{advice, of_archive, of_build};
use crate::interrupt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use tabia_archives::ArchiveError;
use tabia_build::{BuildError, hint_of_system, one_line};
use tabia_gamefile::GameFileError;
use tabia_grow::Error as GrowError;
use tabia_grow::learning::LearnError;
use tabia_match::{Error as MatchError, SelfPlayError};
use tabia_play::Error as PlayError;
use tabia_proxy::Error as ProxyError;

/// The end of a verb that did what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is wrong: exit code 0.
    Fine,
    /// It found what it looks for, damage or a difference, or of what it was asked for nothing:
    /// exit code 1.
    Found,
}

impl Verdict {
    /// [`Verdict::Found`] if something was.
    pub fn found(something: bool) -> Self {
        if something { Self::Found } else { Self::Fine }
    }
}

/// The exit code where all is done and in its place, and what comes after it failed: the line says
/// what.
const DONE_BUT: u8 = 3;

/// Why a verb couldn't do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The engine's word.
    #[error("{}{}", .0, advice(.0))]
    Engine(tabia::Error),
    /// Our own: file, what is wrong, what to do.
    #[error("{0}")]
    Message(String),
    /// What was asked is done, but not what comes after it.
    #[error("{0}")]
    AfterAll(String),
    /// The user pressed Ctrl-C.
    #[error("interrupted: nothing was changed")]
    Interrupted,
    /// The user asked to stop, and what was done so far is in the book, or kept: what to say of it.
    #[error("{0}")]
    Stopped(String),
    /// Standard output can't be written.
    #[error("standard output: cannot write: {0}")]
    Output(io::Error),
    /// The reader of standard output has gone.
    #[error("")]
    Closed,
    /// The exit code of help or version, which have been shown.
    #[error("")]
    Shown,
}

/// What all verbs return.
pub type Done<T = Verdict> = Result<T, Failure>;

impl Failure {
    /// A failure to do something with a file, in the system's words.
    pub fn system(path: &Path, action: &str, error: &io::Error) -> Self {
        Self::Message(format!(
            "{}: cannot {action}: {error}{}",
            path.display(),
            hint_of_system(error)
        ))
    }
}

/// One of our own failures, from what [`format!`] takes.
macro_rules! failure {
    ($($arg:tt)*) => { $crate::failure::Failure::Message(format!($($arg)*)) };
}
pub(crate) use failure;

impl From<tabia::Error> for Failure {
    fn from(error: tabia::Error) -> Self {
        match error {
            tabia::Error::Interrupted => Self::Interrupted,
            error => Self::Engine(error),
        }
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Self {
        Self::Message(format!("{error}{}", of_archive(&error)))
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Engine(error) => error.into(),
            BuildError::Archive(error) => error.into(),
            BuildError::Games(error) => error.into(),
            BuildError::Interrupted => Self::Interrupted,
            BuildError::Saved(_) => {
                Self::Stopped(format!("{error}; the same command with --resume goes on from there"))
            }
            error @ BuildError::AfterAll(_) => Self::AfterAll(error.to_string()),
            BuildError::List { path, action, source } => Self::system(&path, action, &source),
            BuildError::AddingOthers { ref folder, ref new, .. } => Self::Message(format!(
                "{error}: give the same archives first, or go on by `tabia merge --into {} {}`",
                folder.display(),
                new.display()
            )),
            error => Self::Message(format!("{error}{}", of_build(&error))),
        }
    }
}

impl From<GameFileError> for Failure {
    fn from(error: GameFileError) -> Self {
        match error {
            GameFileError::Engine(error) => error.into(),
            GameFileError::Refused { ref path, .. } => Self::Message(format!(
                "{error}: `tabia salvage` keeps what is sound; without {} the book is as good as before",
                path.display()
            )),
            error => Self::Message(error.to_string()),
        }
    }
}

/// Of each of these errors what it says, unless it is another error, in one of the variants behind it.
macro_rules! from_libraries {
    ($($error:ident: $($other:ident)*;)+) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                match error {
                    $($error::$other(error) => error.into(),)*
                    error => Self::Message(error.to_string()),
                }
            }
        }
    )+};
}

from_libraries! {
    PlayError: Engine;
    GrowError: Book Graph Archive;
    LearnError: Book Archive;
    MatchError: ;
    SelfPlayError: Learn;
    ProxyError: Books;
}

/// Only standard output is written without a word about the file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.get_ref() {
            _ if error.kind() == io::ErrorKind::BrokenPipe => Self::Closed,
            Some(inner) if inner.is::<AfterAll>() => Self::AfterAll(error.to_string()),
            _ => Self::Output(error),
        }
    }
}

/// Standard output can't be written, which is to say what was done.
#[derive(Debug, thiserror::Error)]
#[error("it is done, but standard output: cannot write: {0}")]
pub struct AfterAll(pub io::Error);

impl Failure {
    /// The same, of what is only to be said of work that is done.
    pub fn after_all(self) -> Self {
        match self {
            Self::Closed | Self::Shown | Self::AfterAll(_) => self,
            Self::Interrupted => {
                Self::AfterAll("it is done; what comes after it was interrupted".to_owned())
            }
            failure => Self::AfterAll(format!("it is done, but {failure}")),
        }
    }
}

/// Says what went wrong, if anything, in one line on standard error; the process's exit code.
pub fn exit_code(done: Done) -> ExitCode {
    let failure = match done {
        Ok(Verdict::Fine) | Err(Failure::Closed | Failure::Shown) => return ExitCode::SUCCESS,
        Ok(Verdict::Found) => return ExitCode::from(1),
        Err(failure) => failure,
    };
    // What was interrupted may fail in many ways.
    let says_what_is_kept = matches!(failure, Failure::Stopped(_));
    let is_done =
        matches!(failure, Failure::Engine(tabia::Error::Unsynced { .. }) | Failure::AfterAll(_));
    let interrupted = !is_done
        && (interrupt::wanted() || says_what_is_kept || matches!(failure, Failure::Interrupted));
    let failure = if interrupted && !says_what_is_kept { Failure::Interrupted } else { failure };
    // If nobody hears it, the exit code has to do.
    let _ = writeln!(io::stderr(), "tabia: {}", one_line(&failure.to_string()));
    ExitCode::from(match failure {
        _ if interrupted => interrupt::EXIT_CODE,
        _ if is_done => DONE_BUT,
        _ => 2,
    })
}
