//! A book for reading: opened in constant time, its journal laid over it.

mod packed;
mod reading;
mod rows;

pub(crate) use rows::Scanned;

use crate::bytes::{Bytes, Map, Memory, Pread};
use crate::column::WithCells;
use crate::error::{Context, Error, Result};
use crate::format::{
    Digest, Fact, Header, PAGE, PAGE_LEN, Rule, Section, Source, Tag, decode_facts, decode_sources,
};
use crate::journal::{JournalInfo, Layered, Overlay, State, recover};
use crate::key::{Hash, Key};
use crate::packed::Packed;
use crate::platform::{self, Look};
use crate::remote;
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::storage::resolve;
use crate::stream::{Chunk, RowIter, RowSet};
use crate::table::{BATCH, ProbeShape, Strips, Table, Tags};
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How often opening is tried again when the book is replaced meanwhile.
const OPEN_TRIES: usize = 100;

/// The most bytes of sources, or of facts, that are read into memory.
const MOST_LISTED: u64 = 1 << 32;

/// The most bytes of them that are read before they are known to be sound.
const READ_AT_ONCE: u64 = 1 << 20;

/// Whether a journal counts.
///
/// ```
/// # use tabia::{Batch, Book, View, Writer, Env};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let mut batch = Batch::new();
/// batch.delete_position(42);
/// Writer::open(Env::default(), &path)?.append(&batch)?;
/// assert!(Book::open_view(&path, View::Bare)?.position(42)?.is_some());
/// assert!(Book::open_view(&path, View::Whole)?.position(42)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The book with its journal laid over it.
    #[default]
    Whole,
    /// The book's tables alone.
    Bare,
}

/// A book for reading.
///
/// [`Book::open`] reads with pread and verifies the checksum of every block it touches;
/// [`Book::map`] maps the file, which is far faster to probe and leaves verifying to
/// [`crate::check`]; [`Book::from_bytes`] takes any bytes.
///
/// ```
/// # use tabia::{Book, Counts, Env, Existing, NewBook, PositionRow};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("tiny.tabia");
/// let rows = vec![PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 })];
/// NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).write(&Env::default(), &path, Existing::Refuse)?;
///
/// let book = Book::open(&path)?;
/// assert_eq!(book.position(42)?.unwrap().eval(), None);
/// assert_eq!(book.position(43)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Book<S = Pread> {
    bytes: S,
    path: PathBuf,
    header: Header,
    locations: Locations,
    /// Where its rows are, if they are packed.
    packed: Option<Packed>,
    overlay: Overlay,
    journal: JournalInfo,
    view: View,
    /// Shows whether the file at `path` is still the one that was opened.
    seen: Seen,
}

/// Where in a book its tables and its tags are, for probes that have no time to look for them in
/// the header.
#[derive(Debug)]
struct Locations {
    positions: Option<TableLocation>,
    moves: Option<TableLocation>,
    tags: Option<Range<usize>>,
}

#[derive(Debug)]
struct TableLocation {
    bytes: Range<usize>,
    shape: ProbeShape,
}

impl Locations {
    fn of(header: &Header) -> Self {
        let bytes =
            |section: &Section| section.offset as usize..(section.offset + section.length) as usize;
        let location = |kind| {
            let section = header.table(kind)?;
            Some(TableLocation {
                bytes: bytes(section),
                shape: ProbeShape::of(&section.shape, header.share.bits().into())?,
            })
        };
        Self {
            positions: location(TableKind::Positions),
            moves: location(TableKind::Moves),
            tags: header.section(Tag::TAGS).map(bytes),
        }
    }

    #[inline]
    fn table(&self, kind: TableKind) -> Option<&TableLocation> {
        match kind {
            TableKind::Positions => self.positions.as_ref(),
            TableKind::Moves => self.moves.as_ref(),
        }
    }
}

/// The file and the journal that were opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    /// Which file it is, which no other has as long as it is open; and its length and time, for
    /// somebody may write over it.
    file: Look,
    /// The journal, if there is one.
    journal: Option<Look>,
}

