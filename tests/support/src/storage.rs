//! The system's disk with something in between: calls that are seen, or fail.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};

/// A call to a storage. Files and folders are those of the path under which they were opened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the methods of the engine's `storage` traits say what they are")]
pub enum StorageCall<'a> {
    Open(&'a Path),
    Create(&'a Path),
    Leftover(&'a Path),
    Scratch(&'a Path),
    Rename { from: &'a Path, to: &'a Path },
    Remove(&'a Path),
    OpenFolder(&'a Path),
    SyncFolder(&'a Path),
    Write { path: &'a Path, bytes: &'a [u8], offset: u64 },
    Read(&'a Path),
    SetLen { path: &'a Path, len: u64 },
    Sync(&'a Path),
    TryLock(&'a Path),
    IsAt(&'a Path),
    Names(&'a Path),
    Finish(&'a Path),
}

/// What is done before and after calls to a storage.
pub trait Hook: Send + Sync + 'static {
    /// Before a call, which isn't made if this is an error; half of a write is.
    ///
    /// # Errors
    /// What the call is to give.
    fn before(&self, _: StorageCall<'_>) -> io::Result<()> {
        Ok(())
    }

    /// After a call that went well.
    fn after(&self, _: StorageCall<'_>) {}
}

/// The system's disk with a hook.
#[derive(Debug)]
pub struct Hooked<H>(pub Arc<H>);

impl<H> Clone for Hooked<H> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: Hook> Hooked<H> {
    /// The system's disk with this hook.
    pub fn new(hook: H) -> Self {
        Self(Arc::new(hook))
    }

    fn call<T>(
        &self,
        call: StorageCall<'_>,
        work: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        self.0.before(call)?;
        let done = work()?;
        self.0.after(call);
        Ok(done)
    }

    fn open<T>(&self, path: &Path, real: T) -> HookedFile<H, T> {
        HookedFile { real, path: path.to_owned(), hooked: self.clone() }
    }
}

impl<H: Hook> Storage for Hooked<H> {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        let file = self.call(StorageCall::Open(path), || System.open(path, missing))?;
        Ok(Box::new(self.open(path, file)))
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        let file = self.call(StorageCall::Create(path), || System.create(path, like))?;
        Ok(Box::new(self.open(path, file)))
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        Ok(match self.call(StorageCall::Leftover(path), || System.leftover(path))? {
            Leftover::Unfinished(file) => Leftover::Unfinished(Box::new(self.open(path, file))),
            other => other,
        })
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        let file = self.call(StorageCall::Scratch(folder), || System.scratch(folder))?;
        Ok(Box::new(self.open(folder, file)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(StorageCall::Rename { from, to }, || System.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(StorageCall::Rename { from, to }, || System.rename_new(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(StorageCall::Remove(path), || System.remove(path))
    }

    fn open_folder(&self, path: &Path) -> io::Result<Box<dyn StorageFolder>> {
        let folder = self.call(StorageCall::OpenFolder(path), || System.open_folder(path))?;
        Ok(Box::new(self.open(path, folder)))
    }
}

struct HookedFile<H, T> {
    real: T,
    path: PathBuf,
    hooked: Hooked<H>,
}

impl<H: Hook> StorageFolder for HookedFile<H, Box<dyn StorageFolder>> {
    fn sync(&self) -> io::Result<()> {
        self.hooked.call(StorageCall::SyncFolder(&self.path), || self.real.sync())
    }
}

impl<H: Hook> StorageFile for HookedFile<H, Box<dyn StorageFile>> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let write = StorageCall::Write { path: &self.path, bytes, offset };
        let mut is_made = false;
        let written = self.hooked.call(write, || {
            is_made = true;
            self.real.write_at(bytes, offset)
        });
        if !is_made {
            self.real.write_at(&bytes[..bytes.len() / 2], offset)?;
        }
        written
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        self.hooked.call(StorageCall::Read(&self.path), || self.real.read_at(bytes, offset))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let call = StorageCall::SetLen { path: &self.path, len };
        self.hooked.call(call, || self.real.set_len(len))
    }

    fn sync(&self) -> io::Result<()> {
        self.hooked.call(StorageCall::Sync(&self.path), || self.real.sync())
    }

    fn try_lock(&self) -> io::Result<bool> {
        self.hooked.call(StorageCall::TryLock(&self.path), || self.real.try_lock())
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        self.hooked.call(StorageCall::IsAt(path), || self.real.is_at(path))
    }

    fn names(&self) -> io::Result<u64> {
        self.hooked.call(StorageCall::Names(&self.path), || self.real.names())
    }

    fn finish(&self) -> io::Result<()> {
        self.hooked.call(StorageCall::Finish(&self.path), || self.real.finish())
    }
}

/// A disk of which calls fail: the first after so many, or all from then on.
pub type FaultyDisk = Hooked<Faults>;

/// Which calls fail, and how.
#[derive(Debug)]
pub struct Faults {
    /// Calls that go well before the first that doesn't.
    left: AtomicU32,
    /// Whether all calls fail from then on.
    lasting: bool,
    /// What the failing calls give.
    error: io::ErrorKind,
}

impl Hooked<Faults> {
    /// A disk of which `calls` calls go well; `kind` chooses what comes then.
    pub fn after(calls: u32, kind: u8) -> Self {
        let errors =
            [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Other];
        Self::new(Faults {
            left: AtomicU32::new(calls),
            lasting: kind.is_multiple_of(2),
            error: errors[usize::from(kind / 2 % 3)],
        })
    }
}

impl Hook for Faults {
    fn before(&self, _: StorageCall<'_>) -> io::Result<()> {
        let lasting = self.lasting;
        let left =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| match left {
                0 if lasting => None,
                0 => Some(u32::MAX),
                left => Some(left - 1),
            });
        if matches!(left, Ok(0) | Err(_)) { Err(self.error.into()) } else { Ok(()) }
    }
}
