//! Moves as they are read: without ratings until some have them, and all with ratings from then on.

use std::path::PathBuf;
use tabia::sort::{Sorted, Sorter};
use tabia::stream::{RowSet, Rows};
use tabia::{Env, MoveRow, RatedMoveRow, Result};

/// Sorts moves.
pub struct Moves<'a> {
    env: Env<'a>,
    folder: PathBuf,
    memory: usize,
    sorter: MoveSorter<'a>,
}

enum MoveSorter<'a> {
    Plain(Sorter<'a, MoveRow>),
    Rated(Sorter<'a, RatedMoveRow>),
}

/// All moves, in order.
pub enum SortedMoves {
    /// None has ratings.
    Plain(Sorted<MoveRow>),
    /// Some have.
    Rated(Sorted<RatedMoveRow>),
}

impl<'a> Moves<'a> {
    /// A sorter that holds so many bytes of moves, and spills into this folder.
    pub fn new(env: Env<'a>, folder: &std::path::Path, memory: usize) -> Self {
        let sorter = MoveSorter::Plain(Sorter::new(env.storage, folder, memory));
        Self { env, folder: folder.to_owned(), memory, sorter }
    }

    /// Takes a move without ratings.
    #[inline]
    pub fn push(&mut self, row: MoveRow) -> Result<()> {
        match &mut self.sorter {
            MoveSorter::Plain(sorter) => sorter.push(row),
            MoveSorter::Rated(sorter) => sorter.push(row.into()),
        }
    }

    /// Takes a move with ratings.
    #[inline]
    pub fn push_rated(&mut self, row: RatedMoveRow) -> Result<()> {
        if let MoveSorter::Plain(_) = self.sorter {
            self.rate()?;
        }
        match &mut self.sorter {
            MoveSorter::Plain(sorter) => sorter.push(row.into()),
            MoveSorter::Rated(sorter) => sorter.push(row),
        }
    }

    /// From now on moves have ratings; those that were taken have no rated games.
    pub fn rate(&mut self) -> Result<()> {
        let MoveSorter::Plain(plain) = &mut self.sorter else { return Ok(()) };
        let plain = std::mem::replace(plain, Sorter::new(self.env.storage, &self.folder, 0)).finish();
        // While both are held they share the memory: rows grow to the double.
        let memory = if plain.at_most() == 0 { self.memory } else { self.memory / 2 };
        let mut rated = Sorter::new(self.env.storage, &self.folder, memory);
        let plain = Sorted::join(&self.env, vec![plain])?;
        let (mut rows, mut chunk) = (plain.rows()?, Vec::new());
        loop {
            rows.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                break;
            }
            chunk.iter().try_for_each(|&row| rated.push(row.into()))?;
        }
        self.sorter = MoveSorter::Rated(rated);
        Ok(())
    }

    /// All moves that were taken.
    pub fn finish(self) -> Result<SortedMoves> {
        Ok(match self.sorter {
            MoveSorter::Plain(sorter) => SortedMoves::Plain(Sorted::join(&self.env, vec![sorter.finish()])?),
            MoveSorter::Rated(sorter) => SortedMoves::Rated(Sorted::join(&self.env, vec![sorter.finish()])?),
        })
    }
}
