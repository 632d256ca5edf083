//! Probes of a packed book: the page of a position is looked at, in memory as it is, else read and
//! verified.

use super::Book;
use crate::bytes::Bytes;
use crate::error::Result;
use crate::journal::Layered;
use crate::key::{Hash, Key};
use crate::packed::{Games, Glance, Packed, Place};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::stream::Chunk;
use crate::table::{BATCH, Strips};
use std::ops::Range;

/// Rows of a large group that are read at once: those of a block.
const LARGE_AT_ONCE: u64 = 170;

impl<S: Bytes> Book<S> {
    /// The row of a position, without the journal.
    #[inline(never)]
    pub(super) fn packed_position(&self, packed: &Packed, h: Hash) -> Result<Option<PositionRow>> {
        self.position_at(packed, h, self.glance::<false>(packed, h))
    }

    /// Glances at the page of a hash, if the book is in memory.
    #[inline(always)]
    fn glance<const MOVE: bool>(&self, packed: &Packed, h: Hash) -> Glance {
        match (packed.glancer(), self.bytes.in_memory()) {
            (Some(glancer), Some(bytes)) => glancer.glance::<MOVE>(bytes, h),
            _ => self.unseen(h),
        }
    }

    /// What is said of a hash without a glance.
    #[inline(always)]
    fn unseen(&self, h: Hash) -> Glance {
        if self.header.share.holds(h) { Glance::Unsaid } else { Glance::Absent }
    }

    /// The row of a position, of which a glance said this.
    #[inline(always)]
    fn position_at(&self, packed: &Packed, h: Hash, glance: Glance) -> Result<Option<PositionRow>> {
        match glance {
            Glance::Absent => Ok(None),
            Glance::Short(counts, _) => {
                Ok(packed.form().positions.then(|| PositionRow::of_hash(h, counts)))
            }
            Glance::Unsaid => self.position_at_length(packed, h),
        }
    }

    /// The row of a position, wherever it is.
    #[inline(never)]
    fn position_at_length(&self, packed: &Packed, h: Hash) -> Result<Option<PositionRow>> {
        if let Some(bytes) = self.bytes.in_memory() {
            match packed.find(bytes, h) {
                Some(Place::Absent) => return Ok(None),
                Some(Place::Entry(group, index)) => {
                    return group.position(index, h).map_err(|_| packed.damaged_at(&self.path, h));
                }
                _ => {}
            }
        }
        let mut rows = Chunk::default();
        self.packed_rows(packed, h, &mut rows)?;
        Ok(rows.rows().first().copied())
    }

    /// The row of a position and its moves, which are appended, without the journal.
    #[inline(never)]
    pub(super) fn packed_position_and_moves(
        &self,
        packed: &Packed,
        h: Hash,
        moves: &mut Vec<MoveRow>,
    ) -> Result<Option<PositionRow>> {
        let glance = self.glance::<true>(packed, h);
        self.position_and_moves_at(packed, h, glance, moves)
    }

    /// As [`Book::packed_position_and_moves`], of a position of which a glance said this.
    #[inline(always)]
    fn position_and_moves_at(
        &self,
        packed: &Packed,
        h: Hash,
        glance: Glance,
        moves: &mut Vec<MoveRow>,
    ) -> Result<Option<PositionRow>> {
        match glance {
            Glance::Absent => Ok(None),
            Glance::Short(counts, code) => {
                let form = packed.form();
                if form.moves {
                    moves.push(MoveRow::of_hash(h, code, counts));
                }
                Ok(form.positions.then(|| PositionRow::of_hash(h, counts)))
            }
            Glance::Unsaid => self.position_and_moves_at_length(packed, h, moves),
        }
    }

