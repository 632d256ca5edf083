//! Files that change together with their book: its games and its fingerprints. They are written
//! whole under other names; a record says which state of the book they belong to; and as soon as
//! the book is in that state, by the rename of a new one or by a frame of its journal, they count.
//! Then they get their own names. Whatever fails before that moment has changed nothing, and
//! whatever fails after it the next writer makes good. Section 10.1 of the format
//! specification.

use crate::book::{Book, View};
use crate::bytes::Bytes;
use crate::error::{Context, Error, Result};
use crate::files::{BookFile, BookFiles};
use crate::format::Digest;
use crate::journal::{State, survey};
use crate::publish::{AtomicFile, Existing};
use crate::remote;
use crate::storage::{Leftover, Storage, StorageFile, beside, folder_of};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// What the record begins with.
const MAGIC: [u8; 8] = *b"TABIAPN1";
/// Bytes of the record.
const RECORD_LEN: usize = 48;
/// The files that a record may name, by their bits.
const KINDS: [BookFile; 2] = [BookFile::Games, BookFile::Fingerprints];

/// Files to be beside a book, whole but for their names, which they get at the moment at which the
/// book is changed: see [`NewBook::write_with`] and [`Writer::append_rows`]. Dropped before that,
/// they are gone.
///
/// ```
/// # use tabia::{Counts, PositionRow};
/// use tabia::storage::System;
/// use tabia::{AtomicFile, Book, BookFile, Companions, Env, Existing, NewBook};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tiny.tabia");
/// # let rows = vec![PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 })];
/// let games = AtomicFile::create(&System, &BookFile::Games.beside(&path))?;
/// games.write(b"what was played", 0)?;
///
/// let mut companions = Companions::default();
/// companions.add(games);
/// let new = NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows);
/// new.write_with(&Env::default(), &path, Existing::Refuse, companions)?;
/// assert_eq!(std::fs::read(Book::open(&path)?.file(BookFile::Games)?)?, b"what was played");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`NewBook::write_with`]: crate::NewBook::write_with
/// [`Writer::append_rows`]: crate::Writer::append_rows
#[derive(Debug, Default)]
pub struct Companions<'a> {
    files: Vec<AtomicFile<'a>>,
}

impl<'a> Companions<'a> {
    /// Adds a file. Its target is that of [`BookFile::Games`] or [`BookFile::Fingerprints`] beside the
    /// book: a book refuses any other.
    pub fn add(&mut self, file: AtomicFile<'a>) {
        self.files.push(file);
    }

    /// Puts them beside a book, to count when that has this digest and at least this sequence. The
    /// caller holds the book's lock, or that of the book in the making.
    pub(crate) fn stage(
        self,
        storage: &'a dyn Storage,
        book: &Path,
        digest: Digest,
        sequence: u64,
    ) -> Result<Staged<'a>> {
        let mut staged =
            Staged { storage, book: book.to_owned(), files: Vec::new(), record: false };
        if self.files.is_empty() {
            return Ok(staged);
        }
        // Whatever an earlier writer left was settled, or belongs to a book that never was.
        discard(storage, book)?;
        let mut record = Record { book: digest, sequence, files: 0 };
        for file in self.files {
            let kind = KINDS.iter().position(|kind| kind.beside(book) == file.target());
            let Some(kind) = kind else {
                return Err(Error::InTheWay {
                    path: file.target().to_owned(),
                    what: "it is no file of games or fingerprints of the book that it is to go with",
                });
            };
            record.files |= 1 << kind;
            let path = pending(book, KINDS[kind]);
            staged.files.push((path.clone(), KINDS[kind].beside(book), file.stage(&path)?));
        }
        let file = AtomicFile::create(storage, &BookFile::Pending.beside(book))?;
        file.write(&record.to_bytes(), 0)?;
        let placed = file.publish(Existing::Refuse);
        // What has its name already is somebody else's.
        staged.record = !matches!(placed, Err(Error::Exists { .. }));
        placed.map_err(Error::of_a_step)?;
        Ok(staged)
    }
}

/// Files that count as soon as the book is in the state that the record names. Dropped, they are
/// gone.
#[must_use]
pub(crate) struct Staged<'a> {
    storage: &'a dyn Storage,
    book: PathBuf,
    /// Where each is, where it is to be, and itself.
    files: Vec<(PathBuf, PathBuf, Box<dyn StorageFile>)>,
    /// Whether there may be a record.
    record: bool,
}

impl Staged<'_> {
    /// The book is in that state: gives them their names. If that fails they count nevertheless,
    /// and the next writer tries again.
    pub fn take_their_places(mut self) {
        let placed = self.files.drain(..).try_for_each(|(from, to, file)| {
            self.storage.rename(&from, &to)?;
            file.finish()
        });
        let record = std::mem::take(&mut self.record);
        if record && placed.is_ok() && self.storage.sync_folder(folder_of(&self.book)).is_ok() {
            let _ = self.storage.remove(&BookFile::Pending.beside(&self.book));
        }
    }

    /// Nobody knows whether the book is in that state: leaves it to the next writer, who will.
    pub fn leave(mut self) {
        self.files.clear();
        self.record = false;
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // Best effort: what stays counts for nothing, and the next writer removes it.
        if self.record {
            let _ = self.storage.remove(&BookFile::Pending.beside(&self.book));
        }
        for (path, ..) in &self.files {
            let _ = self.storage.remove(path);
        }
    }
}

