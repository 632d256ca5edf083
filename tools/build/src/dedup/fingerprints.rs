//! The fingerprints of all games of a book that leaves out copies, in a file beside the book, by
//! which games that are added later are told from those it has. The format is that of
//! `format-spec/fingerprints.md`.

use super::SameBy;
use super::identity::Line;
use crate::error::{BuildError, Result};
use crate::facts::{DEDUP, MAX_PLY};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use tabia::bytes::{Bytes, Pread};
use tabia::format::{Digest, Source};
use tabia::storage::{Storage, StorageFile, System};
use tabia::{AtomicFile, BookFile, BookFiles, Error, Fact};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// What a file begins with.
const MAGIC: [u8; 8] = *b"TABIAFP1";
/// Bytes of a line.
const A_LINE: u64 = 16;
/// Bytes of a digest.
const A_DIGEST: u64 = 16;
/// Bytes of a sum.
const A_SUM: u64 = 8;
/// Bytes that are copied or read at a time; a multiple of a line's.
const BUFFER: usize = 1 << 16;

/// The head of a batch.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    sources: U32,
    by: u8,
    zero: [u8; 3],
    lines: U64,
}

/// The lines of games that were added together, and where they stand.
struct Batch {
    sources: Vec<Digest>,
    by: u8,
    /// Where it begins and ends in the file.
    bytes: (u64, u64),
    /// Where its lines begin and end.
    lines: (u64, u64),
}

impl Batch {
    /// How many lines it has.
    fn len(&self) -> u64 {
        (self.lines.1 - self.lines.0) / A_LINE
    }
}

/// The fingerprints that are there, those of the book's games.
pub(crate) struct Fingerprints<'a> {
    storage: &'a dyn Storage,
    path: PathBuf,
    by: SameBy,
    file: Option<Pread>,
    batches: Vec<Batch>,
}

impl<'a> Fingerprints<'a> {
    /// Those beside a book that is to be made: none.
    pub fn none(storage: &'a dyn Storage, book: &Path, by: SameBy) -> Self {
        Self { storage, path: path_of(book), by, file: None, batches: Vec::new() }
    }

    /// Those beside a book that is to be made, in the place of another one or not: none. What is
    /// there must be fingerprints, since it is replaced.
    ///
    /// # Errors
    /// [`BuildError::Fingerprints`] if the file is none of ours; the system's.
    pub fn new(storage: &'a dyn Storage, book: &Path, by: SameBy) -> Result<Self> {
        let none = Self::none(storage, book, by);
        if let Some(file) = none.file()? {
            begins_as_ours(&file).map_err(|error| none.unsound(error))?;
        }
        Ok(none)
    }

    /// Those in a file beside a book that has these archives, of which these facts are known. A batch counts
    /// only if all its archives are in the book and were read without copies: a book that was built
    /// again from some of them in another way has other games.
    ///
    /// # Errors
    /// [`BuildError::Fingerprints`] if the file is damaged or none of ours; the system's.
    pub fn open(
        storage: &'a dyn Storage,
        path: PathBuf,
        by: SameBy,
        sources: &[Source],
        facts: &[Fact],
    ) -> Result<Self> {
        let mut found = Self { storage, path, by, file: None, batches: Vec::new() };
        let Some(file) = found.file()? else { return Ok(found) };
        let known = without_copies(sources, facts);
        found.batches = read(&file).map_err(|error| found.unsound(error))?;
        found.batches.retain(|batch| batch.sources.iter().all(|digest| known.contains(digest)));
        found.file = Some(Pread::new(file).map_err(|error| found.failed("read", error))?);
        Ok(found)
    }

