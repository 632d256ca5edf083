//! Workers with engines of their own, who play games and answer questions.

use super::Plan;
use crate::error::Error;
use crate::facts::EndReason;
use crate::game_runner::{GameRunner, Pairing};
use crate::played::PlayedGame;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use tabia_engines::{Fault, MoveHistory};
use tabia_games::{Game, Side};

/// How often a game is tried in which an engine does what makes it void.
const TRIES: u32 = 3;

/// What a worker is to do.
pub(super) struct Job<G: Game> {
    /// Where it begins.
    pub line: MoveHistory<G>,
    /// In which of its plies an engine thought: the others are the book's.
    pub thought: Vec<bool>,
    /// What chance is drawn by.
    pub seed: u32,
    pub what: What,
}

pub(super) enum What {
    /// A game with this number, of this expansion, against a member of the pool.
    Game { game: u32, expansion: u32, own: Side, seat: usize },
    /// What the engine in this seat plays.
    Ask { seat: usize },
    /// The best moves by a deeper search of the player's.
    Rank { count: usize },
}

/// What came of it.
pub(super) enum Done<G: Game> {
    /// The game, and how many were void before.
    Game(Box<PlayedGame<G>>, u32),
    /// The move, if the engine made one.
    Answer(Option<G::Move>),
    /// Moves with what they are worth, in hundredths, the best first; none where the engine has no
    /// way to say it.
    Ranking(Vec<(G::Move, i64)>),
}

/// What workers are to do: the places of jobs among those that belong together, and the jobs.
pub(super) type Numbered<G> = (usize, Job<G>);
/// What came of a job; none if it was stopped.
type Result<G> = std::result::Result<Option<Done<G>>, Error>;

/// The workers.
pub(super) struct Staff<'a, G: Game> {
    jobs: Sender<Numbered<G>>,
    results: Receiver<(usize, Result<G>)>,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// A job failed: what isn't done yet isn't done any more.
    has_failed: Arc<AtomicBool>,
}

impl<'a, G: Game> Staff<'a, G> {
    /// Starts as many as the plan says. They end with this.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        plan: &'a Plan,
        (sender, jobs): (Sender<Numbered<G>>, &'a Mutex<Receiver<Numbered<G>>>),
        is_stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Self
    where
        'a: 'scope,
    {
        let (told, results) = channel();
        let has_failed = Arc::new(AtomicBool::new(false));
        for _ in 0..plan.workers {
            let (told, has_failed) = (told.clone(), Arc::clone(&has_failed));
            scope.spawn(move || {
                let is_over = || is_stopped() || has_failed.load(Ordering::Relaxed);
                let mut runner = GameRunner::new(&plan.players, &plan.rules);
                loop {
                    let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((place, job)) = next else { return };
                    let done = carry_out(&mut runner, plan, &job, &is_over);
                    if told.send((place, done)).is_err() {
                        return;
                    }
                }
            });
        }
        Self { jobs: sender, results, is_stopped, has_failed }
    }

    /// What comes of some jobs, in their order; `each` hears of one as soon as it is done. None if
    /// they were stopped.
    pub fn carry_out(
        &self,
        jobs: Vec<Job<G>>,
        mut each: impl FnMut(&Done<G>) -> std::result::Result<(), Error>,
    ) -> std::result::Result<Option<Vec<Done<G>>>, Error> {
        let count = jobs.len();
        let mut done: Vec<Option<Done<G>>> = (0..count).map(|_| None).collect();
        jobs.into_iter().enumerate().for_each(|job| drop(self.jobs.send(job)));
        let mut failed = Ok(());
        for (place, result) in self.results.iter().take(count) {
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

fn carry_out<G: Game>(
    runner: &mut GameRunner<'_, G>,
    plan: &Plan,
    job: &Job<G>,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<G> {
    if is_stopped() {
        return Ok(None);
    }
    let Job { line, thought, seed, what } = job;
    match *what {
        What::Game { game, expansion, own, seat } => {
            let pairing = Pairing {
                contest: plan.digest(line.start()),
                game,
                opening: line,
                thought,
                opening_number: expansion,
                seats: [0, seat],
                first: own,
                seed: *seed,
            };
            let mut why = String::new();
            for void in 0..TRIES {
                let Some(played) = runner.play(&pairing, &is_stopped)? else { return Ok(None) };
                if !is_void(&played) {
                    return Ok(Some(Done::Game(Box::new(played), void)));
                }
                let loser = played.facts.loser().map_or("an engine", |loser| &played.names[loser]);
                why = format!("{loser} lost it by {}: {}", played.facts.reason, played.detail);
            }
            Err(Error::Void { game, tries: TRIES, why })
        }
        What::Ask { seat } => Ok(Some(Done::Answer(runner.ask(seat, (line, thought), *seed)?))),
        What::Rank { count } => {
            let ranked = match runner.rank(plan.players.len() - 1, line, count, &plan.deep) {
                Err(Error::Engine(error)) if matches!(error.fault, Fault::Unsupported(_)) => {
                    Vec::new()
                }
                ranked => ranked?,
            };
            Ok(Some(Done::Ranking(ranked)))
        }
    }
}

/// Whether a game says nothing of the moves it began with: an engine failed, or gave up before it
/// made a move.
fn is_void<G: Game>(game: &PlayedGame<G>) -> bool {
    let gave_up = |loser: usize| game.facts.shares[loser].moves == 0;
    game.facts.reason.is_fault()
        || game.facts.reason == EndReason::Resignation && game.facts.loser().is_some_and(gave_up)
}
