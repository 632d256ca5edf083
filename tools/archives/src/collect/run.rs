//! Visits that didn't fit in memory: sorted, in a file without a name, and read back a part at a time.

use super::held::Held;
use super::{PARTS, part_of};
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
}

impl Run {
    /// Writes these visits, which are sorted, to a file in this folder.
    pub fn write(storage: &dyn Storage, folder: &Path, held: &Held) -> Result<Self> {
        let refused = |action| move |source| Error::Io { action, path: folder.to_owned(), source };
        let file = storage.scratch(folder).map_err(refused("make a scratch file there"))?;
        let (mut starts, mut len) = (Vec::with_capacity(PARTS + 1), 0);
        for bucket in held.buckets() {
            file.write_all_at(bucket.as_bytes(), len * size_of::<Visit>() as u64).map_err(refused("write a scratch file there"))?;
            for (visit, at) in bucket.iter().zip(len..) {
                while starts.len() <= part_of(*visit) {
                    starts.push(at);
                }
            }
            len += bucket.len() as u64;
        }
        starts.resize(PARTS + 1, len);
        Ok(Self { file, folder: folder.to_owned(), starts })
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
