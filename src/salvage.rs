//! Keeping what is sound of a damaged book: every row outside damaged blocks, the sound frames of its journal, its sources.

use crate::book::{read_header, read_sources};
use crate::bytes::{Bytes, Pread};
use crate::check::{Finding, find_copy, finding_of};
use crate::create::NewBook;
use crate::env::{Env, Stage};
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, PAGE_LEN, Rule, Section, Source, Tag, blocks_of};
use crate::journal::{Layered, Overlaid, Overlay, Unsound, frames, journal_path, read_journal};
use crate::key::home;
use crate::row::{MoveRow, PositionRow, RatedMoveRow};
use crate::storage::resolve;
use crate::stream::{RowSet, Rows};
use crate::table::{Piece, blocks_of_slot};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

/// What became of a table's rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Rows the header speaks of.
    pub expected: u64,
    /// Rows that were kept, without those of the journal.
    pub kept: u64,
}

impl Kept {
    /// Rows that were lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.expected.saturating_sub(self.kept)
    }
}

/// What [`salvage()`] kept, and what is gone.
#[derive(Clone, Debug, Default)]
pub struct SalvageReport {
    /// The positions table, if there is one.
    pub positions: Option<Kept>,
    /// The moves table, if there is one.
    pub moves: Option<Kept>,
    /// Whether the list of sources was kept.
    pub sources: bool,
    /// Frames of the journal that were kept.
    pub frames: u64,
    /// Damaged parts: what was in them is gone, unless said otherwise.
    pub bad: Vec<Finding>,
}

impl SalvageReport {
    fn found(&mut self, path: &Path, section: &Section, block: Option<u64>, offset: u64, rule: Rule, what: &str) {
        let (file, section, what) = (path.to_owned(), section.tag.to_string(), what.to_owned());
        self.bad.push(Finding { file, section, block, offset, rule, what });
    }
}

/// Writes a new book of all that is sound in a damaged one and its journal.
///
/// # Errors
/// [`Error::Refused`] if neither the header nor its copy at the end of the file can be read; those of [`NewBook::write`].
pub fn salvage(env: &Env<'_>, input: &Path, output: &Path, replace: bool) -> Result<SalvageReport> {
    let input = &resolve(input);
    let bytes = File::open(input).and_then(Pread::new).at("open", input)?;
    let mut report = SalvageReport::default();
    let header = find_header(&bytes, input, &mut report)?;
    let sources = match read_sources(&bytes, input, &header) {
        Ok(sources) => {
            report.sources = true;
            sources
        }
        Err(error) => {
            report.bad.push(finding_of(error, input, "SRCS"));
            Vec::new()
        }
    };
    let overlay = read_overlay(input, &header, &mut report)?;
    let whole = ZeroTail { file: &bytes };
    let positions = SoundRows::<PositionRow>::find(env, &whole, input, &header, &overlay, &mut report)?;
    let moves = SoundRows::<MoveRow>::find(env, &whole, input, &header, &overlay, &mut report)?;
    let rated_moves = SoundRows::<RatedMoveRow>::find(env, &whole, input, &header, &overlay, &mut report)?;
    let all_sources: Vec<Source> = sources.into_iter().chain(overlay.sources.iter().cloned()).collect();
    let mut new = NewBook::like(&header).sources(all_sources);
    if let Some(rows) = &positions {
        new = new.positions(rows);
    }
    if let Some(rows) = &moves {
        new = new.moves(rows);
    }
    if let Some(rows) = &rated_moves {
        new = new.rated_moves(rows);
    }
    new.write(env, output, replace)?;
    report.positions = positions.map(|rows| rows.kept()).transpose()?;
    report.moves = match (moves, rated_moves) {
        (Some(rows), _) => Some(rows.kept()?),
        (None, rated) => rated.map(|rows| rows.kept()).transpose()?,
    };
    Ok(report)
}

/// The header, from the first page, or from its copy at the end of the file; what file length it speaks of doesn't matter.
fn find_header(bytes: &Pread, path: &Path, report: &mut SalvageReport) -> Result<Header> {
    let error = match read_header(bytes, path) {
        Ok(header) => return Ok(header),
        Err(error) => error,
    };
    let mut page = [0; PAGE_LEN];
    let first = bytes.read_exact_at(&mut page, 0).ok().and_then(|()| Header::parse_alone(&page).ok());
    if let Some(header) = first.or_else(|| find_copy(bytes)) {
        report.bad.push(finding_of(error, path, "header"));
        return Ok(header);
    }
    Err(error)
}

/// What the sound frames of the journal change.
fn read_overlay(book: &Path, header: &Header, report: &mut SalvageReport) -> Result<Overlay> {
    let mut overlay = Overlay::of(header);
    let path = journal_path(book);
    let (bytes, start) = match read_journal(book) {
        Ok(Some(journal)) => journal,
        Ok(None) => return Ok(overlay),
        Err(error) => {
            report.bad.push(finding_of(error, book, "journal"));
            return Ok(overlay);
        }
    };
    if start.base != header.digest {
        if start.base != header.parent {
            let error = Error::ForeignJournal { path, base: start.base, digest: header.digest };
            report.bad.push(finding_of(error, book, "journal"));
        }
        return Ok(overlay);
    }
    frames(&bytes, &path, &start, |offset, frame| {
        let fault = match frame {
            Ok(frame) if frame.header.sequence <= header.sequence => return Ok(()),
            Ok(frame) => match overlay.push_frame(frame.parts()) {
                Ok(()) => {
                    report.frames += 1;
                    return Ok(());
                }
                Err(Unsound::Fault(fault)) => fault,
                Err(Unsound::Io(source)) => return Err(source).at("read", &path),
            },
            Err(fault) => (fault.rule, fault.what),
        };
        let finding = Error::Damaged { path: path.clone(), rule: fault.0, offset, what: fault.1.to_owned() };
        report.bad.push(finding_of(finding, book, "journal"));
        Ok(())
    })?;
    overlay.settle();
    Ok(overlay)
}

