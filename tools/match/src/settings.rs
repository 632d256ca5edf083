//! What a match follows from.

use crate::openings::Openings;
use crate::rules::Rules;
use tabia_engines::{Dice, Launch, Limit};

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
