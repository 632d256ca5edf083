//! Sorting more rows than fit in memory: rows are merged as far as memory allows, spilled in sorted
//! runs, and streamed as one.

mod run;

use crate::column::{Cells, Columns};
use crate::env::{Env, Stage};
use crate::error::Result;
use crate::merge::Merged;
use crate::row::Row;
use crate::storage::Storage;
use crate::stream::{Chunk, InMemory, RowSet, Rows};
pub(crate) use run::Run;
use std::path::{Path, PathBuf};

/// The most runs that are merged at once, each with a buffer of [`run::BUFFER`] bytes.
const FAN_IN: usize = 128;
/// The least memory a sorter works with, in bytes.
const LEAST_MEMORY: usize = 1 << 16;

/// Takes rows in any order, and uses a bounded amount of memory: see [`Sorted`].
pub struct Sorter<'a, R> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    /// Rows in memory, at most `capacity`.
    rows: Chunk<R>,
    capacity: usize,
    runs: Vec<Run<R>>,
}

impl<R: Row> std::fmt::Debug for Sorter<'_, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sorter")
            .field("rows", &self.rows.len())
            .field("capacity", &self.capacity)
            .field("runs", &self.runs.len())
            .finish_non_exhaustive()
    }
}

impl<'a, R: Row> Sorter<'a, R> {
    /// A sorter that holds `memory` bytes of rows, and spills into files without a name in this
    /// folder.
    #[must_use]
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        Self::with_columns(storage, folder, memory, Columns::NONE)
    }

    /// A sorter of rows that have cells of these columns.
    #[must_use]
    pub fn with_columns(
        storage: &'a dyn Storage,
        folder: &Path,
        memory: usize,
        columns: Columns,
    ) -> Self {
        // Rows with cells are sorted by their numbers into other rows.
        let extra = if columns.is_empty() {
            0
        } else {
            size_of::<R>() + 2 * columns.stride() + size_of::<u32>()
        };
        let capacity = memory.max(LEAST_MEMORY) / (size_of::<R>() + extra);
        Self {
            storage,
            folder: folder.to_owned(),
            rows: Chunk::new(columns),
            capacity,
            runs: Vec::new(),
        }
    }

    /// The columns of which its rows have cells.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.rows.columns()
    }

    /// Takes a row whose cells say nothing.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push(&mut self, row: R) -> Result<()> {
        self.push_with(row, &Cells::NONE)
    }

    /// Takes a row with its cells; those of other columns than the sorter's are left out.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push_with(&mut self, row: R, cells: &Cells) -> Result<()> {
        if self.rows.len() == self.capacity {
            self.make_room()?;
        }
        self.rows.push(row, cells);
        Ok(())
    }

    /// Merges what is in memory, and spills it if that doesn't make much room.
    #[cold]
    fn make_room(&mut self) -> Result<()> {
        self.rows.sort_and_merge();
        if self.rows.len() > self.capacity / 2 {
            let rows = InMemory::with_cells(&self.rows);
            self.runs.push(Run::write(self.storage, &self.folder, rows)?);
            self.rows.clear(self.rows.columns());
        }
        Ok(())
    }

    /// Ends sorting and returns all rows, sorted and merged.
    #[must_use]
    pub fn finish(mut self) -> Sorted<R> {
        self.rows.sort_and_merge();
        Sorted {
            folder: self.folder,
            columns: self.rows.columns(),
            in_memory: vec![self.rows],
            runs: self.runs,
        }
    }
}

/// Rows in order, some in memory, some in runs.
///
/// ```
/// use tabia::sort::{Sorted, Sorter};
/// use tabia::storage::System;
/// use tabia::stream::{RowSet, Rows};
/// use tabia::{Counts, Env, PositionRow, Row};
///
/// // As two threads would, each with a sorter of its own.
/// let row = PositionRow::new(42, Counts { wins: 1, draws: 0, losses: 0 });
/// let [mut a, mut b] = [(); 2].map(|()| Sorter::new(&System, &std::env::temp_dir(), 1 << 20));
/// a.push(row)?;
/// b.push(row)?;
/// let sorted = Sorted::join(&Env::default(), vec![a.finish(), b.finish()])?;
/// assert_eq!(sorted.rows()?.collect()?.rows()[0].counts().wins, 2);
/// # Ok::<(), tabia::Error>(())
/// ```
pub struct Sorted<R> {
    folder: PathBuf,
    columns: Columns,
    in_memory: Vec<Chunk<R>>,
    runs: Vec<Run<R>>,
}

impl<R> std::fmt::Debug for Sorted<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sorted")
            .field("columns", &self.columns)
            .field("runs", &self.runs.len())
            .finish_non_exhaustive()
    }
}

