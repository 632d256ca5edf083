//! A disk of which calls fail: which one is the first, and how, an input chooses. What was
//! acknowledged before has to be there afterwards.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};

/// The system's disk until the first call that fails.
#[derive(Clone)]
pub struct FaultyDisk(Arc<Faults>);

struct Faults {
    /// Calls that go well before the first that doesn't.
    left: AtomicU32,
    /// Whether all calls fail from then on.
    lasting: bool,
    /// What the failing calls say.
    error: io::ErrorKind,
}

impl FaultyDisk {
    /// A disk whose calls go well so many times; `kind` chooses what comes then.
    #[must_use]
    pub fn new(calls: u32, kind: u8) -> Self {
        let error =
            [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Other]
                [usize::from(kind / 2 % 3)];
        Self(Arc::new(Faults {
            left: AtomicU32::new(calls),
            lasting: kind.is_multiple_of(2),
            error,
        }))
    }

    /// A call: an error if it is to fail.
    fn call(&self) -> io::Result<()> {
        let Faults { left, lasting, error } = &*self.0;
        let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| match left {
            0 if *lasting => None,
            0 => Some(u32::MAX),
            left => Some(left - 1),
        });
        if matches!(before, Ok(0) | Err(_)) { Err((*error).into()) } else { Ok(()) }
    }

    fn file(&self, file: Box<dyn StorageFile>) -> Box<dyn StorageFile> {
        Box::new(FaultyFile { file, disk: self.clone() })
    }
}

impl Storage for FaultyDisk {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        self.call()?;
        Ok(self.file(System.open(path, missing)?))
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        self.call()?;
        Ok(self.file(System.create(path, like)?))
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        self.call()?;
        Ok(match System.leftover(path)? {
            Leftover::Unfinished(file) => Leftover::Unfinished(self.file(file)),
            other => other,
        })
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        self.call()?;
        Ok(self.file(System.scratch(folder)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        System.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        System.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        System.remove(path)
    }

    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>> {
        self.call()?;
        Ok(Box::new(FaultyFolder { folder: System.open_folder(folder)?, disk: self.clone() }))
    }
}

struct FaultyFolder {
    folder: Box<dyn StorageFolder>,
    disk: FaultyDisk,
}

impl StorageFolder for FaultyFolder {
    fn sync(&self) -> io::Result<()> {
        self.disk.call()?;
        self.folder.sync()
    }
}

struct FaultyFile {
    file: Box<dyn StorageFile>,
    disk: FaultyDisk,
}

impl StorageFile for FaultyFile {
    /// A write that fails has written its first half.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        if let Err(error) = self.disk.call() {
            self.file.write_at(&bytes[..bytes.len() / 2], offset)?;
            return Err(error);
        }
        self.file.write_at(bytes, offset)
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        self.disk.call()?;
        self.file.read_at(bytes, offset)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.disk.call()?;
        self.file.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.call()?;
        self.file.sync()
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.disk.call()?;
        self.file.try_lock()
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.disk.call()?;
        self.file.is_at(path)
    }

    fn names(&self) -> io::Result<u64> {
        self.disk.call()?;
        self.file.names()
    }

    fn finish(&self) -> io::Result<()> {
        self.disk.call()?;
        self.file.finish()
    }
}