    /// The row of a position and its moves, wherever they are.
    #[inline(never)]
    fn position_and_moves_at_length(
        &self,
        packed: &Packed,
        h: Hash,
        moves: &mut Vec<MoveRow>,
    ) -> Result<Option<PositionRow>> {
        let take = |place: Place<'_>| match place {
            Place::Absent => Some(Some(None)),
            Place::Entry(group, index) => {
                group.moves(index, h, |row| moves.push(row)).ok()?;
                group.position(index, h).ok().map(Some)
            }
            Place::Large(_) => Some(None),
        };
        let found = match self.bytes.in_memory() {
            Some(bytes) => packed
                .find(bytes, h)
                .and_then(take)
                .ok_or_else(|| packed.damaged_at(&self.path, h))?,
            None => packed.read(&self.bytes, &self.path, h, take)?,
        };
        let Some(position) = found else {
            let mut rows = Chunk::new(self.header.columns(TableKind::Moves));
            self.packed_rows(packed, h, &mut rows)?;
            moves.extend_from_slice(rows.rows());
            return self.position_at_length(packed, h);
        };
        Ok(position)
    }

    /// The rows of many positions, without the journal: `take` gets each with its place among the
    /// keys.
    pub(super) fn packed_positions(
        &self,
        packed: &Packed,
        keys: &[Key],
        mut take: impl FnMut(usize, Option<PositionRow>),
    ) -> Result<()> {
        self.each_glance::<false>(packed, keys, |place, h, glance| {
            take(place, self.position_at(packed, h, glance)?);
            Ok(())
        })
    }

    /// The rows of many positions and their moves, without the journal: `take` gets each with its
    /// place among the keys.
    pub(super) fn packed_positions_and_moves(
        &self,
        packed: &Packed,
        keys: &[Key],
        mut take: impl FnMut(usize, Option<PositionRow>, &[MoveRow]),
    ) -> Result<()> {
        let mut moves = Vec::new();
        self.each_glance::<true>(packed, keys, |place, h, glance| {
            moves.clear();
            let position = self.position_and_moves_at(packed, h, glance, &mut moves)?;
            take(place, position, &moves);
            Ok(())
        })
    }

    /// Glances at the pages of many positions, which in memory are asked for together, so that each
    /// waits for a fraction of its time.
    #[inline]
    fn each_glance<const MOVE: bool>(
        &self,
        packed: &Packed,
        keys: &[Key],
        mut take: impl FnMut(usize, Hash, Glance) -> Result<()>,
    ) -> Result<()> {
        for (first, keys) in (0..).step_by(BATCH).zip(keys.chunks(BATCH)) {
            match (packed.glancer(), self.bytes.in_memory()) {
                (Some(glancer), Some(bytes)) => {
                    let glances = glancer.glance_at_all::<MOVE>(bytes, keys);
                    for ((place, &key), glance) in (first..).zip(keys).zip(glances) {
                        take(place, Hash::of(key), glance)?;
                    }
                }
                (_, in_memory) => {
                    if in_memory.is_none() {
                        self.will_need(keys);
                    }
                    for (place, h) in (first..).zip(keys.iter().copied().map(Hash::of)) {
                        take(place, h, self.unseen(h))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The moves of a position, without the journal.
    #[inline(never)]
    pub(super) fn packed_moves(&self, packed: &Packed, h: Hash) -> Result<Vec<MoveRow>> {
        match self.glance::<true>(packed, h) {
            Glance::Absent => Ok(Vec::new()),
            Glance::Short(counts, code) if packed.form().moves => {
                Ok(vec![MoveRow::of_hash(h, code, counts)])
            }
            _ => {
                let mut rows = Chunk::new(self.header.columns(TableKind::Moves));
                self.rows_with(packed, h, &Games::Unasked, &mut rows)?;
                Ok(rows.into_rows())
            }
        }
    }

    /// Appends the rows of a hash of the book's share to a chunk, with their cells, without the
    /// journal.
    pub(super) fn packed_rows<R: Layered>(
        &self,
        packed: &Packed,
        h: Hash,
        rows: &mut Chunk<R>,
    ) -> Result<()> {
        let games = packed.games(&self.bytes, &self.path, &self.header);
        self.rows_with(packed, h, &games, rows).map_err(|error| games.error(|| error))
    }

    /// As [`Book::packed_rows`], with the cells that these games tell.
    fn rows_with<R: Layered>(
        &self,
        packed: &Packed,
        h: Hash,
        games: &Games<'_>,
        rows: &mut Chunk<R>,
    ) -> Result<()> {
        let take = |place: Place<'_>| match place {
            Place::Absent => Some(0..0),
            Place::Entry(group, index) => {
                let take = |row, cells: &[u8]| rows.push_from(row, cells);
                R::unpack(&group, &group.parts(), index, h, games, take).ok()?;
                Some(0..0)
            }
            Place::Large(group) => Some(group.rows_of(R::TABLE)),
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
