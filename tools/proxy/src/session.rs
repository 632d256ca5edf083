//! What the protocols have in common: settings, games, what was played, and what is said.

use crate::adviser::Adviser;
use crate::error::Error;
use crate::exchange::Action;
use crate::options::{BookSettings, GIVEN, Setting};
use crate::stats::SessionStats;
use std::time::Duration;
use tabia_games::Game;
use tabia_play::choice::{Decision, GameHistory, Limits};

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

    /// Says a line to the engine as it is.
    pub(crate) fn send_engine(&mut self, line: impl Into<Vec<u8>>) {
        self.said.push(Action::ToEngine(line.into()));
    }

    /// Says a line to the GUI as it is.
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
