//! An engine whose answers are written down, so that what was made with it can be made again without
//! it.

use crate::answer::{BookUse, Ranking, Thought};
use crate::engine::Engine;
use crate::error::Error;
use crate::history::MoveHistory;
use crate::limit::Limit;
use crate::recorded::{Question, Recorded, Said};
use std::fmt;
use std::io::Write;
use std::time::Duration;
use tabia_games::Game;

/// An engine that writes each question with its answer as a line of JSON, for [`crate::Replay`].
///
/// What it is asked of its book isn't written, and no errors are.
pub struct Recording<E> {
    engine: E,
    out: Box<dyn Write + Send>,
    seed: Option<u32>,
}

impl<E> Recording<E> {
    /// Records an engine from now on.
    pub fn new(engine: E, out: impl Write + Send + 'static) -> Self {
        Self { engine, out: Box::new(out), seed: None }
    }

    fn write(&mut self, engine: String, question: Question, answer: Said) -> Result<(), Error> {
        let line = Recorded { engine: engine.clone(), question, answer };
        serde_json::to_string(&line)
            .map_err(std::io::Error::from)
            .and_then(|line| writeln!(self.out, "{line}"))
            .and_then(|()| self.out.flush())
            .map_err(|source| Error::Record { engine, source })
    }
}

impl<E: fmt::Debug> fmt::Debug for Recording<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("engine", &self.engine).finish_non_exhaustive()
    }
}

impl<G: Game, E: Engine<G>> Engine<G> for Recording<E> {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn new_game(&mut self, start: &G) -> Result<(), Error> {
        self.seed = None;
        self.engine.new_game(start)
    }

    fn seed(&mut self, seed: u32) -> Result<(), Error> {
        self.seed = Some(seed);
        self.engine.seed(seed)
    }

    fn think(
        &mut self,
        history: &MoveHistory<G>,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Thought<G::Move>, Error> {
        let thought = self.engine.think(history, limit, patience)?;
        let question = Question::new(history, limit, self.seed, None);
        let said = Said::thought(history.position(), &thought);
        self.write(self.engine.name().to_owned(), question, said)?;
        Ok(thought)
    }

    fn rank(
        &mut self,
        history: &MoveHistory<G>,
        among: &[G::Move],
        count: usize,
        limit: &Limit,
        patience: Duration,
    ) -> Result<Ranking<G::Move>, Error> {
        let ranking = self.engine.rank(history, among, count, limit, patience)?;
        let question = Question::new(history, limit, self.seed, Some((among, count)));
        let said = Said::ranking(history.position(), &ranking);
        self.write(self.engine.name().to_owned(), question, said)?;
        Ok(ranking)
    }

    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        self.engine.book_use()
    }
}
