//! How a verb ends: what it found, or why it couldn't be done, as one line and an exit code.

use crate::advice::{advice, of_archive, of_build, of_system};
use crate::interrupt;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tabia_archives::ArchiveError;
use tabia_build::{BuildError, one_line};
use tabia_gamefile::GameFileError;
use tabia_grow::learning::LearnError;

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
#[derive(Debug)]
pub enum Failure {
    /// The engine's word.
    Engine(tabia::Error),
    /// Our own: file, what is wrong, what to do.
    Message(String),
    /// What was asked is done, but not what comes after it.
    AfterAll(String),
    /// The user pressed Ctrl-C.
    Interrupted,
    /// The user asked to stop, and what was done so far is kept in this folder.
    Kept(PathBuf),
    /// The user asked to stop, and what was done so far is in the book: what to say of it.
    Stopped(String),
    /// Standard output can't be written.
    Output(io::Error),
    /// The reader of standard output has gone.
    Closed,
    /// The exit code of help or version, which have been shown.
    Shown,
}

/// What all verbs return.
pub type Done<T = Verdict> = Result<T, Failure>;

impl Failure {
    /// A failure to do something with a file, in the system's words.
    pub fn system(path: &Path, action: &str, error: &io::Error) -> Self {
        Self::Message(format!("{}: cannot {action}: {error}{}", path.display(), of_system(error)))
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
            BuildError::Saved { folder } => Self::Kept(folder),
            error @ BuildError::AfterAll(_) => Self::AfterAll(error.to_string()),
            BuildError::List { path, action, source } => Self::system(&path, action, &source),
            error => Self::Message(format!("{error}{}", of_build(&error))),
        }
    }
}

impl From<tabia_play::Error> for Failure {
    fn from(error: tabia_play::Error) -> Self {
        match error {
            tabia_play::Error::Engine(error) => error.into(),
            error => Self::Message(error.to_string()),
        }
    }
}

impl From<tabia_grow::Error> for Failure {
    fn from(error: tabia_grow::Error) -> Self {
        match error {
            tabia_grow::Error::Book(error) => error.into(),
            tabia_grow::Error::Graph(error) => error.into(),
            tabia_grow::Error::Archive(error) => error.into(),
            error => Self::Message(error.to_string()),
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

impl From<LearnError> for Failure {
    fn from(error: LearnError) -> Self {
        match error {
            LearnError::Book(error) => error.into(),
            LearnError::Archive(error) => error.into(),
            LearnError::Interrupted => Self::Interrupted,
            error => Self::Message(error.to_string()),
        }
    }
}

impl From<tabia_match::Error> for Failure {
    fn from(error: tabia_match::Error) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<tabia_match::SelfPlayError> for Failure {
    fn from(error: tabia_match::SelfPlayError) -> Self {
        match error {
            tabia_match::SelfPlayError::Learn(error) => error.into(),
            error => Self::Message(error.to_string()),
        }
    }
}

impl From<tabia_proxy::Error> for Failure {
    fn from(error: tabia_proxy::Error) -> Self {
        match error {
            tabia_proxy::Error::Books(error) => error.into(),
            error => Self::Message(error.to_string()),
        }
    }
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
#[derive(Debug)]
pub struct AfterAll(pub io::Error);

impl fmt::Display for AfterAll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is done, but standard output: cannot write: {}", self.0)
    }
}

impl std::error::Error for AfterAll {}

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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => write!(f, "{error}{}", advice(error)),
            Self::Message(line) | Self::AfterAll(line) | Self::Stopped(line) => f.write_str(line),
            Self::Interrupted => f.write_str("interrupted: nothing was changed"),
            Self::Kept(folder) => {
                let folder = folder.display();
                write!(
                    f,
                    "interrupted: what was read so far is kept in {folder}; the same command with --resume goes on from there"
                )
            }
            Self::Output(error) => write!(f, "standard output: cannot write: {error}"),
            Self::Closed | Self::Shown => Ok(()),
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
    let says_what_is_kept = matches!(failure, Failure::Kept(_) | Failure::Stopped(_));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_whatever_the_file_is_called() {
        assert_eq!(one_line("a\nb\x1b[2J.tabia: Zürich"), "a\\nb\\u{1b}[2J.tabia: Zürich");
    }
}
