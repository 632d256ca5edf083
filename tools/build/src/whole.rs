//! Whole books: the book with its journal, its games and the fingerprints of these
//! ([`tabia::BookFiles`]).
//!
//! | | rows and journal | games | fingerprints | what is being expanded |
//! |---|---|---|---|---|
//! | [`BuildPlan::build`] | written | written | written | stays |
//! | [`BuildPlan::add`] | a batch | written anew | written anew | stays |
//! | [`merge`] | united | united, but for a share | united | left behind |
//! | [`merge_into`] | a batch | united | united | stays |
//! | [`copy`]: packing, unpacking | copied | copied | copied | left behind |
//! | [`tabia::Writer`]: compacting, taking back | in place | stay | stay | stays |
//! | [`salvage`] | what is sound | what is sound | copied, if sound | left behind |
//! | trimming (`tabia-play`) | a part | left behind | left behind | left behind |
//! | [`check`] | verified | verified | verified | - |
//!
//! What goes beside a book is first written whole under other names, all of it: `NewFiles` is the
//! one place where it gets its names, next to the book's.
//!
//! Two books with games and fingerprints become one, of which nothing is missing:
//!
//! ```
//! # use tabia_build::{ArchiveList, BuildPlan, KeptGames, dedup::{Dedup, SameBy}};
//! # use tabia_games::{Chess, Game, Known};
//! use tabia::{Book, Env, MergeOptions};
//! use tabia_build::whole;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = |name: &str| folder.path().join(name);
//! # let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
//! # plan.games = Some(KeptGames::All);
//! # plan.read.wanted.columns = [tabia::Column::GAME].into_iter().collect();
//! # plan.dedup = Some((Dedup::Exact, SameBy::Moves));
//! # for (name, moves) in [("2023.tabia", "1. e4 e5 1-0"), ("2024.tabia", "1. d4 d5 1-0")] {
//! #     std::fs::write(path("a.pgn"), format!("[Result \"1-0\"]\n\n{moves}\n"))?;
//! #     plan.build(&Env::default(), &ArchiveList::of(&[path("a.pgn")])?, &path(name), &mut ())?;
//! # }
//! let books = [Book::open(path("2023.tabia"))?, Book::open(path("2024.tabia"))?];
//! let options = MergeOptions::default();
//! let made = whole::merge(&Env::default(), &path("all.tabia"), &books, options)?;
//! assert_eq!(made.games.map(|file| file.games), Some(2));
//! assert!(whole::check(&Env::default(), &path("all.tabia"))?.ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(doc)]
use crate::BuildPlan;
use crate::dedup::{KnownGames, united_fingerprints};
use crate::error::{BuildError, Result};
use crate::game_collector::missing_games;
use std::path::{Path, PathBuf};
use tabia::format::{Header, Source, Tag};
use tabia::{
    AtomicFile, Beside, Book, BookFile, BookFiles, BookSet, CheckReport, Duplicates, Env, Error,
    Existing, Fact, MergeOptions, NewBook, SalvageReport, TableKind, Writer,
};
use tabia_gamefile::{
    GameCheck, GameFile, GameFileError, GameFileHeader, SalvagedGames, UnpublishedGames,
    check_games, check_place, merge_games, salvage_games,
};

/// Bytes of memory for uniting files of games, and for what books name.
const MEMORY: usize = 256 << 20;

/// What is to be beside a book, whole and durable but for its names. Dropped, it is gone.
#[derive(Debug, Default)]
pub(crate) struct NewFiles<'a> {
    pub games: Option<UnpublishedGames<'a>>,
    pub fingerprints: Option<AtomicFile<'a>>,
    /// Books whose moves name games that aren't beside them, while those of others are.
    without_games: Vec<PathBuf>,
}

impl<'a> NewFiles<'a> {
    /// What all these books have beside them, united, for one made of them; without games if
    /// nobody needs them there.
    fn of(
        env: &Env<'a>,
        books: &[&Book],
        output: &Path,
        existing: Existing,
        with_games: bool,
    ) -> Result<Self> {
        let (mut games, mut files, mut without_games) = (None, Vec::new(), Vec::new());
        for book in books.iter().filter(|_| with_games) {
            match GameFile::beside(book.path())? {
                Some(file) => files.push(file),
                None if book.header().section(Tag(*b"GAME")).is_some() => {
                    without_games.push(book.path().to_owned());
                }
                None => {}
            }
        }
        if files.is_empty() {
            without_games.clear();
        } else {
            let path = BookFiles::of(output).path(BookFile::Games);
            check_place(&path, existing)?;
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            games = Some(merge_games(env, &path, &files, MEMORY, threads)?);
        }
        let told = |book: &&Book| Ok((book.path().to_owned(), book.sources()?, book.facts()?));
        let told = books.iter().map(told).collect::<Result<Vec<_>>>()?;
        let fingerprints = united_fingerprints(env.storage, &told, output)?;
        Ok(Self { games, fingerprints, without_games })
    }

