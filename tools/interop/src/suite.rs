//! Opening suites: positions from which programs play test games, taken out of a book at a given
//! ply.
//!
//! A suite has each position once, however many ways lead to it. It is written as EPD, a position a
//! line, or as PGN, a game a line of play: what cutechess and fastchess read.

mod choose;
mod error;
mod walk;
#[cfg(feature = "chess")]
mod write;

pub use choose::{SuiteOrder, choose};
pub use error::Error;
pub use walk::{FoundOpenings, Opening, SuiteOptions, openings};
#[cfg(feature = "chess")]
pub use write::{write_epd, write_pgn};
