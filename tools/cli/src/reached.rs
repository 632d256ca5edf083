//! What of a book is reached from the start of its game: the walk of `import --check-legal` and of
//! `export`, shown as it goes on.

use crate::console::Meter;
use tabia::{Book, Result};
use tabia_games::{Known, with_game};
use tabia_interop::Reached;

/// What is said of moves of positions that weren't reached.
pub const UNREACHED: &str =
    "moves of positions that aren't reached from the start: they can't be checked";

/// Walks a book of this game, keyed by position, from the start.
pub fn walk(book: &Book, game: &Known, meter: &Meter) -> Result<Reached> {
    with_game!(game, start => Reached::walk(book, start, |reached| meter.walking(reached, 0)))
}
