//! Streams and sets made of others: sets in a range of hashes, rows of other columns, rows with
//! enough games.

use super::{Chunk, RowSet, Rows};
use crate::column::Columns;
use crate::error::Result;
use crate::key::Hash;
use crate::row::Row;
use std::ops::RangeInclusive;

/// The hashes that are in both ranges.
pub(crate) fn common(a: &RangeInclusive<Hash>, b: &RangeInclusive<Hash>) -> RangeInclusive<Hash> {
    *a.start().max(b.start())..=*a.end().min(b.end())
}

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

/// The rows of a set whose hashes are in a range.
pub(crate) struct InHashes<'a, R> {
    /// All rows.
    pub rows: &'a dyn RowSet<R>,
    /// The hashes of those that stay.
    pub hashes: RangeInclusive<Hash>,
}

impl<R: Row> RowSet<R> for InHashes<'_, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows.rows_between(self.hashes.clone())
    }

    fn at_most(&self) -> u64 {
        self.rows.at_most()
    }

    /// Hashes are spread evenly.
    fn about(&self) -> u64 {
        let width = |of: RangeInclusive<Hash>| {
            u128::from(of.end().get().saturating_sub(of.start().get())) + 1
        };
        let (kept, all) = (width(self.hashes()), width(self.rows.hashes()));
        (u128::from(self.rows.about()) * (kept >> 32) / (all >> 32).max(1)) as u64
    }

    fn exactly(&self) -> Option<u64> {
        let all = common(&self.hashes, &self.rows.hashes()) == self.rows.hashes();
        if all { self.rows.exactly() } else { None }
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        common(&self.hashes, &self.rows.hashes())
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows.rows_between(common(&self.hashes, &hashes))
    }

    fn is_seekable(&self) -> bool {
        self.rows.is_seekable()
    }
}

/// Rows with cells of other columns: what the rows lack says nothing, what only they have is left
/// out.
pub(crate) struct Converted<S, R> {
    rows: S,
    columns: Columns,
    chunk: Chunk<R>,
}

impl<R: Row, S: Rows<R>> Converted<S, R> {
    /// Gives the rows cells of these columns.
    pub fn new(rows: S, columns: Columns) -> Self {
        Self { rows, columns, chunk: Chunk::default() }
    }
}

impl<R: Row, S: Rows<R>> Rows<R> for Converted<S, R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        let from = self.rows.columns();
        if from == self.columns {
            return self.rows.next_chunk(chunk);
        }
        self.rows.next_chunk(&mut self.chunk)?;
        let (rows, cells) = chunk.places(self.columns, self.chunk.len());
        rows.copy_from_slice(self.chunk.rows());
        let stride = self.columns.stride();
        for index in 0..rows.len() {
            let cells = &mut cells[index * stride..(index + 1) * stride];
            from.convert(self.chunk.cells_of(index), self.columns, cells);
        }
        Ok(())
    }

    fn skip_chunk(&mut self, _: &mut Chunk<R>) -> Result<usize> {
        self.rows.skip_chunk(&mut self.chunk)
    }
}

/// The rows of another set that were played in at least a given number of games.
///
/// ```
/// use tabia::stream::{MinGames, RowSet, Rows};
/// use tabia::{Counts, PositionRow};
///
/// let rows = vec![PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 })];
/// assert_eq!(MinGames { rows: rows.clone(), min_games: 6 }.rows()?.collect()?.len(), 1);
/// assert_eq!(MinGames { rows, min_games: 7 }.rows()?.collect()?.len(), 0);
/// # Ok::<(), tabia::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MinGames<S> {
    /// All rows.
    pub rows: S,
    /// The games a row needs to stay.
    pub min_games: u64,
}

impl<R: Row, S: RowSet<R>> RowSet<R> for MinGames<S> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(Hash::MIN..=Hash::MAX)
    }

    fn at_most(&self) -> u64 {
        self.rows.at_most()
    }

    fn exactly(&self) -> Option<u64> {
        if self.min_games == 0 { self.rows.exactly() } else { None }
    }

    fn hashes(&self) -> RangeInclusive<Hash> {
        self.rows.hashes()
    }

    fn rows_between(&self, hashes: RangeInclusive<Hash>) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(PlayedRows {
            rows: self.rows.rows_between(hashes)?,
            min_games: self.min_games,
        }))
    }

    fn is_seekable(&self) -> bool {
        self.rows.is_seekable()
    }
}

struct PlayedRows<'a, R> {
    rows: Box<dyn Rows<R> + 'a>,
    min_games: u64,
}

impl<R: Row> Rows<R> for PlayedRows<'_, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        loop {
            self.rows.next_chunk(chunk)?;
            let at_end = chunk.is_empty();
            chunk.retain(|row| row.counts().games() >= self.min_games);
            if at_end || !chunk.is_empty() {
                return Ok(());
            }
        }
    }
}
