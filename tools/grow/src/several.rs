//! Several workers at once, and several games one after the other.

use crate::engine_worker::EngineWorker;
use crate::error::Error;
use crate::game_line::GameLine;
use crate::played::PlayedGames;
use crate::progress::{Grown, Stop};
use crate::remote::{Greeting, RemoteWorker};
use crate::task::{Worker, WorkerError};
use std::time::Duration;
use tabia_engines::{Command, Launch, Limit};
use tabia_games::Game;
use tabia_play::choice::GameHistory;

impl<G: Game> EngineWorker<G> {
    /// So many engines as [`EngineWorker::new`] starts them; our own search if there is none.
    ///
    /// # Errors
    /// If one can't be started.
    pub fn several(
        count: u16,
        start: &G,
        engine: Option<&Launch>,
        limit: Limit,
        patience: Duration,
    ) -> Result<Vec<Box<dyn Worker>>, tabia_engines::Error> {
        let worker = |_| {
            let starting = tabia_search::starting(engine.cloned());
            let worker = Self::new(start, starting, limit, patience)?;
            Ok(Box::new(worker) as Box<dyn Worker>)
        };
        (0..count).map(worker).collect()
    }
}

impl RemoteWorker {
    /// The workers that these commands start.
    ///
    /// # Errors
    /// As [`RemoteWorker::start`].
    pub fn several(
        commands: &[Command],
        greeting: &Greeting,
    ) -> Result<Vec<Box<dyn Worker>>, WorkerError> {
        let connect = |command: &Command| {
            let worker = Self::start(command.clone(), greeting.clone())?;
            Ok(Box::new(worker) as Box<dyn Worker>)
        };
        commands.iter().map(connect).collect()
    }
}

impl<G: Game> PlayedGames<'_, '_, G> {
    /// Completes the book along games that count already, one after the other, as far as they start
    /// where games do: what was done, why it ended, and how many start elsewhere.
    ///
    /// # Errors
    /// As [`PlayedGames::add`].
    pub fn add_all(
        mut self,
        lines: &[GameLine],
        opening: &GameHistory<G>,
    ) -> Result<((Grown, Stop), u64), Error> {
        let mut others = 0;
        for line in lines {
            match line.history(opening) {
                None => others += 1,
                Some(history) => {
                    if let Some(stop) = self.add(&history, None)? {
                        return Ok(((self.finish(), stop), others));
                    }
                }
            }
        }
        Ok(((self.finish(), Stop::AllGames), others))
    }
}
