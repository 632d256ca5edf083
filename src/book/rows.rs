//! The rows of a book as sets: its tables with the journal laid over them.

use super::Book;
use crate::bytes::Bytes;
use crate::column::Columns;
use crate::error::{Error, Result};
use crate::format::Header;
use crate::journal::{Change, Layered, Overlaid, Overlay};
use crate::key::Hash;
use crate::packed::{Packed, PackedRows};
use crate::row::{MoveRow, PositionRow, Row};
use crate::stream::{Between, RowSet, Rows};
use crate::table::{EXTENT_SLOTS, Strip, Strips, TableRows};
use std::ops::RangeInclusive;
use std::path::Path;

/// How many rows are streamed in the time of a probe of a file, with a margin for one that is not
/// in memory.
const ROWS_A_PROBE: u64 = 1 << 13;
/// So few probes are always worth it.
const FEW_PROBES: u64 = 64;

impl<R: Scanned, S: Bytes> RowSet<R> for Book<S> {
    fn columns(&self) -> Columns {
        self.header.columns(R::TABLE)
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(Hash::MIN..=Hash::MAX)
    }

    /// The rows of a table in order, every block verified, the journal laid over them. An error if
    /// the book has no such table.
    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        let Self { bytes, path, header, packed, overlay, .. } = self;
        R::scanned(Scan { bytes, path, header, packed: packed.as_ref(), overlay, hashes })
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
    /// How many rows the table itself has; 0 if there is none.
    fn table_len<R: Row>(&self) -> u64 {
        self.header.table(R::TABLE).map_or(0, |table| table.shape.rows)
    }
}

/// Rows that a book streams. It is compiled here once: generic, it would be again in each crate that
/// streams rows.
pub(crate) trait Scanned: Layered {
    /// [`Scan::rows`] of this kind.
    fn scanned(scan: Scan<'_>) -> Result<Box<dyn Rows<Self> + '_>>;
}

impl Scanned for PositionRow {
    fn scanned(scan: Scan<'_>) -> Result<Box<dyn Rows<Self> + '_>> {
        scan.rows()
    }
}

impl Scanned for MoveRow {
    fn scanned(scan: Scan<'_>) -> Result<Box<dyn Rows<Self> + '_>> {
        scan.rows()
    }
}

/// What the rows of these hashes are read from, wherever the book's bytes are.
pub(crate) struct Scan<'a> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    header: &'a Header,
    packed: Option<&'a Packed>,
    overlay: &'a Overlay,
    hashes: RangeInclusive<Hash>,
}

impl<'a> Scan<'a> {
    /// The rows, the journal laid over them. An error if the book has no such table.
    fn rows<R: Layered>(self) -> Result<Box<dyn Rows<R> + 'a>> {
        let rows = self.table_rows()?;
        let deltas = R::deltas(self.overlay).between(&self.hashes);
        let rows = Box::new(Between::new(rows, self.hashes));
        if deltas.is_empty() { Ok(rows) } else { Ok(Box::new(Overlaid::new(rows, deltas))) }
    }

    /// Tells what will be read for them.
    fn tell_of_scan<R: Row>(&self) {
        let share = self.header.share;
        let of_share = share.hashes();
        let first = *self.hashes.start().max(of_share.start());
        let last = *self.hashes.end().min(of_share.end());
        if first > last {
            return;
        }
        if let Some(packed) = self.packed {
            let [first, last] = [first, last].map(|hash| packed.page_of(hash));
            return self.bytes.will_scan(first.start..last.end);
        }
        let Some(strips) = Strips::with_columns(self.header, R::TABLE) else { return };
        let shape = &strips.table().shape;
        let end = share.home(last, shape.homes) + shape.max_displacement + 1;
        let start = share.home(first, shape.homes) / EXTENT_SLOTS * EXTENT_SLOTS;
        let end = end.next_multiple_of(EXTENT_SLOTS).min(strips.slots());
        for Strip { section, .. } in strips.all() {
            let bytes = |slot: u64| section.offset + slot * section.cell;
            self.bytes.will_scan(bytes(start)..bytes(end));
        }
    }

    /// The rows as they are without the journal; those of other hashes may be left out, or not.
    fn table_rows<R: Layered>(&self) -> Result<Box<dyn Rows<R> + 'a>> {
        let missing = || Error::NoTable { path: self.path.to_owned(), table: R::TABLE };
        self.tell_of_scan::<R>();
        let (from, Self { bytes, path, header, .. }) = (*self.hashes.start(), self);
        Ok(match self.packed {
            Some(packed) => {
                Box::new(PackedRows::new(*bytes, path, header, packed, from).ok_or_else(missing)?)
            }
            None => Box::new(TableRows::new(*bytes, path, header, from).ok_or_else(missing)?),
        })
    }
}