/// The rows of a table that can be trusted, with the journal laid over them.
struct SoundRows<'a, R> {
    bytes: &'a ZeroTail<'a>,
    path: &'a Path,
    header: &'a Header,
    overlay: &'a Overlay,
    /// Blocks whose rows are not to be trusted.
    damaged: BTreeSet<u64>,
    rows: PhantomData<fn() -> R>,
}

impl<'a, R: Layered> SoundRows<'a, R> {
    /// Finds the damaged blocks of a table and reports them; none if the book has no table of such rows.
    fn find(
        env: &Env<'_>,
        bytes: &'a ZeroTail<'a>,
        path: &'a Path,
        header: &'a Header,
        overlay: &'a Overlay,
        report: &mut SalvageReport,
    ) -> Result<Option<Self>> {
        let (Some(table), Some(sums)) = (header.table_of::<R>(), header.section(Tag::sums(R::TABLE))) else { return Ok(None) };
        let there = |end: u64| end <= bytes.file.len();
        let mut piece: Piece<R> = Piece::default();
        let (mut wrong, mut cut) = (BTreeSet::new(), BTreeSet::new());
        let mut hash = Xxh3Default::new();
        let mut at = 0;
        while at < bytes.there_of(table) {
            piece.read(bytes, header, at).at("read", path)?;
            piece.sums().iter().for_each(|sum| hash.update(&sum.to_le_bytes()));
            // A block whose checksum was cut off is judged by its rows alone.
            wrong.extend(piece.damaged().filter(|block| there(sums.offset + 8 * (block + 1))));
            let blocks = at / BLOCK..blocks_of(at + piece.len());
            cut.extend(blocks.filter(|block| !there(table.offset + ((block + 1) * BLOCK).min(table.length))));
            at += piece.len();
            env.step(Stage::Checking, at, table.length)?;
        }
        if hash.digest() == sums.checksum {
            // The blocks are what they were: it is their stored checksums that are damaged.
            for block in std::mem::take(&mut wrong) {
                report.found(path, sums, None, sums.offset + 8 * block, "B-14", "the checksums of a table are damaged; its rows are whole");
            }
        }
        if !there(table.offset + table.length) {
            report.found(path, table, None, bytes.file.len(), "B-5", "the table is cut off: the rows behind are gone");
        }
        wrong.extend(cut);
        for &block in &wrong {
            report.found(path, table, Some(block), table.offset + block * BLOCK, "B-13", "the block is damaged: its rows are gone");
        }
        Ok(Some(Self { bytes, path, header, overlay, damaged: wrong, rows: PhantomData }))
    }

    /// How many rows of the table itself are kept.
    fn kept(&self) -> Result<Kept> {
        let expected = self.header.table(R::TABLE).map_or(0, |table| table.shape.rows);
        let (mut rows, mut chunk, mut kept) = (self.stream(), Vec::new(), 0);
        loop {
            rows.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(Kept { expected, kept });
            }
            kept += chunk.len() as u64;
        }
    }

    fn stream(&self) -> SoundStream<'_, R> {
        SoundStream { from: self, at: 0, piece: Piece::default(), last: None }
    }
}

impl<R: Layered> RowSet<R> for SoundRows<'_, R> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Overlaid::new(Box::new(self.stream()), R::deltas(self.overlay))))
    }

    fn at_most(&self) -> u64 {
        self.header.table(R::TABLE).map_or(0, |table| table.shape.slots()) + R::deltas(self.overlay).len() as u64
    }
}

struct SoundStream<'a, R> {
    from: &'a SoundRows<'a, R>,
    at: u64,
    piece: Piece<R>,
    last: Option<(u64, u16)>,
}

impl<R: Layered> Rows<R> for SoundStream<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        let Some(table) = self.from.header.table(R::TABLE) else { return Ok(()) };
        let results = self.from.header.results();
        while chunk.is_empty() && self.at < self.from.bytes.there_of(table) {
            self.piece.read(self.from.bytes, self.from.header, self.at).at("read", self.from.path)?;
            for (slot, row) in self.piece.slots() {
                let rank = row.rank();
                let home = home(rank.0, table.shape.homes);
                let in_reach = home <= slot && slot - home <= table.shape.reach;
                let valid = !row.is_empty()
                    && row.fault().is_none()
                    && results.allow(row.counts())
                    && in_reach
                    && self.last.is_none_or(|last| last < rank);
                if valid && !blocks_of_slot::<R>(slot).any(|block| self.from.damaged.contains(&block)) {
                    self.last = Some(rank);
                    chunk.push(*row);
                }
            }
            self.at += self.piece.len();
        }
        Ok(())
    }
}

/// A file that goes on with zeros where it was cut off.
struct ZeroTail<'a> {
    file: &'a Pread,
}

impl ZeroTail<'_> {
    /// How many bytes of a section are in the file: a header that is whole may still speak of far more than there is.
    fn there_of(&self, section: &Section) -> u64 {
        section.length.min(self.file.len().saturating_sub(section.offset))
    }
}

impl Bytes for ZeroTail<'_> {
    fn len(&self) -> u64 {
        u64::MAX
    }

    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let there = self.file.len().saturating_sub(offset).min(bytes.len() as u64) as usize;
        let (there, missing) = bytes.split_at_mut(there);
        missing.fill(0);
        self.file.read_exact_at(there, offset)
    }
}
