//! A stream, and how far it was read.

use super::{Chunk, Rows};
use crate::column::{Cells, Columns, WithCells};
use crate::error::Result;
use crate::row::Row;

/// A stream, and what was read of it.
pub(crate) struct Cursor<'a, R> {
    rows: Box<dyn Rows<R> + 'a>,
    columns: Columns,
    chunk: Chunk<R>,
    /// How many rows of the chunk are done with.
    at: usize,
    ended: bool,
}

impl<'a, R: Row> Cursor<'a, R> {
    /// Is before the first row.
    pub fn new(rows: Box<dyn Rows<R> + 'a>) -> Self {
        Self { columns: rows.columns(), rows, chunk: Chunk::default(), at: 0, ended: false }
    }

    /// Reads on if all is done that was read; whether the stream is at its end.
    pub fn at_end(&mut self) -> Result<bool> {
        if self.at == self.chunk.len() && !self.ended {
            self.at = 0;
            self.rows.next_chunk(&mut self.chunk)?;
            self.ended = self.chunk.is_empty();
        }
        Ok(self.ended)
    }

    /// The rows that were read and aren't done.
    pub fn rest(&self) -> &[R] {
        &self.chunk.rows()[self.at..]
    }

    /// The cells of those rows.
    pub fn cells(&self) -> &[u8] {
        &self.chunk.cells()[self.at * self.columns.stride()..]
    }

    /// The next row with its cells; none at the end.
    pub fn first(&mut self) -> Result<Option<WithCells<R>>> {
        let ended = self.at_end()?;
        let cells = || Cells::of_bytes(self.columns, self.chunk.cells_of(self.at));
        Ok((!ended).then(|| WithCells { row: self.chunk.rows()[self.at], cells: cells() }))
    }

    /// Advances by `rows` rows.
    pub fn pass(&mut self, rows: usize) {
        self.at += rows;
    }

    /// Hands all that was read and isn't done to a chunk, which holds rows of the same columns, or
    /// none.
    pub fn hand_on(&mut self, chunk: &mut Chunk<R>) {
        if self.at == 0 && chunk.is_empty() {
            std::mem::swap(&mut self.chunk, chunk);
        } else {
            chunk.extend(&self.chunk, self.at..self.chunk.len());
        }
        self.chunk.clear(self.columns);
        self.at = 0;
    }
}
