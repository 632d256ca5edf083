//! A book's worth of rows that is in no memory. Shared by the test programs that need more rows
//! than are good to keep.

use crate::books::WON;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Hash, PositionRow, Result};

/// So many rows, evenly spread, made as they are asked for.
pub struct Synthetic(pub u64);

impl RowSet<PositionRow> for Synthetic {
    fn rows(&self) -> Result<Box<dyn Rows<PositionRow> + '_>> {
        let step = u64::MAX / self.0;
        let row = move |i| PositionRow::of_hash(Hash::from_bits(i * step), WON);
        Ok(Box::new(InPieces((0..self.0).map(row), 8192)))
    }

    fn at_most(&self) -> u64 {
        self.0
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.0)
    }
}

/// The rows of an iterator, at most so many at a time.
pub struct InPieces<I>(pub I, pub usize);

impl<I: Iterator<Item = PositionRow> + Send> Rows<PositionRow> for InPieces<I> {
    fn next_chunk(&mut self, chunk: &mut Chunk<PositionRow>) -> Result<()> {
        *chunk = Chunk::of_rows(self.0.by_ref().take(self.1).collect());
        Ok(())
    }
}
