//! Rows as a stream.

use super::Chunk;
use crate::column::Columns;
use crate::error::{Error, Result};
use crate::row::Row;

/// A stream of rows in strictly ascending order of hash and move, with their cells.
///
/// ```
/// use tabia::stream::{Chunk, InMemory, Rows};
/// use tabia::{Counts, PositionRow, Row};
///
/// let rows = [PositionRow::new(42, Counts { wins: 1, draws: 0, losses: 0 })];
/// let (mut stream, mut chunk) = (InMemory::new(&rows), Chunk::default());
/// let mut wins = 0;
/// while { stream.next_chunk(&mut chunk)?; !chunk.is_empty() } {
///     wins += chunk.rows().iter().map(|row| row.counts().wins).sum::<u32>();
/// }
/// assert_eq!(wins, 1);
/// # Ok::<(), tabia::Error>(())
/// ```
pub trait Rows<R: Row>: Send {
    /// The columns of which every row has a cell. They stay the same.
    fn columns(&self) -> Columns {
        Columns::NONE
    }

    /// Empties `chunk` and puts the next rows into it; leaves it empty at the end.
    ///
    /// # Errors
    /// Those of the source of the rows.
    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()>;

    /// Skips the next rows, and returns how many there were; 0 at the end. `chunk` may be used in
    /// between.
    ///
    /// # Errors
    /// Those of the source of the rows.
    fn skip_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<usize> {
        self.next_chunk(chunk)?;
        Ok(chunk.len())
    }

    /// Hands on the rows that are left, some at a time.
    ///
    /// # Errors
    /// Those of the source of the rows, and of `take`.
    fn each_chunk<E: From<Error>>(
        mut self,
        mut take: impl FnMut(&Chunk<R>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E>
    where
        Self: Sized,
    {
        let mut chunk = Chunk::default();
        loop {
            self.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(());
            }
            take(&chunk)?;
        }
    }

    /// How many rows are left.
    ///
    /// # Errors
    /// Those of the source of the rows.
    fn count(mut self) -> Result<u64>
    where
        Self: Sized,
    {
        let (mut chunk, mut all) = (Chunk::default(), 0);
        loop {
            match self.skip_chunk(&mut chunk)? {
                0 => return Ok(all),
                some => all += some as u64,
            }
        }
    }

    /// All rows that are left, in memory.
    ///
    /// # Errors
    /// Those of the source of the rows.
    fn collect(self) -> Result<Chunk<R>>
    where
        Self: Sized,
    {
        let mut all = Chunk::new(self.columns());
        self.each_chunk(|chunk| -> Result<()> {
            all.extend(chunk, 0..chunk.len());
            Ok(())
        })?;
        Ok(all)
    }
}

macro_rules! rows_of_what_it_points_to {
    ($($pointer:ty),*) => {$(
        impl<R: Row, T: Rows<R> + ?Sized> Rows<R> for $pointer {
            fn columns(&self) -> Columns {
                (**self).columns()
            }

            fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
                (**self).next_chunk(chunk)
            }

            fn skip_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<usize> {
                (**self).skip_chunk(chunk)
            }
        }
    )*};
}

rows_of_what_it_points_to!(Box<T>, &mut T);
