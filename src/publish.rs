//! How a new file comes to its place: written beside it under another name, synced, renamed, the
//! folder synced. The only code that does so, but for the last step of files that wait for their
//! book (`companions`). Also what every writer to a book does first: it takes the lock and cleans up
//! after a crash.

use crate::companions::settle;
use crate::error::{Context, Error, Result};
use crate::files::BookFiles;
use crate::journal::{JOURNAL_MAGIC, holds_nothing, journal_path};
use crate::platform;
use crate::storage::{
    Leftover, Missing, Storage, StorageFile, StorageFolder, beside, folder_of, names_folder,
    resolve,
};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};

/// The suffix of an unfinished file's name.
const UNFINISHED: &str = "-new";
/// Bytes after which what was written is synced, while more is written.
const SYNCED_AT_ONCE: u64 = 64 << 20;
/// What fails where a new file can't be renamed.
const RENAME: &str = "give the new file its name";

/// What to do if the file to be made already exists.
///
/// ```
/// # use tabia::{Env, Existing, NewBook};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// # let rows = vec![tabia::PositionRow::new(42, tabia::Counts::default())];
/// use tabia::Error;
///
/// let book = || NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap()).positions(&rows);
/// assert!(matches!(book().write(&Env::default(), &path, Existing::Refuse), Err(Error::Exists { .. })));
/// book().write(&Env::default(), &path, Existing::Replace)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is made: [`Error::Exists`].
    #[default]
    Refuse,
    /// It is replaced; if it is a book, its journal goes too.
    Replace,
}

/// It is replaced if it is true.
impl From<bool> for Existing {
    fn from(replace: bool) -> Self {
        if replace { Self::Replace } else { Self::Refuse }
    }
}

/// A file that gets its name only when it is whole and durable. If it is dropped before that, it is
/// removed.
///
/// Until it is published it has the target's name with `-new` appended, in the same folder, and no
/// other `AtomicFile` can make a file of the target's name meanwhile. A file that a killed process
/// left under that name is removed by the next process that makes the same file; any other file
/// there is never touched. The file has the mode, the owner and the group of the file that it
/// replaces, as far as the process may give them; a file of a book ([`BookFiles`]) those of the
/// book.
///
/// ```
/// use tabia::{AtomicFile, Existing};
/// use tabia::storage::System;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// let file = AtomicFile::create(&System, &path)?;
/// file.write(b"all is well\n", 0)?;
/// assert!(!path.exists());
/// file.publish(Existing::Refuse)?;
/// assert_eq!(std::fs::read(&path)?, b"all is well\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AtomicFile<'a> {
    storage: &'a dyn Storage,
    target: PathBuf,
    /// The name it has until it is published.
    path: PathBuf,
    folder: Box<dyn StorageFolder>,
    file: Option<Box<dyn StorageFile>>,
    written: Mutex<Written>,
}

impl std::fmt::Debug for AtomicFile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AtomicFile").field("target", &self.target).finish_non_exhaustive()
    }
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

impl<'a> AtomicFile<'a> {
    /// Makes the file, without its name yet. If the target is a symbolic link, the file it leads to
    /// is meant.
    ///
    /// # Errors
    /// [`Error::Locked`] if another process is making the same file; [`Error::InTheWay`] if the
    /// target is no regular file, or something else has the name of the unfinished file; the
    /// system's, also if the folder can't be opened to be synced later.
    pub fn create(storage: &'a dyn Storage, target: &Path) -> Result<Self> {
        let target = resolve(target);
        let owner = BookFiles::owner(&target);
        Self::create_like(storage, &target, owner.as_ref().unwrap_or(&target))
    }

    /// Makes the file with the mode, the owner and the group of another one, where that is there.
    pub(crate) fn create_like(
        storage: &'a dyn Storage,
        target: &Path,
        like: &Path,
    ) -> Result<Self> {
        check_target(target)?;
        let folder = storage.open_folder(folder_of(target)).at("open its folder", target)?;
        let path = beside(target, UNFINISHED);
        let file = Some(create_locked(storage, target, &path, like)?);
        Ok(Self {
            storage,
            target: target.to_owned(),
            path,
            folder,
            file,
            written: Mutex::default(),
        })
    }

