//! What the protocols have in common: what they hear, settings, games, what was played, and what is
//! said.

use crate::adviser::Adviser;
use crate::error::Error;
use crate::options::{BookSettings, GIVEN, Setting};
use crate::stats::SessionStats;
use std::time::Duration;
use tabia_games::Game;
use tabia_play::choice::{Decision, GameHistory, Limits};

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

    /// What it has in common with other protocols: it is told the time, and has what is said.
    fn session(&mut self) -> &mut Session;

    /// What was played so far.
    fn stats(&mut self) -> &SessionStats {
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

/// Games that are played from a book, one after the other.
#[derive(Debug)]
pub struct Session {
    pub(crate) settings: BookSettings,
    pub(crate) stats: SessionStats,
    /// Games before this one, since chance began: so the GUI counts them.
    games: u64,
    /// Whether a move was asked for in this game.
    pub(crate) has_played: bool,
    /// Whether the GUI has said that all is over.
    pub(crate) is_over: bool,
    /// Time from the start of the proxy to the line that is received.
    pub now: Duration,
    /// What is said to that line, in order.
    pub said: Vec<Action>,
}

impl Session {
    pub(crate) fn new(settings: BookSettings) -> Self {
        let stats = SessionStats::default();
        let (now, said) = (Duration::ZERO, Vec::new());
        Self { settings, stats, games: 0, has_played: false, is_over: false, now, said }
    }

    pub(crate) fn send_engine(&mut self, line: impl Into<Vec<u8>>) {
        self.said.push(Action::ToEngine(line.into()));
    }

    pub(crate) fn send_gui(&mut self, line: impl Into<Vec<u8>>) {
        self.said.push(Action::ToGui(line.into()));
    }

    /// Reports to the person who started the proxy.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.said.push(Action::Note(text.into()));
    }

    /// What came of something, or nothing and a note why.
    pub(crate) fn noted<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.note(error.to_string())).ok()
    }

    /// The engine has made the move that it was asked for then.
    pub(crate) fn engine_moved(&mut self, since: Duration) {
        self.stats.engine_move(self.now.saturating_sub(since));
    }

    pub(crate) fn new_game<G: Game>(&mut self, adviser: &mut Adviser<'_, G>) -> Result<(), Error> {
        self.stats.new_game();
        self.games += u64::from(std::mem::take(&mut self.has_played));
        adviser.new_game()
    }

    /// What the book says of the present position of a game.
    pub(crate) fn decide<G: Game>(
        &self,
        history: &GameHistory<G>,
        limits: &Limits<G::Move>,
        adviser: &mut Adviser<'_, G>,
    ) -> Result<Decision<G::Move>, Error> {
        adviser.decide(history, limits, &self.settings, self.games)
    }

    /// The same by the settings alone; nothing where the books can't be read.
    pub(crate) fn decided<G: Game>(
        &mut self,
        history: &GameHistory<G>,
        adviser: &mut Adviser<'_, G>,
    ) -> Option<Decision<G::Move>> {
        let decided = self.decide(history, &self.settings.limits(None), adviser);
        self.noted(decided)
    }

    /// Sets an option to what is written, and says whether the books change, perhaps to such as are
    /// keyed otherwise; or says why not, and nothing has changed.
    pub(crate) fn set<G: Game>(
        &mut self,
        setting: Setting,
        value: &str,
        adviser: &mut Adviser<'_, G>,
    ) -> Result<bool, String> {
        if value == GIVEN {
            return Ok(false);
        }
        if let Some(files) = self.settings.files.with(setting, value) {
            let opened = adviser.open(&files);
            opened.map_err(|error| format!("{error}; the books stay as they were"))?;
            self.settings.files = files;
            return Ok(true);
        }
        self.settings.set_value(setting, value)?;
        if setting == Setting::Seed {
            // Games are counted from the one that it is set for.
            (self.games, self.has_played) = (0, false);
        }
        Ok(false)
    }
}
