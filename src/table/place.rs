//! Placing rows: which slot each of them gets, and the slots in batches on their way to a file.
//! Section 5 of the format specification.

use crate::column::Columns;
use crate::error::{Error, Result};
use crate::format::{Share, TableShape};
use crate::key::Hash;
use crate::row::Row;
use crate::stream::Chunk;
use std::path::Path;

/// Bytes of slots that are handed on at once: a whole number of slots and of blocks, and, where the
/// first batch ends as [`first_batch`] has it, of the 2 MiB which a file system may keep in a huge
/// page.
const BYTES_AT_ONCE: usize = 6 << 20;

/// Slots side by side, with their cells, on their way to a file.
pub(super) struct Batch<R> {
    /// The number of the first one.
    start: u64,
    slots: Vec<R>,
    /// The cells of each slot, one slot after the other; those of an empty one are zero.
    cells: Vec<u8>,
}

impl<R> Default for Batch<R> {
    fn default() -> Self {
        Self { start: 0, slots: Vec::new(), cells: Vec::new() }
    }
}

impl<R: Row> Batch<R> {
    /// Slots of all batches but the first and the last one.
    pub const SLOTS: usize = BYTES_AT_ONCE / size_of::<R>();

    /// The slots.
    pub fn slots(&self) -> &[R] {
        &self.slots
    }

    /// The cells of all slots.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The slots with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &R)> {
        (self.start..).zip(&self.slots)
    }

    /// Takes all slots away; those to come follow them.
    pub fn clear(&mut self) {
        self.start += self.slots.len() as u64;
        self.slots.clear();
        self.cells.clear();
    }

    /// This batch; what is left in its place is an empty one, whose slots will follow.
    pub fn replaced_by(&mut self, mut empty: Self) -> Self {
        empty.slots.reserve(Self::SLOTS);
        empty.start = self.start + self.slots.len() as u64;
        std::mem::replace(self, empty)
    }
}

/// Slots of the first batch of a table that starts at this offset, a page, so that the next one
/// starts at a multiple of 2 MiB.
const fn first_batch<R: Row>(offset: u64) -> usize {
    /// The inverse of 3 modulo 2^18.
    const THIRD: u64 = 174_763;
    let slots = (offset / 8).wrapping_neg().wrapping_mul(THIRD) as usize % Batch::<R>::SLOTS;
    if slots == 0 { Batch::<R>::SLOTS } else { slots }
}

/// Rows on their way to their slots.
pub(super) struct Placing<'a, R> {
    target: &'a Path,
    share: Share,
    shape: TableShape,
    /// How many slots there are.
    end: u64,
    /// Bytes of the cells of a slot.
    stride: usize,
    /// Slots not yet handed on.
    batch: Batch<R>,
    /// The first slot after those.
    next: u64,
    last: Option<(Hash, u16)>,
    /// Slots of the batch at hand.
    size: usize,
}

impl<'a, R: Row> Placing<'a, R> {
    /// Places rows of a share of the hashes in a table of this shape, which is to be at this
    /// offset.
    pub fn new(
        target: &'a Path,
        share: Share,
        homes: u64,
        slots: u64,
        offset: u64,
        columns: Columns,
    ) -> Self {
        let shape = TableShape { homes, ..TableShape::default() };
        let size = first_batch::<R>(offset);
        Self {
            target,
            share,
            shape,
            end: slots,
            stride: columns.stride(),
            batch: Batch::default(),
            next: 0,
            last: None,
            size,
        }
    }

    /// Rows that were placed.
    pub fn rows(&self) -> u64 {
        self.shape.rows
    }

    /// Places the rows of a chunk, and hands full batches on, which have to be taken out of the
    /// buffer.
    pub fn take(
        &mut self,
        chunk: &Chunk<R>,
        full: &mut impl FnMut(&mut Batch<R>) -> Result<()>,
    ) -> Result<()> {
        if self.stride == 0 {
            return chunk.rows().iter().try_for_each(|row| self.push(row, &[], full));
        }
        let cells = chunk.cells().chunks_exact(self.stride);
        chunk.rows().iter().zip(cells).try_for_each(|(row, cells)| self.push(row, cells, full))
    }

    /// Hands the rest on. The shape of the table is returned: where a row's displacement is greater
    /// than there is slack for, no slot from there on was handed on.
    ///
    /// # Errors
    /// [`Error::Changed`] if the rows are not as many as expected.
    pub fn finish(
        mut self,
        expected: u64,
        mut full: impl FnMut(&mut Batch<R>) -> Result<()>,
    ) -> Result<TableShape> {
        self.leave_empty(self.end, &mut full)?;
        full(&mut self.batch)?;
        if self.shape.rows == expected { Ok(self.shape) } else { Err(self.changed()) }
    }

    #[inline(always)]
    fn push(
        &mut self,
        row: &R,
        cells: &[u8],
        full: &mut impl FnMut(&mut Batch<R>) -> Result<()>,
    ) -> Result<()> {
        let rank = row.rank();
        if self.last.is_some_and(|last| last >= rank) {
            return Err(self.changed());
        }
        self.last = Some(rank);
        let home = self.share.home(rank.0, self.shape.homes);
        self.leave_empty(home, full)?;
        self.shape.max_displacement = self.shape.max_displacement.max(self.next - home);
        self.put(*row, cells, full)?;
        self.count(row)
    }

    fn count(&mut self, row: &R) -> Result<()> {
        self.shape.count(row.counts());
        if self.share.holds(row.hash()) {
            return Ok(());
        }
        Err(Error::Share { path: self.target.to_owned(), share: self.share })
    }

    /// Leaves slots empty up to this one.
    #[inline(always)]
    fn leave_empty(
        &mut self,
        end: u64,
        full: &mut impl FnMut(&mut Batch<R>) -> Result<()>,
    ) -> Result<()> {
        while self.next < end {
            self.put(R::EMPTY, &[], full)?;
        }
        Ok(())
    }

    /// Fills the next slot; without cells those of the slot are zero. After the last one nothing is
    /// kept.
    #[inline(always)]
    fn put(
        &mut self,
        slot: R,
        cells: &[u8],
        full: &mut impl FnMut(&mut Batch<R>) -> Result<()>,
    ) -> Result<()> {
        if self.batch.slots.len() == self.size {
            full(&mut self.batch)?;
            self.size = Batch::<R>::SLOTS;
        }
        if self.next < self.end {
            self.batch.slots.push(slot);
            if self.stride > 0 {
                self.batch.cells.extend_from_slice(cells);
                self.batch.cells.resize(self.batch.slots.len() * self.stride, 0);
            }
        }
        self.next += 1;
        Ok(())
    }

    /// What went into the table changed while it was read.
    #[cold]
    fn changed(&self) -> Error {
        Error::Changed { path: self.target.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::MoveRow;

    #[test]
    fn batches_end_at_multiples_of_two_mebibytes_and_are_whole_blocks() {
        let size = size_of::<MoveRow>();
        for page in (0..100_000).step_by(7) {
            let (offset, slots) = (page * 4096, first_batch::<MoveRow>(page * 4096));
            assert!((1..=Batch::<MoveRow>::SLOTS).contains(&slots), "{page}");
            assert!((size * slots).is_multiple_of(4096), "{page}");
            assert!((offset as usize + size * slots).is_multiple_of(2 << 20), "{page}");
        }
        assert!((size * Batch::<MoveRow>::SLOTS).is_multiple_of(2 << 20));
    }
}