    /// The path that the file will have.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The file to write to.
    fn file(&self) -> &dyn StorageFile {
        self.file.as_deref().expect("the file is there until it is published")
    }

    /// Writes at an offset, in bytes.
    ///
    /// # Errors
    /// The system's, with the target's name.
    pub fn write(&self, bytes: &[u8], offset: u64) -> Result<()> {
        self.write_and_count(bytes, offset).at("write", &self.target)
    }

    /// Writes the first bytes of another file at the beginning of this one: so many, or all.
    pub(crate) fn write_from(&self, file: &dyn StorageFile, bytes: Option<u64>) -> io::Result<()> {
        let (mut buffer, mut at) = (vec![0; 1 << 16], 0);
        while bytes.is_none_or(|bytes| at < bytes) {
            let left = bytes.map_or(u64::MAX, |bytes| bytes - at);
            let wanted = left.min(buffer.len() as u64) as usize;
            match file.read_at(&mut buffer[..wanted], at) {
                Ok(0) if bytes.is_some() => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(0) => break,
                Ok(read) => {
                    self.write_and_count(&buffer[..read], at)?;
                    at += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write_and_count(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.file().write_all_at(bytes, offset)?;
        self.count(bytes.len());
        Ok(())
    }

    /// Counts bytes that were written, and asks for a sync when there are many.
    fn count(&self, bytes: usize) {
        let mut written = self.written();
        written.bytes += bytes as u64;
        if let Some(sync) = written.sync.clone().filter(|_| written.bytes >= SYNCED_AT_ONCE) {
            written.bytes = 0;
            // If it can't be sent, a sync is asked for already, or one has failed:
            // `synced_meanwhile` says so.
            let _ = sync.try_send(());
        }
    }

    fn written(&self) -> std::sync::MutexGuard<'_, Written> {
        self.written.lock().expect("nobody panics with the lock")
    }

    /// Does the work of writing about `bytes` bytes, while another thread syncs what was already
    /// written, so that little is left to sync at the end. If no thread can be started, everything
    /// is synced at the end.
    ///
    /// # Errors
    /// The system's, from syncing; those of the work.
    pub fn synced_meanwhile<T>(&self, bytes: u64, work: impl FnOnce() -> Result<T>) -> Result<T> {
        if bytes < 2 * SYNCED_AT_ONCE {
            return work();
        }
        let (sync, asked) = sync_channel(1);
        std::thread::scope(|scope| {
            let sync_asked =
                move || asked.iter().try_for_each(|()| self.file().sync().at("sync", &self.target));
            let Ok(syncing) = std::thread::Builder::new().spawn_scoped(scope, sync_asked) else {
                return work();
            };
            self.written().sync = Some(sync);
            let stop = Stop(&self.written);
            let done = work();
            drop(stop);
            syncing.join().expect("syncing doesn't panic")?;
            done
        })
    }

    /// Makes the file durable and gives it its name. It stays locked for as long as what is
    /// returned lives.
    ///
    /// # Errors
    /// [`Error::Exists`] if the name is taken and [`Existing::Refuse`] was given; the system's. The
    /// target is then as it was. [`Error::Unsynced`] if the new file has its name, but nobody knows
    /// whether a power cut leaves it that.
    pub fn publish(mut self, existing: Existing) -> Result<Box<dyn StorageFile>> {
        self.file().sync().at("sync", &self.target)?;
        self.rename(&self.target, existing)?;
        let file = self.file.take().expect("the file is there until it is published");
        self.folder
            .sync()
            .map_err(|source| Error::Unsynced { path: self.target.clone(), source })?;
        // Not before its name is durable: a crash might leave it under the name of a file in the
        // making, and nobody would know it for one. A published file that still looks unfinished
        // does no harm; the next to write to it tries again.
        let _ = file.finish();
        Ok(file)
    }

    /// Makes the file durable under another name, which must be free; it stays marked as unfinished.
    /// Its folder isn't synced.
    pub(crate) fn stage(mut self, path: &Path) -> Result<Box<dyn StorageFile>> {
        self.file().sync().at("sync", &self.target)?;
        self.rename(path, Existing::Refuse)?;
        Ok(self.file.take().expect("the file is there until it is published"))
    }

    fn rename(&self, path: &Path, existing: Existing) -> Result<()> {
        let renamed = match existing {
            Existing::Replace => self.storage.rename(&self.path, path),
            Existing::Refuse => self.storage.rename_new(&self.path, path),
        };
        match renamed {
            // A file system far away may do it and lose the answer.
            Err(_) if self.file().is_at(path).unwrap_or(false) => Ok(()),
            Err(source) if source.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::Exists { path: path.to_owned() })
            }
            renamed => renamed.at(RENAME, path),
        }
    }

    /// A writer that goes through the file from its beginning to its end.
    #[must_use]
    pub fn into_writer(self) -> AtomicWriter<'a> {
        AtomicWriter { file: self, len: 0 }
    }
}