    /// The file, to be read, if there is one.
    fn file(&self) -> Result<Option<File>> {
        // Whatever else has such a name might never open.
        let file = match std::fs::metadata(&self.path) {
            Ok(there) if !there.is_file() => Err(io::ErrorKind::InvalidInput.into()),
            Ok(_) => File::open(&self.path),
            Err(error) => Err(error),
        };
        match file {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed("open", error).into()),
        }
    }

    /// Of these archives those whose games are not known here.
    pub fn unknown(&self, sources: &[Source]) -> Vec<Source> {
        untold(self.ours(), sources)
    }

    /// How many lines are known.
    pub fn len(&self) -> u64 {
        self.ours().map(Batch::len).sum()
    }

    /// The lines, to be read in ascending order.
    pub fn lines(&self) -> KnownLines<'_> {
        let cursor = |batch: &Batch| Cursor { at: batch.lines.0, end: batch.lines.1, next: None };
        KnownLines { from: self, cursors: self.ours().map(cursor).collect() }
    }

    /// A file, still to be published, that has these, and these new lines of these archives beside
    /// them.
    ///
    /// # Errors
    /// The system's.
    pub fn with_new(
        &self,
        new: &NewLines<'_>,
        sources: &[Source],
    ) -> tabia::Result<AtomicFile<'a>> {
        let target = AtomicFile::create(self.storage, &self.path)?;
        let mut writer = Writer { target: &target, at: 0, sum: Xxh3::new() };
        writer.write(&MAGIC)?;
        for batch in &self.batches {
            self.each(batch.bytes, |bytes| writer.write(bytes))?;
        }
        writer.sum = Xxh3::new();
        let mut digests: Vec<Digest> = sources.iter().map(|source| source.digest).collect();
        digests.sort_unstable();
        let mut head = Head::new_zeroed();
        head.sources = U32::new(digests.len() as u32);
        head.by = by_code(self.by);
        head.lines = U64::new(new.len / A_LINE);
        writer.write(head.as_bytes())?;
        digests.iter().try_for_each(|digest| writer.write(&digest.0))?;
        let failed = |source| Error::Io {
            action: "read back a scratch file there",
            path: new.folder.clone(),
            source,
        };
        each(
            |bytes, at| new.file.read_exact_at(bytes, at),
            (0, new.len),
            failed,
            |bytes| writer.write(bytes),
        )?;
        let sum = writer.sum.digest();
        writer.write(&sum.to_le_bytes())?;
        Ok(target)
    }

    /// The batches with lines of our kind.
    fn ours(&self) -> impl Iterator<Item = &Batch> {
        let by = by_code(self.by);
        self.batches.iter().filter(move |batch| batch.by == by)
    }

    fn each(
        &self,
        range: (u64, u64),
        take: impl FnMut(&[u8]) -> tabia::Result<()>,
    ) -> tabia::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        each(
            |bytes, at| file.read_exact_at(bytes, at),
            range,
            |error| self.failed("read", error),
            take,
        )
    }

    fn failed(&self, action: &'static str, source: io::Error) -> Error {
        Error::Io { action, path: self.path.clone(), source }
    }

    fn unsound(&self, error: ReadError) -> BuildError {
        match error {
            ReadError::System(error) => self.failed("read", error).into(),
            ReadError::Unsound(what) => {
                BuildError::Fingerprints { path: self.path.clone(), what: what.to_owned() }
            }
        }
    }
}

/// What a book knows of its games to tell copies of them: the fingerprints beside it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KnownGames {
    /// The file: the book's name and `-fingerprints`.
    pub path: PathBuf,
    /// How many different games it knows.
    pub games: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Archives of the book whose games it doesn't know.
    pub untold: Vec<Source>,
}

impl KnownGames {
    /// What is known of the games of a book with these archives and facts, in this file of
    /// fingerprints ([`tabia::Book::file`]); none if that isn't there, or all its archives were read with copies. All of the file is read and
    /// verified.
    ///
    /// # Errors
    /// [`BuildError::Fingerprints`] if the file is damaged or none of ours; the system's.
    pub fn of(path: PathBuf, sources: &[Source], facts: &[Fact]) -> Result<Option<Self>> {
        let found = Fingerprints::open(&System, path, SameBy::Moves, sources, facts)?;
        let Some(file) = found.file.filter(|_| !without_copies(sources, facts).is_empty()) else {
            return Ok(None);
        };
        Ok(Some(Self {
            games: found.batches.iter().map(Batch::len).sum(),
            bytes: file.len(),
            untold: untold(&found.batches, sources),
            path: found.path,
        }))
    }
}

