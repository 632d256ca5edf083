//! A book's worth of rows that is in no memory. Shared by the test programs that need more rows
//! than are good to keep.

use crate::books::WON;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Cells, Columns, Hash, PositionRow, Result};

/// So many rows, evenly spread, made as they are asked for.
pub struct Synthetic(pub u64);

struct Stream {
    next: u64,
    rows: u64,
}

impl RowSet<PositionRow> for Synthetic {
    fn rows(&self) -> Result<Box<dyn Rows<PositionRow> + '_>> {
        Ok(Box::new(Stream { next: 0, rows: self.0 }))
    }

    fn at_most(&self) -> u64 {
        self.0
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.0)
    }
}

impl Rows<PositionRow> for Stream {
    fn next_chunk(&mut self, chunk: &mut Chunk<PositionRow>) -> Result<()> {
        chunk.clear(Columns::NONE);
        let end = (self.next + 8192).min(self.rows);
        let step = u64::MAX / self.rows;
        for i in self.next..end {
            chunk.push(PositionRow::of_hash(Hash::from_bits(i * step), WON), &Cells::NONE);
        }
        self.next = end;
        Ok(())
    }
}
