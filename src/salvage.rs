//! Keeping what is sound of a damaged book: every row outside damaged blocks, the sound frames of
//! its journal, its sources.

mod pages;

use crate::book::{read_facts, read_header, read_sources};
use crate::bytes::{Bytes, Pread, ZeroTail};
use crate::check::{Finding, find_copy, finding_of};
use crate::column::Columns;
use crate::create::NewBook;
use crate::env::{Env, Stage};
use crate::error::{Context, Error, Result};
use crate::files::BookFiles;
use crate::format::{BLOCK, Fact, Header, PAGE, PAGE_LEN, Rule, Section, Source, Tag, blocks_at};
use crate::journal::{
    Layered, Layouts, Overlaid, Overlay, Unsound, frames, journal_path, read_journal,
};
use crate::key::Hash;
use crate::packed::Packed;
use crate::platform;
use crate::publish::Existing;
use crate::row::{MoveRow, PositionRow, Row};
use crate::storage::resolve;
use crate::stream::{Chunk, RowSet, Rows};
use crate::table::{EXTENT_SLOTS, Extent, Strips};
use pages::SoundPages;
use std::collections::BTreeSet;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// How many of a table's rows were kept and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

/// The result of [`salvage()`]: what was kept and what was lost.
///
/// ```
/// # use tabia::{salvage, Env, Existing};
/// # let (folder, path) = tabia_testing::tiny_book();
/// let report = salvage(&Env::default(), &path, &folder.path().join("saved.tabia"), Existing::Refuse)?;
/// assert_eq!(report.positions.map(|kept| kept.lost()), Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SalvageReport {
    /// The positions table, if there is one.
    pub positions: Option<Kept>,
    /// The moves table, if there is one.
    pub moves: Option<Kept>,
    /// Whether the list of sources was kept.
    pub sources: bool,
    /// Whether what is known of how the book was made was kept.
    pub facts: bool,
    /// Cells of columns that were lost, while their rows were kept: they say nothing now.
    pub cells: u64,
    /// Columns that this code doesn't know: they were left out.
    pub unknown_columns: Vec<Tag>,
    /// Frames of the journal that were kept.
    pub frames: u64,
    /// Games and fingerprints that are beside the damaged book alone.
    pub left_behind: Vec<PathBuf>,
    /// Damaged parts: what was in them is gone, unless said otherwise.
    pub bad: Vec<Finding>,
}

impl SalvageReport {
    /// A list of the book, unless it is lost.
    fn list<T>(
        &mut self,
        read: Result<Vec<T>>,
        path: &Path,
        section: &str,
    ) -> Result<Option<Vec<T>>> {
        match read {
            Ok(list) => Ok(Some(list)),
            Err(error) => {
                self.bad.push(finding_of(of_the_file(error)?, path, section));
                Ok(None)
            }
        }
    }

    fn found(
        &mut self,
        path: &Path,
        section: &Section,
        block: Option<u64>,
        offset: u64,
        rule: Rule,
        what: &str,
    ) {
        let (file, section, what) = (path.to_owned(), section.tag.to_string(), what.to_owned());
        self.bad.push(Finding { file, section, block, offset, rule, what });
    }
}

/// The error, if it says something of what is in a file; what the system refuses is no damage, and
/// nothing is left out for it.
fn of_the_file(error: Error) -> Result<Error> {
    match error {
        Error::Io { ref source, .. } if source.kind() != io::ErrorKind::UnexpectedEof => Err(error),
        error => Ok(error),
    }
}