/// The fingerprints in all these files together, given with the archives and facts of their books, as a file
/// still to be published beside a book made of them; none if none of them has any. What several of
/// them have is written once.
///
/// # Errors
/// [`BuildError::Fingerprints`] if one of the files is damaged or none of ours, or what is at the
/// new place isn't; the system's.
pub(crate) fn united_fingerprints<'a>(
    storage: &'a dyn Storage,
    books: &[FingerprintsOf],
    output: &Path,
) -> Result<Option<AtomicFile<'a>>> {
    let open = |(path, sources, facts): &FingerprintsOf| {
        Fingerprints::open(storage, path.clone(), SameBy::Moves, sources, facts)
    };
    let all = books.iter().map(open).collect::<Result<Vec<_>>>()?;
    if all.iter().all(|one| one.batches.is_empty()) {
        return Ok(None);
    }
    let none = Fingerprints::new(storage, output, SameBy::Moves)?;
    let target = AtomicFile::create(storage, &none.path)?;
    let mut writer = Writer { target: &target, at: 0, sum: Xxh3::new() };
    writer.write(&MAGIC)?;
    let mut written = HashSet::new();
    for one in &all {
        for batch in &one.batches {
            let mut sum = [0; A_SUM as usize];
            one.each((batch.bytes.1 - A_SUM, batch.bytes.1), |bytes| {
                sum.copy_from_slice(bytes);
                Ok(())
            })?;
            if written.insert((sum, batch.sources.clone())) {
                one.each(batch.bytes, |bytes| writer.write(bytes))?;
            }
        }
    }
    Ok(Some(target))
}

/// Where the fingerprints of a book are, and what decides which of them count: its archives and facts.
pub(crate) type FingerprintsOf = (PathBuf, Vec<Source>, Vec<Fact>);

/// Games that were added together, to some of several books.
struct Added<'f> {
    /// The numbers of these books.
    places: &'f [usize],
    /// How many plies of a game count there, if not all.
    most_plies: Option<&'f str>,
    lines: KnownLines<'f>,
}

/// How many games are in several of these books, given with their archives and facts, and not
/// already together in one of them. What was added together, with the same archives, is in both of
/// two shares of a book, and counts once.
///
/// # Errors
/// [`BuildError::Fingerprints`] if one of the files is damaged or none of ours; the system's.
pub(crate) fn games_in_several(storage: &dyn Storage, books: &[FingerprintsOf]) -> Result<u64> {
    /// Bytes of memory for the lines of a share.
    const MEMORY: u64 = 64 << 20;
    let mut games = 0;
    for by in [SameBy::Moves, SameBy::MovesAndPlayers] {
        let open = |(path, sources, facts): &FingerprintsOf| {
            Fingerprints::open(storage, path.clone(), by, sources, facts)
        };
        let all = books.iter().map(open).collect::<Result<Vec<_>>>()?;
        // In which books a batch is: it is told by its archives.
        let mut places: HashMap<&[Digest], Vec<usize>> = HashMap::new();
        for (number, one) in all.iter().enumerate() {
            one.ours().for_each(|batch| places.entry(&batch.sources).or_default().push(number));
        }
        // Lines that were cut off at different plies say nothing of each other.
        let most_plies = |book: usize, batch: &Batch| {
            let of = |fact: &&Fact| batch.sources.contains(&fact.subject());
            let facts = books[book].2.iter().filter(of);
            let mut plies =
                facts.filter(|fact| fact.name().strip_prefix(Fact::PLAN) == Some(MAX_PLY));
            plies.next().map(Fact::value)
        };
        let mut batches: Vec<Added<'_>> = Vec::new();
        for (number, one) in all.iter().enumerate() {
            for batch in one.ours() {
                let places = &places[&batch.sources[..]];
                if places[0] == number {
                    let cursors =
                        vec![Cursor { at: batch.lines.0, end: batch.lines.1, next: None }];
                    let lines = KnownLines { from: one, cursors };
                    batches.push(Added { places, most_plies: most_plies(number, batch), lines });
                }
            }
        }
        if all.iter().filter(|one| one.ours().next().is_some()).count() < 2 {
            continue;
        }
        let lines: u64 = all.iter().map(Fingerprints::len).sum();
        let shares = (lines * A_LINE * 3).div_ceil(MEMORY).max(1);
        for share in 0..shares {
            let is_ours = |line: Line| {
                ((u128::from(line.spread()) * u128::from(shares)) >> 64) as u64 == share
            };
            let mut found: Vec<(Line, usize)> = Vec::new();
            for (number, batch) in batches.iter_mut().enumerate() {
                found.extend(
                    batch.lines.while_ours(is_ours)?.into_iter().map(|line| (line, number)),
                );
            }
            found.sort_unstable();
            let are_apart = |(first, second): (usize, usize)| {
                let (first, second) = (&batches[first], &batches[second]);
                first.most_plies == second.most_plies
                    && first.places.iter().all(|book| !second.places.contains(book))
            };
            let several = found.chunk_by(|one, other| one.0 == other.0).filter(|same| {
                let pairs = same
                    .iter()
                    .enumerate()
                    .flat_map(|(at, one)| same[at + 1..].iter().map(move |other| (one.1, other.1)));
                pairs.into_iter().any(are_apart)
            });
            games += several.count() as u64;
        }
    }
    Ok(games)
}

