//! The one writer of a book: it holds the lock, appends batches to the journal, and compacts the
//! journal into a new book.

use crate::book::{Book, View};
use crate::column::Columns;
use crate::companions::Companions;
use crate::create::NewBook;
use crate::env::Env;
use crate::error::{Error, Result};
use crate::format::{Fact, Header, Results, Share, Source};
use crate::journal::{Added, Batch, Journal, JournalInfo, State, last_sources, survey};
use crate::publish::{open_settled, remove_journal};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::storage::{StorageFile, resolve};
use crate::stream::{Chunk, Converted, Rows};
use std::path::{Path, PathBuf};

/// A book that is open for writing. There is at most one at any time, on one machine; readers
/// aren't affected.
///
/// ```
/// # use tabia::{Batch, Book, Row, Writer, Counts, Env, PositionRow};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let mut writer = Writer::open(Env::default(), &path)?;
/// let mut batch = Batch::new();
/// batch.add_position(PositionRow::new(42, Counts { wins: 0, draws: 1, losses: 0 }));
/// let sequence = writer.append(&batch)?;
/// assert_eq!(Book::open(&path)?.position(42)?.unwrap().counts().draws, 2);
///
/// assert!(writer.compact()?);
/// assert_eq!(Book::open(&path)?.journal().frames, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer<'a> {
    env: Env<'a>,
    path: PathBuf,
    header: Header,
    /// Those of the book and of its journal when it was opened.
    sources: Vec<Source>,
    facts: Vec<Fact>,
    journal: Journal<'a>,
    /// Bytes of a torn tail that was cut off when the book was opened.
    cut: u64,
    /// Whether something failed, after which this writer does nothing more.
    poisoned: bool,
    /// Whether what was done last is done, but what is left could not be opened again.
    is_lost: bool,
    /// The book's file: as long as it is open it is locked.
    lock: Box<dyn StorageFile>,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer")
            .field("path", &self.path)
            .field("poisoned", &self.poisoned)
            .finish_non_exhaustive()
    }
}

impl<'a> Writer<'a> {
    /// Opens a book for writing: takes its lock, makes durable what is there (the journal's last
    /// batch by writing it again), cuts a torn tail off its journal, and removes a journal that the
    /// book holds already or that holds nothing.
    ///
    /// # Errors
    /// [`Error::Locked`] if it has another writer; those of [`Book::open`]; the system's.
    pub fn open(env: Env<'a>, path: impl AsRef<Path>) -> Result<Self> {
        let path = &resolve(path.as_ref());
        let lock = open_settled(env.storage, path)?;
        let book = Book::open_view(path, View::Bare)?;
        let header = book.header().clone();
        let Left { journal, sources, facts, cut } = Left::read(&env, path, &book)?;
        Ok(Self {
            env,
            path: path.to_owned(),
            header,
            sources,
            facts,
            journal,
            cut,
            poisoned: false,
            is_lost: false,
            lock,
        })
    }

    /// Where the book is: of a symbolic link, where it leads.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The book's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The book as it is now, with its journal, to be read.
    ///
    /// # Errors
    /// Those of [`Book::open`].
    pub fn book(&self) -> Result<Book> {
        Book::open(&self.path)
    }

    /// The archives that were in the book, with its journal, when it was opened.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// What was known of the book and its archives, with its journal, when it was opened.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// A summary of the book's journal.
    #[must_use]
    pub fn journal(&self) -> &JournalInfo {
        self.journal.info()
    }

    /// The archives that came with the last batch of the journal, and would go with it.
    ///
    /// # Errors
    /// Those of reading the journal.
    pub fn last_sources(&self) -> Result<Vec<Source>> {
        last_sources(&self.path, &self.header)
    }

    /// Bytes of a torn tail, never acknowledged, that were cut off the journal when the book was
    /// opened.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Appends a batch to the journal. When its sequence is returned, it is durable.
    ///
    /// # Errors
    /// [`Error::NoTable`] if it changes a table that the book doesn't have; [`Error::NoColumn`] if
    /// it brings cells of a column that the book doesn't have; [`Error::Results`] if it brings wins
    /// or losses to a book without results; [`Error::Share`] if it changes a row of another share;
    /// the system's, and from then on [`Error::Poisoned`].
    pub fn append(&mut self, batch: &Batch) -> Result<u64> {
        self.need(TableKind::Positions, batch.changes_positions())?;
        self.need(TableKind::Moves, batch.changes_moves())?;
        self.need_columns(batch.columns())?;
        for (hash, counts) in batch.rows() {
            if !self.header.results.allow(counts) {
                return Err(Error::Results { path: self.path.clone() });
            }
            if !self.header.share.holds(hash) {
                return Err(Error::Share { path: self.path.clone(), share: self.header.share });
            }
        }
        self.guarded(|writer| writer.journal.append(batch))
    }