impl Seen {
    fn new(file: Look, path: &Path, view: View) -> Self {
        let journal = platform::look_at(&crate::journal_path(path)).ok();
        Self { file, journal: journal.filter(|_| view == View::Whole) }
    }

    fn now(path: &Path, view: View) -> Result<Self> {
        Ok(Self::new(platform::look_at(path).at("open", path)?, path, view))
    }

    /// Whether all of the journal was taken. A stale one, or a torn tail, may be replaced by frames
    /// of the same length: then its length, and even its number and time, prove nothing.
    fn all_taken(&self, taken: &JournalInfo) -> bool {
        self.journal.is_none_or(|journal| journal.len == taken.bytes)
    }
}

impl Book<Pread> {
    /// Opens a book and its journal, to be read with pread, or from an address ([`crate::remote`]).
    ///
    /// # Errors
    /// [`Error::Refused`] if it is not a sound book; [`Error::Damaged`] or
    /// [`Error::ForeignJournal`] for its journal; the system's.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_view(path, View::Whole)
    }

    /// Opens a book with or without its journal.
    ///
    /// # Errors
    /// As [`Book::open`].
    pub fn open_view(path: impl AsRef<Path>, view: View) -> Result<Self> {
        let path = path.as_ref();
        if remote::address(path).is_some() {
            return Self::new(Pread::open(path).at("open", path)?, path, view);
        }
        open(path, view, Pread::new)
    }

    /// Reads the book that is at the path now, if it was replaced or its journal grew; returns
    /// whether it was.
    ///
    /// # Errors
    /// As [`Book::open`]; this book is then as it was.
    pub fn refresh(&mut self) -> Result<bool> {
        if remote::address(&self.path).is_none() {
            return refresh(self, |_, file| Pread::new(file));
        }
        let is_replaced = self.bytes.is_replaced();
        if is_replaced {
            *self = Self::open_view(&self.path, self.view)?;
        }
        Ok(is_replaced)
    }
}

impl Book<Map> {
    /// Maps a book, and reads its journal.
    ///
    /// # Errors
    /// As [`Book::open`].
    ///
    /// # Safety
    /// As long as this book lives, no process may write to the file or truncate it. Tabia never
    /// does: it replaces books as a whole.
    #[expect(unsafe_code, reason = "the caller takes on the contract of mapping a file")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self> {
        // SAFETY: the caller promises what Map::new asks for.
        open(path.as_ref(), View::Whole, |file| unsafe { Map::new(&file) })
    }

    /// Maps a book that fits into memory, and reads all of it at once: opening takes as long as
    /// reading the file, and no probe waits for the disk. Where the system has huge pages for
    /// files, a book that wasn't in memory before is loaded into those, and probes are 1.4 to 1.8
    /// times as fast (BENCHMARKS.md); a book in memory stays in its pages.
    ///
    /// # Errors
    /// As [`Book::open`].
    ///
    /// # Safety
    /// As [`Book::map`].
    #[expect(unsafe_code, reason = "the caller takes on the contract of mapping a file")]
    pub unsafe fn map_warm(path: impl AsRef<Path>) -> Result<Self> {
        // SAFETY: the caller promises what Map::new asks for.
        open(path.as_ref(), View::Whole, |file| unsafe { Map::warm(&file) })
    }

    /// Maps the book that is at the path now, if it was replaced or its journal grew; returns
    /// whether it was.
    ///
    /// # Errors
    /// As [`Book::open`]; this book is then as it was.
    ///
    /// # Safety
    /// As [`Book::map`].
    #[expect(unsafe_code, reason = "the caller takes on the contract of mapping a file")]
    pub unsafe fn refresh(&mut self) -> Result<bool> {
        // SAFETY: the caller promises what Map::new asks for.
        refresh(self, |before, file| unsafe { before.again(&file) })
    }
}

