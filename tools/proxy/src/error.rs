//! What ends a proxy before the GUI does, and what a book is refused for.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// How many questions of a GUI may wait for their answers.
pub(crate) const MOST_WAITING: usize = 4096;

/// Why a book can't be played from, or can't be any longer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The books' word.
    #[error(transparent)]
    Books(#[from] tabia_play::Error),
    /// A book that doesn't go together with the others, or with the game being played.
    #[error("{}: it is a book of {got}, not of {expected}: give one of the same game, keys and kind", path.display())]
    OtherBook {
        /// The book.
        path: PathBuf,
        /// What it holds: game, keys, what it is keyed by.
        got: String,
        /// What it should.
        expected: String,
    },
    /// The engine of this command can't be started.
    #[error("cannot start the engine `{0}`: {1}: give its path")]
    Start(String, #[source] io::Error),
    /// The log in this file can't be written.
    #[error("{path}: cannot append to it: {1}: choose another place for the log", path = .0.display())]
    Log(PathBuf, #[source] io::Error),
    /// The engine has gone, in this way if it is known, while the GUI still wanted it.
    #[error("the engine ended before the GUI did ({}): start it by hand to see why", .0.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string()))]
    EngineEnded(Option<ExitStatus>),
    /// The engine doesn't accept input.
    #[error("the engine reads nothing of what it is told: it was stopped")]
    EngineDeaf,
    /// The process was asked to end.
    #[error("asked to end: the engine was told to")]
    Stopped,
    /// The GUI or the engine, as it says, writes an endless line.
    #[error("a line of {0} is longer than {most} bytes: this is none of the protocol", most = crate::relay::LONGEST)]
    LongLine(&'static str),
    /// The GUI asks and asks while the engine is silent.
    #[error("the GUI asked {} times without waiting for an answer", MOST_WAITING)]
    TooManyQuestions,
    /// This can't be done with a pipe.
    #[error("cannot {0}: {1}")]
    Pipe(String, #[source] io::Error),
}

impl From<tabia::Error> for Error {
    fn from(error: tabia::Error) -> Self {
        Self::Books(error.into())
    }
}