    /// Appends rows to be merged, and the sources and facts that they bring, as one batch, however
    /// many they are. The games and fingerprints that come with them count as soon as the batch is
    /// durable, and not before.
    ///
    /// # Errors
    /// As [`Writer::append`], and those of the rows.
    pub fn append_rows(
        &mut self,
        positions: Option<Added<'_, PositionRow>>,
        moves: Option<Added<'_, MoveRow>>,
        sources: &[Source],
        facts: &[Fact],
        companions: Companions<'_>,
    ) -> Result<u64> {
        self.need(TableKind::Positions, positions.is_some())?;
        self.need(TableKind::Moves, moves.is_some())?;
        self.need_columns(moves.as_ref().map_or(Columns::NONE, |rows| rows.columns()))?;
        let (results, share, path) = (self.header.results, self.header.share, self.path.clone());
        let fitting = Fitting { results, share, path: &path };
        let mut positions = positions.map(|rows| FittingRows { rows, fitting });
        let columns = self.header.columns(TableKind::Moves);
        let mut moves =
            moves.map(|rows| FittingRows { rows: Converted::new(rows, columns), fitting });
        let positions = positions.as_mut().map(|rows| rows as Added<'_, _>);
        let moves = moves.as_mut().map(|rows| rows as Added<'_, _>);
        self.guarded(|writer| {
            let (storage, path) = (writer.env.storage, &writer.path);
            let (digest, sequence) = (writer.header.digest, writer.journal.next_sequence()?);
            let staged = companions.stage(storage, path, digest, sequence)?;
            match writer.journal.append_rows(positions, moves, sources, facts) {
                Ok(sequence) => {
                    staged.take_their_places();
                    Ok(sequence)
                }
                Err(error) => {
                    if writer.journal.is_uncertain() {
                        staged.leave();
                    }
                    Err(error)
                }
            }
        })
    }

    /// Takes the last batch of the journal back, with the sources and facts that it brought: book
    /// and journal are then as they were before it. Its sequence is returned, once that is durable;
    /// none if the journal has no batch. What was compacted can't be taken back.
    ///
    /// ```
    /// # use tabia::{Batch, Book, Writer, Env};
    /// # let (_folder, path) = tabia_testing::tiny_book();
    /// let mut writer = Writer::open(Env::default(), &path)?;
    /// let mut batch = Batch::new();
    /// batch.delete_position(42);
    /// writer.append(&batch)?;
    /// assert_eq!((writer.undo()?, writer.undo()?), (Some(1), None));
    /// assert!(Book::open(&path)?.position(42)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The system's, and from then on [`Error::Poisoned`]: the batch is still in the journal, but for
    /// [`Error::Unsynced`].
    pub fn undo(&mut self) -> Result<Option<u64>> {
        self.guarded(Self::take_back)
    }

    fn take_back(&mut self) -> Result<Option<u64>> {
        if self.journal.info().frames == 0 {
            return Ok(None);
        }
        let sequence = self.journal.info().sequence;
        self.journal.take_back()?;
        let left = Book::open_view(&self.path, View::Bare)
            .and_then(|book| Left::read(&self.env, &self.path, &book));
        match left {
            Ok(left) => {
                (self.journal, self.sources, self.facts) = (left.journal, left.sources, left.facts);
            }
            // It is taken back; only this writer can't go on.
            Err(_) => self.is_lost = true,
        }
        Ok(Some(sequence))
    }

    /// Writes a new book that holds the journal, puts it in the old one's place, and removes the
    /// journal; nothing is done if that is empty. Returns whether there was anything to do.
    ///
    /// # Errors
    /// Those of reading the book, and the system's. Book and journal are then as they were, but for
    /// [`Error::Unsynced`].
    pub fn compact(&mut self) -> Result<bool> {
        self.compact_as(self.header.packed)
    }

    /// As [`Writer::compact`], and the new book is packed or not: a book of the other layout is
    /// written anew though its journal is empty.
    ///
    /// # Errors
    /// As [`Writer::compact`].
    pub fn compact_as(&mut self, packed: bool) -> Result<bool> {
        self.guarded(|writer| writer.compact_journal(packed))
    }

    fn compact_journal(&mut self, packed: bool) -> Result<bool> {
        if self.journal.info().frames == 0 && packed == self.header.packed {
            // What is left of a first batch that failed, after its torn tail was cut off.
            if self.journal.info().bytes > 0 {
                self.end_journal(self.header.sequence).map_err(Error::of_a_step)?;
            }
            return Ok(false);
        }
        let book = self.book()?;
        book.check_copyable()?;
        let sequence = book.journal().sequence;
        let new = NewBook::copy_of(&book)?.packed(packed).lineage(self.header.digest, sequence);
        let none = Companions::default();
        (self.header, self.lock) =
            new.write_unlocked(&self.env, &self.path, crate::Existing::Replace, none)?;
        // Now that the new book has its name the journal is stale, whatever happens (J-3): the next
        // writer removes it, if this one can't, which then is over.
        self.is_lost = self.end_journal(sequence).is_err();
        Ok(true)
    }

    /// Removes the journal, whose last batch had this sequence.
    fn end_journal(&mut self, sequence: u64) -> Result<()> {
        remove_journal(self.env.storage, &self.path)?;
        let info = JournalInfo { sequence, ..JournalInfo::default() };
        self.journal = Journal::open(self.env.storage, &self.path, &self.header, info)?;
        Ok(())
    }

    fn need(&self, table: TableKind, needed: bool) -> Result<()> {
        if needed && self.header.table(table).is_none() {
            return Err(Error::NoTable { path: self.path.clone(), table });
        }
        Ok(())
    }

    fn need_columns(&self, needed: Columns) -> Result<()> {
        let columns = needed.without(self.header.columns(TableKind::Moves));
        if columns.is_empty() {
            Ok(())
        } else {
            Err(Error::NoColumn { path: self.path.clone(), columns })
        }
    }

    /// After a failure the state of the disk is unknown: this writer then does nothing more.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.poisoned {
            return Err(Error::Poisoned { path: self.path.clone() });
        }
        self.poisoned = true;
        let done = work(self)?;
        self.poisoned = self.is_lost;
        Ok(done)
    }
}

