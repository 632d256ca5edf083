//! The rows of a book as sets: its tables with the journal laid over them.

use super::Book;
use crate::bytes::Bytes;
use crate::column::Columns;
use crate::error::{Error, Result};
use crate::journal::{Change, Layered, Overlaid};
use crate::key::Hash;
use crate::packed::{PackedRows, Unpack};
use crate::row::Row;
use crate::stream::{Between, RowSet, Rows};
use crate::table::{EXTENT_SLOTS, Strip, Strips, TableRows};
use std::ops::RangeInclusive;

/// How many rows are streamed in the time of a probe of a file, with a margin for one that is not
/// in memory.
const ROWS_A_PROBE: u64 = 1 << 13;
/// So few probes are always worth it.
const FEW_PROBES: u64 = 64;

impl<R: Layered, S: Bytes> RowSet<R> for Book<S> {
    fn columns(&self) -> Columns {
        self.header.columns(R::TABLE)
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(Hash::MIN..=Hash::MAX)
    }

    /// The rows of a table in order, every block verified, the journal laid over them. An error if
    /// the book has no such table.
    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        let rows = self.table_rows(&hashes)?;
        let rows = Box::new(Between::new(rows, hashes.clone()));
        let deltas = R::deltas(&self.overlay).between(&hashes);
        if deltas.is_empty() { Ok(rows) } else { Ok(Box::new(Overlaid::new(rows, deltas))) }
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        self.header.share.hashes()
    }

    fn is_seekable(&self) -> bool {
        true
    }

    fn at_most(&self) -> u64 {
        self.table_len::<R>() + R::deltas(&self.overlay).len() as u64
    }

    /// The number of the book's own rows with its journal, if a few probes for the changed rows can
    /// give it.
    fn exactly(&self) -> Option<u64> {
        let deltas = R::deltas(&self.overlay);
        let mut rows = self.table_len::<R>();
        if deltas.len() as u64 > (rows / ROWS_A_PROBE).max(FEW_PROBES) {
            return None;
        }
        for delta in deltas.iter() {
            // What can't be read is an error when the rows are streamed.
            let there = self
                .bare_rows_of::<R>(delta.row.hash())
                .ok()?
                .iter()
                .any(|row| row.sub() == delta.row.sub());
            rows = match (delta.change, there) {
                (Change::Delete, true) => rows.saturating_sub(1),
                (Change::Add | Change::Put, false) => rows + 1,
                _ => rows,
            };
        }
        Some(rows)
    }
}

impl<S: Bytes> Book<S> {
    /// Tells what will be read for the rows of these hashes.
    fn tell_of_scan<R: Row>(&self, hashes: &RangeInclusive<Hash>) {
        let share = self.header.share;
        let of_share = share.hashes();
        let first = *hashes.start().max(of_share.start());
        let last = *hashes.end().min(of_share.end());
        if first > last {
            return;
        }
        if let Some(packed) = &self.packed {
            let [first, last] = [first, last].map(|hash| packed.page_of(hash));
            return self.bytes.will_scan(first.start..last.end);
        }
        let Some(strips) = Strips::with_columns(&self.header, R::TABLE) else { return };
        let shape = &strips.table().shape;
        let end = share.home(last, shape.homes) + shape.max_displacement + 1;
        let start = share.home(first, shape.homes) / EXTENT_SLOTS * EXTENT_SLOTS;
        let end = end.next_multiple_of(EXTENT_SLOTS).min(strips.slots());
        for Strip { section, .. } in strips.all() {
            let bytes = |slot: u64| section.offset + slot * section.cell;
            self.bytes.will_scan(bytes(start)..bytes(end));
        }
    }

    /// How many rows the table itself has; 0 if there is none.
    fn table_len<R: Row>(&self) -> u64 {
        self.header.table(R::TABLE).map_or(0, |table| table.shape.rows)
    }

    /// The rows of a table, as they are without the journal; those of other hashes may be left out, or
    /// not.
    fn table_rows<R: Unpack>(
        &self,
        hashes: &RangeInclusive<Hash>,
    ) -> Result<Box<dyn Rows<R> + '_>> {
        let missing = || Error::NoTable { path: self.path.clone(), table: R::TABLE };
        self.tell_of_scan::<R>(hashes);
        let from = *hashes.start();
        let (bytes, path, header) = (&self.bytes, &self.path, &self.header);
        Ok(match &self.packed {
            Some(packed) => {
                Box::new(PackedRows::new(bytes, path, header, packed, from).ok_or_else(missing)?)
            }
            None => Box::new(TableRows::new(bytes, path, header, from).ok_or_else(missing)?),
        })
    }
}
