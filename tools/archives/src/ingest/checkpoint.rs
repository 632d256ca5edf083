//! How far an ingestion has come, in a form that outlives the process.

use super::GameSink;
use super::observer::IngestProgress;
use crate::split::ReadPosition;
use crate::stats::{Skipped, SourceStats};
use serde::{Deserialize, Serialize};

/// How far an ingestion has come: earlier games are in the sinks, later ones aren't.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Of each archive, in the order given.
    pub sources: Vec<SourceCheckpoint>,
}

/// How far one archive has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCheckpoint {
    /// All of it.
    pub is_done: bool,
    /// The first game that isn't in.
    pub next: ReadPosition,
    /// How many bytes were looked at, after decompression.
    pub read: u64,
    /// XXH3-128 of those, most significant byte first.
    pub digest: [u8; 16],
    /// Bytes of the file taken in, as they are on disk.
    pub consumed: u64,
    /// What came of its games.
    pub stats: SourceStats,
    /// Whether a game was seen in it.
    pub has_games: bool,
    /// Whether anything was seen in it that isn't a game.
    pub has_other: bool,
    /// Games skipped that the observer has not heard of, since archives before this one aren't
    /// done.
    pub unreported: Vec<Skipped>,
    /// Whether the observer has heard all of it, also that there is no game in it.
    pub is_reported: bool,
    /// The warning it ended with, not heard of either.
    pub unreported_warning: Option<crate::input::Warning>,
}

/// Saves what was done so far, so that an interrupted ingestion can go on.
pub trait Saver<S: GameSink>: Send {
    /// Whether it is time for a checkpoint.
    fn is_due(&self, progress: &IngestProgress) -> bool;

    /// Saves how far it has come together with what the sinks hold. `at_the_end` says that the
    /// ingestion stops here.
    ///
    /// # Errors
    /// Ends the ingestion.
    fn save(
        &mut self,
        checkpoint: &Checkpoint,
        sinks: &mut [&mut S],
        at_the_end: bool,
    ) -> Result<(), S::Error>;

    /// Called once all archives are read, with the last checkpoint.
    ///
    /// # Errors
    /// Ends the ingestion.
    fn finish(&mut self, _checkpoint: &Checkpoint, _sinks: &mut [&mut S]) -> Result<(), S::Error> {
        Ok(())
    }
}
