//! Writing a table in one pass, from rows in order.

use super::FilterWriter;
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{TableShape, block_sums};
use crate::key::home;
use crate::publish::AtomicFile;
use crate::row::Row;
use crate::stream::Rows;
use std::sync::mpsc;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U64;

/// Bytes that are written at once: a whole number of slots and of blocks, and, where the first piece ends as [`first_piece`] has it, of the 2 MiB
/// which a file system may keep in a huge page.
const BYTES_AT_ONCE: u64 = 6 << 20;

/// Slots that are written at once.
const fn slots_at_once<R: Row>() -> usize {
    const { assert!(R::SIZE == 24 || R::SIZE == 48, "pieces are laid out for rows of 24 or 48 bytes") };
    (BYTES_AT_ONCE / R::SIZE) as usize
}

/// Slots of the first piece of a table that starts at this offset, a page, so that the next one starts at a multiple of 2 MiB.
const fn first_piece<R: Row>(offset: u64) -> usize {
    /// The inverse of 3 modulo 2^18, and so modulo 2^17.
    const THIRD: u64 = 174_763;
    let (at_once, unit) = (slots_at_once::<R>(), R::SIZE / 3);
    let slots = (offset / unit).wrapping_neg().wrapping_mul(THIRD) as usize % at_once;
    if slots == 0 { at_once } else { slots }
}

/// Pieces that wait to be written.
const WAITING: usize = 2;

/// Writes a table of `expected` rows at this offset of a new file, and enters them into its filter; its shape and the sums of its blocks are
/// returned. Rows are placed on this thread; those of a large table are hashed and written on another.
///
/// # Errors
/// [`Error::Changed`] if the rows are not as many, or not in ascending order; the system's, and those of the rows.
pub(crate) fn write_table<R: Row>(
    env: &Env<'_>,
    file: &AtomicFile<'_>,
    offset: u64,
    homes: u64,
    expected: u64,
    rows: &mut dyn Rows<R>,
    filter: Option<&mut FilterWriter<'_>>,
) -> Result<(TableShape, Vec<U64>)> {
    let at_once = const { slots_at_once::<R>() };
    let mut out = Pieces { file, offset, sums: Vec::new(), filter };
    let shape = TableShape { homes, ..TableShape::default() };
    let table = Placing { file, shape, slots: Vec::with_capacity(at_once), next: 0, last: None, piece: first_piece::<R>(offset) };
    if expected < at_once as u64 {
        let shape = table.place(env, expected, rows, |slots| {
            out.write(slots)?;
            slots.clear();
            Ok(())
        })?;
        return Ok((shape, out.sums));
    }
    let (to_write, full) = mpsc::sync_channel::<Vec<R>>(WAITING);
    let (to_fill, written) = mpsc::channel();
    std::thread::scope(|scope| {
        let writing = scope.spawn(move || {
            for mut slots in full {
                out.write(&slots)?;
                slots.clear();
                let _ = to_fill.send(slots);
            }
            Ok(out.sums)
        });
        let placed = table.place(env, expected, rows, |slots| {
            let empty = written.try_recv().unwrap_or_else(|_| Vec::with_capacity(at_once));
            // Whoever writes stops only by an error, which comes before this one.
            to_write.send(std::mem::replace(slots, empty)).map_err(|_| file.changed())
        });
        drop(to_write);
        let sums = writing.join().expect("writing doesn't panic")?;
        Ok((placed?, sums))
    })
}

/// The pieces of a table, one after the other, on their way to the file.
struct Pieces<'a, 'f> {
    file: &'a AtomicFile<'a>,
    /// Where the next one will be written.
    offset: u64,
    sums: Vec<U64>,
    filter: Option<&'a mut FilterWriter<'f>>,
}

