//! Whole books: the book with its journal, its games and the fingerprints of these
//! ([`tabia::BookFiles`]).
//!
//! | | rows and journal | games | fingerprints | what is being expanded |
//! |---|---|---|---|---|
//! | [`BuildPlan::build`] | written | written | written | stays |
//! | [`BuildPlan::add`] | a batch | written anew | written anew | stays |
//! | [`merge`] | united | united; of a share those that belong to it | united | left behind |
//! | [`merge_into`] | a batch | united | united | stays |
//! | [`copy`]: packing, unpacking | copied | copied | copied | left behind |
//! | [`tabia::Writer`]: compacting, taking back | in place | stay | stay | stays |
//! | [`salvage`] | what is sound | what is sound | copied, if sound | left behind |
//! | trimming (`tabia-play`) | a part | those that it names ([`of_part`]) | copied | left behind |
//! | [`check`] | verified | verified | verified | - |
//!
//! What goes beside a book is first written whole under other names, all of it, and counts from the
//! moment at which the book does ([`tabia::Companions`]): whatever fails before has changed nothing.
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
use crate::dedup::{
    BookFingerprints, Fingerprints, KnownGames, SameBy, fingerprints_as_one, games_in_several,
    united_fingerprints,
};
use crate::error::{BuildError, Result};
use crate::game_collector::{each_named, missing_games};
use crate::recount::{Recount, Recounted, Refusal};
use std::path::{Path, PathBuf};
use tabia::format::{Header, Results, Tag};
use tabia::remote::is_there;
use tabia::storage::folder_of;
use tabia::stream::RowSet;
use tabia::{
    AtomicFile, Beside, Book, BookFile, BookFiles, BookSet, CheckReport, Companions, Duplicates,
    Env, Error, Existing, Fact, Hash, MergeOptions, MoveRow, NewBook, Row, SalvageReport, Share,
    TableKind, Writer, merge_with,
};
use tabia_gamefile::{
    GameCheck, GameFile, GameFileError, GameFileHeader, GamesOfPart, SalvagedGames, Sorter,
    UnpublishedGames, check_games, check_place, merge_games, salvage_games,
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
    /// What all these books have beside them, united, for one made of them or of a part of them.
    fn of(
        env: &Env<'a>,
        books: &[&Book],
        output: &Path,
        existing: Existing,
        known: &[BookFingerprints<'_>],
        part: Option<Part<'_>>,
        (recount, fingerprints): (Option<&Recount<'a>>, Option<AtomicFile<'a>>),
    ) -> Result<Self> {
        let (mut games, mut files, mut without_games) = (None, Vec::new(), Vec::new());
        for book in books {
            match GameFile::beside(book)? {
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
            let part = part.map(|part| part.games(env, books, output, recount)).transpose()?;
            let counted = recount.map(|recount| &recount.games);
            games = Some(merge_games(env, &path, &files, counted, part, MEMORY, threads)?);
        }
        let fingerprints = match fingerprints {
            Some(fingerprints) => Some(fingerprints),
            None => united_fingerprints(env.storage, known, output)?,
        };
        Ok(Self { games, fingerprints, without_games })
    }

    /// The files, to be given to who changes the book, and what the games say of themselves.
    pub fn into_companions(self) -> (Companions<'a>, Option<GameFileHeader>) {
        let (mut companions, mut header) = (Companions::default(), None);
        if let Some(games) = self.games {
            companions.add(games.file);
            header = Some(games.header);
        }
        self.fingerprints.into_iter().for_each(|file| companions.add(file));
        (companions, header)
    }
}

/// A part of some books.
#[derive(Clone, Copy)]
struct Part<'k> {
    /// Whether a move is in it.
    has: &'k dyn Fn(&MoveRow) -> bool,
    /// The hashes that it holds, if it is a share of them.
    share: Option<Share>,
}

impl<'k> Part<'k> {
    /// A share of the hashes, which has the moves that it holds; none if it is the whole.
    fn of_share(share: Share, has: &'k dyn Fn(&MoveRow) -> bool) -> Option<Self> {
        (!share.is_whole()).then_some(Self { has, share: Some(share) })
    }

    /// Which games belong to it.
    fn games<'e>(
        self,
        env: &Env<'e>,
        books: &[&Book],
        output: &Path,
        recount: Option<&Recount<'_>>,
    ) -> Result<GamesOfPart<'e>> {
        let mut named = Sorter::new(env.storage, folder_of(output), MEMORY / 4);
        Recount::with(recount, |counted| {
            let all: Vec<&dyn RowSet<MoveRow>> = match &counted {
                Some(counted) => vec![counted.moves],
                None => {
                    let books = books.iter().filter(|book| book.has(TableKind::Moves));
                    books.map(|&book| book as _).collect()
                }
            };
            let hashes = self.share.map_or(Hash::MIN..=Hash::MAX, Share::hashes);
            all.into_iter()
                .try_for_each(|moves| each_named(env, moves, hashes.clone(), &mut named, self.has))
        })?;
        let upper = |hash: Hash| (hash.get() >> 32) as u32;
        let ends = self.share.map(|share| share.hashes());
        let ends = ends.map(|hashes| upper(*hashes.start())..=upper(*hashes.end()));
        Ok(GamesOfPart { named: named.finish()?, ends })
    }
}

