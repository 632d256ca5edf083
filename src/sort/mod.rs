//! Sorting more rows than fit in memory: rows are merged as far as memory allows, spilled in sorted runs, and streamed as one.

mod run;

use crate::env::{Env, Stage};
use crate::error::{Context, Result};
use crate::merge::Merged;
use crate::row::{Row, sort_and_merge};
use crate::storage::Storage;
use crate::stream::{InMemory, RowSet, Rows};
use run::Run;
use std::path::{Path, PathBuf};

/// The most runs that are merged at once, each with a buffer of [`run::BUFFER`] bytes.
const FAN_IN: usize = 128;
/// The least memory a sorter works with, in bytes.
const LEAST_MEMORY: usize = 1 << 16;

/// Takes rows in any order, and uses a bounded amount of memory.
pub struct Sorter<'a, R> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    /// Rows in memory, at most `capacity`.
    rows: Vec<R>,
    capacity: usize,
    runs: Vec<Run<R>>,
}

impl<'a, R: Row> Sorter<'a, R> {
    /// A sorter that holds `memory` bytes of rows, and spills into files without a name in this folder.
    #[must_use]
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        let capacity = memory.max(LEAST_MEMORY) / size_of::<R>();
        Self { storage, folder: folder.to_owned(), rows: Vec::new(), capacity, runs: Vec::new() }
    }

    /// Takes a row.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push(&mut self, row: R) -> Result<()> {
        if self.rows.len() == self.capacity {
            self.make_room()?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// Merges what is in memory, and spills it if that doesn't make much room.
    #[cold]
    fn make_room(&mut self) -> Result<()> {
        self.settle();
        if self.rows.len() > self.capacity / 2 {
            self.runs.push(Run::write(self.storage, &self.folder, InMemory::new(&self.rows))?);
            self.rows.clear();
        }
        Ok(())
    }

    fn settle(&mut self) {
        let kept = sort_and_merge(&mut self.rows);
        self.rows.truncate(kept);
    }

    /// All rows taken.
    #[must_use]
    pub fn finish(mut self) -> Sorted<R> {
        self.settle();
        Sorted { folder: self.folder, in_memory: vec![self.rows], runs: self.runs }
    }
}

/// Rows in order, some in memory, some in runs.
pub struct Sorted<R> {
    folder: PathBuf,
    in_memory: Vec<Vec<R>>,
    runs: Vec<Run<R>>,
}

impl<R: Row> Sorted<R> {
    /// The rows of several sorters as one, with few enough runs to be streamed together.
    ///
    /// # Errors
    /// The system's.
    pub fn join(env: &Env<'_>, parts: Vec<Self>) -> Result<Self> {
        let folder = parts.first().map(|part| part.folder.clone()).unwrap_or_default();
        let mut all = Self { folder, in_memory: Vec::new(), runs: Vec::new() };
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
            let streams = merged.iter().map(|run| Box::new(run.rows()) as Box<dyn Rows<R>>).collect();
            self.runs.push(Run::write(env.storage, &self.folder, Merged::new(streams))?);
        }
        Ok(())
    }
}

impl<R: Row> RowSet<R> for Sorted<R> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let in_memory = self.in_memory.iter().map(|rows| Box::new(InMemory::new(rows)) as Box<dyn Rows<R>>);
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

/// Names the folder in which a scratch file failed.
fn in_folder<T>(result: std::io::Result<T>, action: &'static str, folder: &Path) -> Result<T> {
    result.at(action, folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Counts, MoveRow};
    use crate::storage::System;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn sorting_with_little_memory_equals_sorting_at_once(seed: u64, distinct in 1u64..40_000, workers in 1usize..4) {
            let folder = tempfile::tempdir().unwrap();
            let mut sorters: Vec<_> = (0..workers).map(|_| Sorter::new(&System, folder.path(), 0)).collect();
            let mut expected = Vec::new();
            for i in 0..30_000u64 {
                let key = crate::key::mix(seed ^ i) % distinct;
                let row = MoveRow::new(key, (i % 3) as u16, Counts { wins: 1, draws: 0, losses: 0 });
                expected.push(row);
                sorters[i as usize % workers].push(row).unwrap();
            }
            let kept = sort_and_merge(&mut expected);
            let sorted = Sorted::join(&Env::default(), sorters.into_iter().map(Sorter::finish).collect()).unwrap();
            prop_assert_eq!(sorted.rows().unwrap().collect().unwrap(), &expected[..kept]);
        }
    }

    #[test]
    fn rows_that_merge_stay_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(&System, folder.path(), 0);
        for i in 0..100_000 {
            sorter.push(MoveRow::new(i % 10, 0, Counts { wins: 1, draws: 0, losses: 0 })).unwrap();
        }
        let sorted = sorter.finish();
        assert!(sorted.runs.is_empty());
        let rows = sorted.rows().unwrap().collect().unwrap();
        assert_eq!(rows.iter().map(|row| row.counts().wins).collect::<Vec<_>>(), [10_000; 10]);
    }

    #[test]
    fn more_runs_than_can_be_merged_at_once_are_merged_in_steps() {
        let folder = tempfile::tempdir().unwrap();
        let env = Env::default();
        let row = |key| MoveRow::new(key, 0, Counts { wins: 1, draws: 0, losses: 0 });
        let runs =
            (0..3 * FAN_IN as u64).map(|key| Run::write(&System, folder.path(), InMemory::new(&[row(key % 300)])).unwrap()).collect();
        let sorted = Sorted::join(&env, vec![Sorted { folder: folder.path().into(), in_memory: vec![], runs }]).unwrap();
        assert!(sorted.runs.len() <= FAN_IN);
        let rows = sorted.rows().unwrap().collect().unwrap();
        assert_eq!(rows.len(), 300);
        assert_eq!(rows.iter().map(|row| row.counts().wins).sum::<u32>(), 3 * FAN_IN as u32);
    }
}
