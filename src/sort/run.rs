//! A sorted run: rows in a scratch file, written once and streamed as often as needed.

use super::in_folder;
use crate::error::Result;
use crate::row::Row;
use crate::storage::{Storage, StorageFile};
use crate::stream::Rows;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use zerocopy::IntoBytes;

/// Bytes that are read at once from a run, and about how many are written.
pub(super) const BUFFER: usize = 1 << 16;

/// A sorted run.
pub(super) struct Run<R> {
    file: Box<dyn StorageFile>,
    folder: PathBuf,
    len: u64,
    rows: PhantomData<fn() -> R>,
}

impl<R: Row> Run<R> {
    /// Writes these rows to a scratch file in this folder.
    pub fn write(storage: &dyn Storage, folder: &Path, mut rows: impl Rows<R>) -> Result<Self> {
        let file = in_folder(storage.scratch(folder), "make a scratch file there", folder)?;
        let mut run = Self { file, folder: folder.to_owned(), len: 0, rows: PhantomData };
        let mut chunk = Vec::new();
        loop {
            rows.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(run);
            }
            in_folder(run.file.write_all_at(chunk.as_bytes(), run.len * R::SIZE), "write a scratch file there", folder)?;
            run.len += chunk.len() as u64;
        }
    }

    /// Rows in it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// A stream of its rows.
    pub fn rows(&self) -> RunRows<'_, R> {
        RunRows { run: self, at: 0 }
    }
}

/// A stream of a run's rows.
pub(super) struct RunRows<'a, R> {
    run: &'a Run<R>,
    at: u64,
}

impl<R: Row> Rows<R> for RunRows<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        let len = (self.run.len - self.at).min((BUFFER / size_of::<R>()) as u64);
        chunk.resize(len as usize, R::EMPTY);
        let read = self.run.file.read_exact_at(chunk.as_mut_bytes(), self.at * R::SIZE);
        in_folder(read, "read back a scratch file there", &self.run.folder)?;
        self.at += len;
        Ok(())
    }
}