/// Whether fingerprints are missing in this file, of a book with these archives and facts: those of
/// archives that were read without copies.
///
/// # Errors
/// [`BuildError::Fingerprints`] if the file is damaged or none of ours; the system's.
pub(crate) fn are_missing(path: PathBuf, sources: &[Source], facts: &[Fact]) -> Result<bool> {
    let mut missing = without_copies(sources, facts);
    if !missing.is_empty() {
        let found = Fingerprints::open(&System, path, SameBy::Moves, sources, facts)?;
        for digest in found.batches.iter().flat_map(|batch| &batch.sources) {
            missing.remove(digest);
        }
    }
    Ok(!missing.is_empty())
}

/// The archives that were read without copies.
fn without_copies(sources: &[Source], facts: &[Fact]) -> HashSet<Digest> {
    let says = |source: &&Source| {
        facts.iter().any(|fact| {
            fact.subject() == source.digest && fact.name().strip_prefix(Fact::PLAN) == Some(DEDUP)
        })
    };
    sources.iter().filter(says).map(|source| source.digest).collect()
}

/// Of these archives those that are of none of the batches.
fn untold<'b>(batches: impl IntoIterator<Item = &'b Batch>, sources: &[Source]) -> Vec<Source> {
    let known: HashSet<Digest> =
        batches.into_iter().flat_map(|batch| batch.sources.iter().copied()).collect();
    sources.iter().filter(|source| !known.contains(&source.digest)).cloned().collect()
}

/// The file beside this book.
fn path_of(book: &Path) -> PathBuf {
    BookFiles::of(book).path(BookFile::Fingerprints)
}

fn by_code(by: SameBy) -> u8 {
    match by {
        SameBy::Moves => 0,
        SameBy::MovesAndPlayers => 1,
    }
}

/// Hands on a part of a file, piece by piece.
fn each(
    read: impl Fn(&mut [u8], u64) -> io::Result<()>,
    (mut at, end): (u64, u64),
    failed: impl Fn(io::Error) -> Error,
    mut take: impl FnMut(&[u8]) -> tabia::Result<()>,
) -> tabia::Result<()> {
    let mut buffer = vec![0; BUFFER];
    while at < end {
        let piece = &mut buffer[..(end - at).min(BUFFER as u64) as usize];
        read(piece, at).map_err(&failed)?;
        take(piece)?;
        at += piece.len() as u64;
    }
    Ok(())
}

/// Writes from the beginning to the end, and sums up.
struct Writer<'t, 'a> {
    target: &'t AtomicFile<'a>,
    at: u64,
    sum: Xxh3,
}

impl Writer<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> tabia::Result<()> {
        self.target.write(bytes, self.at)?;
        self.at += bytes.len() as u64;
        self.sum.update(bytes);
        Ok(())
    }
}

/// New lines, in ascending order.
pub(crate) struct NewLines<'a> {
    file: Box<dyn StorageFile + 'a>,
    folder: PathBuf,
    buffer: Vec<u8>,
    /// Bytes in the file.
    len: u64,
}

impl<'a> NewLines<'a> {
    /// None yet; they go to a file without a name in this folder.
    ///
    /// # Errors
    /// The system's.
    pub fn new(storage: &'a dyn Storage, folder: &Path) -> tabia::Result<Self> {
        let folder = folder.to_owned();
        let file = storage.scratch(&folder).map_err(|source| Error::Io {
            action: "make a scratch file there",
            path: folder.clone(),
            source,
        })?;
        Ok(Self { file, folder, buffer: Vec::with_capacity(BUFFER), len: 0 })
    }

    /// Adds a line, which is greater than those before.
    pub(super) fn add(&mut self, line: Line) -> tabia::Result<()> {
        line.halves().iter().for_each(|half| self.buffer.extend_from_slice(&half.to_le_bytes()));
        if self.buffer.len() < BUFFER { Ok(()) } else { self.finish() }
    }

