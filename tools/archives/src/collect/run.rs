//! Visits that didn't fit in memory: sorted, in a file without a name, and read back a part at a time.

use super::bucket::BucketSorter;
use super::held::Held;
use super::{PART_PREFIX, PARTS};
use crate::visit::Visit;
use std::path::{Path, PathBuf};
use tabia::storage::{Storage, StorageFile};
use tabia::{Error, Result};
use zerocopy::{FromZeros, IntoBytes};

/// A sorted run of visits.
pub(super) struct Run {
    file: Box<dyn StorageFile>,
    folder: PathBuf,
    /// Where each part starts, in visits, and where the last one ends.
    starts: Vec<u64>,
    /// How often its visits were merged with those of other runs.
    pub level: u32,
}

impl Run {
    /// A run without visits, in a file of this folder.
    fn new(storage: &dyn Storage, folder: &Path, level: u32) -> Result<Self> {
        let refused = |source| Error::Io { action: "make a scratch file there", path: folder.to_owned(), source };
        let file = storage.scratch(folder).map_err(refused)?;
        let mut starts = Vec::with_capacity(PARTS + 1);
        starts.push(0);
        Ok(Self { file, folder: folder.to_owned(), starts, level })
    }

    /// Writes these visits, which are sorted, to a file in this folder.
    pub fn write(storage: &dyn Storage, folder: &Path, held: &Held) -> Result<Self> {
        let mut run = Self::new(storage, folder, 0)?;
        for part in 0..PARTS {
            run.push_part(held.part(part))?;
        }
        Ok(run)
    }

    /// Merges runs into one of the next level, a part at a time.
    pub fn merge(storage: &dyn Storage, runs: &[Self], sorter: &mut BucketSorter) -> Result<Self> {
        let mut merged = Self::new(storage, &runs[0].folder, runs[0].level + 1)?;
        let mut visits = Vec::new();
        for part in 0..PARTS {
            visits.clear();
            runs.iter().try_for_each(|run| run.read(part, &mut visits))?;
            let kept = sorter.settle(&mut [&mut visits], PART_PREFIX);
            merged.push_part(&visits[..kept])?;
        }
        Ok(merged)
    }

    /// Writes the visits of the next part.
    fn push_part(&mut self, visits: &[Visit]) -> Result<()> {
        let start = self.starts[self.starts.len() - 1];
        let written = self.file.write_all_at(visits.as_bytes(), start * size_of::<Visit>() as u64);
        written.map_err(|source| Error::Io { action: "write a scratch file there", path: self.folder.clone(), source })?;
        self.starts.push(start + visits.len() as u64);
        Ok(())
    }

    /// Appends the visits of a part.
    pub fn read(&self, part: usize, visits: &mut Vec<Visit>) -> Result<()> {
        let (start, end) = (self.starts[part], self.starts[part + 1]);
        let before = visits.len();
        visits.resize(before + (end - start) as usize, Visit::new_zeroed());
        let read = self.file.read_exact_at(visits[before..].as_mut_bytes(), start * size_of::<Visit>() as u64);
        read.map_err(|source| Error::Io { action: "read back a scratch file there", path: self.folder.clone(), source })
    }
}
