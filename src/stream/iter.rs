//! The rows of a stream one at a time.

use super::{Cursor, Rows};
use crate::column::WithCells;
use crate::error::Result;
use crate::row::Row;

/// The rows of a table with their cells, in the order of the table: an iterator over a [`Rows`]
/// stream. After an error there is nothing more.
///
/// ```
/// # use tabia::{Book, Counts, Env, Existing, NewBook, PositionRow, Row};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tiny.tabia");
/// let rows: Vec<_> = [42, 7].map(|key| PositionRow::new(key, Counts { wins: 1, draws: 0, losses: 0 })).into();
/// let mut sorted = rows.clone();
/// sorted.sort_by_key(Row::hash);
/// NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&sorted).write(&Env::default(), &path, Existing::Refuse)?;
///
/// let book = Book::open(&path)?;
/// let keys = book.all_positions()?.map(|row| Ok(row?.row.key())).collect::<tabia::Result<Vec<_>>>()?;
/// assert_eq!(keys.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RowIter<'a, R> {
    rows: Cursor<'a, R>,
    failed: bool,
}

impl<'a, R: Row> RowIter<'a, R> {
    /// An iterator over the rows of this stream.
    #[must_use]
    pub fn new(rows: Box<dyn Rows<R> + 'a>) -> Self {
        Self { rows: Cursor::new(rows), failed: false }
    }
}

impl<R: Row> Iterator for RowIter<'_, R> {
    type Item = Result<WithCells<R>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let first = self.rows.first();
        self.failed = first.is_err();
        if let Ok(Some(_)) = first {
            self.rows.pass(1);
        }
        first.transpose()
    }
}

impl<R> std::fmt::Debug for RowIter<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowIter").field("failed", &self.failed).finish_non_exhaustive()
    }
}
