//! An observer of a walk's progress, which may stop it.

use std::ops::ControlFlow;
use tabia::stream::{Chunk, RowSet};
use tabia::{MoveRow, PositionRow, ReadBook, Row, TableKind};

/// How far trimming or walking has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Moves are read into memory: rows read, and how many there are at most.
    Reading(u64, u64),
    /// The book is walked: positions reached, and at how many plies.
    Walking {
        /// Positions.
        reached: u64,
        /// Plies from the start.
        ply: u32,
    },
    /// Every row is judged: rows judged, and how many there are at most.
    Judging(u64, u64),
    /// Rows are counted by ply: rows counted, and how many there are at most.
    Counting(u64, u64),
}

/// Called now and then; `Break` asks the work to stop, with nothing changed.
pub type Watch<'a> = &'a (dyn Fn(Step) -> ControlFlow<()> + Sync);

/// Reports a step; an error if the work is to stop.
pub(crate) fn report(watch: Watch<'_>, step: Step) -> tabia::Result<()> {
    if watch(step).is_break() { Err(tabia::Error::Interrupted) } else { Ok(()) }
}

/// Shows all rows of a table, which are read into memory.
pub(crate) fn each_row<R: Row>(
    rows: &dyn RowSet<R>,
    watch: Watch<'_>,
    show: impl FnMut(&R),
) -> tabia::Result<()> {
    each_row_told(rows, |read| report(watch, Step::Reading(read, rows.at_most())), show)
}

/// Shows all rows of a table, and tells now and then how many were shown.
pub(crate) fn each_row_told<R: Row>(
    rows: &dyn RowSet<R>,
    tell: impl Fn(u64) -> tabia::Result<()>,
    mut show: impl FnMut(&R),
) -> tabia::Result<()> {
    let (mut shown, mut chunk, mut stream) = (0, Chunk::default(), rows.rows()?);
    loop {
        stream.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(());
        }
        chunk.rows().iter().for_each(&mut show);
        shown += chunk.len() as u64;
        tell(shown)?;
    }
}

/// Shows all rows of a book, positions before moves, and tells now and then how many were shown of
/// how many there are at most.
pub(crate) fn each_row_of_both(
    book: &dyn ReadBook,
    tell: impl Fn(u64, u64) -> tabia::Result<()>,
    position: impl FnMut(&PositionRow),
    played: impl FnMut(&MoveRow),
) -> tabia::Result<()> {
    // Of a table that isn't there, none.
    let before = RowSet::<PositionRow>::at_most(book);
    let all = before + RowSet::<MoveRow>::at_most(book);
    if book.has(TableKind::Positions) {
        each_row_told::<PositionRow>(book, |shown| tell(shown, all), position)?;
    }
    if book.has(TableKind::Moves) {
        each_row_told::<MoveRow>(book, |shown| tell(before + shown, all), played)?;
    }
    Ok(())
}