/// What writers left beside a book: its journal, ready to be written to, and the sources and facts of
/// both.
struct Left<'a> {
    journal: Journal<'a>,
    sources: Vec<Source>,
    facts: Vec<Fact>,
    /// Bytes of a torn tail that was cut off.
    cut: u64,
}

impl<'a> Left<'a> {
    /// Reads the journal of a book that is locked, mends it, and removes one that the book holds
    /// already or that holds nothing.
    fn read(env: &Env<'a>, path: &Path, book: &Book) -> Result<Self> {
        let header = book.header();
        let (mut sources, mut facts) = (book.sources()?, book.facts()?);
        let info = match survey(path, header)? {
            State::Live(overlay, info) if info.frames > 0 || info.torn > 0 => {
                sources.extend(overlay.sources);
                sources.sort();
                facts.extend(overlay.facts);
                facts.sort();
                facts.dedup();
                info
            }
            State::Absent { file: false } => JournalInfo::default(),
            // One without frames may be one whose header could not be synced, and no later sync
            // would make up for that.
            State::Live(..) | State::Absent { file: true } | State::Stale => {
                remove_journal(env.storage, path).map_err(Error::of_a_step)?;
                JournalInfo::default()
            }
        };
        let cut = info.torn;
        let info =
            if info.bytes == 0 { JournalInfo { sequence: header.sequence, ..info } } else { info };
        let journal = Journal::open(env.storage, path, header, info)?;
        Ok(Self { journal, sources, facts, cut })
    }
}

/// What rows of a book have to be.
#[derive(Clone, Copy)]
struct Fitting<'a> {
    results: Results,
    share: Share,
    path: &'a Path,
}

/// Rows for a book; an error where one has results and the book none, or belongs to another share.
struct FittingRows<'a, S> {
    rows: S,
    fitting: Fitting<'a>,
}

impl<R: Row, S: Rows<R>> Rows<R> for FittingRows<'_, S> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        self.rows.next_chunk(chunk)?;
        let Fitting { results, share, path } = self.fitting;
        if !chunk.rows().iter().all(|row| results.allow(row.counts())) {
            return Err(Error::Results { path: path.to_owned() });
        }
        if !chunk.rows().iter().all(|row| share.holds(row.hash())) {
            return Err(Error::Share { path: path.to_owned(), share });
        }
        Ok(())
    }
}
