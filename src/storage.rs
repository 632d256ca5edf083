//! The one door to the disk for all that writes: books, journals and scratch files.
//!
//! [`System`] is the real disk; a simulator that records, fails and crashes can take its place.
//! Reading for probes and scans doesn't come through here (see [`crate::bytes`]), since it changes
//! nothing.

use crate::platform;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A disk: what writing needs of a file system. No call follows a symbolic link at the end of a
/// path.
///
/// ```
/// use tabia::storage::{Missing, Storage, StorageFile, System};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("file");
/// let storage: &dyn Storage = &System;
/// let file = storage.open(&path, Missing::Create)?;
/// file.write_all_at(b"durable", 0)?;
/// file.sync()?;
/// storage.sync_folder(folder.path())?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Storage: Send + Sync {
    /// Opens a file for reading and writing; its contents are kept.
    ///
    /// # Errors
    /// The system's; a symbolic link at the end of the path is one.
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>>;

    /// Makes a file, open for reading and writing, under a free name. It is marked as unfinished,
    /// which [`Storage::leftover`] recognizes, until [`StorageFile::finish`] is called. Mode, owner
    /// and group are those of `like`, as far as the process may set them; without such a file,
    /// those of the user's umask.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if anything has the name, and the system's.
    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>>;

    /// What is found under the name of an unfinished file. Only an unfinished file is opened.
    ///
    /// # Errors
    /// The system's.
    fn leftover(&self, path: &Path) -> io::Result<Leftover>;

    /// Makes a file without a name in this folder, gone when it is dropped.
    ///
    /// # Errors
    /// The system's.
    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>>;

    /// The folder for the next such file of a book in this folder: this one, unless others are set
    /// aside for them.
    fn scratch_folder(&self, folder: &Path) -> PathBuf {
        folder.to_owned()
    }

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

    /// Opens a folder, to sync it later.
    ///
    /// # Errors
    /// The system's.
    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>>;

    /// Makes the names in a folder durable.
    ///
    /// # Errors
    /// The system's.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.open_folder(folder)?.sync()
    }
}

/// What is found under the name of an unfinished file.
pub enum Leftover {
    /// Nothing.
    Nothing,
    /// An unfinished file that [`Storage::create`] made. Its lock says whether a process is still
    /// making it.
    Unfinished(Box<dyn StorageFile>),
    /// Anything else: a user's file, a link, a folder.
    Foreign,
}

/// An open folder of a [`Storage`].
pub trait StorageFolder: Send + Sync {
    /// Makes the names in the folder durable.
    ///
    /// # Errors
    /// The system's.
    fn sync(&self) -> io::Result<()>;
}

/// What to do about a file that isn't there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Create it, empty.
    Create,
    /// Give [`io::ErrorKind::NotFound`].
    Fail,
}

impl std::fmt::Debug for Leftover {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::Unfinished(_) => "Unfinished",
            Self::Foreign => "Foreign",
        })
    }
}

/// An open file of a [`Storage`].
///
/// ```
/// use tabia::storage::{Storage, StorageFile, System};
///
/// let file = System.scratch(&std::env::temp_dir())?;
/// file.write_all_at(b"TABIA", 0)?;
/// let mut bytes = [0; 2];
/// file.read_exact_at(&mut bytes, 3)?;
/// assert_eq!(&bytes, b"IA");
/// # Ok::<(), std::io::Error>(())
/// ```
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

    /// Makes the file's contents and length durable.
    ///
    /// # Errors
    /// The system's. After one, nothing is known of what is on the disk: never sync again.
    fn sync(&self) -> io::Result<()>;

    /// Takes the file's lock for writing, if it is free, and returns whether it was taken. The
    /// process that took it holds it until it drops the file, even if a child that was forked
    /// meanwhile has the file open too.
    ///
    /// # Errors
    /// The system's.
    fn try_lock(&self) -> io::Result<bool>;

    /// Whether this very file has this path; a symbolic link to it is another file.
    ///
    /// # Errors
    /// The system's, except that nothing is there.
    fn is_at(&self, path: &Path) -> io::Result<bool>;

    /// How many names the file has.
    ///
    /// # Errors
    /// The system's.
    fn names(&self) -> io::Result<u64> {
        Ok(1)
    }

    /// Removes the mark of an unfinished file, if the file has it.
    ///
    /// # Errors
    /// The system's.
    fn finish(&self) -> io::Result<()>;

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
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        platform::fill(bytes, offset, |bytes, offset| self.read_at(bytes, offset))
    }
}