/// What belongs beside a book that is made of some moves of another one, or of its shares, those for
/// which `has` is true: the games that these name, and all fingerprints; and what the games say of
/// themselves.
///
/// # Errors
/// Those of reading the book, of [`merge_games`], and [`BuildError::Fingerprints`].
pub fn of_part<'a>(
    env: &Env<'a>,
    books: &[Book],
    output: &Path,
    existing: Existing,
    has: &dyn Fn(&MoveRow) -> bool,
) -> Result<(Companions<'a>, Option<GameFileHeader>)> {
    let known = books.iter().map(|book| BookFingerprints::of(env.storage, book));
    let (known, part) = (known.collect::<Result<Vec<_>>>()?, Part { has, share: None });
    let (books, anew) = (books.iter().collect::<Vec<_>>(), (None, None));
    Ok(NewFiles::of(env, &books, output, existing, &known, Some(part), anew)?.into_companions())
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
    /// How many games were left out because several of the books have them.
    pub copies: u64,
}

/// Merges books with all that belongs to them into a new one, as [`tabia::merge`] does their rows. A
/// book of one share of the hashes gets the games that its moves name, or that end there: those of all
/// shares together are all games.
///
/// Games that several books without copies have, as their fingerprints tell, count once: where these
/// books have all their games beside them, and these alone make their rows, they are counted again
/// from there, in 1 GiB of memory. The new book has then the bytes of one that was built of all
/// archives at once.
///
/// # Errors
/// [`BuildError::Missing`] and [`BuildError::Copies`], unless `options` allow them; those of
/// [`tabia::merge`], of [`merge_games`], and [`BuildError::Fingerprints`].
pub fn merge(
    env: &Env<'_>,
    output: &Path,
    books: &[Book],
    options: MergeOptions,
) -> Result<MadeBook> {
    let all: Vec<&Book> = books.iter().collect();
    let share = options.share.unwrap_or_default();
    let has = |row: &MoveRow| share.holds(row.hash());
    let part = Part::of_share(share, &has);
    let known = fingerprints_of(env, &all, options.beside)?;
    let none = Fingerprints::new(env.storage, output, SameBy::Moves)?;
    let folder = folder_of(output);
    let counted = Recounted { env, folder, books, known: &known, target: &none };
    let counted = once(counted, &all, &known, options.duplicates, options.results)?;
    let (recount, fingerprints) = counted.unzip();
    let fingerprints = match fingerprints {
        Some(fingerprints) => Some(fingerprints),
        None => fingerprints_as_one(env.storage, &known, output)?,
    };
    let anew = (recount.as_ref(), fingerprints);
    let files = NewFiles::of(env, &all, output, options.existing, &known, part, anew)?;
    let mut made = MadeBook::of(files, |companions| {
        Recount::with(recount.as_ref(), |counted| {
            merge_with(env, output, books, options, counted, companions)
        })
    })?;
    made.copies = recount.map_or(0, |recount| recount.copies);
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
    let known = [BookFingerprints::of(env.storage, book)?];
    let files = NewFiles::of(env, &[book], output, existing, &known, None, (None, None))?;
    let new = NewBook::copy_of(book)?.beside(Beside::Leave).packed(packed);
    MadeBook::of(files, |companions| new.write_with(env, output, existing, companions))
}

impl MadeBook {
    /// A book that is made with these files beside it.
    fn of<'a>(
        mut files: NewFiles<'a>,
        make: impl FnOnce(Companions<'a>) -> tabia::Result<Header>,
    ) -> Result<Self> {
        let without_games = std::mem::take(&mut files.without_games);
        let (companions, games) = files.into_companions();
        Ok(Self { header: make(companions)?, games, without_games, copies: 0 })
    }
}