    /// Gives them their names, in the place of what has these; what the games say of themselves.
    /// Of a new book this is done when it has its own name, of a batch before that is appended:
    /// both files may hold more than the rows say, and never less.
    pub fn publish(self) -> Result<Option<GameFileHeader>> {
        let games = self.games.map(|file| file.publish(Existing::Replace)).transpose()?;
        self.fingerprints.map(|file| file.publish(Existing::Replace)).transpose()?;
        Ok(games)
    }
}

/// A book that was made of others.
#[derive(Debug)]
#[non_exhaustive]
pub struct MadeBook {
    /// What the book says of itself.
    pub header: Header,
    /// What the file of games beside it says of itself, if there is one.
    pub games: Option<GameFileHeader>,
    /// Books whose moves name games that aren't beside them, while those of others are: they are
    /// missing beside the new book.
    pub without_games: Vec<PathBuf>,
    /// Files of games that stay where they are, since the new book holds but a share.
    pub left_behind: Vec<PathBuf>,
}

/// Merges books with all that belongs to them into a new one, as [`tabia::merge`] does their rows. A
/// book of one share of the hashes gets no games: most would be of none of its rows.
///
/// # Errors
/// Those of [`tabia::merge`], of [`merge_games`], and [`BuildError::Fingerprints`].
pub fn merge(
    env: &Env<'_>,
    output: &Path,
    books: &[Book],
    options: MergeOptions,
) -> Result<MadeBook> {
    let all: Vec<&Book> = books.iter().collect();
    let is_whole = options.share.is_none_or(|share| share.is_whole());
    let files = NewFiles::of(env, &all, output, options.existing, is_whole)?;
    let options = MergeOptions { beside: Beside::Leave, ..options };
    let header = tabia::merge(env, output, books, options)?;
    let mut made = MadeBook::new(header, files)?;
    if !is_whole {
        made.left_behind = games_beside(books.iter().map(Book::path))?;
    }
    Ok(made)
}

/// Writes all that a book and its journal hold as another one, packed or not, with what belongs to
/// it.
///
/// # Errors
/// Those of [`NewBook::write`], of [`merge_games`], and [`BuildError::Fingerprints`].
pub fn copy(
    env: &Env<'_>,
    book: &Book,
    output: &Path,
    packed: bool,
    existing: Existing,
) -> Result<MadeBook> {
    let files = NewFiles::of(env, &[book], output, existing, true)?;
    let new = NewBook::copy_of(book)?.beside(Beside::Leave).packed(packed);
    MadeBook::new(new.write(env, output, existing)?, files)
}

impl MadeBook {
    /// A book that has its name, and what gets its names now.
    fn new(header: Header, mut files: NewFiles<'_>) -> Result<Self> {
        let without_games = std::mem::take(&mut files.without_games);
        let games = files.publish()?;
        Ok(Self { header, games, without_games, left_behind: Vec::new() })
    }
}

/// The files of games beside these books, for which a book made of them may have no use.
///
/// # Errors
/// Those of [`GameFile::open`].
pub fn games_beside<'a>(books: impl IntoIterator<Item = &'a Path>) -> Result<Vec<PathBuf>> {
    let found = books.into_iter().filter_map(|book| GameFile::beside(book).transpose());
    found.map(|file| Ok(file?.path().to_owned())).collect()
}

/// What became of books that were merged into another one.
#[derive(Debug)]
#[non_exhaustive]
pub struct MergedBooks {
    /// The sequence of the journal's frame that holds their rows.
    pub sequence: u64,
    /// What the file of games beside the book says of itself now, if there is one.
    pub games: Option<GameFileHeader>,
    /// As in [`MadeBook`].
    pub without_games: Vec<PathBuf>,
}

/// Merges books with all that belongs to them into one that is open for writing, as
/// [`tabia::merge_into`] does their rows.
///
/// # Errors
/// Those of [`Writer::append_books`], of [`merge_games`], and [`BuildError::Fingerprints`].
pub fn merge_into(
    env: &Env<'_>,
    target: &mut Writer<'_>,
    books: &[Book],
    duplicates: Duplicates,
) -> Result<MergedBooks> {
    target.check_books(books, duplicates)?;
    let mine = target.book()?;
    let all: Vec<&Book> = [&mine].into_iter().chain(books).collect();
    let mut files = NewFiles::of(env, &all, mine.path(), Existing::Replace, true)?;
    let without_games = std::mem::take(&mut files.without_games);
    let games = files.publish()?;
    let sequence = target.append_books(books, duplicates)?;
    Ok(MergedBooks { sequence, games, without_games })
}

/// What was verified of a book and of what belongs to it.
#[derive(Debug)]
#[non_exhaustive]
pub struct BookCheck {
    /// The book and its journal.
    pub rows: CheckReport,
    /// The games beside it, if there are any.
    pub games: Option<GamesCheck>,
    /// Why the fingerprints beside it can't be used, if there are any and they can't.
    pub fingerprints: Option<BuildError>,
}

/// What was verified of the games beside a book.
#[derive(Debug)]
#[non_exhaustive]
pub struct GamesCheck {
    /// The file.
    pub path: PathBuf,
    /// What was found there.
    pub found: GameCheck,
    /// Games that moves of the book name and that aren't there; 0 if either is damaged.
    pub missing: u64,
}

