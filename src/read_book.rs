//! What is read as a book: one file, or all shares of one.

use crate::book::Book;
use crate::bytes::Bytes;
use crate::column::WithCells;
use crate::error::Result;
use crate::format::{Digest, Fact, Header, Share, Source};
use crate::key::Key;
use crate::row::{MoveRow, PositionRow, TableKind};
use crate::set::BookSet;
use crate::stream::RowSet;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A [`Book`], or a [`BookSet`], for code that reads either: its rows can be looked up, and streamed as
/// those of a [`RowSet`].
///
/// ```
/// use tabia::{Book, Key, ReadBook, Result, Row};
///
/// /// In how many games a position was reached.
/// fn games(book: &dyn ReadBook, key: Key) -> Result<u64> {
///     Ok(book.position(key)?.map_or(0, |row| row.counts().games()))
/// }
///
/// # let (_folder, path) = tabia_testing::tiny_book();
/// assert_eq!(games(&Book::open(&path)?, 42)?, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ReadBook: RowSet<PositionRow> + RowSet<MoveRow> {
    /// Its header; of a set, that of its first share: game, keys, results and columns are those of all.
    fn header(&self) -> &Header;

    /// Which share of the hashes it has; a set has all.
    fn share(&self) -> Share;

    /// Where it is; of a set, where its first share is.
    fn path(&self) -> &Path;

    /// Its file or files, their digests and the sequences of the last batches of their journals: other
    /// ones if anything in it changes.
    fn state(&self) -> Vec<(PathBuf, Digest, u64)>;

    /// Whether it has this table.
    fn has(&self, kind: TableKind) -> bool;

    /// The row of a position, if there is one.
    ///
    /// # Errors
    /// As [`Book::position`].
    fn position(&self, key: Key) -> Result<Option<PositionRow>>;

    /// The rows of many positions, `out[i]` of `keys[i]`.
    ///
    /// # Errors
    /// As [`Book::position`].
    ///
    /// # Panics
    /// If `keys` and `out` are not of the same length.
    fn positions(&self, keys: &[Key], out: &mut [Option<PositionRow>]) -> Result<()>;

    /// All moves known at a position, in ascending order of their codes.
    ///
    /// # Errors
    /// As [`Book::position`].
    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>>;

    /// The same with their cells.
    ///
    /// # Errors
    /// As [`Book::position`].
    fn moves_with_cells(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>>;

    /// The archives it was made of, in order.
    ///
    /// # Errors
    /// As [`Book::sources`].
    fn sources(&self) -> Result<Vec<Source>>;

    /// How it was made: its facts, in order.
    ///
    /// # Errors
    /// As [`Book::facts`].
    fn facts(&self) -> Result<Vec<Fact>>;
}

macro_rules! read {
    ($book:ident, |$it:ident| $all:expr) => {
        impl<S: Bytes> ReadBook for $book<S> {
            fn header(&self) -> &Header {
                let $it = self;
                $all[0].header()
            }

            fn share(&self) -> Share {
                let $it = self;
                match $all {
                    [only] => only.header().share,
                    _ => Share::WHOLE,
                }
            }

            fn path(&self) -> &Path {
                let $it = self;
                $all[0].path()
            }

            fn state(&self) -> Vec<(PathBuf, Digest, u64)> {
                let $it = self;
                let one = |book: &Book<S>| {
                    (book.path().to_owned(), book.header().digest, book.journal().sequence)
                };
                $all.iter().map(one).collect()
            }

            fn has(&self, kind: TableKind) -> bool {
                $book::has(self, kind)
            }

            fn position(&self, key: Key) -> Result<Option<PositionRow>> {
                $book::position(self, key)
            }

            fn positions(&self, keys: &[Key], out: &mut [Option<PositionRow>]) -> Result<()> {
                $book::positions(self, keys, out)
            }

            fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
                $book::moves(self, key)
            }

            fn moves_with_cells(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
                $book::moves_with_cells(self, key)
            }

            fn sources(&self) -> Result<Vec<Source>> {
                $book::sources(self)
            }

            fn facts(&self) -> Result<Vec<Fact>> {
                $book::facts(self)
            }
        }
    };
}

read!(Book, |book| std::slice::from_ref(book));
read!(BookSet, |set| set.books());
