//! Writing a packed book's sections: entries are streamed twice, first to count what the parameters
//! follow from, then into pages.

use super::census::Census;
use super::entry::{Entries, Entry};
use super::group_writer::{GroupBuffer, GroupWriter};
use super::large::LargeGroup;
use super::page::{PageWriter, checksums};
use super::params::{Form, Params};
use crate::column::Columns;
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{PAGE, PAGE_LEN, ROW, Results, Section, Share, TAG_CELL, TableShape, Tag};
use crate::key::Hash;
use crate::partitions::stream_by_partitions;
use crate::publish::AtomicFile;
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::sort::Run;
use crate::storage::folder_of;
use crate::stream::{Chunk, RowSet, Rows};
use crate::table::{StripOut, write_sums};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::IntoBytes;

/// Bytes of pages that are written at once.
const AT_ONCE: usize = 1 << 20;
/// How many entries are looked at between two signs of life.
const A_STEP: u64 = 1 << 14;

/// The rows of a book that is to be packed.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    pub share: Share,
    pub results: Results,
    /// Whether the plain book has tags.
    pub tags: bool,
    pub positions: Option<&'a dyn RowSet<PositionRow>>,
    pub moves: Option<&'a dyn RowSet<MoveRow>>,
}

impl Content<'_> {
    fn form(&self) -> Form {
        Form {
            share: self.share,
            positions: self.positions.is_some(),
            moves: self.moves.is_some(),
            columns: self.moves.map_or(Columns::NONE, RowSet::columns),
        }
    }

    /// Rows of both tables, at most.
    fn at_most(&self) -> u64 {
        let positions = self.positions.map_or(0, RowSet::at_most);
        positions.saturating_add(self.moves.map_or(0, RowSet::at_most))
    }

    /// Hands on a stream of all entries, which threads get ready meanwhile.
    fn stream<T>(&self, take: impl FnOnce(&mut Entries<'_>) -> Result<T>) -> Result<T> {
        match (self.positions, self.moves) {
            (Some(positions), Some(moves)) => stream_by_partitions(positions, |positions| {
                stream_by_partitions(moves, |moves| {
                    take(&mut Entries::new(Some(Box::new(positions)), Some(Box::new(moves))))
                })
            }),
            (Some(positions), None) => stream_by_partitions(positions, |positions| {
                take(&mut Entries::new(Some(Box::new(positions)), None))
            }),
            (None, Some(moves)) => stream_by_partitions(moves, |moves| {
                take(&mut Entries::new(None, Some(Box::new(moves))))
            }),
            (None, None) => take(&mut Entries::new(None, None)),
        }
    }
}

/// Writes the sections of a packed book at this offset of a new file, up to those of sources and
/// facts. They are returned, and the content of PACK, whose copy comes at the end.
///
/// # Errors
/// As those of [`write_table`](crate::table::write_table).
pub(crate) fn write_packed(
    env: &Env<'_>,
    file: &AtomicFile<'_>,
    offset: u64,
    content: &Content<'_>,
) -> Result<(Vec<Section>, Vec<u8>)> {
    let (form, at_most) = (content.form(), content.at_most());
    let (census, counted) = content.stream(|entries| {
        let mut census = Census::new(form);
        let mut pass = Pass::new(file, content);
        while let Some(entry) = entries.next()? {
            pass.take(env, Stage::Counting, &entry, at_most)?;
            census.add(&entry);
        }
        Ok((census, pass))
    })?;
    counted.check()?;
    let params = census.params();
    let encoded = params.encode();
    let pack = file.write_section(Tag::PACK, offset, &encoded)?;
    let mut pages = Pages::new(env, file, pack.end(), &params, form.columns)?;
    let written = content.stream(|entries| {
        let mut pass = Pass::new(file, content);
        while let Some(entry) = entries.next()? {
            pass.take(env, Stage::Writing, &entry, at_most)?;
            pages.push(&entry)?;
        }
        Ok(pass)
    })?;
    if written.sum != counted.sum {
        return Err(Error::Changed { path: file.target().to_owned() });
    }
    let (page, large) = pages.finish(census.entries())?;
    let mut sections = vec![pack, page];
    large.write(file, page.end(), content, &written, &mut sections)?;
    Ok((sections, encoded))
}

