//! Learning from the games of a match: each goes into a book, with evaluated deviations, before the
//! next one begins, so that none is lost twice in the same way (Buro 1999).

use crate::error::Error;
use crate::played::PlayedGame;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tabia::{Digest, Env, Source};
use tabia_engines::{Launch, Limit};
use tabia_games::Game;
use tabia_grow::{Counted, GrowingBook};
use xxhash_rust::xxh3::xxh3_128;

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
        let book = GrowingBook::open(Env::default(), &self.book, GrowingBook::COMPACT_AT);
        book.and_then(|book| book.check_game(start).map(|()| book)).map_err(|e| self.failed(e))
    }

    fn failed(&self, error: tabia_grow::Error) -> Error {
        let path = self.book.clone();
        let why = match error {
            tabia_grow::Error::OtherGame { game, keys, .. } => {
                format!("is a book of {game}, by {keys} keys")
            }
            error => error.to_string(),
        };
        Error::Learning { path, why }
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
        let start = game.history.start();
        let mut book = self.open(start)?;
        let history = game.in_book(book.header().keyed);
        let learner =
            tabia_grow::Learner { limit: self.limit, patience: self.patience, stop, note };
        let engine = tabia_search::starting(self.launch.clone());
        let learned = learner.learn(&mut book, start, engine, [(history, counted(game, contest))]);
        learned.map_err(|error| self.failed(error))
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
