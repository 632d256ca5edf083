//! Merging many books into one.
//!
//! Inputs are read twice, first to count the rows (ARCHITECTURE.md says why); a journal that is
//! small beside its book is counted by probes instead.

mod streams;

pub use streams::Merged;

use crate::book::Book;
use crate::bytes::Pread;
use crate::column::Columns;
use crate::companions::Companions;
use crate::create::NewBook;
use crate::env::Env;
use crate::error::{Error, Result};
use crate::files::{Beside, BookFiles};
use crate::format::{Header, Load, Results, Share, Source, Tag};
use crate::join::{Archives, Duplicates, Joined, check_added, check_compatible, check_kind, join};
use crate::key::Hash;
use crate::publish::Existing;
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::stream::{Converted, InHashes, Recounted, RowSet, Rows, common};
use crate::writer::Writer;
use std::ops::RangeInclusive;
use std::path::Path;

/// How books are merged.
///
/// ```
/// # use tabia::{Book, MergeOptions, merge, Env};
/// # let (folder, path) = tabia_testing::tiny_book();
/// let (twice, options) = (folder.path().join("twice.tabia"), MergeOptions { filter: true, ..MergeOptions::default() });
/// merge(&Env::default(), &twice, &[Book::open(&path)?, Book::open(&path)?], options)?;
/// # use tabia::Row;
/// assert_eq!(Book::open(&twice)?.position(42)?.unwrap().counts().games(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// How full the new book's tables are to be; the fullest of the inputs' if not said.
    pub load: Option<Load>,
    /// Whether the new book is to have a filter of its positions; it has one anyway if one of the
    /// inputs has.
    pub filter: bool,
    /// Which share of the hashes the new book is to hold; if not said, all that the inputs hold.
    pub share: Option<Share>,
    /// Whether the new book knows how games ended; if not said, all books have to agree, and the
    /// new one is of their kind. Else those of the other kind are counted anew: without results
    /// every game is a draw, and what was counted without results is known and counts nothing.
    pub results: Option<Results>,
    /// Whether the new book is to be packed; if not said, it is if all inputs are.
    pub packed: Option<bool>,
    /// What becomes of archives that are in more than one of the books.
    pub duplicates: Duplicates,
    /// What becomes of games and fingerprints beside the books, which this crate can't merge.
    pub beside: Beside,
    /// What becomes of a file that has the output's name.
    pub existing: Existing,
}

/// Rows that stand for those of all books that are merged: of games that several of them have, each
/// counted once, which rows alone can't tell.
#[derive(Clone, Copy)]
pub struct CountedAnew<'a> {
    /// Those of positions.
    pub positions: &'a dyn RowSet<PositionRow>,
    /// Those of moves.
    pub moves: &'a dyn RowSet<MoveRow>,
    /// The archives of the books, with how many of their games count.
    pub sources: &'a [Source],
}

impl std::fmt::Debug for CountedAnew<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CountedAnew").field("sources", &self.sources).finish_non_exhaustive()
    }
}

/// Merges books into a new one. The result doesn't depend on the order and grouping of merges. It
/// has the columns that one of the books has; where another one doesn't have them, its rows say
/// nothing there.
///
/// Books that hold shares of the hashes are merged if all hold the same share, or if there is one
/// at least for each share of a whole: then the new book is whole. Whole books can be merged with them;
/// with books of one share that has to be asked for, and their other rows are left out.
///
/// # Errors
/// [`Error::Incompatible`] if the books are not of one kind; [`Error::Shares`] if their shares
/// don't make a whole, or not the share asked for; [`Error::DuplicateSource`];
/// [`Error::LeftBehind`] unless `options` allow it; [`Error::UnknownColumn`]; those of
/// [`NewBook::write`] and of reading the books.
pub fn merge(
    env: &Env<'_>,
    output: &Path,
    books: &[Book<Pread>],
    options: MergeOptions,
) -> Result<Header> {
    check_beside(books, options.beside)?;
    merge_with(env, output, books, options, None, Companions::default())
}

