//! A sorted run: rows in a scratch file, and their cells in another, written once and streamed as
//! often as needed.

use crate::column::Columns;
use crate::error::{Context, Result};
use crate::row::Row;
use crate::storage::{Storage, StorageFile};
use crate::stream::{Chunk, Rows};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use zerocopy::IntoBytes;

/// Bytes of rows that are read at once from a run, and about how many are written.
pub(super) const BUFFER: usize = 1 << 16;

/// A sorted run.
pub(crate) struct Run<R> {
    file: Box<dyn StorageFile>,
    columns: Columns,
    /// The cells, if the rows have any.
    cells: Option<Box<dyn StorageFile>>,
    folder: PathBuf,
    len: u64,
    rows: PhantomData<fn() -> R>,
}

impl<R: Row> Run<R> {
    /// Writes these rows to scratch files in this folder.
    pub fn write(storage: &dyn Storage, folder: &Path, rows: impl Rows<R>) -> Result<Self> {
        let mut run = Self::new(storage, folder, rows.columns())?;
        rows.each_chunk(|chunk| run.append(chunk))?;
        Ok(run)
    }

    /// A run without rows yet, which will have cells of these columns.
    pub fn new(storage: &dyn Storage, folder: &Path, columns: Columns) -> Result<Self> {
        let folder = storage.scratch_folder(folder);
        let scratch = || storage.scratch(&folder).at("make a scratch file there", &folder);
        Ok(Self {
            file: scratch()?,
            columns,
            cells: if columns.is_empty() { None } else { Some(scratch()?) },
            folder,
            len: 0,
            rows: PhantomData,
        })
    }

    /// Appends rows that come after those which are there.
    pub fn append(&mut self, chunk: &Chunk<R>) -> Result<()> {
        let write = |file: &dyn StorageFile, bytes: &[u8], offset| {
            file.write_all_at(bytes, offset).at("write a scratch file there", &self.folder)
        };
        write(&*self.file, chunk.rows().as_bytes(), self.len * R::SIZE)?;
        if let Some(cells) = &self.cells {
            write(&**cells, chunk.cells(), self.len * self.columns.stride() as u64)?;
        }
        self.len += chunk.len() as u64;
        Ok(())
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

pub(crate) struct RunRows<'a, R> {
    run: &'a Run<R>,
    at: u64,
}

impl<R: Row> Rows<R> for RunRows<'_, R> {
    fn columns(&self) -> Columns {
        self.run.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        let run = self.run;
        let len = (run.len - self.at).min((BUFFER / size_of::<R>()) as u64);
        let (rows, cells) = chunk.places(run.columns, len as usize);
        let read = |file: &dyn StorageFile, bytes: &mut [u8], offset| {
            file.read_exact_at(bytes, offset).at("read back a scratch file there", &run.folder)
        };
        read(&*run.file, rows.as_mut_bytes(), self.at * R::SIZE)?;
        if let Some(file) = &run.cells {
            read(&**file, cells, self.at * run.columns.stride() as u64)?;
        }
        self.at += len;
        Ok(())
    }
}