/// What is seen of entries that are streamed: whether they are in order, and the totals of their
/// rows.
struct Pass<'a> {
    file: &'a AtomicFile<'a>,
    share: Share,
    results: Results,
    last: Option<Hash>,
    entries: u64,
    positions: TableShape,
    moves: TableShape,
    /// A sum over all rows and cells, by which two passes are compared.
    sum: u64,
}

impl<'a> Pass<'a> {
    fn new(file: &'a AtomicFile<'a>, content: &Content<'_>) -> Self {
        Self {
            file,
            share: content.share,
            results: content.results,
            last: None,
            entries: 0,
            positions: TableShape::default(),
            moves: TableShape::default(),
            sum: 0,
        }
    }

    #[inline]
    fn take(&mut self, env: &Env<'_>, stage: Stage, entry: &Entry<'_>, most: u64) -> Result<()> {
        let path = || self.file.target().to_owned();
        let in_order = entry.moves.is_sorted_by(|a, b| a.code() < b.code());
        if self.last.is_some_and(|last| last >= entry.h) || !in_order {
            return Err(Error::Changed { path: path() });
        }
        if !self.share.holds(entry.h) {
            return Err(Error::Share { path: path(), share: self.share });
        }
        self.last = Some(entry.h);
        if let Some(row) = entry.position {
            self.positions.count(row.counts());
            self.sum = self.sum.wrapping_add(sum_of(row.as_bytes()));
        }
        for row in entry.moves {
            self.moves.count(row.counts());
            self.sum = self.sum.wrapping_add(sum_of(row.as_bytes()));
        }
        if !entry.cells.is_empty() {
            let of_cells = xxh3_64(entry.cells) ^ entry.h.get();
            self.sum = self.sum.wrapping_add(of_cells.wrapping_mul(MIXER));
        }
        self.entries += 1;
        if self.entries.is_multiple_of(A_STEP) {
            env.step(stage, self.positions.rows + self.moves.rows, most)?;
        }
        Ok(())
    }

    /// Sums over less than 2^32 rows don't wrap; of more, not all have the most wins there can be.
    fn check(&self) -> Result<()> {
        let decided =
            [&self.positions, &self.moves].iter().any(|shape| (shape.wins, shape.losses) != (0, 0));
        if self.results == Results::Unknown && decided {
            return Err(Error::Results { path: self.file.target().to_owned() });
        }
        Ok(())
    }
}

/// An odd number without a pattern.
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number that follows from the bytes of a row.
#[inline(always)]
fn sum_of(row: &[u8]) -> u64 {
    row.chunks_exact(8).zip([3, 5, 7]).fold(0, |sum: u64, (word, odd)| {
        let word = word.first_chunk().map_or(0, |word: &[u8; 8]| u64::from_le_bytes(*word));
        (sum ^ word.wrapping_mul(MIXER.wrapping_mul(odd))).rotate_left(29)
    })
}

/// The section PAGE on its way to the file.
struct Pages<'a> {
    file: &'a AtomicFile<'a>,
    params: &'a Params,
    groups: GroupWriter<'a>,
    pages: PageWriter<'a>,
    out: PagesOut<'a>,
    /// The group at hand: its home page, its place there, its entries.
    page: u64,
    group: u32,
    entries: GroupBuffer,
    /// Where its rows went already, if it is so large that they didn't wait.
    begun: Option<LargeGroup>,
    large: LargeRows<'a>,
}

/// Pages that are written, many at once.
struct PagesOut<'a> {
    file: &'a AtomicFile<'a>,
    start: u64,
    next: u64,
    buffer: Vec<u8>,
    /// Of the checksums of all pages.
    hash: Xxh3Default,
}

