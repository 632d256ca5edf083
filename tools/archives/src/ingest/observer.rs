//! What is told of an ingestion while it goes on.

use crate::input::Warning;
use crate::stats::Skipped;
use std::ops::ControlFlow;
use std::path::Path;

/// An observer of an ingestion. Calls come one at a time, but from any of the threads; games and
/// warnings come in the order of the archives.
pub trait Observer: Send {
    /// A game was skipped.
    fn skipped(&mut self, _skipped: &Skipped) {}

    /// An archive is sound only in part.
    fn warned(&mut self, _warning: &Warning) {}

    /// There is nothing in this archive but blank space, or nothing at all.
    fn blank(&mut self, _archive: &Path) {}

    /// There is text in this archive, but no game. `Break` makes that an error.
    fn no_game(&mut self, _archive: &Path) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    /// Called every few thousand games. `Break` stops the ingestion.
    fn progress(&mut self, _progress: &IngestProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for () {}

/// How far an ingestion has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IngestProgress {
    /// The first archive that isn't done, counted from 0.
    pub archive: usize,
    /// Bytes of all files consumed, as they are on disk.
    pub bytes: u64,
    /// Bytes of all files consumed, after decompression.
    pub text_bytes: u64,
    /// Bytes of all files together; none if one of them is a pipe.
    pub total_bytes: Option<u64>,
    /// Games read so far.
    pub games: u64,
    /// Plies of the games that were counted so far.
    pub plies: u64,
}