impl<B: AsRef<[u8]> + Send + Sync> Book<Memory<B>> {
    /// A book in memory, without a journal.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is no sound book.
    pub fn from_bytes(bytes: B) -> Result<Self> {
        Self::new(Memory(bytes), Path::new("(memory)"), View::Bare)
    }
}

fn open<S: Bytes>(
    path: &Path,
    view: View,
    wrap: impl Fn(File) -> io::Result<S>,
) -> Result<Book<S>> {
    let path = &resolve(path);
    for _ in 0..OPEN_TRIES {
        let file = platform::regular_file(path).at("open", path)?;
        let seen = Seen::new(platform::look(&file).at("open", path)?, path, view);
        let book = Book::new(wrap(file).at("open", path)?, path, view);
        // A writer may have put another book here since: then its journal isn't the one of the book
        // in hand. It may also have cut the torn tail of the journal that was being read.
        let replaced = Seen::now(path, view)?.file != seen.file;
        let cut = matches!(&book, Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::UnexpectedEof);
        if !replaced && !cut {
            return book.map(|book| Book { seen, ..book });
        }
    }
    Err(Error::Changed { path: path.to_owned() })
}

fn refresh<S: Bytes>(book: &mut Book<S>, wrap: impl Fn(&S, File) -> io::Result<S>) -> Result<bool> {
    if book.is_current()? {
        return Ok(false);
    }
    let before = (book.seen.file, book.journal.clone());
    *book = open(&book.path, book.view, |file| wrap(&book.bytes, file))?;
    Ok((book.seen.file, book.journal.clone()) != before)
}

impl<S: Bytes> Book<S> {
    fn new(bytes: S, path: &Path, view: View) -> Result<Self> {
        let header = read_header(&bytes, path)?;
        let packed = Packed::open(&bytes, path, &header)?;
        let mut book = Self {
            bytes,
            path: path.to_owned(),
            locations: Locations::of(&header),
            packed,
            header,
            overlay: Overlay::default(),
            journal: JournalInfo::default(),
            view,
            seen: Seen::default(),
        };
        if let Some(tags) = book.locations.tags.as_ref().filter(|tags| !tags.is_empty()) {
            book.bytes.keep_at_hand(tags.clone());
        }
        book.journal.sequence = book.header.sequence;
        if view == View::Whole
            && let State::Live(overlay, info) = recover(path, &book.header)?
        {
            (book.overlay, book.journal) = (overlay, info);
        }
        Ok(book)
    }

    /// The book's header: game, keys, load, digest, the shapes of its tables.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The path of the book's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A summary of the book's journal.
    #[must_use]
    pub fn journal(&self) -> &JournalInfo {
        &self.journal
    }

