//! The books that are served: opened at the start, and again as they come and go.

use crate::books::{self, ViewChoice};
use crate::names::NamesChoice;
use crate::prelude::*;
use crate::{games, textfile};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::SystemTime;
use tabia_build::shelf::{SHELF, ShelfFile, SliceFile};
use tabia_games::Game;
use tabia_play::explore::{Explorable, OpenBook};
use tabia_serve::{Notices, Shelf, Slice, Source, Sources};

/// Which books.
#[derive(Clone, clap::Args)]
pub struct BookChoice {
    /// The books; NAME=BOOK gives one a name
    ///
    /// A file, a folder of books, a folder with all shares of one, or a shelf. Books that come into a
    /// folder or leave it while it is served are taken up and dropped.
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    pub names: NamesChoice,
    #[command(flatten)]
    journal: ViewChoice,
}

/// Opens them.
pub struct Opening {
    choice: BookChoice,
    console: Console,
    /// What folders held when they were looked into last.
    stamps: Vec<Stamp>,
    /// Problems that were told, until they are gone.
    told: HashSet<String>,
}

/// A file in a folder, how long it is and when it was changed; or why there is none.
type Stamp = (PathBuf, Result<(u64, Option<SystemTime>), String>);

/// What is to be served.
type Found = (Vec<Arc<Source>>, Vec<Shelf>);

/// One look at all of them.
struct Look<'a> {
    opening: &'a Opening,
    /// What is served now.
    known: Vec<Arc<Source>>,
    /// Whether it is opened all the same.
    is_fresh: bool,
    /// What can't be opened, where that is no reason to stop.
    problems: Option<&'a mut Vec<String>>,
    /// The game of the first book: names that were given are for it.
    game: Option<&'static str>,
}

impl Opening {
    /// Nothing is open yet.
    pub fn new(choice: &BookChoice, console: &Console) -> Self {
        let (choice, console) = (choice.clone(), *console);
        let mut opening = Self { choice, console, stamps: Vec::new(), told: HashSet::new() };
        opening.stamps = opening.stamps();
        opening
    }

    /// Opens all books, or says what is wrong with one.
    pub fn open(&self) -> Done<Sources> {
        let (books, shelves) = self.look(Vec::new(), true, None)?;
        let sources = Sources::new(books).and_then(|sources| sources.with_shelves(shelves));
        sources.map_err(|error| failure!("{error}: give one of them another name, as in NAME=BOOK"))
    }

    /// What is to be served now: nothing if it is what is served already. What can't be opened is
    /// said once; what is served in its place goes on.
    pub fn again(&mut self, now: &Sources, is_asked: bool) -> Option<Sources> {
        let stamps = self.stamps();
        if !is_asked && stamps == self.stamps {
            return None;
        }
        self.stamps = stamps;
        let known = now.every().map(|(_, source)| Arc::clone(source)).collect();
        let mut problems = Vec::new();
        let found = self.look(known, is_asked, Some(&mut problems));
        let found = found.map_err(|failure| failure.to_string()).and_then(|(books, shelves)| {
            now.replaced(books, shelves).map_err(|error| error.to_string())
        });
        let found = found.map_err(|problem| problems.push(problem)).ok();
        for problem in problems.iter().filter(|problem| !self.told.contains(*problem)) {
            self.console.note(problem);
        }
        self.told = problems.into_iter().collect();
        if let Some(found) = &found {
            let names = |sources: &Sources| {
                sources.every().map(|(name, _)| name).collect::<std::collections::BTreeSet<_>>()
            };
            let (before, after) = (names(now), names(found));
            for (these, others, what) in
                [(&after, &before, "served now"), (&before, &after, "no longer served")]
            {
                for name in these.difference(others) {
                    self.console.note(&format!("{name}: {what}"));
                }
            }
        }
        found
    }

    fn look(
        &self,
        known: Vec<Arc<Source>>,
        is_fresh: bool,
        problems: Option<&mut Vec<String>>,
    ) -> Done<Found> {
        Look { opening: self, known, is_fresh, problems, game: None }.all()
    }

    /// What the folders hold.
    fn stamps(&self) -> Vec<Stamp> {
        let mut stamps = Vec::new();
        for (_, folder) in self.choice.books.iter().map(|named| name_of(named)) {
            if !folder.is_dir() {
                continue;
            }
            match books::files_in(&folder, &["tabia", "json"]) {
                Ok(files) => stamps.extend(files.into_iter().map(|file| {
                    let found = file.metadata().map_err(|error| error.to_string());
                    (file, found.map(|found| (found.len(), found.modified().ok())))
                })),
                Err(failure) => stamps.push((folder, Err(failure.to_string()))),
            }
        }
        stamps
    }
}

