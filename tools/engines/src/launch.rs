//! How an engine is started.

use crate::engine::Engine;
use crate::error::Error;
use crate::gtp::Gtp;
use crate::gtp_engine::GtpEngine;
use crate::nboard::NBoard;
use crate::nboard_engine::NBoardEngine;
use crate::uci::Uci;
use crate::uci_engine::UciEngine;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use tabia_games::{Game, Komi, is_chess};

/// A program and its arguments, written as in a shell: words, quotes and backslashes, and nothing
/// else that a shell does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: String,
    arguments: Vec<String>,
}

/// A text that is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no command: give a program and its arguments, with quotes around words that have spaces"
)]
pub struct BadCommand(String);

impl Command {
    /// A program and its arguments; none without a program.
    pub fn new(words: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty())?;
        Some(Self { program, arguments: words.collect() })
    }

    /// The program: a path, or a name that is looked for on the `PATH`.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The program's arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// What an engine is called until it says its own name: the program's file.
    pub fn name(&self) -> String {
        Path::new(&self.program)
            .file_name()
            .map_or_else(|| self.program.clone(), |name| name.to_string_lossy().into_owned())
    }
}

impl FromStr for Command {
    type Err = BadCommand;

    fn from_str(text: &str) -> Result<Self, BadCommand> {
        let bad = || BadCommand(text.to_owned());
        Self::new(shlex::split(text).ok_or_else(bad)?).ok_or_else(bad)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = std::iter::once(&self.program).chain(&self.arguments).map(String::as_str);
        f.write_str(&shlex::try_join(words).unwrap_or_default())
    }
}

/// What an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// UCI, for chess and its variants.
    Uci,
    /// GTP, for all other games.
    Gtp,
    /// NBoard's protocol, for Othello.
    NBoard,
}

/// Starts an engine, as often as one is needed.
pub type StartEngine<G> = Box<dyn FnMut() -> Result<Box<dyn Engine<G>>, Error> + Send>;

/// A text that names no protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no protocol that is spoken here: give uci, gtp or nboard")]
pub struct BadProtocol(String);

const NAMES: [(Protocol, &str); 3] =
    [(Protocol::Uci, "uci"), (Protocol::Gtp, "gtp"), (Protocol::NBoard, "nboard")];

impl Protocol {
    /// What engines of a game usually speak, by its name.
    pub fn of(game: &str) -> Self {
        if is_chess(game) { Self::Uci } else { Self::Gtp }
    }
}

impl FromStr for Protocol {
    type Err = BadProtocol;

    fn from_str(text: &str) -> Result<Self, BadProtocol> {
        let found = NAMES.into_iter().find(|(_, name)| *name == text);
        found.map(|(protocol, _)| protocol).ok_or_else(|| BadProtocol(text.to_owned()))
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        NAMES.iter().filter(|(of, _)| of == self).try_for_each(|(_, name)| f.write_str(name))
    }
}

/// All that is needed to start an engine, as often as one likes.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Its command.
    pub command: Command,
    /// What it speaks.
    pub protocol: Protocol,
    /// UCI options with their values, in the order they are set.
    pub options: Vec<(String, String)>,
    /// Commands of GTP, or lines of NBoard's protocol, that it is given before each game.
    pub setup: Vec<String>,
    /// The komi that it is sent, in Go.
    pub komi: Option<Komi>,
    /// How long it may take for what isn't thinking.
    pub patience: Duration,
}

impl Launch {
    /// A launch of nothing but a command.
    pub fn new(command: Command, protocol: Protocol) -> Self {
        Self {
            command,
            protocol,
            options: Vec::new(),
            setup: Vec::new(),
            komi: None,
            patience: Duration::from_secs(30),
        }
    }

    /// Starts it for games of this kind.
    ///
    /// # Errors
    /// If it can't be started, doesn't answer, or can't be set up so.
    pub fn start<G: Game>(&self) -> Result<Box<dyn Engine<G>>, Error> {
        match self.protocol {
            Protocol::Uci => Ok(Box::new(UciEngine::new(self.uci()?))),
            Protocol::Gtp => Ok(Box::new(self.gtp()?)),
            Protocol::NBoard => {
                let nboard = NBoard::start(&self.command, self.patience)?;
                self.check_options(nboard.name(), "NBoard's protocol: give it arguments instead")?;
                Ok(Box::new(NBoardEngine::new(nboard, self.setup.clone())))
            }
        }
    }

    /// Starts it as a UCI engine.
    pub fn uci(&self) -> Result<Uci, Error> {
        let mut uci = Uci::start(&self.command, self.patience)?;
        if let Some(command) = self.setup.first() {
            let what = format!(
                "`{command}` is a command of GTP, and it speaks UCI: set an option instead"
            );
            return Err(Error::unsupported(uci.name(), what));
        }
        self.options.iter().try_for_each(|(name, value)| uci.set(name, value))?;
        uci.ready()?;
        Ok(uci)
    }

    /// Starts it as a GTP engine.
    pub fn gtp(&self) -> Result<GtpEngine, Error> {
        let gtp = Gtp::start(&self.command, self.patience)?;
        self.check_options(
            gtp.name(),
            "GTP: give a command of its own instead, such as `level 1`",
        )?;
        Ok(GtpEngine::new(gtp, self.setup.clone(), self.komi))
    }

    /// Makes sure that no options of UCI are set, which an engine that speaks something else has no
    /// use for.
    fn check_options(&self, engine: &str, speaks: &str) -> Result<(), Error> {
        let Some((name, _)) = self.options.first() else { return Ok(()) };
        let what = format!("{name} is an option of UCI, and it speaks {speaks}");
        Err(Error::unsupported(engine, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let command: Command = r#"'/opt/my engine/sf' --name "a \"b\"" -x\ y"#.parse().unwrap();
        assert_eq!((command.program(), command.name()), ("/opt/my engine/sf", "sf".to_owned()));
        assert_eq!(command.arguments(), ["--name", "a \"b\"", "-x y"]);
        assert_eq!(command.to_string().parse(), Ok(command));
        for bad in ["", "  ", "'open", "''"] {
            assert_eq!(bad.parse::<Command>(), Err(BadCommand(bad.to_owned())));
        }
    }
}