impl PagesOut<'_> {
    fn push(&mut self, page: &[u8; PAGE_LEN]) -> Result<()> {
        self.hash.update(&checksums(page).0.to_le_bytes());
        self.buffer.extend_from_slice(page);
        if self.buffer.len() >= AT_ONCE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.file.write(&self.buffer, self.next)?;
        self.next += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

impl<'a> Pages<'a> {
    fn new(
        env: &'a Env<'a>,
        file: &'a AtomicFile<'a>,
        offset: u64,
        params: &'a Params,
        columns: Columns,
    ) -> Result<Self> {
        let out = PagesOut {
            file,
            start: offset,
            next: offset,
            buffer: Vec::with_capacity(AT_ONCE),
            hash: Xxh3Default::new(),
        };
        Ok(Self {
            file,
            params,
            groups: GroupWriter::new(params),
            pages: PageWriter::new(params),
            out,
            page: 0,
            group: 0,
            entries: GroupBuffer::default(),
            begun: None,
            large: LargeRows { env, file, columns, positions: None, moves: None },
        })
    }

    #[inline]
    fn push(&mut self, entry: &Entry<'_>) -> Result<()> {
        let home = self.params.home(self.params.bucket(entry.h));
        while (self.page, self.group) != (home.page, home.group) {
            self.finish_group()?;
        }
        self.entries.push(entry);
        if self.entries.is_large() {
            self.spill()?;
        }
        Ok(())
    }

    /// Hands on the rows at hand of a group that is large.
    fn spill(&mut self) -> Result<()> {
        let rows = self.large.push(&self.entries)?;
        let begun = self.begun.get_or_insert(LargeGroup {
            positions: rows.positions.start..rows.positions.start,
            moves: rows.moves.start..rows.moves.start,
        });
        begun.positions.end = rows.positions.end;
        begun.moves.end = rows.moves.end;
        self.entries.clear();
        Ok(())
    }

    fn finish_group(&mut self) -> Result<()> {
        let (params, out) = (self.params, &mut self.out);
        let is_small = self.begun.is_none();
        let first = params.first_bucket(self.page, self.group);
        let bytes = match is_small {
            true => self.groups.write(&self.entries, first, params.buckets_of(self.group)),
            false => None,
        };
        // An empty group takes no more room than a large one, and has no rows to be put elsewhere.
        let near = |bytes: &&[u8]| self.entries.is_empty() || self.pages.is_near(bytes.len());
        match bytes.filter(near) {
            Some(bytes) => self.pages.push(bytes, |page| out.push(page))?,
            None => {
                self.spill()?;
                let limit = || Error::Limit {
                    path: self.file.target().to_owned(),
                    what: "a group of a packed book can't have more than 2^32 rows",
                };
                let group = self.begun.take().and_then(|group| group.encode()).ok_or_else(limit)?;
                self.pages.push(&group, |page| self.out.push(page))?;
            }
        }
        self.entries.clear();
        self.group += 1;
        if self.group == params.groups() {
            (self.page, self.group) = (self.page + 1, 0);
        }
        Ok(())
    }

    /// Writes what is left, and says where the section is.
    fn finish(mut self, entries: u64) -> Result<(Section, LargeRows<'a>)> {
        while self.page < self.params.home_pages() {
            self.finish_group()?;
        }
        let out = &mut self.out;
        self.pages.finish(|page| out.push(page))?;
        self.out.flush()?;
        let shape =
            TableShape { rows: entries, homes: self.params.home_pages(), ..TableShape::default() };
        let section = Section {
            tag: Tag::PAGE,
            cell: PAGE,
            offset: self.out.start,
            length: self.out.next - self.out.start,
            checksum: self.out.hash.digest(),
            shape,
            beside: None,
        };
        Ok((section, self.large))
    }
}

/// The rows of large groups, in scratch files.
struct LargeRows<'a> {
    env: &'a Env<'a>,
    file: &'a AtomicFile<'a>,
    columns: Columns,
    positions: Option<Run<PositionRow>>,
    moves: Option<Run<MoveRow>>,
}