/// As [`merge()`], and these games and fingerprints, made of those of the books, count as soon as the
/// new book has its name, and not before. If games were `counted` anew, these are the rows.
///
/// # Errors
/// As [`merge()`], but for what is left behind.
pub fn merge_with(
    env: &Env<'_>,
    output: &Path,
    books: &[Book<Pread>],
    options: MergeOptions,
    counted: Option<CountedAnew<'_>>,
    companions: Companions<'_>,
) -> Result<Header> {
    let Some((first, others)) = books.split_first() else {
        return Err(Error::Limit {
            path: output.to_owned(),
            what: "there is no book to merge: name at least one",
        });
    };
    let check = if options.results.is_some() { check_kind } else { check_compatible };
    others.iter().try_for_each(|other| check(first, other))?;
    books.iter().try_for_each(Book::check_copyable)?;
    let joined = join(books, options.share, options.duplicates)?;
    let share = options.share.unwrap_or(joined.share);
    if !joined.share.contains(share) {
        let what =
            format!("they hold share {} of the hashes, and not all of share {share}", joined.share);
        return Err(Error::Shares { path: output.to_owned(), what });
    }
    let most = || books.iter().map(|book| book.header().load).max();
    let load = options.load.or_else(most).unwrap_or_default();
    let filter =
        options.filter || books.iter().any(|book| book.header().section(Tag::TAGS).is_some());
    let results = options.results.unwrap_or(first.header().results);
    let all = BookRows::new(books).counted(results);
    let counted =
        counted.unwrap_or(CountedAnew { positions: &all, moves: &all, sources: &joined.sources });
    let positions = InHashes { rows: counted.positions, hashes: share.hashes() };
    let moves = InHashes { rows: counted.moves, hashes: share.hashes() };
    let packed = options.packed.unwrap_or_else(|| books.iter().all(|book| book.header().packed));
    let mut new = NewBook::like(first.header()).share(share).load(load).filter(filter);
    new = new.results(results).packed(packed);
    new = books.iter().fold(new, |new, book| new.made_of(book));
    new = new.sources(counted.sources.to_vec()).facts(joined.facts);
    if first.has(TableKind::Positions) {
        new = new.positions(&positions);
    }
    if first.has(TableKind::Moves) {
        new = new.moves(&moves);
    }
    new.write_with(env, output, options.existing, companions)
}

/// Merges books into an existing one, by its journal, as one batch, and returns its sequence.
///
/// # Errors
/// As [`merge()`], and those of [`Writer::append_rows`]; [`Error::NoColumn`] if one of the books
/// has a column that the target doesn't have; [`Error::LeftBehind`] if one has games or fingerprints
/// beside it.
pub fn merge_into(
    env: &Env<'_>,
    target: &Path,
    books: &[Book<Pread>],
    duplicates: Duplicates,
) -> Result<u64> {
    check_beside(books, Beside::Refuse)?;
    Writer::open(*env, target)?.append_books(books, duplicates, None, Companions::default())
}

fn check_beside(books: &[Book<Pread>], beside: Beside) -> Result<()> {
    match beside {
        Beside::Refuse => {
            books.iter().try_for_each(|book| BookFiles::of(book.path()).are_rows_only())
        }
        Beside::Leave => Ok(()),
    }
}

