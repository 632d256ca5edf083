//! Learning from played games: each is counted in the book and completed with evaluated deviations,
//! so that it isn't lost twice in the same way (Buro 1999).

use crate::engine_worker::EngineWorker;
use crate::error::Error;
use crate::eval_fact::EvalFact;
use crate::growing_book::GrowingBook;
use crate::plan::Plan;
use crate::played::{Counted, PlayedGames};
use crate::progress::{Progress, Watch};
use crate::task::Worker;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tabia_engines::{Limit, StartEngine};
use tabia_games::Game;
use tabia_play::choice::GameHistory;

/// How a book learns games.
pub struct Learner<'a> {
    /// What each search may use.
    pub limit: Limit,
    /// How long each is waited for.
    pub patience: Duration,
    /// Ends learning when it is set; the game being learned is left out.
    pub stop: &'a AtomicBool,
    /// Takes what a person should know.
    pub note: &'a dyn Fn(&str),
}

impl Learner<'_> {
    /// Adds the games that the book doesn't have, one batch each; whether it wasn't stopped before
    /// the last one. Deviations are evaluated by an engine that is started for this.
    ///
    /// # Errors
    /// [`Error`]; games before it are in the book.
    pub fn learn<G: Game>(
        &self,
        book: &mut GrowingBook<'_>,
        start: &G,
        engine: StartEngine<G>,
        games: impl IntoIterator<Item = (GameHistory<G>, Counted)>,
    ) -> Result<bool, Error> {
        let worker = EngineWorker::new(start, engine, self.limit, self.patience)?;
        let plan = Plan::new(EvalFact::of(worker.name(), &self.limit, start.name()));
        let workers: Vec<Box<dyn Worker>> = vec![Box::new(worker)];
        let mut learning = PlayedGames::new(book, &plan, start, workers, self)?;
        for (game, counted) in games {
            if learning.add(&game, Some(&counted))?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Watch for Learner<'_> {
    fn step(&self, _: &Progress<'_>) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    fn note(&self, line: &str) {
        (self.note)(line);
    }
}
