//! Rows in order, a chunk at a time: what sorting, merging, compacting, writing and comparing have in common.

use crate::error::Result;
use crate::row::Row;
use std::ops::RangeInclusive;

/// How many rows a chunk has, about: half of a small cache.
pub(crate) const CHUNK: usize = 8192;

/// A stream of rows in strictly ascending order of hash and move.
pub trait Rows<R: Row>: Send {
    /// Empties `chunk` and puts the next rows into it; leaves it empty at the end.
    ///
    /// # Errors
    /// Whatever the rows come from gives.
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()>;

    /// Passes over the next rows, and returns how many they were; 0 at the end. `chunk` may be used in between.
    ///
    /// # Errors
    /// Whatever the rows come from gives.
    fn skip_chunk(&mut self, chunk: &mut Vec<R>) -> Result<usize> {
        self.next_chunk(chunk)?;
        Ok(chunk.len())
    }

    /// All rows that are left, in memory.
    ///
    /// # Errors
    /// Whatever the rows come from gives.
    fn collect(mut self) -> Result<Vec<R>>
    where
        Self: Sized,
    {
        let (mut all, mut chunk) = (Vec::new(), Vec::new());
        loop {
            self.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(all);
            }
            all.extend_from_slice(&chunk);
        }
    }
}

impl<R: Row, T: Rows<R> + ?Sized> Rows<R> for Box<T> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        (**self).next_chunk(chunk)
    }

    fn skip_chunk(&mut self, chunk: &mut Vec<R>) -> Result<usize> {
        (**self).skip_chunk(chunk)
    }
}

impl<R: Row, T: Rows<R> + ?Sized> Rows<R> for &mut T {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        (**self).next_chunk(chunk)
    }

    fn skip_chunk(&mut self, chunk: &mut Vec<R>) -> Result<usize> {
        (**self).skip_chunk(chunk)
    }
}

/// Rows that can be streamed more than once: a table's homes follow from its number of rows, so that writing one reads its rows twice, unless
/// their number is known.
pub trait RowSet<R: Row>: Sync {
    /// The rows, from the first on.
    ///
    /// # Errors
    /// Whatever the rows come from gives.
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>>;

    /// How many rows there are, at most.
    fn at_most(&self) -> u64;

    /// How many rows there are, if that is known without streaming them.
    fn exactly(&self) -> Option<u64> {
        None
    }

    /// The rows whose hashes are in this range.
    ///
    /// # Errors
    /// Whatever the rows come from gives.
    fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Between::new(self.rows()?, hashes)))
    }

    /// Whether [`RowSet::rows_between`] finds the rows without reading all those before them, so that several threads can share the work.
    fn is_seekable(&self) -> bool {
        false
    }
}

/// The rows of a stream whose hashes are in a range.
pub(crate) struct Between<S> {
    rows: S,
    /// Empty when the stream is behind it.
    hashes: RangeInclusive<u64>,
}

impl<S> Between<S> {
    /// Passes over the rows of other hashes.
    pub fn new(rows: S, hashes: RangeInclusive<u64>) -> Self {
        Self { rows, hashes }
    }
}

impl<R: Row, S: Rows<R>> Rows<R> for Between<S> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        while !self.hashes.is_empty() {
            self.rows.next_chunk(chunk)?;
            let Some(last) = chunk.last().map(Row::hash) else { return Ok(()) };
            chunk.truncate(chunk.partition_point(|row| row.hash() <= *self.hashes.end()));
            chunk.drain(..chunk.partition_point(|row| row.hash() < *self.hashes.start()));
            if last > *self.hashes.end() {
                self.hashes = RangeInclusive::new(1, 0);
            }
            if !chunk.is_empty() {
                return Ok(());
            }
        }
        chunk.clear();
        Ok(())
    }
}

/// Rows in memory, in order.
pub struct InMemory<'a, R>(&'a [R]);

