//! The system's disk, and which files in the making this process has on it: what has to be removed
//! if the process has to end where it is.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};

/// The names of the files in the making.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Where scratch files go: to these folders in turn, if there are any.
static SCRATCH: OnceLock<Vec<PathBuf>> = OnceLock::new();
/// How many times one was asked for.
static TURN: AtomicUsize = AtomicUsize::new(0);

/// From now on scratch files go to these folders in turn, if there are any.
pub fn scratch_in(folders: &[PathBuf]) {
    SCRATCH.get_or_init(|| folders.to_owned());
}

/// The disk that all of the command writes to.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

/// Removes unfinished files, for a process that ends at once. Allocates no memory and never waits.
pub fn remove_unfinished() {
    if let Ok(names) = UNFINISHED.try_lock() {
        names.iter().for_each(|name| _ = std::fs::remove_file(name));
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn forget(path: &Path) {
    unfinished().retain(|name| name != path);
}

impl Storage for Disk {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        System.open(path, missing)
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        // First all that takes memory.
        let name = path.to_owned();
        unfinished().reserve(1);
        let file = System.create(path, like)?;
        unfinished().push(name);
        Ok(file)
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        System.leftover(path)
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        System.scratch(folder)
    }

    fn scratch_folder(&self, folder: &Path) -> PathBuf {
        match SCRATCH.get() {
            Some(all) if !all.is_empty() => all[TURN.fetch_add(1, Relaxed) % all.len()].clone(),
            _ => folder.to_owned(),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)?;
        forget(from);
        Ok(())
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename_new(from, to)?;
        forget(from);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)?;
        forget(path);
        Ok(())
    }

    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>> {
        System.open_folder(folder)
    }
}
