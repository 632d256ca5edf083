//! Workers with engines of their own, who play games and answer questions.

use super::Plan;
use crate::error::Error;
use crate::facts::EndReason;
use crate::game_runner::GameRunner;
use crate::played::PlayedGame;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use tabia_games::Game;

/// What is done by a worker with its engines.
pub(super) type Job<'a, G> = Box<dyn FnOnce(&mut GameRunner<'a, G>) + Send + 'a>;
/// What came of it; none if it was stopped.
pub(super) type Going<T> = Result<Option<T>, Error>;

/// The workers.
pub(super) struct Staff<'a, G: Game> {
    jobs: Sender<Job<'a, G>>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// A job failed: what isn't done yet isn't done any more.
    has_failed: Arc<AtomicBool>,
}

impl<'a, G: Game> Staff<'a, G> {
    /// Starts as many as the plan says. They end with this.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        plan: &'a Plan,
        (sender, jobs): (Sender<Job<'a, G>>, &'scope Mutex<Receiver<Job<'a, G>>>),
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Self
    where
        'a: 'scope,
    {
        for _ in 0..plan.workers {
            scope.spawn(move || {
                let mut runner = GameRunner::new(&plan.players, &plan.rules);
                loop {
                    let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(job) = next else { return };
                    job(&mut runner);
                }
            });
        }
        Self { jobs: sender, is_stopped, has_failed: Arc::default() }
    }

    /// What comes of some jobs, which are told how to ask whether to stop, in their order; `each` hears
    /// of one as soon as it is done. None if they were stopped.
    pub fn carry_out<T: Send + 'a>(
        &self,
        jobs: Vec<impl FnOnce(&mut GameRunner<'a, G>, &dyn Fn() -> bool) -> Going<T> + Send + 'a>,
        mut each: impl FnMut(&T) -> Result<(), Error>,
    ) -> Going<Vec<T>> {
        let mut done: Vec<Option<T>> = jobs.iter().map(|_| None).collect();
        let (told, results) = channel();
        for (place, job) in jobs.into_iter().enumerate() {
            let (told, is_stopped) = (told.clone(), self.is_stopped);
            let has_failed = Arc::clone(&self.has_failed);
            let _ = self.jobs.send(Box::new(move |runner| {
                let is_over = || is_stopped() || has_failed.load(Ordering::Relaxed);
                let result = if is_over() { Ok(None) } else { job(runner, &is_over) };
                let _ = told.send((place, result));
            }));
        }
        drop(told);
        let mut failed = Ok(());
        for (place, result) in results {
            // What was done is kept, whatever else fails.
            let kept = result.and_then(|result| match result {
                Some(result) => each(&result).map(|()| done[place] = Some(result)),
                None => Ok(()),
            });
            failed = failed.and(kept);
            self.has_failed.store(failed.is_err(), Ordering::Relaxed);
        }
        failed
            .map(|()| done.into_iter().collect::<Option<Vec<_>>>().filter(|_| !(self.is_stopped)()))
    }
}

/// Whether a game says nothing of the moves it began with: an engine failed, or gave up before it
/// made a move.
pub(super) fn is_void<G: Game>(game: &PlayedGame<G>) -> bool {
    let gave_up = |loser: usize| game.facts.shares[loser].moves == 0;
    game.facts.reason.is_fault()
        || game.facts.reason == EndReason::Resignation && game.facts.loser().is_some_and(gave_up)
}
