//! Writing a table in one pass, from rows in order.

use super::FilterWriter;
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{TableShape, block_sums};
use crate::key::home;
use crate::publish::Unpublished;
use crate::row::Row;
use crate::stream::Rows;
use zerocopy::IntoBytes;

/// Slots that are written at once: a whole number of blocks (512 rows of 24 bytes are three), about a megabyte.
const SLOTS_AT_ONCE: usize = 512 * 86;

/// Writes a table of `expected` rows at this offset of a new file, and enters them into its filter; its shape and the sums of its blocks are
/// returned.
///
/// # Errors
/// [`Error::Changed`] if the rows are not as many, or not in ascending order; the system's, and those of the rows.
pub(crate) fn write_table<R: Row>(
    env: &Env<'_>,
    file: &Unpublished<'_>,
    offset: u64,
    homes: u64,
    expected: u64,
    mut rows: impl Rows<R>,
    mut filter: Option<&mut FilterWriter<'_>>,
) -> Result<(TableShape, Vec<u64>)> {
    let shape = TableShape { homes, ..TableShape::default() };
    let mut writer = TableWriter { file, offset, shape, sums: Vec::new(), slots: Vec::with_capacity(SLOTS_AT_ONCE), next: 0, last: None };
    let mut chunk = Vec::new();
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            break;
        }
        for row in &chunk {
            writer.push(row)?;
            if let Some(filter) = &mut filter {
                filter.push(row.hash())?;
            }
        }
        env.step(Stage::Writing, writer.shape.rows, expected)?;
    }
    let (shape, sums) = writer.finish()?;
    if shape.rows == expected { Ok((shape, sums)) } else { Err(file.changed()) }
}

struct TableWriter<'a, R> {
    file: &'a Unpublished<'a>,
    /// Where `slots` will be written.
    offset: u64,
    shape: TableShape,
    sums: Vec<u64>,
    /// Slots not yet written.
    slots: Vec<R>,
    /// The first slot after those.
    next: u64,
    last: Option<(u64, u16)>,
}

impl<R: Row> TableWriter<'_, R> {
    fn push(&mut self, row: &R) -> Result<()> {
        let rank = row.rank();
        if self.last.is_some_and(|last| last >= rank) {
            return Err(self.file.changed());
        }
        self.last = Some(rank);
        let home = home(row.hash(), self.shape.homes);
        self.leave_empty(home)?;
        self.shape.reach = self.shape.reach.max(self.next - home);
        self.put(*row)?;
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
    fn leave_empty(&mut self, end: u64) -> Result<()> {
        while self.next < end {
            self.put(R::EMPTY)?;
        }
        Ok(())
    }

    #[inline]
    fn put(&mut self, slot: R) -> Result<()> {
        if self.slots.len() == SLOTS_AT_ONCE {
            self.flush()?;
        }
        self.slots.push(slot);
        self.next += 1;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let bytes = self.slots.as_bytes();
        self.sums.extend(block_sums(bytes));
        self.file.write(bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        self.slots.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(TableShape, Vec<u64>)> {
        self.leave_empty(self.shape.slots())?;
        self.flush()?;
        Ok((self.shape, self.sums))
    }
}

impl Unpublished<'_> {
    /// What went into this file changed while it was read.
    fn changed(&self) -> Error {
        Error::Changed { path: self.target().to_owned() }
    }
}
