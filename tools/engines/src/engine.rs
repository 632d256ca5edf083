//! An engine as seen by a caller that wants moves, independent of its protocol.

use crate::answer::{BookUse, Ranking, Thought};
use crate::error::Error;
use crate::history::MoveHistory;
use crate::limit::Limit;
use std::time::Duration;
use tabia_games::Game;

/// An engine that plays a game.
///
/// After an error it is best dropped and started anew: it may still send late answers.
pub trait Engine<G: Game>: Send {
    /// The engine's name for itself.
    fn name(&self) -> &str;

    /// A new game begins: what it remembers of the last one doesn't count.
    ///
    /// # Errors
    /// If it doesn't follow.
    fn new_game(&mut self, start: &G) -> Result<(), Error>;

    /// Seeds the engine's random choices in the new game with this number below 2^31, if the engine
    /// has a command for it. Without it the engine's own randomness applies.
    ///
    /// # Errors
    /// If it has such a command and refuses it.
    fn seed(&mut self, _seed: u32) -> Result<(), Error> {
        Ok(())
    }

    /// Its move in the last position of a game, waited for `patience`.
    ///
    /// # Errors
    /// If it gives no answer, or can't be asked for this.
    fn think(
        &mut self,
        history: &MoveHistory<G>,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Thought<G::Move>, Error>;

    /// The best `count` of these legal moves in the last position of a game, with what it thinks of
    /// each; fewer only if these are fewer. Each search it takes is waited for `patience` and has the
    /// whole limit: one of UCI by MultiPV, as many as moves are wanted where an engine can't say
    /// several at once, in GTP what the engine has commands for, and in NBoard's protocol one for all
    /// moves that it says something of and one for each of the others.
    ///
    /// # Errors
    /// If it gives no answer, names other moves, or has no way to be asked for this.
    fn rank(
        &mut self,
        history: &MoveHistory<G>,
        among: &[G::Move],
        count: usize,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Ranking<G::Move>, Error>;

    /// How much of the current game came from a book, if it is one that says so only when asked.
    ///
    /// # Errors
    /// If it can say it and doesn't.
    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        Ok(None)
    }
}

impl<G: Game, E: Engine<G> + ?Sized> Engine<G> for Box<E> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn new_game(&mut self, start: &G) -> Result<(), Error> {
        (**self).new_game(start)
    }

    fn seed(&mut self, seed: u32) -> Result<(), Error> {
        (**self).seed(seed)
    }

    fn think(
        &mut self,
        history: &MoveHistory<G>,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Thought<G::Move>, Error> {
        (**self).think(history, limit, patience)
    }

    fn rank(
        &mut self,
        history: &MoveHistory<G>,
        among: &[G::Move],
        count: usize,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Ranking<G::Move>, Error> {
        (**self).rank(history, among, count, limit, patience)
    }

    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        (**self).book_use()
    }
}
