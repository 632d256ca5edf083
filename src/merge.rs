//! Merging many books into one.

mod streams;

pub use streams::Merged;

use crate::book::Book;
use crate::bytes::Pread;
use crate::create::NewBook;
use crate::env::Env;
use crate::error::{Error, Result};
use crate::format::{Header, Load, Results, Source, Tag};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row, TableKind};
use crate::stream::{RowSet, Rows};
use crate::writer::Writer;
use std::ops::RangeInclusive;
use std::path::Path;

/// How books are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// How full the new book's tables are to be; the fullest of the inputs' if not said.
    pub load: Option<Load>,
    /// Whether the new book is to have a filter of its positions; it has one anyway if one of the inputs has.
    pub filter: bool,
    /// Whether archives may count twice, that are in more than one of the books.
    pub allow_duplicate_sources: bool,
    /// Whether a file that has the output's name is replaced.
    pub replace: bool,
}

/// Merges books into a new one. Order and grouping of merges never show in the result. Its moves have ratings if those of one of the books have;
/// the games of the others are unrated there.
///
/// # Errors
/// [`Error::Incompatible`] if the books are not of one kind; [`Error::DuplicateSource`]; those of [`NewBook::write`] and of reading the books.
pub fn merge(env: &Env<'_>, output: &Path, books: &[Book<Pread>], options: MergeOptions) -> Result<Header> {
    let Some((first, others)) = books.split_first() else {
        return Err(Error::Limit { path: output.to_owned(), what: "there is no book to merge: name at least one" });
    };
    others.iter().try_for_each(|other| check_compatible(first, other))?;
    let sources = unite_sources(books, options.allow_duplicate_sources)?;
    let load = options.load.or_else(|| books.iter().map(|book| book.header().load).max()).unwrap_or_default();
    let filter = options.filter || books.iter().any(|book| book.header().section(Tag::FILTER).is_some());
    let all = AllRows(books);
    let mut new = NewBook::like(first.header()).load(load).filter(filter).sources(sources);
    if first.has(TableKind::Positions) {
        new = new.positions(&all);
    }
    if first.has(TableKind::Moves) {
        new = if any_rated(books) { new.rated_moves(&all) } else { new.moves(&all) };
    }
    new.write(env, output, options.replace)
}

/// Merges books into one that is there, by its journal, as one batch; its sequence is returned.
///
/// # Errors
/// As [`merge()`], and those of [`Writer::append_rows`]; [`Error::NoRatings`] if moves of one of the books have ratings, and those of the target
/// none.
pub fn merge_into(env: &Env<'_>, target: &Path, books: &[Book<Pread>], allow_duplicate_sources: bool) -> Result<u64> {
    let mut writer = Writer::open(*env, target)?;
    let mine = Book::open(target)?;
    books.iter().try_for_each(|other| check_compatible(&mine, other))?;
    let rated = mine.header().is_rated();
    if any_rated(books) && !rated {
        return Err(Error::NoRatings { path: target.to_owned() });
    }
    let mut known = mine.sources()?;
    let mut brought = Vec::new();
    for book in books {
        let sources = book.sources()?;
        check_sources(&known, &sources, book.path(), allow_duplicate_sources)?;
        known.extend_from_slice(&sources);
        brought.extend(sources);
    }
    let all = AllRows(books);
    let mut positions = mine.has(TableKind::Positions).then(|| RowSet::<PositionRow>::rows(&all)).transpose()?;
    let positions = positions.as_mut().map(|rows| rows as _);
    if rated {
        let mut moves = RowSet::<RatedMoveRow>::rows(&all)?;
        return writer.append_rated_rows(positions, Some(&mut moves), &brought);
    }
    let mut moves = mine.has(TableKind::Moves).then(|| RowSet::<MoveRow>::rows(&all)).transpose()?;
    writer.append_rows(positions, moves.as_mut().map(|rows| rows as _), &brought)
}

/// Whether moves of one of these books have ratings.
fn any_rated(books: &[Book<Pread>]) -> bool {
    books.iter().any(|book| book.header().is_rated())
}

/// Whether two books can be merged or compared: same game, keys and tables, and counts that mean the same.
///
/// # Errors
/// [`Error::Incompatible`].
pub(crate) fn check_compatible(first: &Book<Pread>, second: &Book<Pread>) -> Result<()> {
    let (a, b) = (first.header(), second.header());
    let what = if a.game != b.game {
        format!("one is of {}, the other of {}", a.game, b.game)
    } else if a.keys != b.keys {
        format!("one has {} keys, the other {}", a.keys, b.keys)
    } else if a.keyed != b.keyed {
        format!("one is keyed by {}, the other by {}", a.keyed, b.keyed)
    } else if a.results() != b.results() {
        let which = if a.results() == Results::Known { "second" } else { "first" };
        format!("the {which} of them counts games without results, the other by their results")
    } else if let Some(kind) = [TableKind::Positions, TableKind::Moves].into_iter().find(|&kind| first.has(kind) != second.has(kind)) {
        format!("only one of them has a {kind} table")
    } else {
        return Ok(());
    };
    Err(Error::Incompatible { first: first.path().to_owned(), second: second.path().to_owned(), what })
}

/// The sources of all books.
fn unite_sources(books: &[Book<Pread>], allow_duplicates: bool) -> Result<Vec<Source>> {
    let mut all = Vec::new();
    for book in books {
        let sources = book.sources()?;
        check_sources(&all, &sources, book.path(), allow_duplicates)?;
        all.extend(sources);
    }
    Ok(all)
}

/// Whether none of these sources, which `path` brings, is known already.
///
/// # Errors
/// [`Error::DuplicateSource`].
pub fn check_sources(known: &[Source], brought: &[Source], path: &Path, allow_duplicates: bool) -> Result<()> {
    let known: std::collections::HashSet<_> = known.iter().map(|source| source.digest).collect();
    match brought.iter().find(|source| known.contains(&source.digest)) {
        Some(twice) if !allow_duplicates => {
            Err(Error::DuplicateSource { path: path.to_owned(), name: twice.name.clone(), games: twice.games })
        }
        _ => Ok(()),
    }
}

/// How many books are read by several threads: each holds half a megabyte of every book.
const MOST_SHARED: usize = 16;

/// The rows of all books as one set.
struct AllRows<'a>(&'a [Book<Pread>]);

impl<R: Row> RowSet<R> for AllRows<'_>
where
    Book<Pread>: RowSet<R>,
{
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(0..=u64::MAX)
    }

    fn at_most(&self) -> u64 {
        self.0.iter().map(RowSet::at_most).sum()
    }

    fn exactly(&self) -> Option<u64> {
        if let [only] = self.0 { only.exactly() } else { None }
    }

    fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<R> + '_>> {
        let streams = self.0.iter().map(|book| book.rows_between(hashes.clone())).collect::<Result<Vec<_>>>()?;
        Ok(Box::new(Merged::new(streams)))
    }

    fn is_seekable(&self) -> bool {
        self.0.len() <= MOST_SHARED
    }
}
