//! What a protocol hears and says.

use crate::adviser::Adviser;
use crate::session::Session;
use crate::stats::SessionStats;
use tabia_games::Game;

/// Something to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A line for the engine, with its end.
    ToEngine(Vec<u8>),
    /// A line, or several, for the GUI, with their ends.
    ToGui(Vec<u8>),
    /// A note for the person who started the proxy, without an end.
    Note(String),
}

/// A protocol between a GUI and an engine, with a book in between.
///
/// Lines are given with their ends, `\n` or `\r\n`; the last one may have none. What is said to them
/// is in [`Session::said`] then.
pub trait ProxyProtocol<G: Game> {
    /// Handles a line of the GUI.
    fn receive_from_gui(&mut self, line: &[u8], adviser: &mut Adviser<'_, G>);

    /// Handles a line of the engine.
    fn receive_from_engine(&mut self, line: &[u8], adviser: &mut Adviser<'_, G>);

    /// How many questions of the GUI wait for their answers.
    fn waiting(&self) -> usize;

    /// Whether the GUI is received only after the engine has said more.
    fn waits(&self) -> bool {
        false
    }

    /// Whether a line of the GUI that isn't received yet says that all is over.
    fn is_last(&self, _line: &[u8]) -> bool {
        false
    }

    /// Whether the engine has nothing left to answer when it is asked to end.
    fn is_idle(&self) -> bool {
        true
    }

    /// What it has in common with other protocols.
    fn session(&self) -> &Session;

    /// The same, to be told the time and to take what is said.
    fn session_mut(&mut self) -> &mut Session;

    /// What was played so far.
    fn stats(&self) -> &SessionStats {
        &self.session().stats
    }
}

pub(crate) fn words(line: &[u8]) -> Vec<&str> {
    std::str::from_utf8(line)
        .map(|line| line.split_ascii_whitespace().collect())
        .unwrap_or_default()
}

/// The start of a foreign text, as part of a line of our own.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}