impl BookCheck {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.rows.ok()
            && self.games.as_ref().is_none_or(GamesCheck::ok)
            && self.fingerprints.is_none()
    }
}

impl GamesCheck {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.found.ok() && self.missing == 0
    }
}

/// Verifies a book and all that belongs to it.
///
/// # Errors
/// Those of [`tabia::check`] and [`check_games`]. Damage is none.
pub fn check(env: &Env<'_>, book: &Path) -> Result<BookCheck> {
    let rows = tabia::check(env, book)?;
    let path = BookFiles::of(book).path(BookFile::Games);
    let games = if path.exists() {
        let found = check_games(env, &path)?;
        // Only of a sound book it is known which games it names.
        let missing = if found.ok() && rows.ok() {
            missing_games(env, &Book::open(book)?, &GameFile::open(&path)?, MEMORY / 4)?
        } else {
            0
        };
        Some(GamesCheck { path, found, missing })
    } else {
        None
    };
    let fingerprints = KnownGames::of(book, &[], &[]).err();
    Ok(BookCheck { rows, games, fingerprints })
}

/// Why these sound books, if one of them is a share, are not all shares of one book (S-1, S-2).
///
/// # Errors
/// Those of reading the books.
pub fn set_finding(books: Vec<Book>) -> Result<Option<String>> {
    let set = match BookSet::of(books) {
        Ok(set) => set,
        Err(
            error @ (Error::Shares { .. }
            | Error::Incompatible { .. }
            | Error::DuplicateSource { .. }),
        ) => return Ok(Some(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let Some((first, others)) = set.books().split_first() else { return Ok(None) };
    let facts = first.facts()?;
    for other in others {
        let (mine, theirs) = (first.header(), other.header());
        let is_same = |kind| mine.columns(kind) == theirs.columns(kind);
        let what = if !is_same(TableKind::Positions) || !is_same(TableKind::Moves) {
            "columns"
        } else if mine.section(Tag::TAGS).is_some() != theirs.section(Tag::TAGS).is_some() {
            "a filter"
        } else if other.facts()? != facts {
            "facts"
        } else {
            continue;
        };
        let (first, other) = (first.path().display(), other.path().display());
        return Ok(Some(format!(
            "{other}: it has other {what} than {first}: these are not shares of one book"
        )));
    }
    Ok(None)
}

/// What was kept of a damaged book and of what belongs to it.
#[derive(Debug)]
#[non_exhaustive]
pub struct SalvagedBook {
    /// The book and its journal.
    pub rows: SalvageReport,
    /// The games beside it, if there are any; why none could be kept.
    pub games: Option<std::result::Result<SalvagedGames, GameFileError>>,
    /// Why the fingerprints beside it could not be kept, if there are any and they couldn't.
    pub fingerprints: Option<BuildError>,
}

/// Writes what is sound of a book, its journal and what belongs to it as another book. `mend`
/// changes the new book, given what was kept, before it is done.
///
/// # Errors
/// Those of [`tabia::salvage`] and [`salvage_games`]; of `mend`.
pub fn salvage<E: From<BuildError>>(
    env: &Env<'_>,
    book: &Path,
    output: &Path,
    existing: Existing,
    mend: impl FnOnce(&SalvageReport) -> std::result::Result<(), E>,
) -> std::result::Result<SalvagedBook, E> {
    let failed = |error: tabia::Error| E::from(error.into());
    let mut files = NewFiles::default();
    let [from, to] = [book, output].map(|book| BookFiles::of(book).path(BookFile::Games));
    let mut games = None;
    if from.exists() {
        check_place(&to, existing).map_err(BuildError::from)?;
        games = match salvage_games(env, &from, &to) {
            Ok((file, kept)) => {
                files.games = Some(file);
                Some(Ok(kept))
            }
            Err(error @ GameFileError::Refused { .. }) => Some(Err(error)),
            Err(error) => return Err(BuildError::from(error).into()),
        };
    }
    let rows = tabia::salvage(env, book, output, existing).map_err(failed)?;
    mend(&rows)?;
    let fingerprints = match salvaged_fingerprints(env, book, output) {
        Ok(file) => {
            files.fingerprints = file;
            None
        }
        Err(error @ BuildError::Fingerprints { .. }) => Some(error),
        Err(error) => return Err(error.into()),
    };
    files.publish()?;
    Ok(SalvagedBook { rows, games, fingerprints })
}

/// The fingerprints beside a damaged book, of the archives that the one saved of it still knows.
fn salvaged_fingerprints<'a>(
    env: &Env<'a>,
    book: &Path,
    saved: &Path,
) -> Result<Option<AtomicFile<'a>>> {
    let new = Book::open(saved)?;
    let told: (PathBuf, Vec<Source>, Vec<Fact>) =
        (BookFiles::of(book).path(BookFile::Book), new.sources()?, new.facts()?);
    united_fingerprints(env.storage, &[told], saved)
}
