//! A played game as rows need it, whatever game it is a game of.

use tabia_games::{Outcome, Side};

/// One ply of a game: from which position, by whom, what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The key of the position moved from.
    pub key: u64,
    /// The move's code.
    pub code: u16,
    /// Who moves.
    pub side: Side,
    /// The annotations of the move, as [`tabia::row::marks`].
    pub marks: u8,
}

/// What an engine thought of a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eval {
    /// Which position: the one after so many plies.
    pub plies: u32,
    /// For the side to move there, in the game's unit.
    pub value: i16,
    /// What it is worth.
    pub depth: u8,
}

/// A played and decided game. One of it is reused for all games of an archive.
#[derive(Clone, Debug)]
pub struct Played {
    /// The plies, in order.
    pub plies: Vec<Ply>,
    /// The key of the last position and who would move there.
    pub last: (u64, Side),
    /// How it ended.
    pub outcome: Outcome,
    /// The ratings of the first and the second player, if both are known.
    pub ratings: Option<[u16; 2]>,
    /// What engines thought of its positions, if that is wanted, in order.
    pub evals: Vec<Eval>,
    /// A hash of who played it and when, as far as the archive says; equal spellings have equal hashes.
    pub players: u64,
}

impl Default for Played {
    fn default() -> Self {
        Self {
            plies: Vec::with_capacity(512),
            last: (0, Side::First),
            outcome: Outcome::Draw,
            ratings: None,
            evals: Vec::new(),
            players: 0,
        }
    }
}