/// Of the files that belong to a book with this path, these fingerprints and these games, if there
/// are any, those that aren't beside it or lack what they are to have.
pub(crate) fn missing(
    book: &Path,
    known: &BookFingerprints<'_>,
    games: Option<&GameFile>,
) -> Vec<PathBuf> {
    let is_kept = known.facts.iter().any(|fact| fact.name() == Fact::GAMES);
    let games = (is_kept && games.is_none()).then_some(BookFile::Games);
    let fingerprints = known.are_missing().then_some(BookFile::Fingerprints);
    let files = BookFiles::of(book);
    games.into_iter().chain(fingerprints).map(|file| files.path(file)).collect()
}

/// The fingerprints of books that are merged, beside which nothing may be missing, unless that is
/// allowed.
fn fingerprints_of<'a>(
    env: &Env<'a>,
    books: &[&Book],
    beside: Beside,
) -> Result<Vec<BookFingerprints<'a>>> {
    let known = books.iter().map(|book| BookFingerprints::of(env.storage, book));
    let known = known.collect::<Result<Vec<_>>>()?;
    for (book, known) in books.iter().zip(&known).filter(|_| beside == Beside::Refuse) {
        let path = book.path();
        let games = GameFile::beside(book)?;
        if let Some(file) = missing(path, known, games.as_ref()).into_iter().next() {
            return Err(BuildError::Missing { path: path.to_owned(), file });
        }
    }
    Ok(known)
}

/// The games of books, counted again, each once, if several of `all` books have some of them, as far
/// as fingerprints tell, so that these would count twice; unless they may.
fn once<'a>(
    books: Recounted<'_, 'a>,
    all: &[&Book],
    known: &[BookFingerprints<'_>],
    duplicates: Duplicates,
    results: Option<Results>,
) -> Result<Option<(Recount<'a>, AtomicFile<'a>)>> {
    if duplicates == Duplicates::Allow {
        return Ok(None);
    }
    let (games @ 1.., book) = games_in_several(known)? else { return Ok(None) };
    let counted = match results {
        Some(_) => Err(Refusal::Why("they are to count results otherwise".to_owned())),
        None => books.recount(),
    };
    match counted {
        Ok(counted) => Ok(Some(counted)),
        Err(Refusal::Failed(error)) => Err(error),
        Err(Refusal::Why(why)) => {
            Err(BuildError::Copies { path: all[book].path().to_owned(), games, why })
        }
    }
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
    /// How many games were left out because the book has them, or several of the others.
    pub copies: u64,
}

/// The most bytes that a book made of these has, or its share of one, but for games: if no two of them
/// have a row for the same.
pub fn most_bytes(books: &[Book], is_packed: bool, share: Option<Share>) -> u64 {
    let plain = |header: &Header| {
        let row = |kind| MoveRow::SIZE + header.columns(kind).stride() as u64;
        let rows =
            |kind| header.table(kind).map_or(0, |table| table.shape.rows).saturating_mul(row(kind));
        let rows = TableKind::ALL.into_iter().map(rows).fold(0, u64::saturating_add);
        rows.saturating_mul(1000) / u64::from(header.load.thousandths())
    };
    let of_book = |header: &Header| {
        let part = share.map_or(0, |share| share.bits() - share.bits().min(header.share.bits()));
        let unpacked = header.packed && !is_packed;
        (if unpacked { plain(header) } else { header.file_length }) >> part
    };
    books.iter().map(|book| of_book(book.header())).fold(0, u64::saturating_add)
}

/// Merges books with all that belongs to them into one that is open for writing, as
/// [`tabia::merge_into`] does their rows: if that holds a share of the hashes, with what of them belongs to
/// the share. `beside` says what becomes of them if something is missing.
/// Games that it has already are left out, as [`BuildPlan::add`] does, where [`merge`] would count
/// games again.
///
/// # Errors
/// [`BuildError::Missing`] and [`BuildError::Copies`], unless they are allowed; those of
/// [`Writer::append_books`], of [`merge_games`], and [`BuildError::Fingerprints`].
pub fn merge_into(
    env: &Env<'_>,
    target: &mut Writer<'_>,
    books: &[Book],
    duplicates: Duplicates,
    beside: Beside,
) -> Result<MergedBooks> {
    target.check_books(books, duplicates)?;
    let mine = target.book()?;
    let all: Vec<&Book> = [&mine].into_iter().chain(books).collect();
    let known = fingerprints_of(env, &all, beside)?;
    let (path, existing, lines) = (mine.path(), Existing::Replace, &known[0].found);
    let folder = folder_of(path);
    let counted = Recounted { env, folder, books, known: &known[1..], target: lines };
    let (recount, fingerprints) = once(counted, &all, &known, duplicates, None)?.unzip();
    let anew = (recount.as_ref(), fingerprints);
    let share = mine.header().share;
    let has = |row: &MoveRow| share.holds(row.hash());
    let part = Part::of_share(share, &has);
    let mut files = NewFiles::of(env, &all, path, existing, &known, part, anew)?;
    let without_games = std::mem::take(&mut files.without_games);
    let (companions, games) = files.into_companions();
    let sequence = Recount::with(recount.as_ref(), |counted| {
        target.append_books(books, duplicates, counted, companions)
    })?;
    let copies = recount.map_or(0, |recount| recount.copies);
    Ok(MergedBooks { sequence, games, without_games, copies })
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
    /// Files that belong to it and aren't there, or lack what they are to have: nothing that is there
    /// is damaged.
    pub missing: Vec<PathBuf>,
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
    pub fn ok(&self) -> bool {
        self.rows.ok()
            && self.games.as_ref().is_none_or(GamesCheck::ok)
            && self.fingerprints.is_none()
            && self.missing.is_empty()
    }
}

