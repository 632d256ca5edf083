//! The fingerprints of all games of a book that leaves out copies, in a file beside the book, by
//! which games that are added later are told from those it has. The format is that of
//! `format-spec/fingerprints.md`.

use super::SameBy;
use super::identity::Line;
use super::log::LogFile;
use crate::error::{BuildError, Result};
use crate::facts::DEDUP;
use crate::in_order::InOrder;
use std::collections::{BTreeSet, HashSet};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use tabia::bytes::{Bytes, Pread};
use tabia::format::{Digest, Source};
use tabia::storage::{Storage, System};
use tabia::{AtomicFile, BookFile, BookFiles, Context, Error, Fact};
use xxhash_rust::xxh3::Xxh3;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

const MAGIC: [u8; 8] = *b"TABIAFP1";
/// Bytes of a line, of a digest and of a sum.
const A_LINE: u64 = 16;
const A_DIGEST: u64 = 16;
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
pub(super) struct Batch {
    /// The archives of its games.
    pub sources: Vec<Digest>,
    /// What makes two of its lines the same, as the file has it.
    pub by: u8,
    /// Where it begins and ends in the file.
    bytes: (u64, u64),
    /// Where its lines begin and end.
    lines: (u64, u64),
}

impl Batch {
    /// How many lines it has.
    pub fn len(&self) -> u64 {
        (self.lines.1 - self.lines.0) / A_LINE
    }
}

/// The fingerprints that are there, those of the book's games.
pub(crate) struct Fingerprints<'a> {
    storage: &'a dyn Storage,
    path: PathBuf,
    by: SameBy,
    file: Option<Pread>,
    /// All batches, whatever their lines are of.
    pub(super) batches: Vec<Batch>,
}

impl<'a> Fingerprints<'a> {
    pub fn none(storage: &'a dyn Storage, path: PathBuf, by: SameBy) -> Self {
        Self { storage, path, by, file: None, batches: Vec::new() }
    }

    /// Those beside a book that is to be made, in the place of another one or not: none. What is
    /// there must be fingerprints, since it is replaced.
    ///
    /// # Errors
    /// [`BuildError::Fingerprints`] if the file is none of ours; the system's.
    pub fn new(storage: &'a dyn Storage, book: &Path, by: SameBy) -> Result<Self> {
        let path = BookFiles::of(book).path(BookFile::Fingerprints);
        let none = Self::none(storage, path, by);
        none.check_place().map(|()| none)
    }

    /// Makes sure that nothing is in the file's place but fingerprints.
    pub(super) fn check_place(&self) -> Result<()> {
        match self.file()? {
            Some(file) => begins_as_ours(InOrder::new(&file)).map_err(|error| self.unsound(error)),
            None => Ok(()),
        }
    }