    /// The identity of its contents, without the journal.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.header.digest
    }

    /// Whether its file and its journal are still those that were read: if not, [`Book::refresh`]
    /// reads anew. What has an address is known to be replaced once reading from there has failed.
    ///
    /// # Errors
    /// The system's, such as that there is no file any more.
    pub fn is_current(&self) -> Result<bool> {
        if remote::address(&self.path).is_some() {
            return Ok(!self.bytes.is_replaced());
        }
        Ok(self.seen.all_taken(&self.journal) && Seen::now(&self.path, self.view)? == self.seen)
    }

    /// What changes whenever the book says something else: its digest, the sequence of the last
    /// batch in its journal, and the checksum of that batch, which follows from all before it.
    ///
    /// ```
    /// # use tabia::{Batch, Book, Env, Writer};
    /// # let (_folder, path) = tabia_testing::tiny_book();
    /// let book = Book::open(&path)?;
    /// let mut batch = Batch::new();
    /// batch.delete_position(42);
    /// Writer::open(Env::default(), &path)?.append(&batch)?;
    /// assert!(!book.is_current()?);
    /// assert_ne!(Book::open(&path)?.version(), book.version());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn version(&self) -> (Digest, u64, u32) {
        (self.digest(), self.journal.sequence, self.journal.previous)
    }

    /// Whether the book has this table.
    #[must_use]
    pub fn has(&self, kind: TableKind) -> bool {
        self.header.table(kind).is_some()
    }

    /// The row of a position; none if the book doesn't have it, or has no positions table.
    ///
    /// # Errors
    /// The system's; [`Error::Damaged`] for a damaged block, unless the book is in memory or
    /// mapped.
    #[inline]
    pub fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        let h = Hash::of(key);
        if let Some(table) =
            self.table::<PositionRow>().filter(|_| self.overlay.spares::<PositionRow>())
        {
            return Ok(if self.header.share.holds(h) {
                table.first(h.get()).copied()
            } else {
                None
            });
        }
        self.position_elsewhere(h)
    }

    /// The row of a position in pages, in a file, or in the journal; kept out of the shortest path.
    #[inline(never)]
    fn position_elsewhere(&self, h: Hash) -> Result<Option<PositionRow>> {
        match &self.packed {
            Some(packed) if self.overlay.spares::<PositionRow>() => self.packed_position(packed, h),
            _ => self.position_of_rows(h),
        }
    }

    /// The row of a position in a file, or in the journal; kept out of the way to pages.
    #[inline(never)]
    fn position_of_rows(&self, h: Hash) -> Result<Option<PositionRow>> {
        Ok(self.rows_of::<PositionRow>(h.key())?.first().copied())
    }

    /// The rows of many positions, `out[i]` of `keys[i]`: far faster than one at a time if the book
    /// is in memory or mapped. Of a book read with pread the disk is asked for all of them before
    /// the first is waited for.
    ///
    /// # Errors
    /// As [`Book::position`].
    ///
    /// # Panics
    /// If `keys` and `out` are not of the same length.
    pub fn positions(&self, keys: &[Key], out: &mut [Option<PositionRow>]) -> Result<()> {
        assert_eq!(keys.len(), out.len(), "a batch has one place for each key");
        if let Some(packed) = &self.packed {
            if self.overlay.spares::<PositionRow>() {
                return self.packed_positions(packed, keys, |place, row| out[place] = row);
            }
            return self.packed_positions(packed, keys, |place, row| {
                let rows = Cow::Borrowed(row.as_slice());
                out[place] = self.overlay.over(Hash::of(keys[place]), rows).first().copied();
            });
        }
        match self.position_table() {
            Some(table) if self.overlay.spares::<PositionRow>() => {
                table.each_first(keys, |place, row| out[place] = row.copied());
            }
            Some(_) => {
                for (&key, out) in keys.iter().zip(out) {
                    *out = self.position(key)?;
                }
            }
            None => self.read_positions(keys, out)?,
        }
        Ok(())
    }

    /// Starts reading the rows of these positions from the disk, all at once: for a mapped book
    /// larger than memory, before [`Book::positions`]. In a book that is already in memory it costs
    /// about a microsecond a key and gains nothing. In a packed book their moves come with them.
    pub fn will_need(&self, keys: &[Key]) {
        match &self.packed {
            Some(packed) => self.will_need_pages(packed, keys),
            None => self.will_need_rows::<PositionRow>(keys),
        }
    }

    /// As [`Book::will_need`], for these positions and their moves: before
    /// [`Book::positions_and_moves`].
    pub fn will_need_with_moves(&self, keys: &[Key]) {
        self.will_need(keys);
        if self.packed.is_none() {
            self.will_need_rows::<MoveRow>(keys);
        }
    }

    fn will_need_pages(&self, packed: &Packed, keys: &[Key]) {
        let hashes = keys.iter().map(|&key| Hash::of(key));
        for h in hashes.filter(|&h| self.header.share.holds(h)) {
            let Range { start, end } = packed.page_of(h);
            self.bytes.will_need(start as usize..end as usize);
        }
    }

    fn will_need_rows<R: Row>(&self, keys: &[Key]) {
        let Some((location, table)) = self.locations.table(R::TABLE).zip(self.table::<R>()) else {
            return;
        };
        for part in keys.iter().filter_map(|&key| table.page_of(Hash::of(key).get())) {
            self.bytes
                .will_need(location.bytes.start + part.start..location.bytes.start + part.end);
        }
    }

    /// All moves known at a position, in ascending order of their codes: a slice of the map if the
    /// journal changes nothing there and the book isn't packed.
    ///
    /// # Errors
    /// As [`Book::position`].
    #[inline]
    pub fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        match self.packed.as_ref().filter(|_| self.overlay.spares::<MoveRow>()) {
            Some(packed) => Ok(Cow::Owned(self.packed_moves(packed, Hash::of(key))?)),
            None => self.rows_of::<MoveRow>(key),
        }
    }

    /// All moves known at a position, in ascending order of their codes, with the cells of the
    /// columns that the book has.
    ///
    /// # Errors
    /// As [`Book::position`].
    pub fn moves_with_cells(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        let h = Hash::of(key);
        let mut rows = Chunk::new(self.header.columns(TableKind::Moves));
        if let Some(packed) = &self.packed {
            if self.header.share.holds(h) {
                self.packed_rows(packed, h, &mut rows)?;
            }
        } else if let Some(strips) = self.strips_of::<MoveRow>(h) {
            let (first, found) = self.read_rows::<MoveRow>(h)?;
            if !found.is_empty() {
                let slots = first..first + found.len() as u64;
                let cells = strips.read_cells(&self.bytes, &self.path, slots)?;
                rows.extend_from(&found, &cells);
            }
        }
        Ok(self.overlay.over_chunk(h, rows).iter().collect())
    }

    /// The row of a position, if there is one, and all its moves, which take the place of what is in
    /// `moves`: a packed book finds both by one look at a page.
    ///
    /// # Errors
    /// As [`Book::position`]; `moves` then holds anything.
    #[inline]
    pub fn position_and_moves(
        &self,
        key: Key,
        moves: &mut Vec<MoveRow>,
    ) -> Result<Option<PositionRow>> {
        moves.clear();
        let bare = self.overlay.spares::<PositionRow>() && self.overlay.spares::<MoveRow>();
        if let Some(packed) = self.packed.as_ref().filter(|_| bare) {
            return self.packed_position_and_moves(packed, Hash::of(key), moves);
        }
        moves.extend_from_slice(&self.moves(key)?);
        self.position(key)
    }

    /// The rows of many positions with all their moves: `take` gets for each key, in order, its
    /// place among the keys, the position's row, if there is one, and its moves. Far faster than one
    /// at a time if the book is in memory or mapped.
    ///
    /// ```
    /// # use tabia::{Book, Counts, Env, Existing, MoveRow, NewBook, PositionRow};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("tiny.tabia");
    /// # let won = Counts { wins: 1, draws: 0, losses: 0 };
    /// # let (rows, played) = (vec![PositionRow::new(42, won)], vec![MoveRow::new(42, 796, won)]);
    /// # NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).moves(&played).write(&Env::default(), &path, Existing::Refuse)?;
    /// let (book, mut seen) = (Book::open(&path)?, Vec::new());
    /// book.positions_and_moves(&[42, 43], |place, position, moves| {
    ///     seen.push((place, position.is_some(), moves.len()));
    /// })?;
    /// assert_eq!(seen, [(0, true, 1), (1, false, 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Book::position`].
    pub fn positions_and_moves(
        &self,
        keys: &[Key],
        mut take: impl FnMut(usize, Option<PositionRow>, &[MoveRow]),
    ) -> Result<()> {
        let bare = self.overlay.spares::<PositionRow>() && self.overlay.spares::<MoveRow>();
        if let Some(packed) = self.packed.as_ref().filter(|_| bare) {
            return self.packed_positions_and_moves(packed, keys, take);
        }
        let mut found = [None; BATCH];
        for (first, keys) in (0..).step_by(BATCH).zip(keys.chunks(BATCH)) {
            if let Some(table) = self.move_table() {
                table.prefetch(keys);
            }
            self.positions(keys, &mut found[..keys.len()])?;
            for ((place, &key), &position) in (first..).zip(keys).zip(&found) {
                take(place, position, &self.moves(key)?);
            }
        }
        Ok(())
    }

    /// All rows of the positions table, one at a time, in the order of their hashes, the journal
    /// laid over them; every block is verified.
    ///
    /// # Errors
    /// [`Error::NoTable`] if there is no such table. Each row may be [`Error::Damaged`] or the
    /// system's error; then it is the last.
    pub fn all_positions(&self) -> Result<RowIter<'_, PositionRow>> {
        Ok(RowIter::new(RowSet::rows(self)?))
    }

    /// All rows of the moves table with their cells, one at a time, in the order of their hashes
    /// and codes, the journal laid over them; every block is verified.
    ///
    /// # Errors
    /// As [`Book::all_positions`].
    pub fn all_moves(&self) -> Result<RowIter<'_, MoveRow>> {
        Ok(RowIter::new(RowSet::rows(self)?))
    }

    /// The bare positions table, for the fastest probes, if the book is in memory or mapped, and not
    /// packed. It doesn't include the journal.
    #[must_use]
    pub fn position_table(&self) -> Option<Table<'_, PositionRow>> {
        self.table()
    }

    /// The bare moves table, for the fastest probes, if the book is in memory or mapped, and not
    /// packed. It doesn't include the journal.
    #[must_use]
    pub fn move_table(&self) -> Option<Table<'_, MoveRow>> {
        self.table()
    }

    /// A table in memory; none if the book has no such table, or one whose bytes don't match its
    /// number of slots.
    #[inline]
    fn table<R: Row>(&self) -> Option<Table<'_, R>> {
        let table = self.locations.table(R::TABLE)?;
        let bytes = self.bytes.in_memory()?;
        let tags = self.locations.tags.as_ref().filter(|_| R::TABLE == TableKind::Positions);
        let tags = tags.and_then(|tags| Tags::new(bytes.get(tags.clone())?));
        Table::new(bytes.get(table.bytes.clone())?, &table.shape, tags)
    }

    #[inline]
    fn rows_of<R: Layered>(&self, key: Key) -> Result<Cow<'_, [R]>> {
        let rows = self.bare_rows_of(Hash::of(key))?;
        Ok(if self.overlay.spares::<R>() { rows } else { self.overlay.over(Hash::of(key), rows) })
    }

    /// The rows of a hash, without the journal.
    #[inline]
    fn bare_rows_of<R: Layered>(&self, h: Hash) -> Result<Cow<'_, [R]>> {
        if !self.header.share.holds(h) {
            return Ok(Cow::Borrowed(&[]));
        }
        if let Some(packed) = &self.packed {
            let mut rows = Chunk::new(self.header.columns(R::TABLE));
            self.packed_rows(packed, h, &mut rows)?;
            return Ok(Cow::Owned(rows.into_rows()));
        }
        Ok(match self.table::<R>() {
            Some(table) => Cow::Borrowed(table.rows_of(h.get())),
            None => Cow::Owned(self.read_rows(h)?.1),
        })
    }

    /// The table of these rows with its columns; none if there is no table, or the hash belongs to
    /// another share.
    fn strips_of<R: Row>(&self, h: Hash) -> Option<Strips<'_>> {
        Strips::with_columns(&self.header, R::TABLE).filter(|_| self.header.share.holds(h))
    }

    /// The archives it was made of, in order, those of the journal among them.
    ///
    /// # Errors
    /// [`Error::Damaged`] if their section is damaged; the system's.
    pub fn sources(&self) -> Result<Vec<Source>> {
        let mut sources = read_sources(&self.bytes, &self.path, &self.header)?;
        sources.extend_from_slice(&self.overlay.sources);
        sources.sort();
        Ok(sources)
    }

    /// How the book was made: the facts of the book and of its archives, in order, including those
    /// of the journal.
    ///
    /// # Errors
    /// [`Error::Damaged`] if their section is damaged; the system's.
    pub fn facts(&self) -> Result<Vec<Fact>> {
        let mut facts = read_facts(&self.bytes, &self.path, &self.header)?;
        facts.extend_from_slice(&self.overlay.facts);
        facts.sort();
        facts.dedup();
        Ok(facts)
    }

    /// Makes sure that nothing is lost in a book made of this one.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] if it has a column that this code doesn't know (B-28).
    pub(crate) fn check_copyable(&self) -> Result<()> {
        match self.header.unknown_columns().next() {
            None => Ok(()),
            Some(section) => {
                Err(Error::UnknownColumn { path: self.path.clone(), tag: section.tag })
            }
        }
    }
}

