//! The books that are served, each by a name, while they come and go, and whether they may be edited.

use crate::engine::Engines;
use crate::players::Players;
use crate::shelf::Shelf;
use crate::source::Source;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tabia_games::Game;

/// All books and shelves that are served.
#[derive(Default)]
pub struct Sources {
    /// The books come before the shelves.
    all: Vec<Shelf>,
    /// What makes books of players' games, if they are made.
    pub players: Option<Arc<Players>>,
    /// The engine beside them, if there is one.
    pub engines: Option<Arc<Engines>>,
    /// What an edit must say, if edits are allowed.
    pub token: Option<String>,
    /// Whether explorers' clients get answers although a filter can't be obeyed: its name is in the
    /// header `X-Tabia-Ignored`. Otherwise such a request is refused.
    pub is_lenient: bool,
}

/// A name that two books or shelves would have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two books are called {0}")]
pub struct SameName(pub String);

impl Sources {
    /// These books, the first one of a game being the one that is meant where none is named.
    pub fn new(
        sources: impl IntoIterator<Item = impl Into<Arc<Source>>>,
    ) -> Result<Self, SameName> {
        let books = sources.into_iter().map(|source| Shelf::from(source.into()));
        Self::default().with_shelves(books.collect())
    }

    /// These books, and these shelves.
    pub fn with_shelves(mut self, shelves: Vec<Shelf>) -> Result<Self, SameName> {
        self.all.extend(shelves);
        let mut names = HashSet::new();
        match self.all.iter().map(|found| &found.name).find(|name| !names.insert(*name)) {
            Some(again) => Err(SameName(again.clone())),
            None => Ok(self),
        }
    }

    /// Other books and shelves, with the players and the token of these.
    pub fn replaced(&self, books: Vec<Arc<Source>>, shelves: Vec<Shelf>) -> Result<Self, SameName> {
        let Self { players, engines, token, .. } = self;
        let (players, engines, token) = (players.clone(), engines.clone(), token.clone());
        let all = Self::new(books)?.all;
        Self { all, players, engines, token, is_lenient: self.is_lenient }.with_shelves(shelves)
    }

    /// Every book, also those of shelves, with what an operator calls it: `NAME`, or `SHELF/NAME`.
    pub fn every(&self) -> impl Iterator<Item = (String, &Arc<Source>)> {
        let called = |shelf: &Shelf, source: &Source| match shelf.book() {
            Some(_) => source.name.clone(),
            None => format!("{}/{}", shelf.name, source.name),
        };
        self.all.iter().flat_map(move |shelf| {
            shelf.sources().map(move |source| (called(shelf, source), source))
        })
    }

    /// All books, then all shelves.
    pub fn each(&self) -> impl Iterator<Item = &Shelf> {
        self.all.iter()
    }

    /// The book or the shelf of this name, of this game; without a name the first one of the game.
    pub fn find(&self, game: &str, name: Option<&str>) -> Option<&Shelf> {
        let is_named = |found: &&Shelf| name.is_none_or(|name| found.name == name);
        self.each().find(|found| found.game().name() == game && is_named(found))
    }

    /// The first shelf of a game.
    pub fn shelf(&self, game: &str) -> Option<&Shelf> {
        self.each().find(|found| found.book().is_none() && found.game().name() == game)
    }

    /// Whether this is the token that allows edits; how long it takes doesn't tell how much of it is
    /// right.
    pub fn is_token(&self, said: &str) -> bool {
        let Some(token) = &self.token else { return false };
        let differs = token.bytes().zip(said.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        token.len() == said.len() && differs == 0
    }
}

/// Looks again at what is to be served, given what is now; none if nothing changed. It is told
/// whether all has to be read anew because somebody asked for it.
pub type Look = Box<dyn FnMut(&Sources, bool) -> Option<Sources> + Send>;

/// The books that are served now, and what finds others.
pub struct Catalogue {
    now: RwLock<Arc<Sources>>,
    look: Option<Mutex<Look>>,
}

impl From<Sources> for Catalogue {
    /// These and no others.
    fn from(sources: Sources) -> Self {
        Self { now: RwLock::new(Arc::new(sources)), look: None }
    }
}

impl Catalogue {
    /// These, until others are found.
    pub fn watched(sources: Sources, look: Look) -> Self {
        Self { look: Some(Mutex::new(look)), ..sources.into() }
    }

    /// What is served now.
    pub fn now(&self) -> Arc<Sources> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks for what changed; reads all anew if that is asked for.
    pub fn look(&self, is_asked: bool) {
        let Some(look) = &self.look else { return };
        let mut look = look.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = look(&self.now(), is_asked) {
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(found);
        }
    }
}