impl<R: Row> Sorted<R> {
    /// The rows of several sorters as one, with few enough runs to be streamed together.
    ///
    /// # Errors
    /// The system's.
    pub fn join(env: &Env<'_>, parts: Vec<Self>) -> Result<Self> {
        let folder = parts.first().map(|part| part.folder.clone()).unwrap_or_default();
        let columns = parts.iter().fold(Columns::NONE, |all, part| all.union(part.columns));
        let mut all = Self { folder, columns, in_memory: Vec::new(), runs: Vec::new() };
        for part in parts {
            all.in_memory.extend(part.in_memory);
            all.runs.extend(part.runs);
        }
        all.reduce(env)?;
        Ok(all)
    }

    /// Merges the smallest runs until there are at most [`FAN_IN`].
    fn reduce(&mut self, env: &Env<'_>) -> Result<()> {
        let total = self.at_most();
        while self.runs.len() > FAN_IN {
            env.step(Stage::Sorting, total - self.at_most().min(total), total)?;
            self.runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
            let merged = self.runs.split_off(self.runs.len() - FAN_IN);
            let streams =
                merged.iter().map(|run| Box::new(run.rows()) as Box<dyn Rows<R>>).collect();
            self.runs.push(Run::write(env.storage, &self.folder, Merged::new(streams))?);
        }
        Ok(())
    }
}

impl<R: Row> RowSet<R> for Sorted<R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let boxed = |rows| Box::new(InMemory::with_cells(rows)) as Box<dyn Rows<R>>;
        let in_memory = self.in_memory.iter().map(boxed);
        let runs = self.runs.iter().map(|run| Box::new(run.rows()) as Box<dyn Rows<R>>);
        let mut streams: Vec<_> = in_memory.chain(runs).collect();
        if streams.len() == 1 {
            return Ok(streams.remove(0));
        }
        Ok(Box::new(Merged::new(streams)))
    }

    fn at_most(&self) -> u64 {
        let in_memory = self.in_memory.iter().map(|rows| rows.len() as u64).sum::<u64>();
        in_memory + self.runs.iter().map(Run::len).sum::<u64>()
    }

    fn exactly(&self) -> Option<u64> {
        (self.in_memory.len() + self.runs.len() == 1).then(|| self.at_most())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Columns, WithCells, Years};
    use crate::row::{Counts, MoveRow};
    use crate::storage::System;

    #[test]
    fn rows_with_cells_are_sorted_with_little_memory_as_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let columns = Columns::NONE.with(crate::Column::YEARS).with(crate::Column::MADE_UP);
        let mut sorter = Sorter::with_columns(&System, folder.path(), 0, columns);
        let mut all: Chunk<MoveRow> = Chunk::new(columns);
        for i in 0..20_000u64 {
            let row = MoveRow::new(crate::key::mix(i) % 9_000, 3, Counts::new(1, 0, 0));
            let cell = crate::key::mix(i).to_le_bytes();
            let made_up = [cell[0], cell[1], 0, 0, 1, 0, 0, 0, 0, 0, cell[2], cell[3]];
            let cells = Cells::NONE
                .with(Years::of_game(1 + i as u16))
                .with_bytes(crate::Column::MADE_UP, &made_up);
            sorter.push_with(row, &cells).unwrap();
            all.push(row, &cells);
        }
        all.sort_and_merge();
        let sorted = sorter.finish();
        assert!(!sorted.runs.is_empty());
        assert!(sorted.rows().unwrap().collect().unwrap() == all);
        let sums = |row: WithCells<MoveRow>| {
            (
                row.row.counts().wins,
                crate::Column::MADE_UP.value(row.cells.of(crate::Column::MADE_UP).unwrap(), "sum"),
            )
        };
        assert!(all.iter().map(sums).all(|(wins, sum)| Some(u64::from(wins)) == sum));
    }

    #[test]
    fn rows_that_merge_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(&System, folder.path(), 0);
        for i in 0..100_000 {
            sorter.push(MoveRow::new(i % 10, 0, Counts::new(1, 0, 0))).unwrap();
        }
        let sorted = sorter.finish();
        assert!(sorted.runs.is_empty());
        let rows = sorted.rows().unwrap().collect().unwrap();
        assert!(rows.rows().iter().map(|row| row.counts().wins).eq([10_000; 10]));
    }

    #[test]
    fn more_runs_than_can_be_merged_at_once_are_merged_in_steps() {
        let folder = tempfile::tempdir().unwrap();
        let env = Env::default();
        let row = |key| MoveRow::new(key, 0, Counts::new(1, 0, 0));
        let run =
            |key| Run::write(&System, folder.path(), InMemory::new(&[row(key % 300)])).unwrap();
        let runs = (0..3 * FAN_IN as u64).map(run).collect();
        let sorted = Sorted::join(
            &env,
            vec![Sorted {
                folder: folder.path().into(),
                columns: Columns::NONE,
                in_memory: vec![],
                runs,
            }],
        )
        .unwrap();
        assert!(sorted.runs.len() <= FAN_IN);
        let rows = sorted.rows().unwrap().collect().unwrap();
        assert_eq!(rows.len(), 300);
        assert_eq!(rows.rows().iter().map(|row| row.counts().wins).sum::<u32>(), 3 * FAN_IN as u32);
    }
}
