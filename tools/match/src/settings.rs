//! What a match follows from.

use crate::openings::Openings;
use crate::player::Player;
use crate::rules::Rules;

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
