//! What of a book is reached from the start of its game: the walk of `import --check-legal` and of
//! `export`, shown as it goes on.

use crate::console::Meter;
use tabia::{Book, Error, Result};
use tabia_games::{Game, Known, WithGame};
use tabia_interop::Reached;
use tabia_play::Step;

/// What is said of moves of positions that weren't reached.
pub const UNREACHED: &str =
    "moves of positions that aren't reached from the start: they can't be checked";

/// Walks a book of this game, keyed by position, from the start.
pub fn walk(book: &Book, game: &Known, meter: &Meter) -> Result<Reached> {
    game.with(Walking { book, meter })
}

/// Shows how far a walk has come; an error if it is to stop.
pub fn step(meter: &Meter, reached: u64) -> Result<()> {
    let is_over = meter.trimming(Step::Walking { reached, ply: 0 }).is_break();
    if is_over { Err(Error::Interrupted) } else { Ok(()) }
}

struct Walking<'a> {
    book: &'a Book,
    meter: &'a Meter,
}

impl WithGame for Walking<'_> {
    type Output = Result<Reached>;

    fn with<G: Game>(self, start: &G) -> Self::Output {
        Reached::walk(self.book, start, |reached| step(self.meter, reached))
    }
}
