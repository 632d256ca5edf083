//! Learning from the games of a match: each goes into a book, with evaluated deviations, before the
//! next one begins, so that none is lost twice in the same way (Buro 1999).

use crate::error::Error;
use crate::played::PlayedGame;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tabia::format::Digest;
use tabia::{Env, Source};
use tabia_engines::{Launch, Limit};
use tabia_games::Game;
use tabia_grow::{
    Counted, EngineWorker, EvalFact, GrowingBook, Plan, PlayedGames, Progress, Watch, Worker,
};
use tabia_play::choice::GameHistory;
use xxhash_rust::xxh3::xxh3_128;

/// Bytes of the journal at which the book is compacted.
const COMPACT_AT: u64 = 64 << 20;

/// A book that learns the games of a match.
#[derive(Clone, Debug)]
pub struct Learner {
    /// The book.
    pub book: PathBuf,
    /// The engine that evaluates deviations; our own search if none.
    pub launch: Option<Launch>,
    /// What each of its searches may use.
    pub limit: Limit,
    /// How long each is waited for.
    pub patience: Duration,
}

impl Learner {
    /// Opens the book, if it is one of this game.
    ///
    /// # Errors
    /// [`Error::Learning`].
    pub fn open<G: Game>(&self, start: &G) -> Result<GrowingBook<'static>, Error> {
        let book = GrowingBook::open(Env::default(), &self.book, COMPACT_AT)
            .map_err(|error| self.failed(error))?;
        let header = book.header();
        if (header.game.as_str(), header.keys.as_str()) != (start.name(), start.keys()) {
            let why = format!("is a book of {}, by {} keys", header.game, header.keys);
            return Err(Error::Learning { path: self.book.clone(), why });
        }
        Ok(book)
    }

    fn failed(&self, error: tabia_grow::Error) -> Error {
        Error::Learning { path: self.book.clone(), why: error.to_string() }
    }

    /// Adds a game of the match with this digest to the book, unless it is there; whether it wasn't
    /// stopped before.
    ///
    /// # Errors
    /// [`Error::Learning`]: the book then doesn't have the game.
    pub fn learn<G: Game>(
        &self,
        game: &PlayedGame<G>,
        contest: u64,
        stop: &AtomicBool,
        note: &dyn Fn(&str),
    ) -> Result<bool, Error> {
        let failed = |error| self.failed(error);
        let start = game.history.start();
        let mut book = self.open(start)?;
        let mut history = GameHistory::start(start.clone(), book.header().keyed);
        game.history.plies().iter().for_each(|(_, played)| history.play(played));
        let starting = tabia_search::starting(self.launch.clone());
        let worker = EngineWorker::new(start, starting, self.limit, self.patience)
            .map_err(|error| failed(tabia_grow::Error::from_worker(error)))?;
        let plan = Plan::new(EvalFact::of(worker.name(), &self.limit, start.name()));
        let watch = Until { stop, note };
        let workers = vec![Box::new(worker) as Box<dyn Worker>];
        let mut games =
            PlayedGames::new(&mut book, &plan, start, workers, &watch).map_err(failed)?;
        let stopped = games.add(&history, Some(&counted(game, contest))).map_err(failed)?;
        Ok(stopped.is_none())
    }
}

/// How a game counts: its source is told by the match, the game's number and its moves.
fn counted<G: Game>(game: &PlayedGame<G>, contest: u64) -> Counted {
    let number = game.facts.game;
    let mut text = format!("tabia-match {contest:016x} {number}");
    for (before, played) in game.history.replay() {
        text.push(' ');
        text.push_str(&before.coordinates(played));
    }
    let digest = Digest(xxh3_128(text.as_bytes()).to_be_bytes());
    let name = format!("tabia-match-{contest:016x}-{number}");
    Counted { outcome: game.facts.outcome, source: Source { digest, games: 1, name } }
}

struct Until<'a> {
    stop: &'a AtomicBool,
    note: &'a dyn Fn(&str),
}

impl Watch for Until<'_> {
    fn step(&self, _: &Progress<'_>) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    fn note(&self, line: &str) {
        (self.note)(line);
    }
}
