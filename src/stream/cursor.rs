//! A stream, and how far it was read; the rows of one, one at a time.

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

/// The rows of a table with their cells, in the order of the table: an iterator over a [`Rows`]
/// stream. After an error there is nothing more.
pub struct RowIter<'a, R> {
    rows: Cursor<'a, R>,
    failed: bool,
}

impl<'a, R: Row> RowIter<'a, R> {
    /// An iterator over the rows of this stream.
    #[must_use]
    pub fn new(rows: Box<dyn Rows<R> + 'a>) -> Self {
        Self { rows: Cursor::new(rows), failed: false }
    }
}

impl<R: Row> Iterator for RowIter<'_, R> {
    type Item = Result<WithCells<R>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let first = self.rows.first();
        self.failed = first.is_err();
        if let Ok(Some(_)) = first {
            self.rows.pass(1);
        }
        first.transpose()
    }
}

impl<R> std::fmt::Debug for RowIter<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowIter").field("failed", &self.failed).finish_non_exhaustive()
    }
}