/// Gives the files beside a book their names, if the book is in the state that they belong to, or
/// removes them if it isn't. The caller holds the book's lock.
///
/// # Errors
/// [`Error::InTheWay`] if something else has the record's name; the system's.
pub(crate) fn settle(storage: &dyn Storage, book: &Path) -> Result<()> {
    let Some(record) = Record::read(book)? else { return discard(storage, book) };
    // Of a book that can't be read nobody can tell.
    let Ok((digest, sequence)) = state_of(book) else { return Ok(()) };
    if !record.counts(digest, sequence) {
        return discard(storage, book);
    }
    for kind in record.kinds() {
        let (from, to) = (pending(book, kind), kind.beside(book));
        let file = match storage.leftover(&from).at("look at", &from)? {
            Leftover::Unfinished(file) => Some(file),
            // One on a file system without marks.
            Leftover::Foreign => None,
            Leftover::Nothing => continue,
        };
        storage.rename(&from, &to).at("give the new file its name", &to)?;
        file.map_or(Ok(()), |file| file.finish()).at("finish", &to)?;
    }
    storage.sync_folder(folder_of(book)).at("sync its folder", book)?;
    let path = BookFile::Pending.beside(book);
    storage.remove(&path).at("remove", &path)
}

/// The state of the book at this path: its digest, and the sequence of the last batch of its journal.
pub(crate) fn state_of(book: &Path) -> Result<(Digest, u64)> {
    let header = Book::open_view(book, View::Bare)?.header().clone();
    Ok(match survey(book, &header)? {
        State::Live(_, info) => (header.digest, info.sequence),
        _ => (header.digest, header.sequence),
    })
}

/// Removes what counts for nothing: a record, and files that have the mark of unfinished ones.
fn discard(storage: &dyn Storage, book: &Path) -> Result<()> {
    let mut changed = false;
    let path = BookFile::Pending.beside(book);
    if Record::read(book)?.is_some() {
        storage.remove(&path).at("remove", &path)?;
        changed = true;
    }
    for kind in KINDS {
        let path = pending(book, kind);
        if let Leftover::Unfinished(_) = storage.leftover(&path).at("look at", &path)? {
            storage.remove(&path).at("remove", &path)?;
            changed = true;
        }
    }
    // Else a power cut might bring the record back, and the next batch would make it count.
    if changed { storage.sync_folder(folder_of(book)).at("sync its folder", book) } else { Ok(()) }
}

/// The name that such a file has until the book is in the state that it belongs to.
fn pending(book: &Path, kind: BookFile) -> PathBuf {
    beside(&kind.beside(book), BookFile::Pending.suffix())
}

/// Which state of a book the files belong to that are beside it under other names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    /// The book's digest.
    book: Digest,
    /// The sequence of the last batch of its journal.
    sequence: u64,
    /// Which files these are.
    files: u64,
}

impl Record {
    fn to_bytes(self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..24].copy_from_slice(&self.book.0);
        bytes[24..32].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.files.to_le_bytes());
        let sum = xxh3_64(&bytes[..40]);
        bytes[40..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| {
            bytes.get(at..at + 8)?.first_chunk().map(|chunk: &[u8; 8]| u64::from_le_bytes(*chunk))
        };
        let record = Self {
            book: Digest(*bytes.get(8..24)?.first_chunk()?),
            sequence: number(24)?,
            files: number(32)?,
        };
        (record.files >> KINDS.len() == 0 && record.to_bytes() == bytes).then_some(record)
    }

    /// The one beside a book, if there is one.
    fn read(book: &Path) -> Result<Option<Self>> {
        let path = BookFile::Pending.beside(book);
        let mut bytes = Vec::new();
        match path.symlink_metadata() {
            // Whoever puts a book where others read it puts it there when no writer is at work.
            _ if remote::address(&path).is_some() => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // A link, a folder or a pipe is none.
            Ok(there) if !there.is_file() => {}
            _ => match File::open(&path) {
                // It was removed just now: the files have their names.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                opened => {
                    let file = opened.at("open", &path)?;
                    file.take(RECORD_LEN as u64 + 1).read_to_end(&mut bytes).at("read", &path)?;
                }
            },
        }
        let what = "which files are to take their places beside the book is to have this name, but this is no such record: move it away";
        Self::of_bytes(&bytes).map(Some).ok_or(Error::InTheWay { path, what })
    }

    fn counts(&self, digest: Digest, sequence: u64) -> bool {
        self.book == digest && self.sequence <= sequence
    }

    fn kinds(self) -> impl Iterator<Item = BookFile> {
        (0..KINDS.len()).filter(move |kind| self.files >> kind & 1 == 1).map(|kind| KINDS[kind])
    }
}

impl<S: Bytes> Book<S> {
    /// Where one of its files is now. That is [`BookFiles::path`], but for games and fingerprints
    /// that a killed writer brought and could not give their names any more: these have other names
    /// until the next writer comes. It need not be there; one that isn't there any more when it is
    /// opened has got its name meanwhile.
    ///
    /// # Errors
    /// [`Error::InTheWay`] if something else has the name of the record of such files; the system's.
    pub fn file(&self, file: BookFile) -> Result<PathBuf> {
        let files = BookFiles::of(self.path());
        let book = files.path(BookFile::Book);
        let record = if KINDS.contains(&file) { Record::read(&book)? } else { None };
        let (digest, sequence) = (self.header().digest, self.journal().sequence);
        let counts = record
            .filter(|record| record.counts(digest, sequence))
            .is_some_and(|record| record.kinds().any(|kind| kind == file));
        let pending = pending(&book, file);
        Ok(if counts && pending.exists() { pending } else { files.path(file) })
    }
}