    /// Those in a file beside a book that has these archives, of which these facts are known. A batch
    /// counts only if all its archives are in the book and were read without copies: a book that was built
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
        let mut found = Self::none(storage, path, by);
        let Some(file) = found.file()? else { return Ok(found) };
        let known = without_copies(sources, facts);
        found.batches = read(&file).map_err(|error| found.unsound(error))?;
        found.batches.retain(|batch| batch.sources.iter().all(|digest| known.contains(digest)));
        found.file = Some(file);
        Ok(found)
    }

    /// The file, to be read, if there is one.
    fn file(&self) -> Result<Option<Pread>> {
        match Pread::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => Ok(Some(file.at("open", &self.path)?)),
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
        self.lines_of(self.ours())
    }

    /// Those of some batches.
    pub(super) fn lines_of<'b>(
        &self,
        batches: impl IntoIterator<Item = &'b Batch>,
    ) -> KnownLines<'_> {
        KnownLines { from: self, left: batches.into_iter().map(|batch| batch.lines).collect() }
    }

    /// The same, of which the lines count by which games are the same in this way.
    pub fn by(self, by: SameBy) -> Self {
        Self { by, ..self }
    }

    /// A file, still to be published in the place of this one, with the batches of all these, each
    /// once; none if they have none.
    pub(super) fn united(
        &self,
        all: &[&Fingerprints<'_>],
    ) -> tabia::Result<Option<AtomicFile<'a>>> {
        if all.iter().all(|one| one.batches.is_empty()) {
            return Ok(None);
        }
        let target = AtomicFile::create(self.storage, &self.path)?;
        let mut writer = Writer::begin(&target)?;
        for (one, batch) in Self::distinct(all)? {
            one.each(batch.bytes, |bytes| writer.write(bytes))?;
        }
        Ok(Some(target))
    }

    /// The batches of all these, each once.
    pub(super) fn distinct<'f, 's>(
        all: &[&'f Fingerprints<'s>],
    ) -> tabia::Result<Vec<(&'f Fingerprints<'s>, &'f Batch)>> {
        let (mut known, mut distinct) = (HashSet::new(), Vec::new());
        for &one in all {
            for batch in &one.batches {
                let mut sum = [0; A_SUM as usize];
                one.each((batch.bytes.1 - A_SUM, batch.bytes.1), |bytes| {
                    sum.copy_from_slice(bytes);
                    Ok(())
                })?;
                if known.insert((sum, &batch.sources)) {
                    distinct.push((one, batch));
                }
            }
        }
        Ok(distinct)
    }

    /// A file, still to be published, that has these, and these new lines of these archives beside
    /// them.
    pub fn with_new(
        &self,
        new: &NewLines,
        sources: impl Iterator<Item = Digest>,
    ) -> tabia::Result<AtomicFile<'a>> {
        let target = AtomicFile::create(self.storage, &self.path)?;
        let mut writer = Writer::begin(&target)?;
        for batch in &self.batches {
            self.each(batch.bytes, |bytes| writer.write(bytes))?;
        }
        writer.sum = Xxh3::new();
        let digests: BTreeSet<Digest> = sources.collect();
        let mut head = Head::new_zeroed();
        head.sources = U32::new(digests.len() as u32);
        head.by = by_code(self.by);
        head.lines = U64::new(new.0.written / A_LINE);
        writer.write(head.as_bytes())?;
        digests.iter().try_for_each(|digest| writer.write(&digest.0))?;
        let mut lines = new.0.reader();
        while let Some(bytes) = lines.next(lines.left().min(BUFFER))? {
            writer.write(bytes)?;
        }
        let sum = writer.sum.digest();
        writer.write(&sum.to_le_bytes())?;
        Ok(target)
    }

    /// The batches with lines of our kind.
    fn ours(&self) -> impl Iterator<Item = &Batch> {
        let by = by_code(self.by);
        self.batches.iter().filter(move |batch| batch.by == by)
    }

    /// Hands on a part of the file, piece by piece.
    fn each(
        &self,
        (mut at, end): (u64, u64),
        mut take: impl FnMut(&[u8]) -> tabia::Result<()>,
    ) -> tabia::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut buffer = vec![0; BUFFER];
        while at < end {
            let piece = &mut buffer[..(end - at).min(BUFFER as u64) as usize];
            file.read_exact_at(piece, at).at("read", &self.path)?;
            take(piece)?;
            at += piece.len() as u64;
        }
        Ok(())
    }

    fn unsound(&self, error: ReadError) -> BuildError {
        match error {
            ReadError::System(source) => {
                Error::Io { action: "read", path: self.path.clone(), source }.into()
            }
            ReadError::Unsound(what) => {
                BuildError::Fingerprints(self.path.clone(), what.to_owned())
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
    /// fingerprints ([`tabia::Book::file`]); none if that isn't there, or all its archives were read
    /// with copies. All of the file is read and verified.
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

/// The archives that were read without copies.
pub(super) fn without_copies(sources: &[Source], facts: &[Fact]) -> HashSet<Digest> {
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

pub(super) fn by_code(by: SameBy) -> u8 {
    match by {
        SameBy::Moves => 0,
        SameBy::MovesAndPlayers => 1,
    }
}

/// Writes from the beginning to the end, and sums up.
struct Writer<'t, 'a> {
    target: &'t AtomicFile<'a>,
    at: u64,
    sum: Xxh3,
}

impl<'t, 'a> Writer<'t, 'a> {
    fn begin(target: &'t AtomicFile<'a>) -> tabia::Result<Self> {
        let mut writer = Self { target, at: 0, sum: Xxh3::new() };
        writer.write(&MAGIC).map(|()| writer)
    }

    fn write(&mut self, bytes: &[u8]) -> tabia::Result<()> {
        self.target.write(bytes, self.at)?;
        self.at += bytes.len() as u64;
        self.sum.update(bytes);
        Ok(())
    }
}

/// New lines, in ascending order.
pub(crate) struct NewLines(LogFile);

impl NewLines {
    /// None yet; they go to a file without a name in this folder.
    pub fn new(storage: &dyn Storage, folder: &Path) -> tabia::Result<Self> {
        LogFile::new(storage, folder, None).map(Self)
    }

    /// Adds a line, which is greater than those before.
    pub(super) fn add(&mut self, line: Line) -> tabia::Result<()> {
        let buffer = &mut self.0.buffer;
        [line.0, line.1].iter().for_each(|half| buffer.extend_from_slice(&half.to_le_bytes()));
        self.0.flush_if_full()
    }

    /// Writes what is not in the file yet.
    pub(super) fn finish(&mut self) -> tabia::Result<()> {
        self.0.flush()
    }
}

/// Reads known lines in ascending order.
pub(crate) struct KnownLines<'f> {
    from: &'f Fingerprints<'f>,
    /// Where those lines of each batch begin and end that were not handed on.
    left: Vec<(u64, u64)>,
}

impl KnownLines<'_> {
    /// All lines up to the first that is not one of `ours`, sorted. Every call goes on where the
    /// last one ended.
    pub(super) fn while_ours(&mut self, ours: impl Fn(Line) -> bool) -> tabia::Result<Vec<Line>> {
        let mut lines = Vec::new();
        for (at, end) in &mut self.left {
            while at < end {
                let (before, piece) = (lines.len(), (*at, (*end).min(*at + BUFFER as u64)));
                self.from.each(piece, |bytes| {
                    let all = bytes.as_chunks().0.iter().map(Line::of_bytes);
                    lines.extend(all.take_while(|line| ours(*line)));
                    Ok(())
                })?;
                *at += (lines.len() - before) as u64 * A_LINE;
                if *at < piece.1 {
                    break;
                }
            }
        }
        lines.sort_unstable();
        Ok(lines)
    }
}

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

fn begins_as_ours(mut input: impl Read) -> std::result::Result<(), ReadError> {
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    let is_ours = magic == MAGIC;
    is_ours.then_some(()).ok_or(ReadError::Unsound("it doesn't begin with TABIAFP1"))
}

/// The batches of a file, all of it checked.
fn read(file: &Pread) -> std::result::Result<Vec<Batch>, ReadError> {
    let mut input = BufReader::with_capacity(1 << 20, InOrder::new(file));
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
            for line in piece.as_chunks().0.iter().map(Line::of_bytes) {
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
