//! The environment of long work: a disk to write to, and an observer of progress.

use crate::error::{Error, Result};
use crate::storage::{Storage, System};

/// A stage of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Sorted runs are merged into fewer; done and total count rows.
    Sorting,
    /// Inputs are merged to find how many rows there are; done and total count rows read, at most.
    Counting,
    /// Rows are written; done and total count rows.
    Writing,
    /// The new file is made durable.
    Syncing,
    /// A book is verified; done and total count bytes.
    Checking,
}

/// An observer of progress, which may ask the work to stop.
///
/// ```
/// # use tabia::Env;
/// # let (_folder, path) = tabia_testing::tiny_book();
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use tabia::{Error, Progress, Stage, check};
///
/// /// Goes on until somebody asks it to stop.
/// struct Stoppable(AtomicBool);
///
/// impl Progress for Stoppable {
///     fn step(&self, _: Stage, _: u64, _: u64) -> bool {
///         !self.0.load(Ordering::Relaxed)
///     }
/// }
///
/// let stopped = Stoppable(AtomicBool::new(true));
/// let env = Env { progress: &stopped, ..Env::default() };
/// assert!(matches!(check(&env, &path), Err(Error::Interrupted)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Progress: Sync {
    /// Called from time to time, from any thread. `false` asks the work to stop, with nothing
    /// changed.
    fn step(&self, stage: Stage, done: u64, total: u64) -> bool;
}

/// Ignores progress and never stops.
impl Progress for () {
    fn step(&self, _: Stage, _: u64, _: u64) -> bool {
        true
    }
}

/// The environment of long work: a disk, and an observer of progress.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// The disk to write to.
    pub storage: &'a dyn Storage,
    /// The observer of progress.
    pub progress: &'a dyn Progress,
}

impl std::fmt::Debug for Env<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Env").finish_non_exhaustive()
    }
}

impl Default for Env<'_> {
    fn default() -> Self {
        Self { storage: &System, progress: &() }
    }
}

impl Env<'_> {
    /// Reports progress; an error if the work is to stop.
    pub(crate) fn step(&self, stage: Stage, done: u64, total: u64) -> Result<()> {
        if self.progress.step(stage, done, total) { Ok(()) } else { Err(Error::Interrupted) }
    }
}
