//! The rows of another set that somebody wants to keep.

use std::ops::RangeInclusive;
use tabia::Columns;
use tabia::row::Row;
use tabia::stream::{Chunk, RowSet, Rows};

/// Rows that pass a question asked of each; in order, a chunk at a time, as often as they are asked for.
pub struct KeptRows<'a, R> {
    /// All rows.
    pub rows: &'a dyn RowSet<R>,
    /// Whether to keep a row; the same whenever it is asked.
    pub keep: &'a (dyn Fn(&R) -> bool + Sync),
    /// How many are kept, if that is known.
    pub exactly: Option<u64>,
}

impl<R: Row> RowSet<R> for KeptRows<'_, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn rows(&self) -> tabia::Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Passing { rows: self.rows.rows()?, keep: self.keep }))
    }

    fn at_most(&self) -> u64 {
        self.rows.at_most()
    }

    fn exactly(&self) -> Option<u64> {
        self.exactly
    }

    fn rows_between(&self, hashes: RangeInclusive<u64>) -> tabia::Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Passing { rows: self.rows.rows_between(hashes)?, keep: self.keep }))
    }

    fn hashes(&self) -> RangeInclusive<u64> {
        self.rows.hashes()
    }

    fn is_seekable(&self) -> bool {
        self.rows.is_seekable()
    }
}

struct Passing<'a, R> {
    rows: Box<dyn Rows<R> + 'a>,
    keep: &'a (dyn Fn(&R) -> bool + Sync),
}

impl<R: Row> Rows<R> for Passing<'_, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> tabia::Result<()> {
        loop {
            self.rows.next_chunk(chunk)?;
            let at_end = chunk.is_empty();
            chunk.retain(|row| (self.keep)(row));
            if at_end || !chunk.is_empty() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::{Counts, PositionRow};

    #[test]
    fn chunks_without_a_kept_row_are_no_end() {
        let row = |hash| PositionRow::of_hash(hash, Counts::default());
        let all: Vec<_> = (0..50_000).map(row).collect();
        let keep = |row: &PositionRow| row.hash() < 3 || (20_000..20_002).contains(&row.hash()) || row.hash() == 49_999;
        let kept = KeptRows { rows: &all, keep: &keep, exactly: Some(6) };
        let hashes = |rows: Box<dyn Rows<_> + '_>| rows.collect().unwrap().rows().iter().map(PositionRow::hash).collect::<Vec<_>>();
        for _ in 0..2 {
            assert_eq!(hashes(kept.rows().unwrap()), [0, 1, 2, 20_000, 20_001, 49_999]);
        }
        assert_eq!(hashes(kept.rows_between(2..=20_000).unwrap()), [2, 20_000]);
        assert_eq!((kept.exactly(), kept.at_most()), (Some(6), 50_000));
    }
}
