//! Books of players' games of one game, made from archives when they are asked for.

use crate::reply::Refusal;
use crate::source::Source;
use std::collections::VecDeque;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use tabia::{Book, BookFile, BookFiles, Column, Env, View};
use tabia_archives::IngestProgress;
use tabia_archives::filter::Filter;
use tabia_build::{ArchiveList, BuildError, BuildObserver, BuildPlan};
use tabia_gamefile::KeptGames;
use tabia_games::Known;
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::{Explorable, OpenBook};
use tokio::sync::watch;

/// The most books that are kept, and their bytes. One that is asked for next takes the place of
/// those that were asked for longest ago.
const MOST_KEPT: usize = 100;
const MOST_BYTES: u64 = 4 << 30;
/// The most books that wait for being made.
const MOST_WAITING: usize = 20;
/// Bytes of memory to make one with; what doesn't fit goes to the disk.
const MEMORY: usize = 256 << 20;

/// Archives of a game, and the books that were made of players' games in them.
pub struct Players {
    game: Known,
    archives: ArchiveList,
    /// Names of openings.
    pub names: OpeningNames,
    folder: PathBuf,
    /// The one asked for last is the last one.
    books: Mutex<VecDeque<PlayerBook>>,
    /// Held by what makes a book: one at a time, which takes all cores.
    building: Mutex<()>,
    made: AtomicU64,
    ends: AtomicBool,
}

/// A book of a player's games, be it made or not.
#[derive(Clone)]
struct PlayerBook {
    /// Which games of the archives.
    filter: Filter,
    /// What the archives were then.
    stamps: Vec<Stamp>,
    state: watch::Receiver<State>,
}

/// How long a file is and when it was changed; none if there is no file.
type Stamp = Option<(u64, Option<SystemTime>)>;

/// How far a book is.
#[derive(Clone)]
pub enum State {
    /// It waits, or is being made.
    Making,
    /// It is there.
    Made(Arc<Source>),
    /// It couldn't be made.
    Failed(String),
}

impl Players {
    /// Players of these archives of this game, whose openings have these names. Their books are files in this
    /// folder, which holds nothing else.
    pub fn new(game: Known, archives: ArchiveList, names: OpeningNames, folder: PathBuf) -> Self {
        Self {
            game,
            archives,
            names,
            folder,
            books: Mutex::default(),
            building: Mutex::default(),
            made: AtomicU64::new(0),
            ends: AtomicBool::new(false),
        }
    }

    /// The book of the games that a filter wants, which begins to be made if it isn't there, or the
    /// archives have changed; refused as busy if too many are waited for.
    pub fn book(self: &Arc<Self>, filter: Filter) -> Result<watch::Receiver<State>, Refusal> {
        let stamps = self.stamps();
        let mut books = self.books();
        let is_it = |book: &PlayerBook| book.filter == filter && book.stamps == stamps;
        if let Some(at) = books.iter().position(is_it)
            && let Some(found) = books.remove(at)
        {
            let state = found.state.clone();
            // What failed is tried again when it is asked for next.
            if !matches!(*state.borrow(), State::Failed(_)) {
                books.push_back(found);
            }
            return Ok(state);
        }
        if books.iter().filter(|book| book.is_waiting()).count() >= MOST_WAITING {
            return Err(Refusal::Busy("indexer queue full".to_owned()));
        }
        make_room(&mut books);
        let (told, state) = watch::channel(State::Making);
        books.push_back(PlayerBook { filter: filter.clone(), stamps, state: state.clone() });
        drop(books);
        let players = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let made = players.make(filter).map_or_else(State::Failed, State::Made);
            // Nobody may be waiting any more.
            let _ = told.send(made);
        });
        Ok(state)
    }

    /// Stops what is being made.
    pub fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
        // Until the one that is being made has stopped.
        drop(self.building.lock());
    }

    /// Makes a book of the games that a filter wants.
    fn make(&self, filter: Filter) -> Result<Arc<Source>, String> {
        let _turn = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        if self.ends.load(Ordering::Relaxed) {
            return Err("the server ends".to_owned());
        }
        let mut plan = BuildPlan::new(self.game.clone());
        plan.read.wanted.filter = filter;
        plan.read.wanted.columns = [Column::RATINGS, Column::GAME].into_iter().collect();
        plan.games = Some(KeptGames::All);
        (plan.allow_empty, plan.memory, plan.part_bytes) = (true, MEMORY, None);
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{number}.tabia"));
        let built = plan.build(&Env::default(), &self.archives, &path, &mut Ending(&self.ends));
        built.map_err(|error: BuildError| error.to_string())?;
        let opened = Book::open(&path).and_then(|book| OpenBook::of(vec![book]));
        let opened = opened.map_err(|error| error.to_string())?;
        let (name, game) = (number.to_string(), self.game.clone());
        let names = OpeningNames::default();
        Ok(Arc::new(Source::new(name, opened, View::default(), game, names)))
    }

    fn stamps(&self) -> Vec<Stamp> {
        let stamp = |path: &PathBuf| {
            fs::metadata(path).ok().map(|found| (found.len(), found.modified().ok()))
        };
        self.archives.paths.iter().map(stamp).collect()
    }

    fn books(&self) -> MutexGuard<'_, VecDeque<PlayerBook>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives up the books that were asked for longest ago, so that there is room for one more.
fn make_room(books: &mut VecDeque<PlayerBook>) {
    let mut bytes: u64 = books.iter().map(PlayerBook::bytes).sum();
    while books.len() >= MOST_KEPT || bytes > MOST_BYTES {
        let Some(oldest) = books.iter().position(|book| !book.is_waiting()) else { return };
        let Some(oldest) = books.remove(oldest) else { return };
        bytes -= oldest.bytes();
        oldest.remove_files();
    }
}

impl PlayerBook {
    fn is_waiting(&self) -> bool {
        matches!(*self.state.borrow(), State::Making)
    }

    /// Bytes of its files; none if there are none.
    fn bytes(&self) -> u64 {
        match &*self.state.borrow() {
            State::Made(source) => {
                let book = source.now();
                let games = book.games.iter().flatten().map(|file| file.header().file_length);
                book.book.header().file_length + games.sum::<u64>()
            }
            _ => 0,
        }
    }

    /// Removes its files. Who reads them still has them open.
    fn remove_files(&self) {
        if let State::Made(source) = &*self.state.borrow() {
            let files = BookFiles::of(source.path());
            // What stays goes with the folder.
            let _ = fs::remove_file(source.path());
            let _ = fs::remove_file(files.path(BookFile::Games));
        }
    }
}

/// Stops a build when the server ends.
struct Ending<'a>(&'a AtomicBool);

impl BuildObserver for Ending<'_> {
    fn progress(&mut self, _: &IngestProgress) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_books_make_room_but_for_those_that_are_waited_for() {
        let book = |state, color| PlayerBook {
            filter: Filter { color, ..Filter::default() },
            stamps: Vec::new(),
            state: watch::channel(state).1,
        };
        let failed = || State::Failed(String::new());
        let mut books = VecDeque::from([
            book(State::Making, None),
            book(failed(), Some(tabia_games::Side::First)),
        ]);
        books.resize(MOST_KEPT, book(failed(), None));
        make_room(&mut books);
        assert_eq!(books.len(), MOST_KEPT - 1);
        assert!(books[0].is_waiting() && books[1].filter.color.is_none());
        make_room(&mut books);
        assert_eq!(books.len(), MOST_KEPT - 1);
    }
}