impl Writer<'_> {
    /// Merges the rows of books into this one, or those of its share if it is one, as one batch of its
    /// journal, and returns the sequence of that. What else belongs to the books
    /// ([`BookFiles::of_content`]) is left behind; the games and fingerprints given here count as soon as the batch is durable, and not before. If games
    /// were `counted` anew, these are the rows.
    ///
    /// # Errors
    /// As [`merge_into`], but for what is left behind.
    pub fn append_books(
        &mut self,
        books: &[Book<Pread>],
        duplicates: Duplicates,
        counted: Option<CountedAnew<'_>>,
        companions: Companions<'_>,
    ) -> Result<u64> {
        let (mine, brought) = self.joined(books, duplicates)?;
        let all = BookRows::new(books);
        let counted = counted.unwrap_or(CountedAnew {
            positions: &all,
            moves: &all,
            sources: &brought.sources,
        });
        let hashes = mine.header().share.hashes();
        let positions = InHashes { rows: counted.positions, hashes: hashes.clone() };
        let moves = InHashes { rows: counted.moves, hashes };
        let positions = mine.has(TableKind::Positions).then(|| positions.rows());
        let moves = mine.has(TableKind::Moves).then(|| moves.rows());
        let (mut positions, mut moves) = (positions.transpose()?, moves.transpose()?);
        let (positions, moves) =
            (positions.as_mut().map(|rows| rows as _), moves.as_mut().map(|rows| rows as _));
        self.append_rows(positions, moves, counted.sources, &brought.facts, companions)
    }

    /// Whether books can be merged into this one, as [`Writer::append_books`] does.
    ///
    /// # Errors
    /// Those of [`Writer::append_books`] that don't depend on rows.
    pub fn check_books(&self, books: &[Book<Pread>], duplicates: Duplicates) -> Result<()> {
        self.joined(books, duplicates).map(drop)
    }

    /// This book, and what these bring.
    fn joined(&self, books: &[Book<Pread>], duplicates: Duplicates) -> Result<(Book, Joined)> {
        let mine = self.book()?;
        books.iter().try_for_each(|other| check_compatible(&mine, other))?;
        books.iter().try_for_each(Book::check_copyable)?;
        let share = mine.header().share;
        let brought = join(books, Some(share), duplicates)?;
        if !brought.share.contains(share) && !share.contains(brought.share) {
            let what = format!(
                "it holds share {share} of the hashes, what is merged share {}",
                brought.share
            );
            return Err(Error::Shares { path: mine.path().to_owned(), what });
        }
        let mut known = Archives::default();
        known.take(mine.sources()?, mine.facts()?, mine.path(), duplicates)?;
        books.iter().try_for_each(|book| check_added(&known, book, duplicates))?;
        Ok((mine, brought))
    }
}

/// How many books are read by several threads: each holds half a megabyte of every book.
const MOST_SHARED: usize = 16;

/// The rows of several books as one set, merged, with the columns that one of the books has; so
/// they can go into a [`NewBook`].
///
/// ```
/// use tabia::{Book, BookRows, Counts, Env, Existing, NewBook, PositionRow, Row};
///
/// # let (folder, path) = tabia_testing::tiny_book();
/// let (books, twice) = ([Book::open(&path)?, Book::open(&path)?], folder.path().join("twice.tabia"));
/// NewBook::like(books[0].header()).positions(&BookRows::new(&books)).write(&Env::default(), &twice, Existing::Refuse)?;
/// assert_eq!(Book::open(&twice)?.position(42)?.unwrap().counts().games(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BookRows<'a> {
    books: &'a [Book<Pread>],
    /// How all rows are counted, if not as in their book.
    results: Option<Results>,
}

impl<'a> BookRows<'a> {
    /// The rows of these books, which have to be of one kind.
    #[must_use]
    pub fn new(books: &'a [Book<Pread>]) -> Self {
        Self { books, results: None }
    }

    /// All rows, counted as in a book that knows results or not.
    fn counted(self, results: Results) -> Self {
        Self { results: Some(results), ..self }
    }
}

impl<R: Row> RowSet<R> for BookRows<'_>
where
    Book<Pread>: RowSet<R>,
{
    fn columns(&self) -> Columns {
        self.books.iter().fold(Columns::NONE, |all, book| all.union(RowSet::columns(book)))
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(Hash::MIN..=Hash::MAX)
    }

    fn at_most(&self) -> u64 {
        self.books.iter().map(RowSet::at_most).sum()
    }

    fn exactly(&self) -> Option<u64> {
        if let [only] = self.books { only.exactly() } else { None }
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        let first = self.books.iter().map(|book| *book.header().share.hashes().start()).min();
        let last = self.books.iter().map(|book| *book.header().share.hashes().end()).max();
        first.unwrap_or(Hash::MIN)..=last.unwrap_or(Hash::MAX)
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        let meets =
            |book: &&Book<Pread>| !common(&hashes, &book.header().share.hashes()).is_empty();
        let streams = self
            .books
            .iter()
            .filter(meets)
            .map(|book| {
                let rows = book.rows_between(hashes.clone())?;
                let other = self.results.filter(|results| *results != book.header().results);
                Ok(match other {
                    Some(results) => Box::new(Recounted::new(rows, results)) as _,
                    None => rows,
                })
            })
            .collect::<Result<Vec<Box<dyn Rows<R>>>>>()?;
        Ok(Box::new(Converted::new(Merged::new(streams), RowSet::<R>::columns(self))))
    }

    fn is_seekable(&self) -> bool {
        self.books.len() <= MOST_SHARED
    }
}