impl LargeRows<'_> {
    /// Takes the rows of a group; where they are is returned.
    fn push(&mut self, group: &GroupBuffer) -> Result<LargeGroup> {
        let (moves, cells) = group.moves();
        let positions: Vec<_> = group.positions().copied().collect();
        Ok(LargeGroup {
            positions: append(self.env, self.file, &mut self.positions, Chunk::of_rows(positions))?,
            moves: append(
                self.env,
                self.file,
                &mut self.moves,
                Chunk::of_parts(moves.to_vec(), self.columns, cells.to_vec()),
            )?,
        })
    }

    /// Writes the sections of both tables and of what is beside them.
    fn write(
        &self,
        file: &AtomicFile<'_>,
        offset: u64,
        content: &Content<'_>,
        totals: &Pass<'_>,
        sections: &mut Vec<Section>,
    ) -> Result<()> {
        let mut at = offset;
        if content.positions.is_some() {
            let run = self.positions.as_ref();
            at = write_rows(file, at, totals.positions, Columns::NONE, run, sections)?;
        }
        if content.positions.is_some() && content.tags {
            let beside = Some(TableKind::Positions);
            let (tag, cell) = (Tag::TAGS, TAG_CELL);
            let tags = Section { tag, cell, offset: at, beside, ..Section::default() };
            sections.push(tags);
            sections.push(write_sums(file, &tags, &[])?);
        }
        if content.moves.is_some() {
            let run = self.moves.as_ref();
            write_rows(file, at, totals.moves, self.columns, run, sections)?;
        }
        Ok(())
    }
}

/// Appends rows to a run, which is begun with the first of them; which of its rows they are is
/// returned.
fn append<R: Row>(
    env: &Env<'_>,
    file: &AtomicFile<'_>,
    run: &mut Option<Run<R>>,
    chunk: Chunk<R>,
) -> Result<std::ops::Range<u64>> {
    if chunk.is_empty() {
        let len = run.as_ref().map_or(0, Run::len);
        return Ok(len..len);
    }
    let run = match run {
        Some(run) => run,
        None => run.insert(Run::new(env.storage, folder_of(file.target()), chunk.columns())?),
    };
    let start = run.len();
    run.append(&chunk)?;
    Ok(start..run.len())
}

/// Writes a table's section with the rows of a run, one after the other, those of the columns
/// beside it, and the sums of all of them; where the next section starts is returned.
fn write_rows<R: Row>(
    file: &AtomicFile<'_>,
    offset: u64,
    shape: TableShape,
    columns: Columns,
    run: Option<&Run<R>>,
    sections: &mut Vec<Section>,
) -> Result<u64> {
    let rows = run.map_or(0, Run::len);
    let mut at = offset;
    let mut strip = |section: Section| {
        let section = Section { offset: at, length: rows * section.cell, ..section };
        at = section.end() + (8 * crate::format::blocks_of(section.length)).next_multiple_of(PAGE);
        (section, StripOut::new(section))
    };
    let table = Section { tag: Tag::table(R::TABLE), cell: ROW, shape, ..Section::default() };
    let mut strips = vec![strip(table)];
    for column in columns.iter() {
        let (cell, beside) = (column.size() as u64, Some(R::TABLE));
        strips.push(strip(Section { tag: column.tag, cell, beside, ..Section::default() }));
    }
    if let Some(run) = run {
        let (mut stream, mut chunk, mut buffer) = (run.rows(), Chunk::default(), Vec::new());
        loop {
            stream.next_chunk(&mut chunk)?;
            if chunk.is_empty() {
                break;
            }
            strips[0].1.write(file, chunk.rows().as_bytes())?;
            for ((place, column), (_, out)) in columns.places().zip(&mut strips[1..]) {
                buffer.clear();
                for cells in chunk.cells().chunks_exact(columns.stride()) {
                    buffer.extend_from_slice(&cells[place..place + column.size()]);
                }
                out.write(file, &buffer)?;
            }
        }
    }
    for (section, out) in strips {
        sections.push(section);
        sections.push(write_sums(file, &section, &out.finish())?);
    }
    Ok(at)
}
