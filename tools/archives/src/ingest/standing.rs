//! How far an ingestion has come, in a form that outlives the process.

use super::GameSink;
use crate::split::Place;
use crate::tally::{Skipped, SourceTally};
use serde::{Deserialize, Serialize};

/// How far an ingestion has come: the games before are in the sinks, the ones behind aren't.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Of each archive, in the order given.
    pub sources: Vec<SourceStanding>,
}

/// How far one archive has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceStanding {
    /// All of it.
    pub is_done: bool,
    /// The first game that isn't in.
    pub next: Place,
    /// How many bytes were looked at, after decompression.
    pub read: u64,
    /// XXH3-128 of those, most significant byte first.
    pub digest: [u8; 16],
    /// Bytes of the file taken in, as they are on disk.
    pub consumed: u64,
    /// What came of its games.
    pub tally: SourceTally,
    /// Whether a game was seen in it.
    pub has_games: bool,
    /// Whether anything was seen in it that isn't a game.
    pub has_other: bool,
    /// Games skipped that the observer has not heard of, since archives before this one aren't done.
    pub unreported: Vec<Skipped>,
    /// The warning it ended with, not heard of either.
    pub unreported_warning: Option<crate::input::Warning>,
}

/// Keeps what was done so far, so that an interrupted ingestion can go on.
pub trait Keeper<S: GameSink>: Send {
    /// Whether it is time to.
    fn is_due(&self) -> bool;

    /// Keeps how far it has come together with what the sinks hold. `at_the_end` says that the ingestion stops here.
    ///
    /// # Errors
    /// Ends the ingestion.
    fn keep(&mut self, standing: &Standing, sinks: &mut [&mut S], at_the_end: bool) -> Result<(), S::Error>;
}
