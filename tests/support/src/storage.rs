//! A disk of which calls fail.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};

/// A disk of which calls fail: the first after so many, or all from then on. Of a write that fails
/// half is done.
#[derive(Clone, Debug)]
pub struct FaultyDisk {
    /// Calls that go well before the first that doesn't.
    left: Arc<AtomicU32>,
    /// Whether all calls fail from then on.
    lasting: bool,
    /// What the failing calls give.
    error: io::ErrorKind,
}

impl FaultyDisk {
    /// A disk of which `calls` calls go well; `kind` chooses what comes then.
    pub fn after(calls: u32, kind: u8) -> Self {
        let errors =
            [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Other];
        Self {
            left: Arc::new(calls.into()),
            lasting: kind.is_multiple_of(2),
            error: errors[usize::from(kind / 2 % 3)],
        }
    }

    /// Counts a call; the error that it is to give, if it fails.
    fn count(&self) -> io::Result<()> {
        let lasting = self.lasting;
        let left =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| match left {
                0 if lasting => None,
                0 => Some(u32::MAX),
                left => Some(left - 1),
            });
        if matches!(left, Ok(0) | Err(_)) { Err(self.error.into()) } else { Ok(()) }
    }

    fn file(&self, real: Box<dyn StorageFile>) -> Box<dyn StorageFile> {
        Box::new(Opened { real, disk: self.clone() })
    }
}

impl Storage for FaultyDisk {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        self.count()?;
        Ok(self.file(System.open(path, missing)?))
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        self.count()?;
        Ok(self.file(System.create(path, like)?))
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        self.count()?;
        Ok(match System.leftover(path)? {
            Leftover::Unfinished(file) => Leftover::Unfinished(self.file(file)),
            other => other,
        })
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        self.count()?;
        Ok(self.file(System.scratch(folder)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count()?;
        System.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.count()?;
        System.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.count()?;
        System.remove(path)
    }

    fn open_folder(&self, path: &Path) -> io::Result<Box<dyn StorageFolder>> {
        self.count()?;
        Ok(Box::new(Opened { real: System.open_folder(path)?, disk: self.clone() }))
    }
}

/// A file or a folder of the disk.
struct Opened<T> {
    real: T,
    disk: FaultyDisk,
}

impl StorageFolder for Opened<Box<dyn StorageFolder>> {
    fn sync(&self) -> io::Result<()> {
        self.disk.count()?;
        self.real.sync()
    }
}

impl StorageFile for Opened<Box<dyn StorageFile>> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        if let Err(error) = self.disk.count() {
            self.real.write_at(&bytes[..bytes.len() / 2], offset)?;
            return Err(error);
        }
        self.real.write_at(bytes, offset)
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        self.disk.count()?;
        self.real.read_at(bytes, offset)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.disk.count()?;
        self.real.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.count()?;
        self.real.sync()
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.disk.count()?;
        self.real.try_lock()
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.disk.count()?;
        self.real.is_at(path)
    }

    fn names(&self) -> io::Result<u64> {
        self.disk.count()?;
        self.real.names()
    }

    fn finish(&self) -> io::Result<()> {
        self.disk.count()?;
        self.real.finish()
    }
}