    /// Writes what is not in the file yet.
    pub(super) fn finish(&mut self) -> tabia::Result<()> {
        let written = self.file.write_all_at(&self.buffer, self.len);
        written.map_err(|source| Error::Io {
            action: "write a scratch file there",
            path: self.folder.clone(),
            source,
        })?;
        self.len += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Reads known lines in ascending order.
pub(crate) struct KnownLines<'f> {
    from: &'f Fingerprints<'f>,
    cursors: Vec<Cursor>,
}

/// How far the lines of a batch were read.
struct Cursor {
    at: u64,
    end: u64,
    /// A line that was read and not handed on.
    next: Option<Line>,
}

impl KnownLines<'_> {
    /// All lines up to the first that is not one of `ours`, sorted. Every call goes on where the
    /// last one ended.
    pub(super) fn while_ours(&mut self, ours: impl Fn(Line) -> bool) -> tabia::Result<Vec<Line>> {
        let mut lines = Vec::new();
        for cursor in &mut self.cursors {
            loop {
                match cursor.next {
                    Some(line) if ours(line) => lines.push(line),
                    Some(_) => break,
                    None => {}
                }
                cursor.next = None;
                let (mut rest, mut read) = (None, 0);
                let end = cursor.end.min(cursor.at + BUFFER as u64);
                self.from.each((cursor.at, end), |bytes| {
                    for line in bytes.chunks_exact(A_LINE as usize) {
                        let line = Line::of_bytes(line);
                        read += A_LINE;
                        if !ours(line) {
                            rest = Some(line);
                            break;
                        }
                        lines.push(line);
                    }
                    Ok(())
                })?;
                cursor.at += read;
                cursor.next = rest;
                if rest.is_some() || read == 0 {
                    break;
                }
            }
        }
        lines.sort_unstable();
        Ok(lines)
    }
}

/// Why a file can't be used.
enum ReadError {
    System(io::Error),
    Unsound(&'static str),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            Self::Unsound("it was cut off")
        } else {
            Self::System(error)
        }
    }
}

/// Whether a file begins as it should.
fn begins_as_ours(mut input: impl Read) -> std::result::Result<(), ReadError> {
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    let is_ours = magic == MAGIC;
    is_ours.then_some(()).ok_or(ReadError::Unsound("it doesn't begin with TABIAFP1"))
}

/// The batches of a file, all of it checked.
fn read(file: &File) -> std::result::Result<Vec<Batch>, ReadError> {
    let mut input = BufReader::with_capacity(1 << 20, file);
    begins_as_ours(&mut input)?;
    let (mut batches, mut at) = (Vec::new(), MAGIC.len() as u64);
    loop {
        let mut head = [0; size_of::<Head>()];
        // Either nothing follows or a batch.
        let first = input.read(&mut head[..1])?;
        if first == 0 {
            return Ok(batches);
        }
        input.read_exact(&mut head[1..])?;
        let mut sum = Xxh3::new();
        sum.update(&head);
        let Ok(head) = Head::read_from_bytes(&head) else { return Ok(batches) };
        let begin = at + size_of::<Head>() as u64;
        let lines = head.lines.get().checked_mul(A_LINE);
        let first_line = begin + u64::from(head.sources.get()) * A_DIGEST;
        let end = lines.and_then(|lines| first_line.checked_add(lines));
        let Some(end) = end else { return Err(ReadError::Unsound("it was cut off")) };
        let mut sources = Vec::new();
        for _ in 0..head.sources.get() {
            let mut digest = Digest([0; 16]);
            input.read_exact(&mut digest.0)?;
            sum.update(&digest.0);
            sources.push(digest);
        }
        let (mut piece, mut left) = (vec![0; BUFFER], end - first_line);
        let mut last = None;
        while left > 0 {
            let piece = &mut piece[..left.min(BUFFER as u64) as usize];
            input.read_exact(piece)?;
            sum.update(piece);
            for line in piece.chunks_exact(A_LINE as usize).map(Line::of_bytes) {
                if last.is_some_and(|last| last >= line) {
                    return Err(ReadError::Unsound("its lines are not in order"));
                }
                last = Some(line);
            }
            left -= piece.len() as u64;
        }
        let mut said = [0; A_SUM as usize];
        input.read_exact(&mut said)?;
        if u64::from_le_bytes(said) != sum.digest() {
            return Err(ReadError::Unsound("a sum is wrong"));
        }
        let bytes = (at, end + A_SUM);
        batches.push(Batch { sources, by: head.by, bytes, lines: (first_line, end) });
        at = end + A_SUM;
    }
}
