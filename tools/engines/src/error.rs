//! What goes wrong with an engine.

use std::fmt;
use std::io;
use std::time::Duration;

/// Why an engine can't be used any more, or couldn't do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its program can't be started.
    #[error("{engine} can't be started with `{command}`: {source}")]
    Start {
        /// Which engine.
        engine: String,
        /// The command.
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// It ended, or closed its output.
    #[error("{engine} has ended ({status}){last}")]
    Ended {
        /// Which engine.
        engine: String,
        /// How: an exit code, a signal.
        status: String,
        /// What it said last.
        last: LastWords,
    },
    /// It said nothing, or not what was waited for, in time.
    #[error("{engine} didn't answer within {:.1} s{last}", waited.as_secs_f64())]
    Silent {
        /// Which engine.
        engine: String,
        /// How long it was waited for.
        waited: Duration,
        /// What it said last.
        last: LastWords,
    },
    /// It doesn't read its input.
    #[error("{engine} doesn't read its input{last}")]
    Deaf {
        /// Which engine.
        engine: String,
        /// What it said last.
        last: LastWords,
    },
    /// It says too much: a line, or an answer, without end.
    #[error("{engine} wrote {what} of more than {limit} bytes{last}")]
    Flood {
        /// Which engine.
        engine: String,
        /// What was too long.
        what: &'static str,
        /// What it may have.
        limit: usize,
        /// What it said last.
        last: LastWords,
    },
    /// It wrote bytes that are no text.
    #[error("{engine} wrote a line that is not UTF-8: `{line}`{last}")]
    NotText {
        /// Which engine.
        engine: String,
        /// The line, as far as it can be shown.
        line: String,
        /// What it said last.
        last: LastWords,
    },
    /// It refused a command.
    #[error("{engine} refused `{command}`: {why}")]
    Refused {
        /// Which engine.
        engine: String,
        /// The command it was sent.
        command: String,
        /// What it said.
        why: String,
    },
    /// What it said isn't what its protocol has there.
    #[error("{engine} wrote `{said}` where {expected} was expected")]
    Unexpected {
        /// Which engine.
        engine: String,
        /// What it said.
        said: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// It has no such option, or not with such values.
    #[error("{engine} can't set the option {name} to `{value}`: {why}")]
    Option {
        /// Which engine.
        engine: String,
        /// The option.
        name: String,
        /// What it was to be.
        value: String,
        /// What is wrong with it.
        why: String,
    },
    /// Its protocol has no way to say this.
    #[error("{engine} can't be asked for this: {what}")]
    Unsupported {
        /// Which engine.
        engine: String,
        /// What, and what to do instead.
        what: String,
    },
}

impl Error {
    pub(crate) fn unexpected(engine: &str, said: &str, expected: &'static str) -> Self {
        Self::Unexpected { engine: engine.to_owned(), said: shown(said), expected }
    }

    pub(crate) fn unsupported(engine: &str, what: impl Into<String>) -> Self {
        Self::Unsupported { engine: engine.to_owned(), what: what.into() }
    }

    /// Whether it is that no answer came in time.
    pub fn is_silence(&self) -> bool {
        matches!(self, Self::Silent { .. })
    }
}

/// The last things an engine said, for messages; each may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastWords {
    /// The last line of its answers.
    pub line: String,
    /// The end of what it wrote to standard error, on one line.
    pub errors: String,
}

impl fmt::Display for LastWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.line.is_empty() {
            write!(f, "; it said last `{}`", self.line)?;
        }
        if !self.errors.is_empty() {
            write!(f, "; on standard error: `{}`", self.errors)?;
        }
        Ok(())
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
