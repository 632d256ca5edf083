//! How a new file comes to its place: written beside it under another name, synced, renamed, the folder synced. The only code that does so.

use crate::error::{Context, Error, Result};
use crate::storage::{Missing, Storage, StorageFile, beside, folder_of};
use std::path::{Path, PathBuf};

/// What a file is called until it is published.
const UNFINISHED: &str = "-new";

/// A file in the making. Dropped before it is published, it is removed.
pub(crate) struct Unpublished<'a> {
    storage: &'a dyn Storage,
    target: PathBuf,
    path: PathBuf,
    file: Option<Box<dyn StorageFile>>,
}

impl<'a> Unpublished<'a> {
    /// Creates the file, or takes over what a crash left of it; its lock is held from now on.
    ///
    /// # Errors
    /// [`Error::Locked`] if another process is making the same file; the system's.
    pub fn create(storage: &'a dyn Storage, target: &Path) -> Result<Self> {
        let path = beside(target, UNFINISHED);
        let file = open_locked(storage, &path, Missing::Create)?;
        let new = Self { storage, target: target.to_owned(), path, file: Some(file) };
        new.file().set_len(0).at("write", &new.path)?;
        Ok(new)
    }

    /// What the file will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The file to write to.
    pub fn file(&self) -> &dyn StorageFile {
        self.file.as_deref().expect("the file is there until it is published")
    }

    /// Writes at an offset, with the file's name in the error.
    pub fn write(&self, bytes: &[u8], offset: u64) -> Result<()> {
        self.file().write_all_at(bytes, offset).at("write", &self.path)
    }

    /// Makes the file durable and gives it its name. It stays locked for as long as what is returned lives.
    ///
    /// # Errors
    /// [`Error::Exists`] if the name is taken and must not be `replace`d; the system's. The target is then as it was, except after a
    /// failure to sync the folder: then it is either the old file or the new one.
    pub fn publish(mut self, replace: bool) -> Result<Box<dyn StorageFile>> {
        self.file().sync().at("sync", &self.path)?;
        if replace {
            self.storage.rename(&self.path, &self.target).at("rename the new book to", &self.target)?;
        } else {
            self.storage.rename_new(&self.path, &self.target).map_err(|source| match source.kind() {
                std::io::ErrorKind::AlreadyExists => Error::Exists { path: self.target.clone() },
                _ => Error::Io { action: "rename the new book to", path: self.target.clone(), source },
            })?;
        }
        let file = self.file.take().expect("the file is there until it is published");
        self.storage.sync_folder(folder_of(&self.target)).at("sync the folder of", &self.target)?;
        Ok(file)
    }
}

impl Drop for Unpublished<'_> {
    fn drop(&mut self) {
        if self.file.is_some() {
            // Best effort: a failure leaves a file that the next run takes over.
            let _ = self.storage.remove(&self.path);
        }
    }
}

/// Opens a file and takes its lock; makes sure that the name still leads to the file that was locked.
///
/// # Errors
/// [`Error::Locked`]; the system's.
pub(crate) fn open_locked(storage: &dyn Storage, path: &Path, missing: Missing) -> Result<Box<dyn StorageFile>> {
    loop {
        let file = storage.open(path, missing).at("open for writing", path)?;
        if !file.try_lock().at("lock", path)? {
            return Err(Error::Locked { path: path.to_owned() });
        }
        if file.is_at(path).at("look at", path)? {
            return Ok(file);
        }
    }
}
