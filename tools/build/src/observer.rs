//! What a build reports while archives are read.

use crate::archive_list::LeftOut;
use std::ops::ControlFlow;
use tabia_archives::{IngestProgress, Skipped, Warning};

/// Hears how the reading of archives goes. Calls come one at a time, but from any of the build's
/// threads; games and warnings come in the order of the archives. What comes after reading
/// (sorting, writing) is reported to [`tabia::Progress`].
pub trait BuildObserver: Send {
    /// A file is left out: it isn't wanted, or there is no game in it.
    fn left_out(&mut self, _file: &LeftOut) {}

    /// The build goes on after this many games of an interrupted one; 0 if there was nothing to go
    /// on from.
    fn resumed(&mut self, _games: u64) {}

    /// A game was skipped.
    fn skipped(&mut self, _game: &Skipped) {}

    /// An archive is sound only in part.
    fn warned(&mut self, _warning: &Warning) {}

    /// Called every few thousand games. `Break` stops the build.
    fn progress(&mut self, _progress: &IngestProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Hears of nothing, and never stops.
impl BuildObserver for () {}
