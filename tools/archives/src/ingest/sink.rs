//! Where games go.

use crate::game_record::GameRecord;

/// A receiver of games.
pub trait GameSink {
    /// Why it can't take any more.
    type Error;

    /// Takes a game.
    ///
    /// # Errors
    /// Ends the ingestion.
    fn game(&mut self, game: &GameRecord, origin: Origin) -> Result<(), Self::Error>;
}

/// The archive and place that a game comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// Which archive, counted from 0.
    pub source: u32,
    /// The game's first byte in the archive's decompressed bytes.
    pub offset: u64,
}
