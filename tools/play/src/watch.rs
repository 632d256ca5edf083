//! An observer of a walk's progress, which may stop it.

use std::ops::ControlFlow;

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