impl Drop for AtomicFile<'_> {
    fn drop(&mut self) {
        if self.file.is_some() {
            // Best effort: a failure leaves a file that the next run removes.
            let _ = self.storage.remove(&self.path);
        }
    }
}

/// An [`AtomicFile`] that is written from its beginning to its end. Its errors are the system's,
/// without the file's name.
///
/// ```
/// use std::io::Write;
/// use tabia::storage::System;
/// use tabia::{AtomicFile, Existing};
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("list.txt");
/// let mut file = AtomicFile::create(&System, &path)?.into_writer();
/// writeln!(file, "one line")?;
/// assert_eq!(file.publish(Existing::Refuse)?, 9);
/// assert_eq!(std::fs::read_to_string(&path)?, "one line\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicWriter<'a> {
    file: AtomicFile<'a>,
    /// Bytes written so far.
    len: u64,
}

impl AtomicWriter<'_> {
    /// The path that the file will have.
    #[must_use]
    pub fn target(&self) -> &Path {
        self.file.target()
    }

    /// Gives what was written so far to `take`, in order and in parts.
    ///
    /// # Errors
    /// The system's; those of `take`.
    pub fn read_all(&self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        let mut at = 0;
        while at < self.len {
            let part = (self.len - at).min(buffer.len() as u64) as usize;
            self.file.file().read_exact_at(&mut buffer[..part], at)?;
            take(&buffer[..part])?;
            at += part as u64;
        }
        Ok(())
    }

    /// Makes durable what was written so far, which has no name yet.
    ///
    /// # Errors
    /// The system's.
    pub fn sync(&self) -> Result<()> {
        self.file.file().sync().at("sync", &self.file.target)
    }

    /// Makes the file durable and gives it its name; its bytes are returned.
    ///
    /// # Errors
    /// Those of [`AtomicFile::publish`].
    pub fn publish(self, existing: Existing) -> Result<u64> {
        self.file.publish(existing)?;
        Ok(self.len)
    }
}

impl io::Write for AtomicWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.file().write_at(bytes, self.len)?;
        self.len += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes sure that a file of this name can be made or replaced: nothing has the name, or a regular
/// file.
///
/// # Errors
/// [`Error::InTheWay`]; the system's.
pub(crate) fn check_target(target: &Path) -> Result<()> {
    let in_the_way = |what| Err(Error::InTheWay { path: target.to_owned(), what });
    const FOLDER: &str = "this is a folder: give the name of a file";
    if target.file_name().is_none() || names_folder(target) {
        return in_the_way(FOLDER);
    }
    match target.symlink_metadata() {
        Ok(there) if there.is_dir() => in_the_way(FOLDER),
        Ok(there) if there.is_file() || there.is_symlink() => Ok(()),
        Ok(_) => in_the_way("this is no regular file: choose another name"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).at("look at", target),
    }
}

