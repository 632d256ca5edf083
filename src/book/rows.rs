//! The rows of a book as sets: its tables with the journal laid over them, and moves with ratings or without, whichever it has.

use super::Book;
use crate::bytes::Bytes;
use crate::error::{Error, Result};
use crate::journal::{Change, Layered, Overlaid};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row};
use crate::stream::{Between, Converted, RowSet, Rows};
use crate::table::TableRows;
use std::ops::RangeInclusive;

/// How many rows are streamed in the time of a probe of a file, with a margin for one that is not in memory.
const ROWS_A_PROBE: u64 = 1 << 13;
/// So few probes are always worth it.
const FEW_PROBES: u64 = 64;

/// Rows that a book can be asked for: its own, or those that its own are made into.
pub(crate) trait Asked: Layered + From<Self::Stored> {
    /// The rows of its table, if they are not these.
    type Stored: Layered;
}

impl Asked for PositionRow {
    type Stored = Self;
}

/// Ratings are left out.
impl Asked for MoveRow {
    type Stored = RatedMoveRow;
}

/// No game is rated.
impl Asked for RatedMoveRow {
    type Stored = MoveRow;
}

impl<R: Asked, S: Bytes> RowSet<R> for Book<S> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(0..=u64::MAX)
    }

    /// The rows of a table in order, every block verified, the journal laid over them. An error if the book has no such table.
    fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<R> + '_>> {
        if self.stores::<R>() {
            return self.stored_between(hashes);
        }
        Ok(Box::new(Converted::<_, R::Stored>::new(self.stored_between::<R::Stored>(hashes)?)))
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn at_most(&self) -> u64 {
        let changed = if self.stores::<R>() { R::deltas(&self.overlay).len() } else { R::Stored::deltas(&self.overlay).len() };
        self.table_len::<R>() + changed as u64
    }

    fn exactly(&self) -> Option<u64> {
        if self.stores::<R>() { self.count_stored::<R>() } else { self.count_stored::<R::Stored>() }
    }
}

impl<S: Bytes> Book<S> {
    /// Whether the book's own rows of this table are these.
    pub(super) fn stores<R: Row>(&self) -> bool {
        self.header.row_size(R::TABLE) == R::SIZE
    }

    /// How many rows the table itself has; 0 if there is none.
    fn table_len<R: Row>(&self) -> u64 {
        self.header.table(R::TABLE).map_or(0, |table| table.shape.rows)
    }

    /// The book's own rows in a range of hashes.
    fn stored_between<R: Layered>(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<R> + '_>> {
        let rows = Box::new(Between::new(self.table_rows(*hashes.start())?, hashes.clone()));
        let deltas = R::deltas(&self.overlay);
        let deltas = &deltas[deltas.partition_point(|delta| delta.row.hash() < *hashes.start())..];
        let deltas = &deltas[..deltas.partition_point(|delta| delta.row.hash() <= *hashes.end())];
        if deltas.is_empty() { Ok(rows) } else { Ok(Box::new(Overlaid::new(rows, deltas))) }
    }

    /// The rows of a table, as they are without the journal; some before hash `from` may be left out.
    fn table_rows<R: Row>(&self, from: u64) -> Result<TableRows<'_, R>> {
        let missing = || Error::NoTable { path: self.path.clone(), table: R::TABLE };
        TableRows::new(&self.bytes, &self.path, &self.header, from).ok_or_else(missing)
    }

    /// How many rows of its own the book has with its journal, if probes for what that changes tell it soon.
    fn count_stored<R: Layered>(&self) -> Option<u64> {
        let deltas = R::deltas(&self.overlay);
        let mut rows = self.table_len::<R>();
        if deltas.len() as u64 > (rows / ROWS_A_PROBE).max(FEW_PROBES) {
            return None;
        }
        for delta in deltas {
            // What can't be read is an error when the rows are streamed.
            let there = self.bare_rows_of::<R>(delta.row.hash()).ok()?.iter().any(|row| row.sub() == delta.row.sub());
            rows = match (delta.change, there) {
                (Change::Delete, true) => rows.saturating_sub(1),
                (Change::Add | Change::Put, false) => rows + 1,
                _ => rows,
            };
        }
        Some(rows)
    }
}
