//! What goes wrong with an engine.

use std::io;
use std::time::Duration;

/// Why an engine can't be used any more, or couldn't do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("{engine} {fault}{last}")]
pub struct Error {
    /// Which engine.
    pub engine: String,
    /// What is wrong with it.
    pub fault: Fault,
    /// The end of the message: what it said last, where that may tell more.
    pub last: String,
}

/// What is wrong with an engine.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Its program can't be started by this command, as the system says.
    #[error("can't be started with `{0}`: {1}")]
    Start(String, io::Error),
    /// It ended, or closed its output: with this exit code or signal.
    #[error("has ended ({0})")]
    Ended(String),
    /// It said nothing, or not what was waited for, in this time.
    #[error("didn't answer within {:.1} s", .0.as_secs_f64())]
    Silent(Duration),
    /// It doesn't read its input.
    #[error("doesn't read its input")]
    Deaf,
    /// It says too much: a line, or an answer, of more than so many bytes.
    #[error("wrote {0} of more than {1} bytes")]
    Flood(&'static str, usize),
    /// It wrote bytes that are no text: the line, as far as it can be shown.
    #[error("wrote a line that is not UTF-8: `{0}`")]
    NotText(String),
    /// It refused a command.
    #[error("refused `{command}`: {why}")]
    Refused {
        /// The command it was sent.
        command: String,
        /// What it said.
        why: String,
    },
    /// What it said isn't what its protocol has there.
    #[error("wrote `{said}` where {expected} was expected")]
    Unexpected {
        /// What it said.
        said: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// It has no such option, or not with such values: which, what it was to be, and what is wrong.
    #[error("can't set the option {0}")]
    Option(String),
    /// Its protocol has no way to say this: what, and what to do instead.
    #[error("can't be asked for this: {0}")]
    Unsupported(String),
}

impl Error {
    pub(crate) fn of(engine: &str, fault: Fault) -> Self {
        Self { engine: engine.to_owned(), fault, last: String::new() }
    }

    pub(crate) fn unexpected(engine: &str, said: &str, expected: &'static str) -> Self {
        Self::of(engine, Fault::Unexpected { said: shown(said), expected })
    }

    /// An engine has no way to be asked for this.
    pub fn unsupported(engine: &str, what: impl Into<String>) -> Self {
        Self::of(engine, Fault::Unsupported(what.into()))
    }

    /// Whether it is that no answer came in time.
    pub fn is_silence(&self) -> bool {
        matches!(self.fault, Fault::Silent(_))
    }
}

/// The start of a text on one line, for messages.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 200;
    let mut letters =
        text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let mut line: String = letters.by_ref().take(MOST).collect();
    if letters.next().is_some() {
        line.push_str("...");
    }
    line
}