/// Makes an unfinished file and takes its lock.
fn create_locked(
    storage: &dyn Storage,
    target: &Path,
    path: &Path,
    like: &Path,
) -> Result<Box<dyn StorageFile>> {
    loop {
        match storage.create(path, Some(like)) {
            Ok(file) => {
                let locked = file.try_lock().and_then(|locked| Ok(locked && file.is_at(path)?));
                if locked.is_err() {
                    let _ = storage.remove(path);
                }
                // Before it was locked, another maker may have taken it for what a crash left: then
                // the name leads to theirs.
                if locked.at("lock", target)? {
                    return Ok(file);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                remove_leftover(storage, target, path)?
            }
            Err(error) => return Err(error).at("make this file", target),
        }
    }
}

/// Removes an unfinished file that a crash left.
///
/// # Errors
/// [`Error::Locked`] if it isn't left over but being made; [`Error::InTheWay`] if it is none of
/// ours; the system's.
fn remove_leftover(storage: &dyn Storage, target: &Path, path: &Path) -> Result<()> {
    match storage.leftover(path).at("look at", path)? {
        Leftover::Nothing => Ok(()),
        Leftover::Foreign => Err(Error::InTheWay {
            path: path.to_owned(),
            what: "a new file is to have this name until it is whole, but something else has it: move that away, or choose another output",
        }),
        Leftover::Unfinished(file) => {
            if !file.try_lock().at("lock", path)? {
                return Err(Error::Locked { path: target.to_owned() });
            }
            // Only who has the lock of a file in the making takes its name away.
            if file.is_at(path).at("look at", path)? {
                storage.remove(path).at("remove", path)?;
            }
            Ok(())
        }
    }
}

/// Opens a book to be changed or replaced: takes its lock, removes what a crash left of another
/// unfinished book, makes durable what is there, and settles what was to take its place beside it.
///
/// An earlier writer may have been killed, or have failed, before it could sync what it wrote or
/// renamed. All of that can be read, but what is built on it would outlast it after a power cut.
///
/// # Errors
/// [`Error::Locked`]; [`Error::InTheWay`] if book or journal is no regular file; the system's.
pub(crate) fn open_settled(storage: &dyn Storage, book: &Path) -> Result<Box<dyn StorageFile>> {
    let journal = journal_path(book);
    check_target(book)?;
    check_journal(&journal)?;
    let file = open_locked(storage, book)?;
    remove_stale(storage, book, &*file);
    remove_stale(storage, &journal, &*file);
    file.sync().at("sync", book)?;
    let journal_file = match storage.open(&journal, Missing::Fail) {
        Ok(file) => {
            file.sync().at("sync", &journal)?;
            Some(with_one_name(storage, &journal, file)?)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error).at("open for writing", &journal),
    };
    storage.sync_folder(folder_of(book)).at("sync its folder", book)?;
    // As after publishing.
    for file in [Some(&file), journal_file.as_ref()].into_iter().flatten() {
        let _ = file.finish();
    }
    settle(storage, book)?;
    Ok(file)
}

/// A journal that has other names too, as a snapshot by hard links gives it, gives way to a copy:
/// what will be appended must not be appended to the snapshot.
fn with_one_name(
    storage: &dyn Storage,
    journal: &Path,
    file: Box<dyn StorageFile>,
) -> Result<Box<dyn StorageFile>> {
    if file.names().at("look at", journal)? == 1
        || !begins_as_journal(journal).at("read", journal)?
    {
        return Ok(file);
    }
    let copy = AtomicFile::create_like(storage, journal, journal)?;
    copy.write_from(&*file, None).at("copy", journal)?;
    copy.publish(Existing::Replace).map_err(Error::of_a_step)
}

/// Makes sure that anything with a journal's name is a file and not a link to one.
fn check_journal(journal: &Path) -> Result<()> {
    match journal.symlink_metadata() {
        Ok(there) if !there.is_file() => Err(not_a_journal(journal)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).at("look at", journal),
        _ => Ok(()),
    }
}

/// Makes the journal of a book, with this header and the mode, the owner and the group of the book;
/// it gets its name when the header is durable. The caller holds the book's lock.
///
/// # Errors
/// [`Error::Exists`] if there is one; those of [`AtomicFile::create`]; the system's.
pub(crate) fn create_journal(
    storage: &dyn Storage,
    book: &Path,
    header: &[u8],
) -> Result<Box<dyn StorageFile>> {
    let file = AtomicFile::create_like(storage, &journal_path(book), book)?;
    file.write(header, 0)?;
    let path = file.target().to_owned();
    file.publish(Existing::Refuse).map_err(|error| {
        if matches!(error, Error::Unsynced { .. }) {
            // It says nothing yet. Best effort: the next writer takes it as it is.
            let _ = storage.remove(&path);
        }
        error.of_a_step()
    })
}

/// Makes sure that there is no journal where a book is to be made: it would be taken for that of
/// the new book. One that holds nothing is removed.
///
/// # Errors
/// [`Error::Exists`] if it holds something, or is something else; the system's.
pub(crate) fn spare_journal(storage: &dyn Storage, book: &Path) -> Result<()> {
    let path = journal_path(book);
    check_journal(&path)?;
    if holds_nothing(book) {
        remove_journal(storage, book).map_err(Error::of_a_step)
    } else {
        Err(Error::Exists { path })
    }
}

/// Makes sure that anything with a journal's name is a journal, sound or damaged, so that a book
/// that is replaced may lose it.
///
/// # Errors
/// [`Error::InTheWay`]; the system's.
pub(crate) fn check_replaceable_journal(book: &Path) -> Result<()> {
    let path = journal_path(book);
    check_journal(&path)?;
    if holds_nothing(book) || begins_as_journal(&path).at("read", &path)? {
        Ok(())
    } else {
        Err(not_a_journal(&path))
    }
}

/// Whether a file begins as journals do.
fn begins_as_journal(path: &Path) -> io::Result<bool> {
    let mut start = [0; JOURNAL_MAGIC.len()];
    match File::open(path).and_then(|file| platform::read_exact_at(&file, &mut start, 0)) {
        Ok(()) => Ok(start == JOURNAL_MAGIC),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn not_a_journal(path: &Path) -> Error {
    Error::InTheWay {
        path: path.to_owned(),
        what: "the book's journal is to have this name, but this is none: move it away",
    }
}

/// Removes the journal of a book that holds all of it, or that replaced its book.
///
/// # Errors
/// [`Error::Unsynced`] if it is gone, but may come back; the system's.
pub(crate) fn remove_journal(storage: &dyn Storage, book: &Path) -> Result<()> {
    let path = journal_path(book);
    let is_gone =
        || path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    match storage.remove(&path) {
        // Whoever removed it before may have died before that was durable; and a file system far
        // away may do it and lose the answer.
        Err(_) if is_gone() => {}
        removed => removed.at("remove", &path)?,
    }
    let synced = storage.sync_folder(folder_of(&path));
    synced.map_err(|source| Error::Unsynced { path, source })
}

/// Removes an unfinished file that a crash left, if no process is making it. Best effort: a file
/// that stays is removed by the next process that makes it.
fn remove_stale(storage: &dyn Storage, target: &Path, locked: &dyn StorageFile) {
    let path = beside(target, UNFINISHED);
    let Ok(Leftover::Unfinished(file)) = storage.leftover(&path) else { return };
    // Where renaming can't spare what is there, a crash leaves a published book with both of its
    // names.
    let second_name = || locked.is_at(&path).unwrap_or(false);
    if second_name() || (file.try_lock().unwrap_or(false) && file.is_at(&path).unwrap_or(false)) {
        let _ = storage.remove(&path);
    }
}

/// Opens a file that is there and takes its lock; makes sure that the name still leads to the file
/// that was locked.
///
/// # Errors
/// [`Error::Locked`]; the system's.
fn open_locked(storage: &dyn Storage, path: &Path) -> Result<Box<dyn StorageFile>> {
    loop {
        let file = storage.open(path, Missing::Fail).at("open for writing", path)?;
        if !file.try_lock().at("lock", path)? {
            return Err(Error::Locked { path: path.to_owned() });
        }
        if file.is_at(path).at("look at", path)? {
            return Ok(file);
        }
    }
}
