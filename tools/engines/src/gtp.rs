//! GTP, version 2, from the controller's side:
//! <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>. Knows no game:
//! vertices are words.

use crate::error::{Error, Fault, shown};
use crate::launch::Command;
use crate::process::Process;
use std::collections::BTreeSet;
use std::time::Duration;

#[derive(Debug)]
pub struct Gtp {
    process: Process,
    name: String,
    commands: BTreeSet<String>,
    patience: Duration,
    id: u32,
}

impl Gtp {
    /// Starts an engine and asks what it is. `patience` is how long it may take for what isn't
    /// thinking; an error if it doesn't answer.
    pub fn start(command: &Command, patience: Duration) -> Result<Self, Error> {
        let process = Process::start(command, "quit")?;
        let name = process.name().to_owned();
        let mut gtp = Self { process, name, commands: BTreeSet::new(), patience, id: 0 };
        let commands = gtp.ask("list_commands")?;
        gtp.commands = commands.split_ascii_whitespace().map(str::to_owned).collect();
        let name = gtp.ask_if_known("name")?.unwrap_or_default();
        if !name.is_empty() {
            gtp.name = shown(&name);
        }
        Ok(gtp)
    }

    /// The engine's name for itself, or else its program.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Sends a command and returns the engine's answer, without the sign of success; lines of a
    /// longer answer are separated by `\n`; an error if it refuses, or gives no answer.
    pub fn ask(&mut self, command: &str) -> Result<String, Error> {
        self.ask_within(command, self.patience).map(|(text, _)| text)
    }

    /// Sends a command, as [`Gtp::ask`], if the engine lists it; none otherwise.
    pub fn ask_if_known(&mut self, command: &str) -> Result<Option<String>, Error> {
        let word = command.split_ascii_whitespace().next().unwrap_or_default();
        if self.knows(word) { self.ask(command).map(Some) } else { Ok(None) }
    }

    /// Sends a command with a limit of time and returns the engine's answer, and how long it took.
    pub fn ask_within(
        &mut self,
        command: &str,
        patience: Duration,
    ) -> Result<(String, Duration), Error> {
        self.id = self.id % 999_999 + 1;
        let asked = self.process.ask(&format!("{} {command}", self.id))?;
        let deadline = asked + patience;
        let (is_success, mut text, at) = loop {
            let line = self.process.line(asked, deadline)?;
            if let Some((is_success, id, text)) = status(&line.text)
                && (id.is_none() || id == Some(self.id))
            {
                break (is_success, text.to_owned(), line.at);
            }
        };
        // A blank line ends it.
        loop {
            let line = self.process.raw_line(asked, deadline)?;
            if line.text.is_empty() {
                break;
            }
            text.push('\n');
            text.push_str(&line.text);
        }
        let text = text.trim();
        if is_success {
            return Ok((text.to_owned(), at.saturating_duration_since(asked)));
        }
        let (command, why) = (command.to_owned(), shown(text));
        Err(Error::of(&self.name, Fault::Refused { command, why }))
    }
}

/// Whether a line begins an answer: of success or failure, to the command with which number, and
/// what follows.
fn status(line: &str) -> Option<(bool, Option<u32>, &str)> {
    let is_success = line.starts_with('=');
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (id, text) = rest.split_at(digits);
    let is_word = text.is_empty() || text.starts_with(char::is_whitespace);
    is_word.then(|| (is_success, id.parse().ok(), text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_begin_with_a_sign_and_may_have_a_number() {
        assert_eq!(status("=1 GNU Go"), Some((true, Some(1), "GNU Go")));
        assert_eq!(status("= C4"), Some((true, None, "C4")));
        assert_eq!(status("="), Some((true, None, "")));
        assert_eq!(status("?7 illegal move"), Some((false, Some(7), "illegal move")));
        for other in ["", "GNU Go", "=x y", "==", "-1", "info"] {
            assert_eq!(status(other), None, "{other}");
        }
    }
}
