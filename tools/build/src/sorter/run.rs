//! Occurrences that didn't fit in memory: sorted, in a file, and read back a part at a time. The
//! file has no name.

use super::bucket::BucketSorter;
use super::buckets::{Buckets, PART_PREFIX, PARTS};
use crate::occurrence::Sortable;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tabia::storage::{Storage, StorageFile};
use tabia::{Columns, Context, Result};
use zerocopy::IntoBytes;

pub(super) struct Run<V> {
    file: Box<dyn StorageFile>,
    /// Where the file is, for messages.
    folder: PathBuf,
    /// Where each part starts, in occurrences, and where the last one ends.
    starts: Vec<u64>,
    /// How often its occurrences were merged with those of other runs.
    pub level: u32,
    occurrences: PhantomData<fn() -> V>,
}

impl<V: Sortable> Run<V> {
    /// A run without occurrences.
    fn new(storage: &dyn Storage, folder: &Path, level: u32) -> Result<Self> {
        let folder = storage.scratch_folder(folder);
        let file = storage.scratch(&folder).at("make a scratch file there", &folder)?;
        let mut starts = Vec::with_capacity(PARTS + 1);
        starts.push(0);
        Ok(Self { file, folder, starts, level, occurrences: PhantomData })
    }

    /// Writes these occurrences, which are sorted.
    pub fn write(storage: &dyn Storage, folder: &Path, buckets: &Buckets<V>) -> Result<Self> {
        let mut run = Self::new(storage, folder, 0)?;
        for part in 0..PARTS {
            run.push_part(buckets.part(part))?;
        }
        Ok(run)
    }

    /// Merges runs of occurrences with cells of these columns into one of this level, a part at a
    /// time.
    pub fn merge(
        storage: &dyn Storage,
        folder: &Path,
        level: u32,
        runs: &[Self],
        sorter: &mut BucketSorter<V>,
        columns: Columns,
    ) -> Result<Self> {
        let mut merged = Self::new(storage, folder, level)?;
        let mut occurrences = Vec::new();
        for part in 0..PARTS {
            occurrences.clear();
            runs.iter().try_for_each(|run| run.read(part, &mut occurrences))?;
            let kept = sorter.sort_and_merge(&mut [&mut occurrences], PART_PREFIX, columns);
            merged.push_part(&occurrences[..kept])?;
        }
        Ok(merged)
    }

    fn push_part(&mut self, occurrences: &[V]) -> Result<()> {
        let start = self.starts[self.starts.len() - 1];
        let written = self.file.write_all_at(occurrences.as_bytes(), start * size_of::<V>() as u64);
        written.at("write a scratch file there", &self.folder)?;
        self.starts.push(start + occurrences.len() as u64);
        Ok(())
    }

    /// Appends the occurrences of a part.
    pub fn read(&self, part: usize, occurrences: &mut Vec<V>) -> Result<()> {
        let (start, end) = (self.starts[part], self.starts[part + 1]);
        let before = occurrences.len();
        occurrences.resize(before + (end - start) as usize, V::default());
        let read = self
            .file
            .read_exact_at(occurrences[before..].as_mut_bytes(), start * size_of::<V>() as u64);
        read.at("read back a scratch file there", &self.folder)
    }
}