/// The system's disk.
///
/// ```
/// use tabia::storage::System;
/// use tabia::Env;
///
/// // What `Env::default()` is: the system's disk, and nobody to tell of progress.
/// let env = Env { storage: &System, progress: &() };
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Storage for System {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        platform::open(path, missing == Missing::Create).map(SystemFile::boxed)
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        let like =
            like.map(std::fs::symlink_metadata).and_then(Result::ok).filter(Metadata::is_file);
        platform::create_unfinished(path, like.as_ref()).map(SystemFile::boxed)
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Leftover::Nothing),
            Err(error) => return Err(error),
            Ok(there) if !platform::is_unfinished(&there) => return Ok(Leftover::Foreign),
            Ok(_) => {}
        }
        // Some file systems lock only what is open for writing.
        let file = match platform::open(path, false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Leftover::Nothing),
            file => file?,
        };
        // Another may have come in its place since.
        let ours = platform::is_unfinished(&file.metadata()?);
        Ok(if ours { Leftover::Unfinished(SystemFile::boxed(file)) } else { Leftover::Foreign })
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        platform::scratch(folder).map(SystemFile::boxed)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        platform::rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>> {
        Ok(Box::new(SystemFolder(platform::open_folder(folder)?)))
    }
}

struct SystemFolder(File);

impl StorageFolder for SystemFolder {
    fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

struct SystemFile {
    file: File,
    /// The process that took its lock; 0 if none did.
    locked_by: AtomicU32,
}

impl SystemFile {
    fn boxed(file: File) -> Box<dyn StorageFile> {
        Box::new(Self { file, locked_by: AtomicU32::new(0) })
    }
}

impl Drop for SystemFile {
    fn drop(&mut self) {
        // Closing it would do, but for children that another thread has forked and that have not
        // yet come to what they are to run.
        if *self.locked_by.get_mut() == std::process::id() {
            let _ = platform::unlock(&self.file);
        }
    }
}

impl StorageFile for SystemFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        platform::write_at(&self.file, bytes, offset)
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<usize> {
        platform::read_at(&self.file, bytes, offset)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    fn try_lock(&self) -> io::Result<bool> {
        let locked = platform::try_lock(&self.file)?;
        if locked {
            self.locked_by.store(std::process::id(), Ordering::Relaxed);
        }
        Ok(locked)
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let mine = platform::look(&self.file)?;
        match platform::look_at_name(path) {
            Ok(there) => Ok(there.id == mine.id),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn names(&self) -> io::Result<u64> {
        platform::names(&self.file)
    }

    fn finish(&self) -> io::Result<()> {
        platform::finish(&self.file)
    }
}

/// Where a path leads: a book behind a symbolic link has its journal, and is replaced, where it is,
/// not where the link is.
pub(crate) fn resolve(path: &Path) -> PathBuf {
    if path.is_symlink() {
        path.canonicalize().unwrap_or_else(|_| path.to_owned())
    } else {
        path.to_owned()
    }
}

/// The folder that a file is in: `.` if its path names none.
///
/// ```
/// use std::path::Path;
/// use tabia::storage::folder_of;
///
/// assert_eq!(folder_of(Path::new("books/club.tabia")), Path::new("books"));
/// assert_eq!(folder_of(Path::new("club.tabia")), Path::new("."));
/// ```
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a path ends as one of a folder does.
///
/// ```
/// use std::path::Path;
/// use tabia::storage::names_folder;
///
/// assert!(names_folder(Path::new("books/")) && !names_folder(Path::new("books")));
/// ```
#[must_use]
pub fn names_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    last.is_some_and(|&byte| std::path::is_separator(byte.into()))
}

/// Whether two paths lead to one file that is there, be it by links.
///
/// ```
/// use tabia::storage::same_file;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("club.tabia");
/// assert!(!same_file(&path, &path));
/// std::fs::write(&path, "")?;
/// assert!(same_file(&path, &folder.path().join(".").join("club.tabia")));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn same_file(one: &Path, other: &Path) -> bool {
    let id = |path| platform::look_at(path).ok().map(|file| file.id);
    id(one).is_some() && id(one) == id(other)
}

/// The path with something appended to its last part: `a/b.tabia` and `-journal` give
/// `a/b.tabia-journal`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
