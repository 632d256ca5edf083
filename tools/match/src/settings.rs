//! What a match follows from.

use crate::adjudication::Adjudication;
use crate::openings::Openings;
use std::time::Duration;
use tabia_engines::{Command, Dice, Launch, Limit, Protocol};
use tabia_games::Komi;

/// All settings that determine a match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The two who play it.
    pub players: [Player; 2],
    /// What its games are played by.
    pub rules: Rules,
    /// What they start from.
    pub openings: Openings,
    /// What random openings, the order of openings and the engines' chance are drawn by.
    pub seed: u64,
    /// Whether the openings of a file are taken in an order drawn by the seed.
    pub shuffle: bool,
    /// How many games there are.
    pub games: u32,
}

/// One of the two who play a match.
#[derive(Clone, Debug)]
pub struct Player {
    /// What it is called; what its engine calls itself if none.
    pub name: Option<String>,
    /// How its engine is started.
    pub launch: Launch,
    /// How many nodes it has for a move, in place of what the rules say.
    pub nodes: Option<Dice>,
}

impl Player {
    /// What it may use for its move in a ply of a game with this seed, where all may use `allowed`.
    pub(crate) fn limit(&self, allowed: Limit, seed: u32, ply: usize) -> Limit {
        let drawn = self.nodes.map(|dice| dice.draw(seed, ply));
        Limit { nodes: drawn.or(allowed.nodes), ..allowed }
    }
}

/// What two players are called: as they are if that differs.
pub fn told_apart(names: [String; 2]) -> [String; 2] {
    match names {
        [first, second] if first == second => [format!("{first} (1)"), format!("{second} (2)")],
        names => names,
    }
}

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

impl Scoring {
    /// By this engine with this komi, or by us if there is none.
    pub fn by(referee: Option<&Command>, komi: Option<Komi>) -> Self {
        referee.map_or(Self::Area, |command| {
            let launch = Launch::new(command.clone(), Protocol::Gtp);
            Self::Referee(Box::new(Launch { komi, ..launch }))
        })
    }
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