/// Reads and checks the first page of a book.
pub(crate) fn read_header(bytes: &dyn Bytes, path: &Path) -> Result<Header> {
    let mut page = [0; PAGE_LEN];
    let page = &mut page[..bytes.len().min(PAGE) as usize];
    bytes.read_exact_at(page, 0).at("read", path)?;
    Header::parse(page, bytes.len())
        .map_err(|refusal| Error::Refused { path: path.to_owned(), refusal })
}

/// Reads and verifies the sources of a book (B-14, B-19).
pub(crate) fn read_sources(bytes: &dyn Bytes, path: &Path, header: &Header) -> Result<Vec<Source>> {
    read_list(bytes, path, header, Tag::SOURCES, Rule::B19, decode_sources)
}

/// Reads and verifies the facts of a book (B-14, B-27).
pub(crate) fn read_facts(bytes: &dyn Bytes, path: &Path, header: &Header) -> Result<Vec<Fact>> {
    read_list(bytes, path, header, Tag::FACTS, Rule::B27, decode_facts)
}

/// The XXH3-64 of a section's bytes, read in steps, of each of which is told how long it is.
pub(crate) fn hash_of(
    bytes: &dyn Bytes,
    path: &Path,
    section: &Section,
    mut read: impl FnMut(u64) -> Result<()>,
) -> Result<u64> {
    let mut hash = xxhash_rust::xxh3::Xxh3Default::new();
    let mut buffer = vec![0; section.length.min(READ_AT_ONCE) as usize];
    let mut at = 0;
    while at < section.length {
        let step = &mut buffer[..(section.length - at).min(READ_AT_ONCE) as usize];
        bytes.read_exact_at(step, section.offset + at).at("read", path)?;
        hash.update(step);
        at += step.len() as u64;
        read(step.len() as u64)?;
    }
    Ok(hash.digest())
}