impl GamesCheck {
    /// Whether nothing is wrong.
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
    let opened = Book::open(book).ok();
    let place = |file| match &opened {
        Some(book) => book.file(file),
        None => Ok(BookFiles::of(book).path(file)),
    };
    let sound = opened.as_ref().filter(|_| rows.ok());
    let path = place(BookFile::Games)?;
    let games = if is_there(&path) {
        let found = check_games(env, &path)?;
        // Only of a sound book it is known which games it names.
        let missing = match sound.filter(|_| found.ok()) {
            Some(book) => missing_games(env, book, &GameFile::open(&path)?, MEMORY / 4)?,
            None => 0,
        };
        Some(GamesCheck { path, found, missing })
    } else {
        None
    };
    let path = place(BookFile::Fingerprints)?;
    let fingerprints = KnownGames::of(path, &[], &[]).err();
    // Of what is damaged nobody knows whether it lacks anything.
    let is_sound = fingerprints.is_none() && games.as_ref().is_none_or(|games| games.found.ok());
    let missing = match sound.filter(|_| is_sound) {
        Some(book) => {
            let known = BookFingerprints::of(env.storage, book)?;
            missing(book.path(), &known, GameFile::beside(book)?.as_ref())
        }
        None => Vec::new(),
    };
    Ok(BookCheck { rows, games, fingerprints, missing })
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
/// changes what was saved, given its path and what was kept, before it gets its place.
///
/// # Errors
/// Those of [`tabia::salvage`] and [`salvage_games`]; of `mend`.
pub fn salvage<E: From<BuildError>>(
    env: &Env<'_>,
    book: &Path,
    output: &Path,
    existing: Existing,
    mend: impl FnOnce(&Path, &SalvageReport) -> std::result::Result<(), E>,
) -> std::result::Result<SalvagedBook, E> {
    let failed = |error: tabia::Error| E::from(error.into());
    if existing == Existing::Refuse && output.exists() {
        return Err(failed(Error::Exists { path: output.to_owned() }));
    }
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
    // A book can't be changed before it has a name, and the output's is to lead to what is done.
    let folder = tempfile::Builder::new().prefix(".tabia-salvage-").tempdir_in(folder_of(output));
    let folder = folder.map_err(|source| {
        let path = folder_of(output).to_owned();
        failed(Error::Io { action: "make a folder there", path, source })
    })?;
    let saved = folder.path().join("saved.tabia");
    let rows = tabia::salvage(env, book, &saved, Existing::Refuse);
    let rows = rows.map_err(|error| failed(error.of_a_step()))?;
    mend(&saved, &rows)?;
    let saved = Book::open(&saved).map_err(failed)?;
    let fingerprints = match salvaged_fingerprints(env, book, &saved, output) {
        Ok(file) => {
            files.fingerprints = file;
            None
        }
        Err(error @ BuildError::Fingerprints { .. }) => Some(error),
        Err(error) => return Err(error.into()),
    };
    let new = NewBook::copy_of(&saved).map_err(failed)?;
    MadeBook::of(files, |companions| new.write_with(env, output, existing, companions))?;
    Ok(SalvagedBook { rows, games, fingerprints })
}

/// The fingerprints beside a damaged book, of the archives that the one saved of it still knows.
fn salvaged_fingerprints<'a>(
    env: &Env<'a>,
    book: &Path,
    saved: &Book,
    output: &Path,
) -> Result<Option<AtomicFile<'a>>> {
    let path = BookFiles::of(book).path(BookFile::Fingerprints);
    let known = BookFingerprints::open(env.storage, path, &saved.sources()?, saved.facts()?)?;
    united_fingerprints(env.storage, &[known], output)
}
