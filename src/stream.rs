//! Rows in order, a chunk at a time: what sorting, merging, compacting, writing and comparing have
//! in common.

mod adapters;
mod chunk;
mod cursor;
mod recounted;
mod rows;

pub use adapters::MinGames;
pub(crate) use adapters::{Between, Converted, InHashes, common};
pub use chunk::Chunk;
pub(crate) use cursor::Cursor;
pub use cursor::RowIter;
pub(crate) use recounted::Recounted;
pub use rows::Rows;

use crate::column::Columns;
use crate::error::Result;
use crate::key::Hash;
use crate::row::Row;
use std::ops::RangeInclusive;

/// How many rows a chunk has, about: half of a small cache.
pub(crate) const CHUNK: usize = 8192;

/// Rows that can be streamed more than once: a table's homes follow from its number of rows, so
/// that writing one reads its rows twice, unless their number is known.
///
/// ```
/// use tabia::stream::{RowSet, Rows};
/// use tabia::{Counts, PositionRow};
///
/// // Rows in a vector are a set; so are those of a sorter, of a book and of a chunk.
/// let rows = vec![PositionRow::new(42, Counts { wins: 1, draws: 0, losses: 0 })];
/// assert_eq!(rows.exactly(), Some(1));
/// assert_eq!(RowSet::rows(&rows)?.collect()?.rows(), rows);
/// # Ok::<(), tabia::Error>(())
/// ```
pub trait RowSet<R: Row>: Sync {
    /// The columns of which every row has a cell: those of its streams.
    fn columns(&self) -> Columns {
        Columns::NONE
    }

    /// The rows, from the first on.
    ///
    /// # Errors
    /// Those of the source of the rows.
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>>;

    /// An upper bound of the number of rows.
    fn at_most(&self) -> u64;

    /// About how many rows there are, to say how far work has come.
    fn about(&self) -> u64 {
        self.at_most()
    }

    /// The number of rows, if it is known without streaming them.
    fn exactly(&self) -> Option<u64> {
        None
    }

    /// The hashes among which those of all rows are.
    fn hashes(&self) -> RangeInclusive<Hash> {
        Hash::MIN..=Hash::MAX
    }

    /// The rows whose hashes are in this range.
    ///
    /// # Errors
    /// Those of the source of the rows.
    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Between::new(self.rows()?, hashes)))
    }

    /// Whether [`RowSet::rows_between`] finds the rows without reading all those before them, so
    /// that several threads can share the work.
    fn is_seekable(&self) -> bool {
        false
    }
}

impl<R: Row> RowSet<R> for Vec<R> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(InMemory::new(self)))
    }

    fn at_most(&self) -> u64 {
        self.len() as u64
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.len() as u64)
    }
}

impl<R: Row> RowSet<R> for Chunk<R> {
    fn columns(&self) -> Columns {
        self.columns()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(InMemory::with_cells(self)))
    }

    fn at_most(&self) -> u64 {
        self.len() as u64
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.len() as u64)
    }
}

impl<R: Row, T: RowSet<R> + ?Sized> RowSet<R> for Box<T> {
    fn columns(&self) -> Columns {
        (**self).columns()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        (**self).rows()
    }

    fn at_most(&self) -> u64 {
        (**self).at_most()
    }

    fn about(&self) -> u64 {
        (**self).about()
    }

    fn exactly(&self) -> Option<u64> {
        (**self).exactly()
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        (**self).hashes()
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        (**self).rows_between(hashes)
    }

    fn is_seekable(&self) -> bool {
        (**self).is_seekable()
    }
}

/// Rows in memory, in order.
///
/// ```
/// use tabia::stream::{InMemory, Rows};
/// use tabia::{Counts, PositionRow, sort_and_merge};
///
/// let mut rows = [7, 42, 7].map(|key| PositionRow::new(key, Counts { wins: 1, draws: 0, losses: 0 }));
/// let count = sort_and_merge(&mut rows);
/// assert_eq!(InMemory::new(&rows[..count]).collect()?.len(), 2);
/// # Ok::<(), tabia::Error>(())
/// ```
pub struct InMemory<'a, R> {
    rows: &'a [R],
    cells: &'a [u8],
    columns: Columns,
}

impl<'a, R: Row> InMemory<'a, R> {
    /// A stream of these rows, which must be strictly ascending.
    #[must_use]
    pub fn new(rows: &'a [R]) -> Self {
        debug_assert!(rows.is_sorted_by(|a, b| a.rank() < b.rank()));
        Self { rows, cells: &[], columns: Columns::NONE }
    }

    /// A stream of the rows of a chunk, with their cells.
    #[must_use]
    pub fn with_cells(chunk: &'a Chunk<R>) -> Self {
        Self { cells: chunk.cells(), columns: chunk.columns(), ..Self::new(chunk.rows()) }
    }
}

impl<R> std::fmt::Debug for InMemory<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InMemory")
            .field("rows", &self.rows.len())
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

impl<R: Row> Rows<R> for InMemory<'_, R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        let count = self.rows.len().min(CHUNK);
        let ((rows, later), (cells, later_cells)) =
            (self.rows.split_at(count), self.cells.split_at(count * self.columns.stride()));
        chunk.clear(self.columns);
        chunk.extend_from(rows, cells);
        (self.rows, self.cells) = (later, later_cells);
        Ok(())
    }
}
