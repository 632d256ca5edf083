//! The books that are served: opened at the start, and again as they come and go.

use crate::shelf::{Shelf, Slice};
use crate::source::{Notices, Source};
use crate::sources::Sources;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use tabia::{Book, View};
use tabia_build::shelf::{SHELF, ShelfFile, SliceFile};
use tabia_games::{Game, Known};
use tabia_interop::opening_names::OpeningNames;
use tabia_play::explore::{Explorable, OpenBook};

/// What was asked for; or what is wrong, in one line for whoever runs the server.
type Told<T> = Result<T, String>;

type OpenFile = Box<dyn Fn(&Path) -> Told<Book> + Send>;
type FindNames = Box<dyn Fn(&Known, &Path, bool) -> Told<OpeningNames> + Send>;

/// How books are opened.
pub struct Opener {
    /// The files in a folder whose names end so, in the order of their names.
    pub files: fn(&Path, &[&str]) -> Told<Vec<PathBuf>>,
    /// The text of a small file.
    pub text: fn(&Path) -> Told<String>,
    /// The book in a file.
    pub open: OpenFile,
    /// One book of these, all shares of one if they are all that is in a folder; and its game.
    pub unite: fn(Vec<Book>, bool) -> Told<(OpenBook, Known)>,
    /// The names of openings for a book of this game with this path; whether it is the game of the first
    /// book, as names that were given are for that.
    pub names: FindNames,
    /// What of books is read.
    pub view: View,
    /// Takes what a person should know.
    pub notices: Notices,
}

/// Books and folders, each with a name in front as in `NAME=BOOK` or without.
pub struct Opening {
    paths: Vec<PathBuf>,
    opener: Opener,
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
    pub fn new(paths: Vec<PathBuf>, opener: Opener) -> Self {
        let mut opening = Self { paths, opener, stamps: Vec::new(), told: HashSet::new() };
        opening.stamps = opening.stamps();
        opening
    }

    /// Opens all books.
    ///
    /// # Errors
    /// What is wrong with one.
    pub fn open(&self) -> Result<Sources, String> {
        let (books, shelves) = self.look(Vec::new(), true, None)?;
        let sources = Sources::new(books).and_then(|sources| sources.with_shelves(shelves));
        sources.map_err(|error| format!("{error}: give one of them another name, as in NAME=BOOK"))
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
        let found = self.look(known, is_asked, Some(&mut problems)).and_then(|(books, shelves)| {
            now.replaced(books, shelves).map_err(|error| error.to_string())
        });
        let found = found.map_err(|problem| problems.push(problem)).ok();
        for problem in problems.iter().filter(|problem| !self.told.contains(*problem)) {
            (self.opener.notices)(problem);
        }
        self.told = problems.into_iter().collect();
        if let Some(found) = &found {
            let names =
                |sources: &Sources| sources.every().map(|(name, _)| name).collect::<BTreeSet<_>>();
            let (before, after) = (names(now), names(found));
            for (these, others, what) in
                [(&after, &before, "served now"), (&before, &after, "no longer served")]
            {
                for name in these.difference(others) {
                    (self.opener.notices)(&format!("{name}: {what}"));
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
    ) -> Result<Found, String> {
        Look { opening: self, known, is_fresh, problems, game: None }.all()
    }

    /// What the folders hold.
    fn stamps(&self) -> Vec<Stamp> {
        let mut stamps = Vec::new();
        for (_, folder) in self.paths.iter().map(|named| name_of(named)) {
            if !folder.is_dir() {
                continue;
            }
            match (self.opener.files)(&folder, &["tabia", "json"]) {
                Ok(files) => stamps.extend(files.into_iter().map(|file| {
                    let found = file.metadata().map_err(|error| error.to_string());
                    (file, found.map(|found| (found.len(), found.modified().ok())))
                })),
                Err(problem) => stamps.push((folder, Err(problem))),
            }
        }
        stamps
    }
}

impl Look<'_> {
    fn all(&mut self) -> Result<Found, String> {
        let (mut books, mut shelves) = (Vec::new(), Vec::new());
        for named in &self.opening.paths {
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
    fn folder(&mut self, name: Option<&str>, folder: &Path) -> Result<Vec<Arc<Source>>, String> {
        let files = (self.opening.opener.files)(folder, &["tabia"])?;
        // A folder may become empty.
        if files.is_empty() && self.problems.is_none() {
            let folder = folder.display();
            return Err(format!(
                "{folder}: there is no book in this folder: their names end in .tabia"
            ));
        }
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
        let open = |file: &PathBuf| (self.opening.opener.open)(file);
        let shares = files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let name = name.map_or_else(|| called(folder), str::to_owned);
        Ok(vec![Arc::new(self.source(name, shares, true)?)])
    }

    /// The book in a file; none if it can't be opened, and that is no reason to stop.
    fn book(&mut self, name: String, path: &Path) -> Result<Option<Arc<Source>>, String> {
        let paths = [path.to_owned()];
        if let Some(known) = self.known(&paths).filter(|_| !self.is_fresh) {
            return Ok(Some(known));
        }
        let opened = (self.opening.opener.open)(path);
        let opened = opened.and_then(|book| self.source(name, vec![book], false));
        match (opened, &mut self.problems) {
            (Ok(source), _) => Ok(Some(Arc::new(source))),
            (Err(problem), None) => Err(problem),
            (Err(problem), Some(problems)) => {
                problems.push(problem);
                Ok(self.known(&paths))
            }
        }
    }

    /// What is served already of these files.
    fn known(&self, paths: &[PathBuf]) -> Option<Arc<Source>> {
        self.known.iter().find(|source| source.paths() == paths).map(Arc::clone)
    }

    fn shelf(&mut self, name: String, folder: &Path) -> Result<Shelf, String> {
        let path = folder.join(SHELF);
        let bad = |why: String| format!("{}: {why}", path.display());
        let file: ShelfFile = serde_json::from_str(&(self.opening.opener.text)(&path)?)
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

    fn source(
        &mut self,
        name: String,
        books: Vec<Book>,
        in_folder: bool,
    ) -> Result<Source, String> {
        let opener = &self.opening.opener;
        let (book, game) = (opener.unite)(books, in_folder)?;
        let is_first = *self.game.get_or_insert(game.name()) == game.name();
        let names = (opener.names)(&game, book.first().path(), is_first)?;
        let source = Source::new(name, book, opener.view, game, names);
        Ok(source.telling(Arc::clone(&opener.notices)))
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
