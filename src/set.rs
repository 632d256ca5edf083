//! Books of shares of the hashes, opened as one. Section 9 of the format specification, rules S-1
//! and S-2.

use crate::book::{Book, Scanned};
use crate::bytes::{Bytes, Map, Pread};
use crate::column::{Columns, WithCells};
use crate::error::{Error, Result};
use crate::format::{Fact, Share, Source};
use crate::join::{Duplicates, check_compatible, join_shares};
use crate::key::{Hash, Key};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::stream::{Chunk, RowSet, Rows, common};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::Path;

/// Books that hold one share of the hashes each, and together all of them: probed as one book.
///
/// ```
/// # use tabia::{BookSet, Counts, Env, Existing, MergeOptions, NewBook, PositionRow, Share, merge, Book};
/// # let folder = tempfile::tempdir()?;
/// # let whole = folder.path().join("whole.tabia");
/// # let rows = vec![PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 })];
/// # NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).write(&Env::default(), &whole, Existing::Refuse)?;
/// let mut paths = Vec::new();
/// for share in ["1/2", "2/2"] {
///     let path = folder.path().join(share.replace('/', "-of-"));
///     let options = MergeOptions { share: Some(share.parse()?), ..MergeOptions::default() };
///     merge(&Env::default(), &path, &[Book::open(&whole)?], options)?;
///     paths.push(path);
/// }
/// let set = BookSet::open(&paths)?;
/// assert_eq!(set.position(42)?.unwrap().counts().wins, 3);
/// # use tabia::Row;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BookSet<S = Pread> {
    /// In the order of their shares.
    books: Vec<Book<S>>,
    bits: u8,
}

impl BookSet<Pread> {
    /// Opens the books at these paths, in any order, to be read with pread.
    ///
    /// # Errors
    /// [`Error::Shares`] or [`Error::Incompatible`] if they are not the shares of one book; those
    /// of [`Book::open`].
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        Self::of(paths.iter().map(Book::open).collect::<Result<_>>()?)
    }
}

impl BookSet<Map> {
    /// Maps the books at these paths, in any order.
    ///
    /// # Errors
    /// As [`BookSet::open`].
    ///
    /// # Safety
    /// As [`Book::map`], for each of them.
    #[expect(unsafe_code, reason = "the caller takes on the contract of mapping files")]
    pub unsafe fn map<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        // SAFETY: the caller promises for each file what Book::map asks for.
        Self::of(paths.iter().map(|path| unsafe { Book::map(path) }).collect::<Result<_>>()?)
    }
}

impl<S: Bytes> BookSet<S> {
    /// Takes these books, in any order, as one.
    ///
    /// # Errors
    /// [`Error::Shares`] or [`Error::Incompatible`] if they are not the shares of one book (S-1,
    /// S-2); those of reading their sources.
    pub fn of(mut books: Vec<Book<S>>) -> Result<Self> {
        books.sort_by_key(|book| book.header().share);
        let Some(first) = books.first() else {
            return Err(Error::Limit {
                path: "".into(),
                what: "there is no book to open: name at least one",
            });
        };
        for other in &books[1..] {
            check_compatible(first, other)?;
        }
        if let Some([_, second]) =
            books.array_windows().find(|[a, b]| a.header().share == b.header().share)
        {
            let what = match second.header().share {
                Share::WHOLE => {
                    "it is no share: several books are one only as its shares".to_owned()
                }
                share => format!("share {share} is there twice"),
            };
            return Err(shares_error(second, what));
        }
        let share = join_shares(books.iter(), Duplicates::Refuse)?.share;
        if !share.is_whole() {
            let what = "and the other shares are not there";
            let what = format!("it holds share {share} of the hashes, {what}");
            return Err(shares_error(first, what));
        }
        let bits = first.header().share.bits();
        Ok(Self { books, bits })
    }

    /// The books, in the order of their shares.
    #[must_use]
    pub fn books(&self) -> &[Book<S>] {
        &self.books
    }

    /// The book that holds the share of this key.
    #[inline]
    #[must_use]
    pub fn book_of(&self, key: Key) -> &Book<S> {
        // With no bits the number is that of the only book.
        let number = Hash::of(key).get().checked_shr(64 - u32::from(self.bits)).unwrap_or(0);
        &self.books[number as usize]
    }

