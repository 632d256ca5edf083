//! The rows that closures want to keep: as a set, and of a book to be asked for by key.

use crate::choice::RowLookup;
use std::borrow::Cow;
use std::ops::RangeInclusive;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Columns, Hash, Key, MoveRow, PositionRow, ReadBook, Result, Results, Row, TableKind};

/// Rows that pass a question asked of each, in order, a chunk at a time, as often as one wants.
pub(crate) struct KeptRows<'a, R> {
    /// All rows.
    pub rows: &'a dyn RowSet<R>,
    /// Whether to keep a row; the same whenever it is asked.
    pub keep: &'a (dyn Fn(&R) -> bool + Sync),
    /// How many are kept, if that is known.
    pub exactly: Option<u64>,
    /// What becomes of a row that is kept, of the same hash; if none, it stays as it is.
    pub change: Option<&'a (dyn Fn(R) -> R + Sync)>,
}

impl<R: Row> RowSet<R> for KeptRows<'_, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Passing { rows: self.rows.rows()?, of: self }))
    }

    fn at_most(&self) -> u64 {
        self.rows.at_most()
    }

    fn exactly(&self) -> Option<u64> {
        self.exactly
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Passing { rows: self.rows.rows_between(hashes)?, of: self }))
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        self.rows.hashes()
    }

    fn is_seekable(&self) -> bool {
        self.rows.is_seekable()
    }
}

struct Passing<'a, R> {
    rows: Box<dyn Rows<R> + 'a>,
    of: &'a KeptRows<'a, R>,
}

impl<R: Row> Rows<R> for Passing<'_, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        loop {
            self.rows.next_chunk(chunk)?;
            let at_end = chunk.is_empty();
            chunk.retain(|row| (self.of.keep)(row));
            if !chunk.is_empty()
                && let Some(change) = self.of.change
            {
                let mut changed = Chunk::new(chunk.columns());
                chunk.iter().for_each(|row| changed.push(change(row.row), &row.cells));
                *chunk = changed;
            }
            if at_end || !chunk.is_empty() {
                return Ok(());
            }
        }
    }
}

/// A book as if it had only the rows that are kept.
pub(crate) struct KeptLookup<'a> {
    pub book: &'a dyn ReadBook,
    pub keep_position: &'a (dyn Fn(&PositionRow) -> bool + Sync),
    pub keep_move: &'a (dyn Fn(&MoveRow) -> bool + Sync),
}

impl RowLookup for KeptLookup<'_> {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        Ok(self.book.position(key)?.filter(|row| (self.keep_position)(row)))
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        let mut rows = self.book.moves(key)?.into_owned();
        rows.retain(|row| (self.keep_move)(row));
        Ok(Cow::Owned(rows))
    }

    fn has(&self, kind: TableKind) -> bool {
        self.book.has(kind)
    }

    fn results(&self) -> Results {
        self.book.header().results
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::Counts;

    #[test]
    fn chunks_without_a_kept_row_are_no_end() {
        let row = |hash| PositionRow::of_hash(Hash::from_bits(hash), Counts::default());
        let all: Vec<_> = (0..50_000).map(row).collect();
        let keep = |row: &PositionRow| matches!(row.hash().get(), 0..3 | 20_000..20_002 | 49_999);
        let kept = KeptRows { rows: &all, keep: &keep, exactly: Some(6), change: None };
        let hashes = |rows: Box<dyn Rows<PositionRow> + '_>| {
            rows.collect().unwrap().rows().iter().map(|row| row.hash().get()).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            assert_eq!(hashes(kept.rows().unwrap()), [0, 1, 2, 20_000, 20_001, 49_999]);
        }
        assert_eq!(
            hashes(kept.rows_between(Hash::from_bits(2)..=Hash::from_bits(20_000)).unwrap()),
            [2, 20_000]
        );
        assert_eq!((kept.exactly(), kept.at_most()), (Some(6), 50_000));
    }
}
