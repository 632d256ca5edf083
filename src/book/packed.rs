//! Probes of a packed book: the page of a position is looked at, in memory as it is, else read and
//! verified.

use super::Book;
use crate::bytes::Bytes;
use crate::error::Result;
use crate::journal::Layered;
use crate::key::{Hash, Key};
use crate::packed::{Home, Packed, Place};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::stream::Chunk;
use crate::table::Strips;
use std::ops::Range;

/// How many probes of a batch are under way at once.
const GROUP: usize = 32;
/// Rows of a large group that are read at once: those of a block.
const LARGE_AT_ONCE: u64 = 170;

impl<S: Bytes> Book<S> {
    /// The row of a position of the book's share, without the journal.
    #[inline]
    pub(super) fn packed_position(&self, packed: &Packed, h: Hash) -> Result<Option<PositionRow>> {
        let found = self.bytes.in_memory().and_then(|bytes| packed.find(bytes, h));
        self.position_at(packed, h, found)
    }

    /// The row of a position that was found somewhere; if nowhere, it is looked for once more.
    #[inline(always)]
    fn position_at(
        &self,
        packed: &Packed,
        h: Hash,
        found: Option<Place<'_>>,
    ) -> Result<Option<PositionRow>> {
        match found {
            Some(Place::Absent) => Ok(None),
            Some(Place::Entry(group, index)) => {
                group.position(index, h).map_err(|_| packed.damaged_at(&self.path, h))
            }
            _ => {
                let mut rows = Chunk::default();
                self.packed_rows(packed, h, &mut rows)?;
                Ok(rows.rows().first().copied())
            }
        }
    }

    /// The row of a position of the book's share and its moves, without the journal.
    #[inline]
    pub(super) fn packed_position_and_moves(
        &self,
        packed: &Packed,
        h: Hash,
        moves: &mut Vec<MoveRow>,
    ) -> Result<Option<PositionRow>> {
        let take = |place: Place<'_>, moves: &mut Vec<MoveRow>| match place {
            Place::Absent => Some(Some(None)),
            Place::Entry(group, index) => {
                group.moves(index, h, |row| moves.push(row)).ok()?;
                group.position(index, h).ok().map(Some)
            }
            Place::Large(..) => Some(None),
        };
        let found = match self.bytes.in_memory() {
            Some(bytes) => packed
                .find(bytes, h)
                .and_then(|place| take(place, moves))
                .ok_or_else(|| packed.damaged_at(&self.path, h))?,
            None => packed.read(&self.bytes, &self.path, h, |place| take(place, moves))?,
        };
        let Some(position) = found else {
            let mut rows = Chunk::new(self.header.columns(TableKind::Moves));
            self.packed_rows(packed, h, &mut rows)?;
            *moves = rows.into_rows();
            return self.packed_position(packed, h);
        };
        Ok(position)
    }

    /// The rows of many positions, without the journal: `take` gets each with its place among the
    /// keys. In memory they are looked for together, so that each waits for a fraction of its time.
    pub(super) fn packed_positions(
        &self,
        packed: &Packed,
        keys: &[Key],
        mut take: impl FnMut(usize, Option<PositionRow>),
    ) -> Result<()> {
        let bytes = self.bytes.in_memory();
        let mut homes = [Home::default(); GROUP];
        for (number, keys) in keys.chunks(GROUP).enumerate() {
            match bytes {
                Some(bytes) => packed.prefetch(bytes, keys, &mut homes),
                None => self.will_need(keys),
            }
            for ((place, &key), &home) in (GROUP * number..).zip(keys).zip(&homes) {
                let h = Hash::of(key);
                let row = if self.header.share.holds(h) {
                    let found = bytes.and_then(|bytes| packed.find_at(bytes, home, h));
                    self.position_at(packed, h, found)?
                } else {
                    None
                };
                take(place, row);
            }
        }
        Ok(())
    }

    /// Appends the rows of a hash of the book's share to a chunk, with their cells, without the
    /// journal.
    pub(super) fn packed_rows<R: Layered>(
        &self,
        packed: &Packed,
        h: Hash,
        rows: &mut Chunk<R>,
    ) -> Result<()> {
        let take = |place: Place<'_>| match place {
            Place::Absent => Some(0..0),
            Place::Entry(group, index) => {
                let take = |row, cells: &[u8]| rows.push_from(row, cells);
                R::unpack(&group, &group.parts(), index, h, take).ok()?;
                Some(0..0)
            }
            Place::Large(positions, moves) => Some(match R::TABLE {
                TableKind::Positions => positions,
                TableKind::Moves => moves,
            }),
        };
        let large = match self.bytes.in_memory() {
            Some(bytes) => packed
                .find(bytes, h)
                .and_then(take)
                .ok_or_else(|| packed.damaged_at(&self.path, h))?,
            None => packed.read(&self.bytes, &self.path, h, take)?,
        };
        if large.is_empty() { Ok(()) } else { self.large_rows(packed, h, large, rows) }
    }

    /// Appends the rows of a hash among those of a large group.
    fn large_rows<R: Row>(
        &self,
        packed: &Packed,
        h: Hash,
        Range { start, end }: Range<u64>,
        rows: &mut Chunk<R>,
    ) -> Result<()> {
        let Some(strips) = Strips::with_columns(&self.header, R::TABLE) else { return Ok(()) };
        if end > strips.slots() {
            return Err(packed.damaged_at(&self.path, h));
        }
        let mut piece = Chunk::new(strips.columns());
        let read = |range: Range<u64>, piece: &mut Chunk<R>| {
            piece.clear(strips.columns());
            strips.read_rows(&self.bytes, &self.path, range, piece)
        };
        let (mut least, mut most) = (start, end);
        while most - least > LARGE_AT_ONCE {
            let middle = least + (most - least) / 2;
            read(middle..middle + 1, &mut piece)?;
            if piece.rows().first().is_some_and(|row| row.hash() < h) {
                least = middle + 1;
            } else {
                most = middle;
            }
        }
        while least < end {
            let next = end.min(least + LARGE_AT_ONCE);
            read(least..next, &mut piece)?;
            let before = piece.rows().iter().take_while(|row| row.hash() < h).count();
            let behind = piece.rows()[before..].iter().take_while(|row| row.hash() == h);
            let end_of_rows = before + behind.count();
            rows.extend(&piece, before..end_of_rows);
            if end_of_rows < piece.len() {
                break;
            }
            least = next;
        }
        Ok(())
    }
}
