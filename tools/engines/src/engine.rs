//! What an engine is to whoever wants moves, whatever protocol it speaks.

use crate::answer::{BookUse, Thought};
use crate::error::Error;
use crate::history::GameHistory;
use crate::limit::Limit;
use std::time::Duration;
use tabia_games::Game;

/// An engine that plays a game.
///
/// After an error it is best dropped and started anew: nobody knows what it still has to say.
pub trait Engine<G: Game>: Send {
    /// What it calls itself.
    fn name(&self) -> &str;

    /// A new game begins: what it remembers of the last one doesn't count.
    ///
    /// # Errors
    /// If it doesn't follow.
    fn new_game(&mut self, start: &G) -> Result<(), Error>;

    /// What chance plays in the new game follows from this number below 2^31, if the engine is one
    /// that can be told. Without it an engine draws in each game what it draws.
    ///
    /// # Errors
    /// If it can be told and doesn't follow.
    fn seed(&mut self, _seed: u32) -> Result<(), Error> {
        Ok(())
    }

    /// Its move in the last position of a game, waited for `patience`.
    ///
    /// # Errors
    /// If it gives no answer, or can't be asked for this.
    fn think(
        &mut self,
        history: &GameHistory<G>,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Thought<G::Move>, Error>;

    /// How much of the current game came from a book, if it is one that says so only when asked.
    ///
    /// # Errors
    /// If it can say it and doesn't.
    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        Ok(None)
    }
}
