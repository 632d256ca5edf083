//! Plays a match with several workers.

use crate::contest::Contest;
use crate::error::Error;
use crate::game_runner::GameRunner;
use crate::played::PlayedGame;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;
use tabia_games::Game;

/// How many games a worker may be ahead of the first that isn't finished: if that one hangs, the others
/// don't play on to the end of a match that it may decide.
const AHEAD: usize = 4;
/// How often one that waits looks whether it is to stop.
const LISTENING: Duration = Duration::from_millis(20);

/// Plays the games of a match that aren't `done`, several at a time, and hands them on in their
/// order. Each worker has engines of its own.
///
/// When `stop` is set, no game is begun any more, and those being played are given up after the
/// move being thought about; what is finished is handed on, whatever is missing before it. The same
/// happens before an error is returned.
///
/// # Errors
/// If an engine can't be used any more, or `each` fails.
pub fn run<G: Game>(
    contest: &Contest<G>,
    done: &BTreeSet<u32>,
    workers: usize,
    stop: &AtomicBool,
    each: impl FnMut(PlayedGame<G>) -> Result<(), Error>,
) -> Result<(), Error> {
    run_until(contest, done, workers, (stop, &AtomicBool::new(false)), each)
}

/// Plays a match as [`run`] does, until the second of the two is set or the first, which is the
/// same `stop`. When the second is set no pair of games is begun any more, but those of which a
/// game is being played or finished are played to their end.
///
/// # Errors
/// If an engine can't be used any more, or `each` fails.
pub fn run_until<G: Game>(
    contest: &Contest<G>,
    done: &BTreeSet<u32>,
    workers: usize,
    (stop, enough): (&AtomicBool, &AtomicBool),
    mut each: impl FnMut(PlayedGame<G>) -> Result<(), Error>,
) -> Result<(), Error> {
    let games: Vec<u32> =
        (1..=contest.settings.games).filter(|game| !done.contains(game)).collect();
    let wanted = |game: &u32| game.is_multiple_of(2) || !enough.load(Ordering::SeqCst);
    let next = Mutex::new(games.iter().copied().take_while(wanted));
    let halt = AtomicBool::new(false);
    let is_stopped = || stop.load(Ordering::SeqCst) || halt.load(Ordering::SeqCst);
    // Who begins a game takes a permit, and each game that is handed on gives one back.
    let (permit, permits) = mpsc::channel();
    (0..AHEAD * workers.max(1)).for_each(|_| _ = permit.send(()));
    let permits = Mutex::new(permits);
    let take = || {
        while !is_stopped() {
            if permits.lock().ok()?.recv_timeout(LISTENING).is_ok() {
                return next.lock().ok()?.next();
            }
        }
        None
    };
    // A worker waits until its game is taken, so that none plays on far behind the end of a match.
    let (sender, finished) = mpsc::sync_channel(0);
    let mut ended = Ok(());
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, games.len().max(1)) {
            let (sender, take, is_stopped) = (sender.clone(), &take, &is_stopped);
            scope.spawn(move || {
                let mut runner =
                    GameRunner::new(&contest.settings.players, &contest.settings.rules);
                while let Some(game) = take() {
                    let played = runner.play(&contest.pairing(game), is_stopped).transpose();
                    let is_error = matches!(played, Some(Err(_)));
                    if played.is_some_and(|played| sender.send(played).is_err()) || is_error {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut order) = (BTreeMap::new(), games.iter().peekable());
        for game in finished {
            match game {
                Ok(game) => drop(waiting.insert(game.facts.game, game)),
                Err(error) if ended.is_ok() => ended = Err(error),
                Err(_) => {}
            }
            while ended.is_ok()
                && let Some(game) = order.peek().and_then(|number| waiting.remove(*number))
            {
                order.next();
                let _ = permit.send(());
                ended = each(game);
            }
            halt.store(ended.is_err(), Ordering::SeqCst);
        }
        // What was finished behind a gap.
        for game in waiting.into_values() {
            if let Err(error) = each(game)
                && ended.is_ok()
            {
                ended = Err(error);
            }
        }
    });
    ended
}

/// Plays one game of a match; none if `stop` is set before it is finished.
///
/// # Errors
/// If an engine can't be used any more.
pub fn play_one<G: Game>(
    contest: &Contest<G>,
    game: u32,
    stop: &AtomicBool,
) -> Result<Option<PlayedGame<G>>, Error> {
    let is_stopped = || stop.load(Ordering::SeqCst);
    let mut runner = GameRunner::new(&contest.settings.players, &contest.settings.rules);
    let played = runner.play(&contest.pairing(game), &is_stopped)?;
    Ok(played.filter(|_| !is_stopped()))
}

/// How often a game is tried in which an engine does what makes it void.
pub(crate) const TRIES: u32 = 3;

/// Plays a game, again as long as it is void; with how many were void before it. None if it was
/// stopped.
///
/// # Errors
/// Those of playing it; [`Error::Void`] if it always was.
pub(crate) fn play_soundly<G: Game>(
    game: u32,
    mut play: impl FnMut() -> Result<Option<PlayedGame<G>>, Error>,
    is_void: impl Fn(&PlayedGame<G>) -> bool,
) -> Result<Option<(PlayedGame<G>, u32)>, Error> {
    let mut why = String::new();
    for void in 0..TRIES {
        let Some(played) = play()? else { return Ok(None) };
        if !is_void(&played) {
            return Ok(Some((played, void)));
        }
        let loser = played.facts.loser().map_or("an engine", |loser| &played.names[loser]);
        why = format!("{loser} lost it by {}: {}", played.facts.reason, played.detail);
    }
    Err(Error::Void { game, tries: TRIES, why })
}