/// Writes a new book of all that is sound in a damaged one and its journal.
///
/// # Errors
/// [`Error::Refused`] if neither the header nor its copy at the end of the file can be read; those
/// of [`NewBook::write`].
pub fn salvage(
    env: &Env<'_>,
    input: &Path,
    output: &Path,
    existing: Existing,
) -> Result<SalvageReport> {
    let input = &resolve(input);
    let bytes = platform::regular_file(input).and_then(Pread::new).at("open", input)?;
    let left_behind = BookFiles::of(input).of_content().collect();
    let mut report = SalvageReport { left_behind, ..SalvageReport::default() };
    let header = find_header(&bytes, input, &mut report)?;
    let sources = report.list(read_sources(&bytes, input, &header), input, "SRCS")?;
    report.sources = sources.is_some();
    let sources = sources.unwrap_or_default();
    let facts = report.list(read_facts(&bytes, input, &header), input, "FACT")?;
    report.facts = facts.is_some();
    let facts = facts.unwrap_or_default();
    report.unknown_columns = header.unknown_columns().map(|section| section.tag).collect();
    let overlay = read_overlay(input, &header, &mut report)?;
    let whole = ZeroTail::new(bytes, u64::MAX);
    let packed = open_packed(&whole, input, &header, &mut report)?;
    let from = Damaged { env, bytes: &whole, path: input, header: &header, overlay: &overlay };
    let positions = from.sound_rows::<PositionRow>(packed.as_ref(), &mut report)?;
    let moves = from.sound_rows::<MoveRow>(packed.as_ref(), &mut report)?;
    let all_sources: Vec<Source> =
        sources.into_iter().chain(overlay.sources.iter().cloned()).collect();
    let all_facts: Vec<Fact> = facts.into_iter().chain(overlay.facts.iter().cloned()).collect();
    let mut new =
        NewBook::like(&header).without_unknown_columns().sources(all_sources).facts(all_facts);
    if let Some(rows) = &positions {
        new = new.positions(&**rows);
    }
    if let Some(rows) = &moves {
        new = new.moves(&**rows);
    }
    new.write(env, output, existing)?;
    report.positions = positions.map(|rows| rows.kept(&mut report.cells)).transpose()?;
    report.moves = moves.map(|rows| rows.kept(&mut report.cells)).transpose()?;
    Ok(report)
}

/// A damaged book, and its journal as far as it is sound.
#[derive(Clone, Copy)]
struct Damaged<'a> {
    env: &'a Env<'a>,
    bytes: &'a ZeroTail,
    path: &'a Path,
    header: &'a Header,
    overlay: &'a Overlay,
}

/// Rows that can be trusted, and a count of them.
trait Sound<R: Row>: RowSet<R> {
    /// How many rows of the book itself are kept; cells that are lost are counted.
    fn kept(&self, lost_cells: &mut u64) -> Result<Kept>;
}

impl<'a> Damaged<'a> {
    /// The rows of a table that can be trusted, damage being reported; none if there is no such
    /// table.
    fn sound_rows<R: Layered>(
        self,
        packed: Option<&'a Packed>,
        report: &mut SalvageReport,
    ) -> Result<Option<Box<dyn Sound<R> + 'a>>> {
        if let Some(packed) = packed {
            let pages = SoundPages::<R>::find(self, packed, report)?;
            return Ok(pages.map(|pages| Box::new(pages) as _));
        }
        let rows = SoundRows::<R>::find(self, report)?;
        Ok(rows.map(|rows| Box::new(rows) as _))
    }
}

/// The parameters of a packed book, or their copy, and its pages, as far as they are in the file;
/// an error if both are damaged.
fn open_packed(
    bytes: &ZeroTail,
    path: &Path,
    header: &Header,
    report: &mut SalvageReport,
) -> Result<Option<Packed>> {
    let Some(pages) = header.section(Tag::PAGE) else { return Ok(None) };
    let packed = match Packed::open(bytes, path, header) {
        Err(error) if error.is_damage() => {
            match Packed::open_with(bytes, path, header, Tag::COPY) {
                Ok(packed) => {
                    report.bad.push(finding_of(error, path, "PACK"));
                    packed
                }
                Err(_) => return Err(error),
            }
        }
        opened => opened?,
    };
    let there = bytes.there_of(pages);
    if there < pages.length {
        let what = "the section is cut off: what was behind is gone";
        report.found(path, pages, None, bytes.there(), Rule::B5, what);
    }
    Ok(packed.map(|packed| packed.cut_to(there / PAGE)))
}

/// The header, from the first page, or from its copy at the end of the file; what file length it
/// speaks of doesn't matter.
fn find_header(bytes: &Pread, path: &Path, report: &mut SalvageReport) -> Result<Header> {
    let error = match read_header(bytes, path) {
        Ok(header) => return Ok(header),
        Err(error) => of_the_file(error)?,
    };
    let mut page = [0; PAGE_LEN];
    let first =
        bytes.read_exact_at(&mut page, 0).ok().and_then(|()| Header::parse_alone(&page).ok());
    if let Some(header) = first.or_else(|| find_copy(bytes)) {
        report.bad.push(finding_of(error, path, "header"));
        return Ok(header);
    }
    Err(error)
}

