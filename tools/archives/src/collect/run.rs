//! Visits that didn't fit in memory: sorted, in a file, and read back a part at a time. The file has no name, unless the run is to be kept.

use super::bucket::BucketSorter;
use super::held::Held;
use super::{PART_PREFIX, PARTS};
use crate::visit::Collectable;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tabia::storage::{Missing, Storage, StorageFile};
use tabia::{Columns, Error, Result};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U64;

/// A sorted run.
pub(super) struct Run<V> {
    file: Box<dyn StorageFile>,
    /// What messages name: the file, or the folder of one without a name.
    place: PathBuf,
    /// Where each part starts, in visits, and where the last one ends.
    starts: Vec<u64>,
    /// How often its visits were merged with those of other runs.
    pub level: u32,
    /// XXH3-64 of its visits.
    sum: Xxh3,
    visits: PhantomData<fn() -> V>,
}

/// What has to be known of a kept run to take it up again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRun {
    /// The file's name, without its folder.
    pub file: String,
    level: u32,
    /// XXH3-64 of its visits and of where its parts start.
    sum: u64,
}

/// Where a run is written to.
pub(super) enum Place<'a> {
    /// A file without a name in this folder.
    Scratch(&'a Path),
    /// This file.
    Kept(&'a Path),
}

impl<V: Collectable> Run<V> {
    /// A run without visits.
    fn new(storage: &dyn Storage, place: &Place<'_>, level: u32) -> Result<Self> {
        let (file, path) = match *place {
            Place::Scratch(folder) => (storage.scratch(folder), folder),
            Place::Kept(path) => (storage.open(path, Missing::Create).and_then(|file| file.set_len(0).map(|()| file)), path),
        };
        let file = file.map_err(|source| Error::Io { action: "make a scratch file there", path: path.to_owned(), source })?;
        let mut starts = Vec::with_capacity(PARTS + 1);
        starts.push(0);
        Ok(Self { file, place: path.to_owned(), starts, level, sum: Xxh3::new(), visits: PhantomData })
    }

    /// Writes these visits, which are sorted.
    pub fn write(storage: &dyn Storage, place: &Place<'_>, held: &Held<V>) -> Result<Self> {
        let mut run = Self::new(storage, place, 0)?;
        for part in 0..PARTS {
            run.push_part(held.part(part))?;
        }
        Ok(run)
    }

    /// Merges runs of visits with cells of these columns into one of this level, a part at a time.
    pub fn merge(
        storage: &dyn Storage,
        place: &Place<'_>,
        level: u32,
        runs: &[Self],
        sorter: &mut BucketSorter<V>,
        columns: Columns,
    ) -> Result<Self> {
        let mut merged = Self::new(storage, place, level)?;
        let mut visits = Vec::new();
        for part in 0..PARTS {
            visits.clear();
            runs.iter().try_for_each(|run| run.read(part, &mut visits))?;
            let kept = sorter.settle(&mut [&mut visits], PART_PREFIX, columns);
            merged.push_part(&visits[..kept])?;
        }
        Ok(merged)
    }

    /// Writes the visits of the next part.
    fn push_part(&mut self, visits: &[V]) -> Result<()> {
        let start = self.starts[self.starts.len() - 1];
        self.write_at(visits.as_bytes(), start * size_of::<V>() as u64)?;
        self.sum.update(visits.as_bytes());
        self.starts.push(start + visits.len() as u64);
        Ok(())
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> Result<()> {
        let written = self.file.write_all_at(bytes, offset);
        written.map_err(|source| Error::Io { action: "write a scratch file there", path: self.place.clone(), source })
    }

    /// Appends the visits of a part.
    pub fn read(&self, part: usize, visits: &mut Vec<V>) -> Result<()> {
        let (start, end) = (self.starts[part], self.starts[part + 1]);
        let before = visits.len();
        visits.resize(before + (end - start) as usize, V::default());
        let read = self.file.read_exact_at(visits[before..].as_mut_bytes(), start * size_of::<V>() as u64);
        read.map_err(|source| Error::Io { action: "read back a scratch file there", path: self.place.clone(), source })
    }

    /// Makes a run that has a name durable, but for the name: writes behind its visits where its parts start.
    pub fn keep(&mut self) -> Result<()> {
        let starts: Vec<U64> = self.starts.iter().copied().map(U64::new).collect();
        self.write_at(starts.as_bytes(), self.starts[PARTS] * size_of::<V>() as u64)?;
        self.file.sync().map_err(|source| Error::Io { action: "sync", path: self.place.clone(), source })
    }

    /// What has to be known to take it up again.
    pub fn record(&self) -> KeptRun {
        let file = self.place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        KeptRun { file, level: self.level, sum: sum(&self.sum, &self.starts) }
    }

    /// Takes up a run that was kept in this folder. None if the file isn't what it was.
    ///
    /// # Errors
    /// The system's.
    pub fn take_up(storage: &dyn Storage, folder: &Path, record: &KeptRun) -> Result<Option<Self>> {
        let place = folder.join(&record.file);
        let failed = |source| Error::Io { action: "read", path: place.clone(), source };
        let file = storage.open(&place, Missing::Fail).map_err(failed)?;
        let len = std::fs::metadata(&place).map_err(failed)?.len();
        let behind = len.saturating_sub(((PARTS + 1) * size_of::<U64>()) as u64);
        let mut starts = vec![U64::new(0); PARTS + 1];
        if file.read_exact_at(starts.as_mut_bytes(), behind).is_err() {
            return Ok(None);
        }
        let starts: Vec<u64> = starts.into_iter().map(U64::get).collect();
        let fits = starts[0] == 0 && starts.is_sorted() && starts[PARTS].checked_mul(size_of::<V>() as u64) == Some(behind);
        if !fits {
            return Ok(None);
        }
        let mut run = Self { file, place: place.clone(), starts, level: record.level, sum: Xxh3::new(), visits: PhantomData };
        let mut visits = Vec::new();
        for part in 0..PARTS {
            visits.clear();
            run.read(part, &mut visits)?;
            run.sum.update(visits.as_bytes());
        }
        Ok(Some(run).filter(|run| run.record() == *record))
    }
}

fn sum(visits: &Xxh3, starts: &[u64]) -> u64 {
    let mut sum = visits.clone();
    starts.iter().for_each(|start| sum.update(&start.to_le_bytes()));
    sum.digest()
}
