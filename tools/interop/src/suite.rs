//! Opening suites: positions from which programs play test games, taken out of a book at a given
//! ply.
//!
//! A suite has each position once, however many ways lead to it. It is written as EPD, a position a
//! line, or as PGN, a game a line of play: what cutechess and fastchess read.

mod walk;
#[cfg(feature = "chess")]
mod write;

use std::path::PathBuf;
use tabia::mix;
use tabia_games::Game;
use walk::MOST;
pub use walk::{FoundOpenings, Opening, SuiteOptions, openings};
#[cfg(feature = "chess")]
pub use write::{write_epd, write_pgn};

/// The order of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SuiteOrder {
    /// Those with the most games first.
    #[default]
    Games,
    /// As drawn from a hat with this seed, the same on all machines.
    Drawn(u64),
}

/// Orders openings, and keeps the first `count`.
pub fn choose<G: Game>(openings: &mut Vec<Opening<G>>, order: SuiteOrder, count: Option<usize>) {
    if let SuiteOrder::Drawn(seed) = order {
        // A position's place follows from its key and the seed alone: what else the book holds
        // changes no other's order.
        openings
            .sort_by_cached_key(|opening| (mix(opening.node.key ^ mix(seed)), opening.node.key));
    }
    openings.truncate(count.unwrap_or(usize::MAX));
}

/// A book that gives no openings.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine's word.
    #[error(transparent)]
    Engine(#[from] tabia::Error),
    /// The book knows no move of the start.
    #[error("{}: no move of the start of the game is in it", .0.display())]
    NoStart(PathBuf),
    /// More positions than are held in memory are at this ply.
    #[error(
        "more than {MOST} positions are reached at ply {0}: ask for more games, or for fewer plies"
    )]
    TooMany(u32),
}
