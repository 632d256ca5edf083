//! Moves as they are read: with cells of the columns that those before them brought, and of more as soon as one brings more.

use std::path::{Path, PathBuf};
use tabia::sort::{Sorted, Sorter};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Columns, Env, MoveRow, Result, WithCells};

/// Sorts moves.
pub struct Moves<'a> {
    env: Env<'a>,
    folder: PathBuf,
    memory: usize,
    sorter: Sorter<'a, MoveRow>,
}

impl<'a> Moves<'a> {
    /// A sorter that holds so many bytes of moves, and spills into this folder.
    pub fn new(env: Env<'a>, folder: &Path, memory: usize) -> Self {
        Self { env, folder: folder.to_owned(), memory, sorter: Sorter::new(env.storage, folder, memory) }
    }

    /// Takes a move.
    #[inline]
    pub fn push(&mut self, played: &WithCells<MoveRow>) -> Result<()> {
        if !played.cells.columns().without(self.sorter.columns()).is_empty() {
            self.widen(played.cells.columns())?;
        }
        self.sorter.push_with(played.row, &played.cells)
    }

    /// From now on moves have cells of these columns too; those of the moves that were taken say nothing.
    pub fn widen(&mut self, columns: Columns) -> Result<()> {
        let all = self.sorter.columns().union(columns);
        if all == self.sorter.columns() {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.sorter, Sorter::new(self.env.storage, &self.folder, 0)).finish();
        // While both are held they share the memory.
        let memory = if before.at_most() == 0 { self.memory } else { self.memory / 2 };
        self.sorter = Sorter::with_columns(self.env.storage, &self.folder, memory, all);
        let before = Sorted::join(&self.env, vec![before])?;
        let (mut rows, mut chunk) = (before.rows()?, Chunk::default());
        loop {
            rows.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(());
            }
            chunk.iter().try_for_each(|played| self.sorter.push_with(played.row, &played.cells))?;
        }
    }

    /// All moves that were taken.
    pub fn finish(self) -> Result<Sorted<MoveRow>> {
        Sorted::join(&self.env, vec![self.sorter.finish()])
    }
}
