//! Large groups: those that don't fit a page, and whose rows stand one after the other in the bodies
//! of POSN and MOVE. Section 5.1 of `format-spec/packed.md`.

use super::bits::get;
use crate::bytes::Bytes;
use crate::column::Columns;
use crate::error::Result;
use crate::format::{Header, PAGE_LEN};
use crate::row::{Row, TableKind};
use crate::stream::{Chunk, Rows};
use crate::table::Strips;
use std::ops::Range;
use std::path::Path;

/// The first byte of a large group.
pub(super) const LARGE: u8 = 255;
pub(super) const LARGE_BYTES: usize = 25;
/// Rows that are read at once.
const AT_ONCE: u64 = 4096;

/// Where the rows of a large group are in the bodies of POSN and MOVE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LargeGroup {
    pub positions: Range<u64>,
    pub moves: Range<u64>,
}

impl LargeGroup {
    /// Its bytes in a page; none if it has too many rows.
    pub fn encode(&self) -> Option<[u8; LARGE_BYTES]> {
        let mut bytes = [0; LARGE_BYTES];
        let len = |range: &Range<u64>| u32::try_from(range.end - range.start).ok();
        bytes[0] = LARGE;
        bytes[1..9].copy_from_slice(&self.positions.start.to_le_bytes());
        bytes[9..17].copy_from_slice(&self.moves.start.to_le_bytes());
        bytes[17..21].copy_from_slice(&len(&self.positions)?.to_le_bytes());
        bytes[21..25].copy_from_slice(&len(&self.moves)?.to_le_bytes());
        Some(bytes)
    }

    /// Where its rows of this table are.
    pub fn rows_of(&self, kind: TableKind) -> Range<u64> {
        match kind {
            TableKind::Positions => self.positions.clone(),
            TableKind::Moves => self.moves.clone(),
        }
    }

    /// Reads what comes behind the first byte, at this place of a page; none if its end overflows.
    pub(super) fn decode(page: &[u8; PAGE_LEN], at: usize) -> Option<Self> {
        let range = |start: usize, len: usize| {
            let start = get(page, 8 * (at + start), 64);
            Some(start..start.checked_add(get(page, 8 * (at + len), 32))?)
        };
        Some(Self { positions: range(1, 17)?, moves: range(9, 21)? })
    }
}

/// How many rows of large groups there are in the bodies of POSN and MOVE.
pub(super) fn large_rows(header: &Header) -> (u64, u64) {
    let slots = |kind| Strips::with_columns(header, kind).map_or(0, |strips| strips.slots());
    (slots(TableKind::Positions), slots(TableKind::Moves))
}

/// The rows of a large group in a table, in order, every block verified.
pub(super) struct LargeGroupRows<'a> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    strips: Strips<'a>,
    rows: Range<u64>,
}

impl<'a> LargeGroupRows<'a> {
    /// These rows of a table; none if it doesn't have as many.
    pub fn new(
        bytes: &'a dyn Bytes,
        path: &'a Path,
        strips: Strips<'a>,
        rows: Range<u64>,
    ) -> Option<Self> {
        (rows.end <= strips.slots()).then_some(Self { bytes, path, strips, rows })
    }
}

impl<R: Row> Rows<R> for LargeGroupRows<'_> {
    fn columns(&self) -> Columns {
        self.strips.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.strips.columns());
        let start = self.rows.start;
        self.rows.start = self.rows.end.min(start + AT_ONCE);
        if self.rows.start > start {
            self.strips.read_rows(self.bytes, self.path, start..self.rows.start, chunk)?;
        }
        Ok(())
    }
}