    /// The row of a position; none if the set doesn't have it, or its books have no positions
    /// table.
    ///
    /// # Errors
    /// As [`Book::position`].
    #[inline]
    pub fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        self.book_of(key).position(key)
    }

    /// The rows of many positions, `out[i]` of `keys[i]`; each book is probed for all of its own at
    /// once.
    ///
    /// # Errors
    /// As [`Book::position`].
    ///
    /// # Panics
    /// If `keys` and `out` are not of the same length.
    pub fn positions(&self, keys: &[Key], out: &mut [Option<PositionRow>]) -> Result<()> {
        assert_eq!(keys.len(), out.len(), "a batch has one place for each key");
        if let [only] = &self.books[..] {
            return only.positions(keys, out);
        }
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&place| Hash::of(keys[place]));
        let (mut sorted, mut found) = (Vec::new(), Vec::new());
        for places in
            order.chunk_by(|&a, &b| std::ptr::eq(self.book_of(keys[a]), self.book_of(keys[b])))
        {
            sorted.clear();
            sorted.extend(places.iter().map(|&place| keys[place]));
            found.clear();
            found.resize(places.len(), None);
            self.book_of(sorted[0]).positions(&sorted, &mut found)?;
            places.iter().zip(&found).for_each(|(&place, &row)| out[place] = row);
        }
        Ok(())
    }

    /// All moves known at a position, in ascending order of their codes.
    ///
    /// # Errors
    /// As [`Book::position`].
    #[inline]
    pub fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        self.book_of(key).moves(key)
    }

    /// All moves known at a position, in ascending order of their codes, with their cells.
    ///
    /// # Errors
    /// As [`Book::position`].
    pub fn moves_with_cells(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        self.book_of(key).moves_with_cells(key)
    }

    /// Whether the books have this table.
    #[must_use]
    pub fn has(&self, kind: TableKind) -> bool {
        self.books.iter().all(|book| book.has(kind))
    }

    /// The archives the whole was made of, in order.
    ///
    /// # Errors
    /// As [`Book::sources`].
    pub fn sources(&self) -> Result<Vec<Source>> {
        self.books.first().map_or(Ok(Vec::new()), Book::sources)
    }

    /// How the whole book was made: its facts, in order.
    ///
    /// # Errors
    /// As [`Book::facts`].
    pub fn facts(&self) -> Result<Vec<Fact>> {
        self.books.first().map_or(Ok(Vec::new()), Book::facts)
    }
}

impl<R: Scanned, S: Bytes> RowSet<R> for BookSet<S> {
    fn columns(&self) -> Columns {
        self.books.first().map_or(Columns::NONE, RowSet::<R>::columns)
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(Hash::MIN..=Hash::MAX)
    }

    fn at_most(&self) -> u64 {
        self.books.iter().map(RowSet::<R>::at_most).sum()
    }

    fn exactly(&self) -> Option<u64> {
        self.books.iter().map(RowSet::<R>::exactly).sum()
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        let meets = |book: &&Book<S>| !common(&hashes, &book.header().share.hashes()).is_empty();
        let streams = self.books.iter().filter(meets).map(|book| book.rows_between(hashes.clone()));
        let streams: Vec<_> = streams.collect::<Result<_>>()?;
        Ok(Box::new(InTurn { columns: RowSet::<R>::columns(self), streams: streams.into_iter() }))
    }

    fn is_seekable(&self) -> bool {
        true
    }
}

/// The rows of several streams, one stream after the other.
struct InTurn<'a, R> {
    columns: Columns,
    streams: std::vec::IntoIter<Box<dyn Rows<R> + 'a>>,
}

impl<R: Row> Rows<R> for InTurn<'_, R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        while let Some(first) = self.streams.as_mut_slice().first_mut() {
            first.next_chunk(chunk)?;
            if !chunk.is_empty() {
                return Ok(());
            }
            self.streams.next();
        }
        chunk.clear(self.columns);
        Ok(())
    }
}

fn shares_error<S: Bytes>(book: &Book<S>, what: String) -> Error {
    Error::Shares { path: book.path().to_owned(), what }
}