impl Pieces<'_, '_> {
    fn write<R: Row>(&mut self, slots: &[R]) -> Result<()> {
        if let Some(filter) = &mut self.filter {
            slots.iter().filter(|slot| !slot.is_empty()).try_for_each(|row| filter.push(row.hash()))?;
        }
        let bytes = slots.as_bytes();
        self.sums.extend(block_sums(bytes).map(U64::new));
        self.file.write(bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

/// Rows on their way to their slots.
struct Placing<'a, R> {
    file: &'a AtomicFile<'a>,
    shape: TableShape,
    /// Slots not yet handed on.
    slots: Vec<R>,
    /// The first slot after those.
    next: u64,
    last: Option<(u64, u16)>,
    /// Slots of the piece at hand.
    piece: usize,
}

impl<R: Row> Placing<'_, R> {
    /// Places all rows, and hands on full pieces, which have to be taken out of the buffer; the table's shape is returned.
    fn place(
        mut self,
        env: &Env<'_>,
        expected: u64,
        rows: &mut dyn Rows<R>,
        mut full: impl FnMut(&mut Vec<R>) -> Result<()>,
    ) -> Result<TableShape> {
        let mut chunk = Vec::new();
        loop {
            rows.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                break;
            }
            for row in &chunk {
                self.push(row, &mut full)?;
            }
            env.step(Stage::Writing, self.shape.rows, expected)?;
        }
        self.leave_empty(self.shape.slots(), &mut full)?;
        full(&mut self.slots)?;
        if self.shape.rows == expected { Ok(self.shape) } else { Err(self.file.changed()) }
    }

    #[inline(always)]
    fn push(&mut self, row: &R, full: &mut impl FnMut(&mut Vec<R>) -> Result<()>) -> Result<()> {
        let rank = row.rank();
        if self.last.is_some_and(|last| last >= rank) {
            return Err(self.file.changed());
        }
        self.last = Some(rank);
        let home = home(row.hash(), self.shape.homes);
        self.leave_empty(home, full)?;
        self.shape.reach = self.shape.reach.max(self.next - home);
        self.put(*row, full)?;
        self.count(row);
        Ok(())
    }

    fn count(&mut self, row: &R) {
        let counts = row.counts();
        self.shape.rows += 1;
        self.shape.wins = self.shape.wins.wrapping_add(counts.wins.into());
        self.shape.draws = self.shape.draws.wrapping_add(counts.draws.into());
        self.shape.losses = self.shape.losses.wrapping_add(counts.losses.into());
    }

    /// Leaves slots empty up to this one.
    #[inline(always)]
    fn leave_empty(&mut self, end: u64, full: &mut impl FnMut(&mut Vec<R>) -> Result<()>) -> Result<()> {
        while self.next < end {
            self.put(R::EMPTY, full)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn put(&mut self, slot: R, full: &mut impl FnMut(&mut Vec<R>) -> Result<()>) -> Result<()> {
        if self.slots.len() == self.piece {
            full(&mut self.slots)?;
            self.piece = const { slots_at_once::<R>() };
        }
        self.slots.push(slot);
        self.next += 1;
        Ok(())
    }
}

impl AtomicFile<'_> {
    /// What went into this file changed while it was read.
    fn changed(&self) -> Error {
        Error::Changed { path: self.target().to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::row::{MoveRow, RatedMoveRow};

    fn pieces_end_well<R: Row>() {
        let at_once = slots_at_once::<R>() as u64;
        for page in (0..100_000).step_by(7) {
            let (offset, slots) = (page * 4096, first_piece::<R>(page * 4096) as u64);
            assert!((1..=at_once).contains(&slots) && (R::SIZE * slots).is_multiple_of(4096), "{page}");
            assert!((offset + R::SIZE * slots).is_multiple_of(2 << 20), "{page}");
        }
        assert!((R::SIZE * at_once).is_multiple_of(2 << 20));
    }

    #[test]
    fn pieces_end_at_multiples_of_two_mebibytes_and_are_whole_blocks() {
        pieces_end_well::<MoveRow>();
        pieces_end_well::<RatedMoveRow>();
    }
}
