//! The part of a stream that is in a range of hashes.

use super::{Chunk, Rows};
use crate::column::Columns;
use crate::error::Result;
use crate::key::Hash;
use crate::row::Row;
use std::ops::RangeInclusive;

/// The rows of a stream whose hashes are in a range.
pub(crate) struct Between<S> {
    rows: S,
    /// Empty when the stream is past it.
    hashes: RangeInclusive<Hash>,
}

impl<S> Between<S> {
    /// Passes over the rows of other hashes.
    pub fn new(rows: S, hashes: RangeInclusive<Hash>) -> Self {
        Self { rows, hashes }
    }
}

impl<R: Row, S: Rows<R>> Rows<R> for Between<S> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        while !self.hashes.is_empty() {
            self.rows.next_chunk(chunk)?;
            let Some(last) = chunk.rows().last().map(Row::hash) else { return Ok(()) };
            chunk.truncate(chunk.rows().partition_point(|row| row.hash() <= *self.hashes.end()));
            chunk.drop_first(chunk.rows().partition_point(|row| row.hash() < *self.hashes.start()));
            if last > *self.hashes.end() {
                self.hashes = RangeInclusive::new(Hash::MAX, Hash::MIN);
            }
            if !chunk.is_empty() {
                return Ok(());
            }
        }
        chunk.clear(self.rows.columns());
        Ok(())
    }
}
