//! Books of other programs: the report of one that was read or written, what was lost, and which of
//! its moves can be checked.

use crate::prelude::*;
use tabia::stream::RowSet;
use tabia_interop::{LossReason, Losses, Reached, polyglot};

/// All that is lost, as people read it; empty if nothing is.
pub fn in_words(losses: &Losses) -> String {
    words_of(losses.each())
}

/// Makes sure that nothing is left out of this book that a user would miss, or that they said it
/// may be. `other` is what the other book is.
pub fn check(losses: &Losses, lossy: bool, book: &Path, other: &str) -> Done<()> {
    let missed = words_of(losses.each().filter(|(reason, _)| reason.is_missed));
    if lossy || missed.is_empty() {
        return Ok(());
    }
    Err(failure!(
        "{}: {other} can't say all of it ({missed}): give --lossy to leave that out",
        book.display()
    ))
}

/// A line about what is lost, if something is.
pub fn line_of(losses: &Losses) -> Option<String> {
    let lost = in_words(losses);
    (!lost.is_empty()).then(|| format!("left out    {lost}"))
}

/// Counts by name, for programs; of reasons that found nothing too.
pub fn by_name(losses: &Losses) -> Facts {
    let count = |facts: Facts, (reason, count): (LossReason, u64)| facts.json(reason.name, count);
    losses.each().fold(Facts::default(), count)
}

fn words_of(losses: impl Iterator<Item = (LossReason, u64)>) -> String {
    let hint = |reason: LossReason| {
        if reason == polyglot::lost::LEARNED { " (--learn-fields keep)" } else { "" }
    };
    let said = losses
        .filter(|(_, count)| *count > 0)
        .map(|(reason, count)| format!("{} {}{}", grouped(count), reason.what, hint(reason)));
    said.collect::<Vec<_>>().join("; ")
}

/// What is said of moves of positions that weren't reached.
pub const UNREACHED: &str =
    "moves of positions that aren't reached from the start: they can't be checked";

/// What of a book of this game, keyed by position, is reached from the start of the game.
pub fn reached(book: &dyn RowSet<MoveRow>, game: &Known, meter: &Meter) -> tabia::Result<Reached> {
    Reached::walk(book, game, |reached| meter.walking(reached, 0))
}
