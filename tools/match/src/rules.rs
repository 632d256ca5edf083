//! What a match is played by.

use crate::adjudication::Adjudication;
use std::time::Duration;
use tabia_engines::{Launch, Limit, TimeControl};
use tabia_games::Komi;

/// The rules that games of a match are played by.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What each side has for its moves.
    pub allowance: Allowance,
    /// By how much a move may come late, where there is a time for it.
    pub margin: Duration,
    /// How long a move is waited for where there is none.
    pub patience: Duration,
    /// The most plies of a game, those of its opening included. At that length it is drawn, or in
    /// Go counted as it is.
    pub most_plies: u32,
    /// When games are ended by what the engines think.
    pub adjudication: Adjudication,
    /// Who counts games of Go.
    pub scoring: Scoring,
    /// What White is given in Go.
    pub komi: Komi,
}

/// What each side may use for its moves: nodes, depth or time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies of search for each move.
    pub depth: Option<u32>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Time for the game.
    pub clock: Option<TimeControl>,
}

impl Allowance {
    /// Whether nothing is said, so that an engine takes what it likes.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl From<Limit> for Allowance {
    /// The limit of each search; a clock is left out.
    fn from(limit: Limit) -> Self {
        let Limit { nodes, depth, movetime, clock: _ } = limit;
        Self { nodes, depth, movetime, clock: None }
    }
}

/// Who scores games of Go.
#[derive(Clone, Debug, Default)]
pub enum Scoring {
    /// We do, by area, with all stones on the board taken for alive: right only if engines take
    /// dead stones off before they pass.
    #[default]
    Area,
    /// An engine that speaks GTP, by its `final_score`.
    Referee(Box<Launch>),
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            allowance: Allowance::default(),
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(60),
            most_plies: 1000,
            adjudication: Adjudication::default(),
            scoring: Scoring::Area,
            komi: Komi::SEVEN_AND_A_HALF,
        }
    }
}
