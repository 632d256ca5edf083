//! An engine whose answers are written down, so that what was made with it can be made again without
//! it.

use crate::answer::{BookUse, Ranking, Thought};
use crate::engine::{Choice, Engine, Query};
use crate::error::Error;
use crate::recorded::{Question, Recorded, Said};
use std::fmt;
use std::io::Write;
use tabia_games::Game;

/// An engine that writes each question with its answer as a line of JSON, for [`crate::Replay`].
///
/// What it is asked of its book isn't written, and no errors are.
pub struct Recording<G> {
    engine: Box<dyn Engine<G>>,
    out: Box<dyn Write + Send>,
    seed: Option<u32>,
}

impl<G: Game> Recording<G> {
    /// Records an engine from now on.
    pub fn new(engine: Box<dyn Engine<G>>, out: impl Write + Send + 'static) -> Self {
        Self { engine, out: Box::new(out), seed: None }
    }

    fn write(&mut self, question: Question, answer: Option<Said>) -> Result<(), Error> {
        let Some(answer) = answer else { return Ok(()) };
        let engine = self.engine.name().to_owned();
        let line = Recorded { engine: engine.clone(), question, answer };
        serde_json::to_string(&line)
            .map_err(std::io::Error::from)
            .and_then(|line| writeln!(self.out, "{line}"))
            .and_then(|()| self.out.flush())
            .map_err(|source| Error::Record { engine, source })
    }
}

impl<G: Game> fmt::Debug for Recording<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("engine", &self.engine.name()).finish_non_exhaustive()
    }
}

impl<G: Game> Engine<G> for Recording<G> {
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

    fn best_move(&mut self, query: &Query<'_, G>) -> Result<Thought<G::Move>, Error> {
        let thought = self.engine.best_move(query)?;
        let said = Said::thought(query.history.position(), &thought);
        self.write(Question::of_move(query, self.seed), said)?;
        Ok(thought)
    }

    fn best_moves(&mut self, choice: &Choice<'_, G>) -> Result<Ranking<G::Move>, Error> {
        let ranking = self.engine.best_moves(choice)?;
        let said = Said::ranking(choice.query.history.position(), &ranking);
        self.write(Question::of_moves(choice, self.seed), said)?;
        Ok(ranking)
    }

    fn book_use(&mut self) -> Result<Option<BookUse>, Error> {
        self.engine.book_use()
    }
}
