//! A book that is served, always the one that is on the disk now.

use crate::games::ByDate;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};
use tabia::{Book, Result, View};
use tabia_gamefile::GameFile;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::{Explorable, OpenBook};

/// How long a replacement that can't be served isn't looked at again.
const AGAIN: Duration = Duration::from_secs(1);

/// Hears of what an operator should know, a line at a time.
pub type Notices = Arc<dyn Fn(&str) + Send + Sync>;

/// A book that is served.
pub struct Source {
    /// A word without `/`.
    pub(crate) name: String,
    paths: Vec<PathBuf>,
    view: View,
    pub(crate) game: Known,
    pub(crate) names: OpeningNames,
    now: RwLock<Arc<Snapshot>>,
    status: Mutex<Status>,
    notices: Option<Notices>,
}

/// Whether a book is the one on the disk.
#[derive(Clone, Debug)]
pub struct Status {
    /// When it was read.
    pub loaded: SystemTime,
    /// Why what is on the disk now can't be served, if it can't.
    pub problem: Option<String>,
    /// When reading what is there failed last.
    pub failed: Option<SystemTime>,
    /// Until when it isn't tried again.
    again: Option<Instant>,
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
    /// Whether something else is on the disk that can't be served.
    is_stale: AtomicBool,
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
        Self { book, games, version, is_stale: AtomicBool::new(false), by_date: ByDate::default() }
    }

    /// Whether something else is on the disk that can't be served, so that this goes on being it.
    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Relaxed)
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
    pub fn new(name: String, book: OpenBook, view: View, game: Known, names: OpeningNames) -> Self {
        let paths = book.books().iter().map(|book| book.path().to_owned()).collect();
        let now = RwLock::new(Arc::new(Snapshot::of(book)));
        let loaded = SystemTime::now();
        let status = Mutex::new(Status { loaded, problem: None, failed: None, again: None });
        Self { name, paths, view, game, names, now, status, notices: None }
    }

    /// This book, of whose replacements that can't be served somebody hears.
    pub fn telling(self, notices: Notices) -> Self {
        Self { notices: Some(notices), ..self }
    }

    /// The file, or the first of its shares.
    pub fn path(&self) -> &Path {
        &self.paths[0]
    }

    /// The files: one, or all its shares.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Whether it is the book on the disk, as it was when it was asked for last.
    pub fn status(&self) -> Status {
        self.locked_status().clone()
    }

    /// The book as it is now: read anew if it was replaced, or its journal grew. If it can't be read
    /// now (it is gone, or what is there is damaged, or of another game), it is the book that was
    /// there before, marked as stale, and a notice says so once.
    pub fn now(&self) -> Arc<Snapshot> {
        let held = self.held();
        let current = held.is_current();
        if matches!(current, Ok(true)) {
            if held.is_stale() {
                self.recovered(&held);
            }
            return held;
        }
        if self.locked_status().again.is_some_and(|again| Instant::now() < again) {
            return held;
        }
        let read = current.and_then(|_| self.read()).map_err(|error| error.to_string());
        let read = read.and_then(|read| match is_alike(&read.book, &held.book) {
            true => Ok(read),
            false => Err("another kind of book is in its place".to_owned()),
        });
        match read {
            Ok(read) => {
                let read = Arc::new(read);
                let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
                *now = Arc::clone(&read);
                drop(now);
                self.locked_status().loaded = SystemTime::now();
                if held.is_stale() {
                    self.recovered(&held);
                }
                read
            }
            Err(problem) => {
                self.failed(&held, problem);
                held
            }
        }
    }

    /// Notes that what is on the disk can't be served.
    fn failed(&self, held: &Snapshot, problem: String) {
        let mut status = self.locked_status();
        status.failed = Some(SystemTime::now());
        status.again = Some(Instant::now() + AGAIN);
        if status.problem.as_ref() != Some(&problem) {
            held.is_stale.store(true, Relaxed);
            let line = format!("{}: {problem}; the book of before is served on", self.name);
            status.problem = Some(problem);
            drop(status);
            self.tell(&line);
        }
    }

    /// Notes that what is on the disk is served again.
    fn recovered(&self, held: &Snapshot) {
        held.is_stale.store(false, Relaxed);
        let mut status = self.locked_status();
        status.again = None;
        if status.problem.take().is_some() {
            drop(status);
            self.tell(&format!("{}: what is on the disk is served again", self.name));
        }
    }

    fn tell(&self, line: &str) {
        if let Some(notices) = &self.notices {
            notices(line);
        }
    }

    fn locked_status(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self) -> Arc<Snapshot> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
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
