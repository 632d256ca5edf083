//! How a new file comes to its place: written beside it under another name, synced, renamed, the folder synced. The only code that does so.
//! And what whoever writes to a book does first: takes the lock, and puts what a crash left in order.

use crate::error::{Context, Error, Result};
use crate::journal::journal_path;
use crate::storage::{Missing, Storage, StorageFile, beside, folder_of};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};

/// What a file is called until it is published.
const UNFINISHED: &str = "-new";
/// Bytes after which what was written is synced, while more is written.
const SYNCED_AT_ONCE: u64 = 64 << 20;

/// A file in the making. Dropped before it is published, it is removed.
pub(crate) struct Unpublished<'a> {
    storage: &'a dyn Storage,
    target: PathBuf,
    path: PathBuf,
    file: Option<Box<dyn StorageFile>>,
    written: Mutex<Written>,
}

/// How much was written since the last sync was asked for, and where to ask for the next one.
#[derive(Default)]
struct Written {
    bytes: u64,
    sync: Option<SyncSender<()>>,
}

/// Ends the syncing when it is dropped, even by a panic.
struct Stop<'a>(&'a Mutex<Written>);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        if let Ok(mut written) = self.0.lock() {
            written.sync = None;
        }
    }
}

impl<'a> Unpublished<'a> {
    /// Creates the file, or takes over what a crash left of it; its lock is held from now on.
    ///
    /// # Errors
    /// [`Error::Locked`] if another process is making the same file; the system's.
    pub fn create(storage: &'a dyn Storage, target: &Path) -> Result<Self> {
        let path = beside(target, UNFINISHED);
        let file = open_locked(storage, &path, Missing::Create)?;
        let new = Self { storage, target: target.to_owned(), path, file: Some(file), written: Mutex::default() };
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
        self.file().write_all_at(bytes, offset).at("write", &self.path)?;
        let mut written = self.written();
        written.bytes += bytes.len() as u64;
        if let Some(sync) = written.sync.clone().filter(|_| written.bytes >= SYNCED_AT_ONCE) {
            written.bytes = 0;
            // If it can't be sent, a sync is asked for already, or one has failed: `synced_meanwhile` says so.
            let _ = sync.try_send(());
        }
        Ok(())
    }

    fn written(&self) -> std::sync::MutexGuard<'_, Written> {
        self.written.lock().expect("nobody panics with the lock")
    }

    /// Does the work of writing about so many bytes, while another thread makes durable what is there already: little is left to be synced at the end.
    ///
    /// # Errors
    /// The system's, from syncing; those of the work.
    pub fn synced_meanwhile<T>(&self, bytes: u64, work: impl FnOnce() -> Result<T>) -> Result<T> {
        if bytes < 2 * SYNCED_AT_ONCE {
            return work();
        }
        let (sync, asked) = sync_channel(1);
        std::thread::scope(|scope| {
            self.written().sync = Some(sync);
            let syncing = scope.spawn(move || asked.iter().try_for_each(|()| self.file().sync().at("sync", &self.path)));
            let stop = Stop(&self.written);
            let done = work();
            drop(stop);
            syncing.join().expect("syncing doesn't panic")?;
            done
        })
    }

    /// Makes the file durable and gives it its name. It stays locked for as long as what is returned lives.
    ///
    /// # Errors
    /// [`Error::Exists`] if the name is taken and must not be `replace`d; the system's. The target is then as it was, except after a
    /// failure to sync the folder: then it is either the old file or the new one.
    pub fn publish(mut self, replace: bool) -> Result<Box<dyn StorageFile>> {
        self.file().sync().at("sync", &self.path)?;
        if replace {
            self.storage.rename(&self.path, &self.target).at("give the new book its name", &self.target)?;
        } else {
            self.storage.rename_new(&self.path, &self.target).map_err(|source| match source.kind() {
                io::ErrorKind::AlreadyExists => Error::Exists { path: self.target.clone() },
                _ => Error::Io { action: "give the new book its name", path: self.target.clone(), source },
            })?;
        }
        let file = self.file.take().expect("the file is there until it is published");
        self.storage.sync_folder(folder_of(&self.target)).at("sync its folder", &self.target)?;
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

/// Opens a book to be changed or replaced: takes its lock, removes what a crash left of another book in the making, and makes durable what is
/// there.
///
/// Whoever was here before may have been killed, or have failed, before it could sync what it wrote or renamed. All of that is there to be
/// read, but what is built on it would outlast it if the power went.
///
/// # Errors
/// [`Error::Locked`]; the system's.
pub(crate) fn open_settled(storage: &dyn Storage, book: &Path) -> Result<Box<dyn StorageFile>> {
    let file = open_locked(storage, book, Missing::Fail)?;
    sweep(storage, book, &*file);
    file.sync().at("sync", book)?;
    let journal = journal_path(book);
    match storage.open(&journal, Missing::Fail) {
        Ok(file) => file.sync().at("sync", &journal)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).at("open for writing", &journal),
    }
    storage.sync_folder(folder_of(book)).at("sync its folder", book)?;
    Ok(file)
}

/// Removes what a crash left of a book in the making, if nobody is making it. Best effort: what stays is taken over by the next to make one.
fn sweep(storage: &dyn Storage, book: &Path, locked: &dyn StorageFile) {
    let path = beside(book, UNFINISHED);
    // Where renaming can't spare what is there, a crash leaves a published book with both of its names.
    let second_name = locked.is_at(&path).unwrap_or(false);
    if second_name || open_locked(storage, &path, Missing::Fail).is_ok() {
        let _ = storage.remove(&path);
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