/// Reads and verifies a section that is a list.
fn read_list<T>(
    bytes: &dyn Bytes,
    path: &Path,
    header: &Header,
    tag: Tag,
    rule: Rule,
    decode: impl FnOnce(&[u8]) -> std::result::Result<Vec<T>, &'static str>,
) -> Result<Vec<T>> {
    let Some(section) = header.section(tag) else { return Ok(Vec::new()) };
    let damaged = |rule, what: String| Error::Damaged {
        path: path.to_owned(),
        rule,
        offset: section.offset,
        what,
    };
    if section.length > MOST_LISTED {
        return Err(damaged(rule, format!("section {tag} has more than 4 GiB")));
    }
    if section.offset + section.length > bytes.len() {
        return Err(damaged(Rule::B5, format!("section {tag} was cut off")));
    }
    // What is long is not believed, nor given room, before its checksum was found right.
    let short = section.length <= READ_AT_ONCE;
    if !short && hash_of(bytes, path, section, |_| Ok(()))? != section.checksum {
        return Err(damaged(Rule::B14, format!("the checksum of section {tag} is wrong")));
    }
    let mut content = Vec::new();
    let room = content.try_reserve_exact(section.length as usize);
    room.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory)).at("read", path)?;
    content.resize(section.length as usize, 0);
    bytes.read_exact_at(&mut content, section.offset).at("read", path)?;
    if short && xxhash_rust::xxh3::xxh3_64(&content) != section.checksum {
        return Err(damaged(Rule::B14, format!("the checksum of section {tag} is wrong")));
    }
    decode(&content).map_err(|what| damaged(rule, what.to_owned()))
}