/// What the sound frames of the journal change.
fn read_overlay(book: &Path, header: &Header, report: &mut SalvageReport) -> Result<Overlay> {
    let (mut overlay, layouts) = (Overlay::of(header), Layouts::of(header));
    let path = journal_path(book);
    let (bytes, start) = match read_journal(book) {
        Ok(Some(journal)) => journal,
        Ok(None) => return Ok(overlay),
        Err(error) => {
            report.bad.push(finding_of(of_the_file(error)?, book, "journal"));
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
            Ok(frame) => match overlay.push_frame(frame.parts(&layouts)) {
                Ok(()) => {
                    report.frames += 1;
                    return Ok(());
                }
                Err(Unsound::Fault(fault)) => fault,
                Err(Unsound::Io(source)) => return Err(source).at("read", &path),
            },
            Err(fault) => (fault.rule, fault.what),
        };
        let finding =
            Error::Damaged { path: path.clone(), rule: fault.0, offset, what: fault.1.to_owned() };
        report.bad.push(finding_of(finding, book, "journal"));
        Ok(())
    })?;
    overlay.settle();
    Ok(overlay)
}

/// Blocks of a section that are not to be trusted.
struct Lost {
    blocks: BTreeSet<u64>,
    /// The first block of which nothing is in the file: a header that is whole may speak of any
    /// number after it.
    from: u64,
}

impl Lost {
    /// Whether it has a part of this slot's cell.
    fn has(&self, section: &Section, slot: u64) -> bool {
        blocks_at(slot * section.cell, section.cell)
            .any(|block| block >= self.from || self.blocks.contains(&block))
    }
}

/// The rows of a table that can be trusted, with the journal laid over them.
struct SoundRows<'a, R> {
    of: Damaged<'a>,
    strips: Strips<'a>,
    /// What is not to be trusted of the table and of the columns beside it, in their order.
    lost: Vec<Lost>,
    rows: PhantomData<fn() -> R>,
}

impl<'a, R: Layered> SoundRows<'a, R> {
    /// Finds the damaged blocks of a table and of its columns, and reports them; none if the book
    /// has no such table.
    fn find(of: Damaged<'a>, report: &mut SalvageReport) -> Result<Option<Self>> {
        let Damaged { env, bytes, path, header, .. } = of;
        let Some(strips) = Strips::with_columns(header, R::TABLE) else { return Ok(None) };
        let there = |end: u64| end <= bytes.there();
        let mut extent: Extent<R> = Extent::default();
        let mut wrong = Vec::new();
        let mut hashes: Vec<_> = strips.all().map(|_| Xxh3Default::new()).collect();
        for number in 0..bytes.pieces_of(&strips) {
            extent.read(bytes, &strips, number).at("read", path)?;
            for (hash, sums) in hashes.iter_mut().zip(extent.sums()) {
                sums.iter().for_each(|sum| hash.update(&sum.to_le_bytes()));
            }
            wrong.extend(extent.bad_blocks(&strips));
            env.step(Stage::Checking, (number + 1) * EXTENT_SLOTS * 24, strips.table().length)?;
        }
        let mut lost = Vec::new();
        for (strip, hash) in strips.all().zip(hashes) {
            let (section, sums) = (strip.section, strip.sums);
            let mine = wrong.iter().filter(|bad| bad.tag == section.tag);
            // A block whose checksum was cut off is judged by its rows alone.
            let mut mine: BTreeSet<u64> = mine
                .map(|bad| bad.block)
                .filter(|block| there(sums.offset + 8 * (block + 1)))
                .collect();
            if hash.digest() == sums.checksum {
                // The blocks are what they were: it is their stored checksums that are damaged.
                let what = "the checksums are damaged; what they are of is whole";
                for block in std::mem::take(&mut mine) {
                    report.found(path, sums, None, sums.offset + 8 * block, Rule::B14, what);
                }
            }
            let end = section.offset + section.length;
            if !there(end) {
                let what = "the section is cut off: what was behind is gone";
                report.found(path, section, None, bytes.there(), Rule::B5, what);
                let first_cut = bytes.there_of(section) / BLOCK;
                mine.extend(first_cut..bytes.there_of(section).div_ceil(BLOCK));
            }
            let gone = if section.beside.is_none() { "rows" } else { "cells" };
            let what = format!("the block is damaged: its {gone} are gone");
            for &block in &mine {
                let offset = section.offset + block * BLOCK;
                report.found(path, section, Some(block), offset, Rule::B13, &what);
            }
            let from = if there(end) { u64::MAX } else { bytes.there_of(section).div_ceil(BLOCK) };
            lost.push(Lost { blocks: mine, from });
        }
        Ok(Some(Self { of, strips, lost, rows: PhantomData }))
    }

