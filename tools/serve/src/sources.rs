//! The books that are served, each by a name, and whether they may be edited.

use crate::engine::Engines;
use crate::players::Players;
use crate::selection::BookOrShelf;
use crate::shelf::Shelf;
use crate::source::Source;
use std::sync::Arc;
use tabia_games::Game;

/// All books that are served.
#[derive(Debug, Default)]
pub struct Sources {
    all: Vec<Arc<Source>>,
    shelves: Vec<Shelf>,
    players: Option<Arc<Players>>,
    engines: Option<Arc<Engines>>,
    /// What an edit must say, if edits are allowed.
    token: Option<String>,
    is_lenient: bool,
}

/// A name that two books or shelves would have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two books are called {0}")]
pub struct SameName(pub String);

impl Sources {
    /// These books, the first one of a game being the one that is meant where none is named.
    ///
    /// # Errors
    /// If two have one name.
    pub fn new(
        sources: impl IntoIterator<Item = impl Into<Arc<Source>>>,
    ) -> std::result::Result<Self, SameName> {
        let all = sources.into_iter().map(Into::into).collect();
        Self { all, ..Self::default() }.checked()
    }

    /// Other books and shelves, with the players and the token of these.
    ///
    /// # Errors
    /// If two have one name.
    pub fn replaced(
        &self,
        all: Vec<Arc<Source>>,
        shelves: Vec<Shelf>,
    ) -> std::result::Result<Self, SameName> {
        let Self { players, engines, token, is_lenient, .. } = self;
        let (players, engines, token) = (players.clone(), engines.clone(), token.clone());
        Self { all, shelves, players, engines, token, is_lenient: *is_lenient }.checked()
    }

    /// Every book, also those of shelves, with what an operator calls it: `NAME`, or `SHELF/NAME`.
    pub fn every(&self) -> impl Iterator<Item = (String, &Arc<Source>)> {
        let books = self.all.iter().map(|source| (source.name().to_owned(), source));
        let slice = |shelf: &Shelf, source: &Source| format!("{}/{}", shelf.name(), source.name());
        let slices = self.shelves.iter().flat_map(move |shelf| {
            shelf.sources().map(move |source| (slice(shelf, source), source))
        });
        books.chain(slices)
    }

    /// These books, and these shelves.
    ///
    /// # Errors
    /// If two have one name.
    pub fn with_shelves(self, shelves: Vec<Shelf>) -> std::result::Result<Self, SameName> {
        Self { shelves, ..self }.checked()
    }

    fn checked(self) -> std::result::Result<Self, SameName> {
        let mut names = std::collections::HashSet::new();
        let again = self.each().map(BookOrShelf::name).find(|name| !names.insert(*name));
        match again.map(str::to_owned) {
            Some(again) => Err(SameName(again)),
            None => Ok(self),
        }
    }

    /// All books, then all shelves.
    pub fn each(&self) -> impl Iterator<Item = BookOrShelf<'_>> {
        let books = self.all.iter().map(|source| BookOrShelf::Book(source));
        books.chain(self.shelves.iter().map(BookOrShelf::Shelf))
    }

    /// The book or the shelf of this name, of this game; without a name the first one of the game.
    pub fn find(&self, game: &str, name: Option<&str>) -> Option<BookOrShelf<'_>> {
        let is_meant = |found: &BookOrShelf<'_>| {
            found.game().name() == game && name.is_none_or(|name| found.name() == name)
        };
        self.each().find(is_meant)
    }

    /// These books, and those that are made of players' games.
    pub fn with_players(self, players: Arc<Players>) -> Self {
        Self { players: Some(players), ..self }
    }

    /// What makes books of players' games, if they are made.
    pub fn players(&self) -> Option<&Arc<Players>> {
        self.players.as_ref()
    }

    /// These books, beside which there is an engine.
    pub fn with_engines(self, engines: Engines) -> Self {
        Self { engines: Some(Arc::new(engines)), ..self }
    }

    /// The engine beside them, if there is one.
    pub fn engines(&self) -> Option<&Arc<Engines>> {
        self.engines.as_ref()
    }

    /// The first shelf of a game.
    pub fn shelf(&self, game: &str) -> Option<&Shelf> {
        self.shelves.iter().find(|shelf| shelf.game().name() == game)
    }

    /// These books, which whoever knows this token may edit.
    pub fn editable(self, token: String) -> Self {
        Self { token: Some(token), ..self }
    }

    /// These books, of which explorers' clients get answers although a filter can't be obeyed: its
    /// name is in the header `X-Tabia-Ignored`. Otherwise such a request is refused.
    pub fn lenient(self) -> Self {
        Self { is_lenient: true, ..self }
    }

    /// Whether filters that can't be obeyed are ignored.
    pub fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// Whether the books may be edited.
    pub fn allows_edits(&self) -> bool {
        self.token.is_some()
    }

    /// Whether this is the token that allows edits; how long it takes doesn't tell how much of it is
    /// right.
    pub fn is_token(&self, said: &str) -> bool {
        let Some(token) = &self.token else { return false };
        let differs = token.bytes().zip(said.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        token.len() == said.len() && differs == 0
    }

    /// The book of this name, of this game; without a name the first one of the game.
    pub fn of(&self, game: &str, name: Option<&str>) -> Option<&Source> {
        // Books come before shelves.
        match self.find(game, name)? {
            BookOrShelf::Book(source) => Some(source),
            BookOrShelf::Shelf(_) => None,
        }
    }
}