impl Look<'_> {
    fn all(&mut self) -> Done<Found> {
        let (mut books, mut shelves) = (Vec::new(), Vec::new());
        for named in &self.opening.choice.books {
            let (name, path) = name_of(named);
            if path.join(SHELF).is_file() {
                shelves.push(self.shelf(name.unwrap_or_else(|| called(&path)), &path)?);
            } else if path.is_dir() {
                books.extend(self.folder(name.as_deref(), &path)?);
            } else {
                let name = name.unwrap_or_else(|| called(&path));
                books.extend(self.book(name, &path)?);
            }
        }
        Ok((books, shelves))
    }

    /// The books of a folder; all shares of one are one.
    fn folder(&mut self, name: Option<&str>, folder: &Path) -> Done<Vec<Arc<Source>>> {
        let files = match self.problems {
            // A folder may become empty.
            Some(_) => books::files_in(folder, &["tabia"])?,
            None => books::named(&[folder.to_owned()])?,
        };
        if let Some(known) = self.known(&files).filter(|_| files.len() > 1) {
            return Ok(vec![known]);
        }
        let mut found = Vec::new();
        for file in &files {
            let name = name.map_or_else(|| called(file), str::to_owned);
            found.extend(self.book(name, file)?);
        }
        let is_share = |source: &Arc<Source>| !source.now().book.header().share.is_whole();
        if !found.iter().any(is_share) {
            return Ok(found);
        }
        let view = self.opening.choice.journal.view();
        let open = |file: &PathBuf| books::open(file, view, &self.opening.console);
        let shares = files.iter().map(open).collect::<Done<Vec<_>>>()?;
        let name = name.map_or_else(|| called(folder), str::to_owned);
        Ok(vec![Arc::new(self.source(name, books::one(shares, true)?)?)])
    }

    /// The book in a file; none if it can't be opened, and that is no reason to stop.
    fn book(&mut self, name: String, path: &Path) -> Done<Option<Arc<Source>>> {
        let paths = [path.to_owned()];
        if let Some(known) = self.known(&paths).filter(|_| !self.is_fresh) {
            return Ok(Some(known));
        }
        let opened = books::open(path, self.opening.choice.journal.view(), &self.opening.console)
            .and_then(|book| self.source(name, OpenBook::of(vec![book])?));
        match (opened, &mut self.problems) {
            (Ok(source), _) => Ok(Some(Arc::new(source))),
            (Err(failure), None) => Err(failure),
            (Err(failure), Some(problems)) => {
                problems.push(failure.to_string());
                Ok(self.known(&paths))
            }
        }
    }

    /// What is served already of these files.
    fn known(&self, paths: &[PathBuf]) -> Option<Arc<Source>> {
        self.known.iter().find(|source| source.paths() == paths).map(Arc::clone)
    }

    fn shelf(&mut self, name: String, folder: &Path) -> Done<Shelf> {
        let path = folder.join(SHELF);
        let bad = |why: String| failure!("{}: {why}", path.display());
        let file: ShelfFile = serde_json::from_str(&textfile::read(&path)?)
            .map_err(|error| bad(error.to_string()))?;
        let mut slices: Vec<Slice> = Vec::new();
        for SliceFile { book, facets } in file.slices {
            if Path::new(&book).components().count() != 1 || book.starts_with('.') {
                return Err(bad(format!(
                    "`{}` is no name of a book beside it",
                    book.escape_debug()
                )));
            }
            let path = folder.join(&book);
            if let Some(source) = self.book(book, &path)? {
                slices.push(Slice { facets, source });
            }
        }
        Shelf::new(name, slices).map_err(|error| bad(error.to_string()))
    }

    fn source(&mut self, name: String, book: OpenBook) -> Done<Source> {
        let game = games::of(book.header(), book.first().path())?;
        let usual = NamesChoice::default();
        let is_meant = *self.game.get_or_insert(game.name()) == game.name();
        let Opening { choice, console, .. } = self.opening;
        let names = if is_meant { &choice.names } else { &usual };
        let names = names.read(&game, book.first().path(), console)?;
        let console = *console;
        let notices: Notices = Arc::new(move |line: &str| console.note(line));
        Ok(Source::new(name, book, choice.journal.view(), game, names).telling(notices))
    }
}

/// What a book is to be called, if that was said, and its path.
fn name_of(named: &Path) -> (Option<String>, PathBuf) {
    let text = named.to_str().filter(|_| !named.exists());
    match text.and_then(|text| text.split_once('=')) {
        Some((name, path)) if !name.is_empty() && !name.contains('/') => {
            (Some(name.to_owned()), path.into())
        }
        _ => (None, named.to_owned()),
    }
}

/// The name of a file or a folder without its ending.
fn called(path: &Path) -> String {
    path.file_stem().map_or_else(|| "book".to_owned(), |name| name.to_string_lossy().into_owned())
}