    fn stream(&self) -> SoundStream<'_, R> {
        SoundStream { from: self, next: 0, extent: Extent::default(), last: None, lost_cells: 0 }
    }
}

impl<R: Layered> Sound<R> for SoundRows<'_, R> {
    fn kept(&self, lost_cells: &mut u64) -> Result<Kept> {
        let expected = self.strips.table().shape.rows;
        let mut rows = self.stream();
        let kept = (&mut rows).count()?;
        *lost_cells += rows.lost_cells;
        Ok(Kept { expected, kept })
    }
}

impl<R: Layered> RowSet<R> for SoundRows<'_, R> {
    fn columns(&self) -> Columns {
        self.strips.columns()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        Ok(Box::new(Overlaid::new(Box::new(self.stream()), R::deltas(self.of.overlay).all())))
    }

    fn at_most(&self) -> u64 {
        self.strips.slots() + R::deltas(self.of.overlay).len() as u64
    }
}

struct SoundStream<'a, R> {
    from: &'a SoundRows<'a, R>,
    /// The next extent to read.
    next: u64,
    extent: Extent<R>,
    last: Option<(Hash, u16)>,
    lost_cells: u64,
}

impl<R: Layered> SoundStream<'_, R> {
    /// Whether a row is where it can be, given those before it.
    fn is_sound(&self, slot: u64, row: &R) -> bool {
        let (header, shape) = (self.from.of.header, self.from.strips.table().shape);
        if row.is_empty()
            || row.invalid_reason().is_some()
            || !header.results.allow(row.counts())
            || !header.share.holds(row.hash())
        {
            return false;
        }
        let home = header.share.home(row.hash(), shape.homes);
        let in_reach = home <= slot && slot - home <= shape.max_displacement;
        in_reach
            && self.last.is_none_or(|last| last < row.rank())
            && !self.from.lost[0].has(self.from.strips.table(), slot)
    }

    /// The cells of a slot; those that are lost say nothing.
    fn cells_of(&mut self, slot: u64, cells: &mut Vec<u8>) {
        self.extent.cells_of(&self.from.strips, slot, cells);
        let mut at = 0;
        for (strip, lost) in self.from.strips.all().zip(&self.from.lost).skip(1) {
            let end = at + strip.section.cell as usize;
            if lost.has(strip.section, slot) {
                cells[at..end].fill(0);
                self.lost_cells += 1;
            }
            at = end;
        }
    }
}

impl<R: Layered> Rows<R> for SoundStream<'_, R> {
    fn columns(&self) -> Columns {
        self.from.strips.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.columns());
        let mut cells = Vec::new();
        let SoundRows { of: Damaged { bytes, path, .. }, strips, .. } = self.from;
        while chunk.is_empty() && self.next < bytes.pieces_of(strips) {
            self.extent.read(*bytes, strips, self.next).at("read", path)?;
            let slots: Vec<_> = self.extent.slots().map(|(slot, row)| (slot, *row)).collect();
            for (slot, row) in slots {
                if self.is_sound(slot, &row) {
                    self.last = Some(row.rank());
                    self.cells_of(slot, &mut cells);
                    chunk.push_from(row, &cells);
                }
            }
            self.next += 1;
        }
        Ok(())
    }
}

/// How far a book goes on with what its header says, where that is cut off.
impl ZeroTail {
    /// How many bytes of a section are in the file: a header that is whole may still speak of far
    /// more than there is.
    fn there_of(&self, section: &Section) -> u64 {
        section.length.min(self.there().saturating_sub(section.offset))
    }

    /// How many extents of a table have bytes in the file.
    fn pieces_of(&self, strips: &Strips<'_>) -> u64 {
        self.there_of(strips.table()).div_ceil(EXTENT_SLOTS * 24)
    }
}
