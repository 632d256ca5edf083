//! The one door to the disk for all that writes: books, journals and scratch files.
//!
//! [`System`] is the real disk; a simulator that records, fails and crashes can stand in for it. Reading for probes and scans doesn't come
//! through here (see [`crate::bytes`]), since it changes nothing.

use rustix::fs::{RenameFlags, renameat_with};
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// A disk: what writing needs of a file system.
pub trait Storage: Send + Sync {
    /// Opens a file for reading and writing; its contents are kept.
    ///
    /// # Errors
    /// The system's.
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>>;

    /// Makes a file without a name in this folder, gone when it is dropped.
    ///
    /// # Errors
    /// The system's.
    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>>;

    /// Renames a file, replacing what has the new name.
    ///
    /// # Errors
    /// The system's.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file, unless the new name is taken.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`], and the system's.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// The system's.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// The system's.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// What to do about a file that isn't there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Create it, empty.
    Create,
    /// Give [`io::ErrorKind::NotFound`].
    Fail,
}

/// An open file of a [`Storage`].
pub trait StorageFile: Send + Sync {
    /// Writes some of these bytes at this offset; how many is returned.
    ///
    /// # Errors
    /// The system's.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize>;

    /// Reads some bytes at this offset; how many is returned, 0 at the end.
    ///
    /// # Errors
    /// The system's.
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Cuts the file to this length, or extends it with zeros.
    ///
    /// # Errors
    /// The system's.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Makes contents and length durable.
    ///
    /// # Errors
    /// The system's. After one, nothing is known of what is on the disk: never sync again.
    fn sync(&self) -> io::Result<()>;

    /// Takes the file's lock for writing, if nobody has it; whether it was taken is returned. It is held until the file is dropped.
    ///
    /// # Errors
    /// The system's.
    fn try_lock(&self) -> io::Result<bool>;

    /// Whether this path leads to this very file.
    ///
    /// # Errors
    /// The system's, except that nothing is there.
    fn is_at(&self, path: &Path) -> io::Result<bool>;

    /// Writes all of these bytes at this offset, going on after interruptions and short writes.
    ///
    /// # Errors
    /// The system's; a part may have been written.
    fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.write_at(bytes, offset) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    bytes = &bytes[written..];
                    offset += written as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Fills all of these bytes from this offset on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the file ends before, and the system's.
    fn read_exact_at(&self, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.read_at(bytes, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => {
                    bytes = &mut bytes[read..];
                    offset += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The system's disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Storage for System {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        let create = missing == Missing::Create;
        let file = OpenOptions::new().read(true).write(true).create(create).truncate(false).open(path)?;
        Ok(Box::new(SystemFile(file)))
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        Ok(Box::new(SystemFile(tempfile::tempfile_in(folder)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        use rustix::fs::CWD;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                std::fs::hard_link(from, to)?;
                std::fs::remove_file(from)
            }
            done => Ok(done?),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

/// A file of the system's disk.
struct SystemFile(File);

impl StorageFile for SystemFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset)
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(bytes, offset)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.0.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let mine = self.0.metadata()?;
        match std::fs::metadata(path) {
            Ok(there) => Ok((there.dev(), there.ino()) == (mine.dev(), mine.ino())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Where a path leads: a book behind a symbolic link has its journal, and is replaced, where it is, not where the link is.
pub(crate) fn resolve(path: &Path) -> PathBuf {
    if path.is_symlink() { path.canonicalize().unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() }
}

/// The folder a file stands in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path with something appended to its last part: `a/b.tabia` and `-journal` give `a/b.tabia-journal`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