impl<'a, R: Row> InMemory<'a, R> {
    /// A stream of these rows, which must be strictly ascending.
    #[must_use]
    pub fn new(rows: &'a [R]) -> Self {
        debug_assert!(rows.is_sorted_by(|a, b| a.rank() < b.rank()));
        Self(rows)
    }
}

impl<R: Row> Rows<R> for InMemory<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        let (now, later) = self.0.split_at(self.0.len().min(CHUNK));
        chunk.clear();
        chunk.extend_from_slice(now);
        self.0 = later;
        Ok(())
    }
}

impl<R: Row> RowSet<R> for Vec<R> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(InMemory::new(self)))
    }

    fn at_most(&self) -> u64 {
        self.len() as u64
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.len() as u64)
    }
}

impl<R: Row, T: RowSet<R> + ?Sized> RowSet<R> for Box<T> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        (**self).rows()
    }

    fn at_most(&self) -> u64 {
        (**self).at_most()
    }

    fn exactly(&self) -> Option<u64> {
        (**self).exactly()
    }

    fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<R> + '_>> {
        (**self).rows_between(hashes)
    }

    fn is_seekable(&self) -> bool {
        (**self).is_seekable()
    }
}

/// The rows of another set that were played in at least so many games.
pub struct Played<S> {
    /// All rows.
    pub rows: S,
    /// The games a row needs to stay.
    pub min_games: u64,
}

impl<R: Row, S: RowSet<R>> RowSet<R> for Played<S> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        self.rows_between(0..=u64::MAX)
    }

    fn at_most(&self) -> u64 {
        self.rows.at_most()
    }

    fn exactly(&self) -> Option<u64> {
        if self.min_games == 0 { self.rows.exactly() } else { None }
    }

    fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(PlayedRows { rows: self.rows.rows_between(hashes)?, min_games: self.min_games }))
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
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
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

/// Rows of another kind, made into rows of this one: moves get ratings or lose them.
pub(crate) struct Converted<S, A> {
    rows: S,
    chunk: Vec<A>,
}

impl<S, A> Converted<S, A> {
    /// Makes these rows into others.
    pub fn new(rows: S) -> Self {
        Self { rows, chunk: Vec::new() }
    }
}

impl<A: Row, B: Row + From<A>, S: Rows<A>> Rows<B> for Converted<S, A> {
    fn next_chunk(&mut self, chunk: &mut Vec<B>) -> Result<()> {
        self.rows.next_chunk(&mut self.chunk)?;
        chunk.clear();
        chunk.extend(self.chunk.iter().map(|&row| B::from(row)));
        Ok(())
    }

    fn skip_chunk(&mut self, _: &mut Vec<B>) -> Result<usize> {
        self.rows.skip_chunk(&mut self.chunk)
    }
}

/// A stream, and what was read of it.
pub(crate) struct Cursor<'a, R> {
    rows: Box<dyn Rows<R> + 'a>,
    chunk: Vec<R>,
    /// How many rows of the chunk are done with.
    at: usize,
    ended: bool,
}

impl<'a, R: Row> Cursor<'a, R> {
    /// Stands before the first row.
    pub fn new(rows: Box<dyn Rows<R> + 'a>) -> Self {
        Self { rows, chunk: Vec::new(), at: 0, ended: false }
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

    /// What was read and isn't done.
    pub fn rest(&self) -> &[R] {
        &self.chunk[self.at..]
    }

    /// The next row; none at the end.
    pub fn first(&mut self) -> Result<Option<R>> {
        self.at_end()?;
        Ok(self.rest().first().copied())
    }

    /// Is done with so many rows more.
    pub fn pass(&mut self, rows: usize) {
        self.at += rows;
    }

    /// Hands all that was read and isn't done to a chunk.
    pub fn hand_on(&mut self, chunk: &mut Vec<R>) {
        if self.at == 0 && chunk.is_empty() {
            std::mem::swap(&mut self.chunk, chunk);
        } else {
            chunk.extend_from_slice(self.rest());
        }
        self.chunk.clear();
        self.at = 0;
    }
}
