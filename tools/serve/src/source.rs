//! A book that is served, always the one that is on the disk now.

use crate::games::ByDate;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use tabia::{Book, Result, View};
use tabia_gamefile::GameFile;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::{Explorable, OpenBook};

/// A book that is served.
#[derive(Debug)]
pub struct Source {
    name: String,
    paths: Vec<PathBuf>,
    view: View,
    game: Known,
    names: OpeningNames,
    now: RwLock<Arc<Snapshot>>,
}

/// A book as it was at one time. It stays whole whatever happens to the file.
#[derive(Debug)]
pub struct Snapshot {
    /// The book.
    pub book: OpenBook,
    /// The files of games beside it, or why there is one that can't be read.
    pub games: std::result::Result<Vec<GameFile>, String>,
    /// What changes whenever the book says something else.
    pub version: String,
    /// Its games by date, once somebody has asked for the latest ones.
    pub by_date: ByDate,
}

impl Snapshot {
    fn of(book: OpenBook) -> Self {
        let version = |book: &Book| {
            let (digest, sequence, crc) = book.version();
            format!("{digest}-{sequence}-{crc:08x}")
        };
        let mut version = book.books().iter().map(version).collect::<Vec<_>>().join("+");
        let games = game_files(&book);
        for file in games.iter().flatten() {
            version += &format!("+{}", file.header().digest);
        }
        Self { book, games, version, by_date: ByDate::default() }
    }

    fn is_current(&self) -> Result<bool> {
        for book in self.book.books() {
            if !book.is_current()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Source {
    /// An open book, called by a name, whose game is known; with names of its openings.
    #[must_use]
    pub fn new(name: String, book: OpenBook, view: View, game: Known, names: OpeningNames) -> Self {
        let paths = book.books().iter().map(|book| book.path().to_owned()).collect();
        Self { name, paths, view, game, names, now: RwLock::new(Arc::new(Snapshot::of(book))) }
    }

    /// What it is called by: a word without `/`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its game.
    #[must_use]
    pub fn game(&self) -> &Known {
        &self.game
    }

    /// Names of its openings.
    #[must_use]
    pub fn names(&self) -> &OpeningNames {
        &self.names
    }

    /// The file, or the first of its shares.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.paths[0]
    }

    /// The book as it is now: read anew if it was replaced, or its journal grew. If it can't be read
    /// now (it is being moved, or what is there is damaged, or of another game), it is the book that
    /// was there before.
    #[must_use]
    pub fn now(&self) -> Arc<Snapshot> {
        let held = self.held();
        if held.is_current().unwrap_or(true) {
            return held;
        }
        match self.read() {
            Ok(read) if is_alike(&read.book, &held.book) => {
                let read = Arc::new(read);
                let mut now = self.now.write().unwrap_or_else(std::sync::PoisonError::into_inner);
                *now = Arc::clone(&read);
                read
            }
            _ => held,
        }
    }

    fn held(&self) -> Arc<Snapshot> {
        Arc::clone(&self.now.read().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn read(&self) -> Result<Snapshot> {
        let books = self.paths.iter().map(|path| Book::open_view(path, self.view));
        Ok(Snapshot::of(OpenBook::of(books.collect::<Result<_>>()?)?))
    }
}

/// The files of games beside a book: beside any of its shares.
fn game_files(book: &OpenBook) -> std::result::Result<Vec<GameFile>, String> {
    let game = book.header().game;
    let files = book.books().iter().map(GameFile::beside);
    let files = files.filter_map(std::result::Result::transpose);
    let files =
        files.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    match files.iter().find(|file| file.header().game != game) {
        Some(other) => Err(format!("{}: these are no games of {game}", other.path().display())),
        None => Ok(files),
    }
}

/// Whether a book can take the place of another one.
fn is_alike(book: &OpenBook, other: &OpenBook) -> bool {
    let of = |book: &OpenBook| {
        let header = book.header();
        (header.game, header.keys, header.keyed)
    };
    of(book) == of(other)
}
