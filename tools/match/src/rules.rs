//! What a match is played by.

use crate::adjudication::Adjudication;
use std::time::Duration;
use tabia_engines::{Launch, Limit};
use tabia_games::Komi;

/// The rules that games of a match are played by.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What each side has for its moves; its clocks as they are when a game begins.
    pub allowance: Limit,
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
            allowance: Limit::default(),
            margin: Duration::from_millis(100),
            patience: Duration::from_secs(60),
            most_plies: 1000,
            adjudication: Adjudication::default(),
            scoring: Scoring::Area,
            komi: Komi::SEVEN_AND_A_HALF,
        }
    }
}
