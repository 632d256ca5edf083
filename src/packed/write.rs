//! Writing a packed book's sections: entries are streamed twice, first to count what the parameters
//! follow from, then into pages.

use super::census::Census;
use super::content::{Content, Pass, Tally};
use super::dictionary::{Dictionary, Games};
use super::encode::{Piece, encode};
use super::entry::Entry;
use super::gather::{Gatherer, dictionary};
use super::group::{Found, Group};
use super::group_writer::GroupBuffer;
use super::large::LargeGroup;
use super::page::{PageWriter, checksums};
use super::params::Params;
use crate::column::{Column, Columns};
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{GAME_CELL, PAGE, PAGE_LEN, ROW, Section, TAG_CELL, TableShape, Tag};
use crate::key::Hash;
use crate::parallel::map;
use crate::partitions::threads;
use crate::publish::AtomicFile;
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use crate::sort::Run;
use crate::storage::folder_of;
use crate::stream::{Chunk, Rows};
use crate::table::{StripOut, write_sums};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;
use zerocopy::IntoBytes;

/// Bytes of pages that are written at once.
const AT_ONCE: usize = 1 << 20;

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
    let path = file.target();
    let (games, gathered) = gather(env, path, content)?;
    let (census, counted) = count(env, path, content, &games)?;
    counted.check(content.results, path)?;
    let params = census.params(counted.sum);
    let encoded = params.encode();
    let pack = file.write_section(Tag::PACK, offset, &encoded)?;
    let mut pages = Pages::new(env, file, pack.end(), &params, &games);
    let pass = Pass::new(env, Stage::Writing, path, content);
    let written = encode(content, &params, &games, &pass, |piece| pages.take(piece))?;
    if written != counted || gathered.is_some_and(|gathered| gathered != counted) {
        return Err(pass.changed());
    }
    let (page, large) = pages.finish(census.entries())?;
    let mut sections = vec![pack, page];
    large.write(file, page.end(), content, &written, &mut sections)?;
    if gathered.is_some() {
        let at = sections.last().map_or(offset, Section::end);
        write_games(file, at, &games, &mut sections)?;
    }
    Ok((sections, encoded))
}

/// Looks at all entries, on several threads if there are many, each with a `T` of its own.
fn look<'a, T: Send>(
    env: &Env<'_>,
    path: &Path,
    content: &Content<'a>,
    new: impl Fn() -> T + Sync,
    take: impl Fn(&mut T, &Entry<'_>) -> Result<()> + Sync,
) -> Result<(Vec<T>, Tally)> {
    let partitions = content.partitions();
    let pass = Pass::new(env, Stage::Counting, path, content);
    let look_at = |of_thread: &mut T, _, partition| {
        let hashes = match partitions.count {
            1 => Hash::MIN..=Hash::MAX,
            _ => partitions.hashes(partition),
        };
        let mut entries = content.entries(&hashes)?;
        let mut part = pass.over(hashes);
        while let Some(entry) = entries.next()? {
            part.take(&entry)?;
            take(of_thread, &entry)?;
        }
        part.end()
    };
    let all = (0..partitions.count).collect();
    let (tallies, looked) = map(threads(partitions.count), all, new, look_at)?;
    let mut tally = Tally::default();
    tallies.iter().for_each(|other| tally.join(other));
    Ok((looked, tally))
}

/// Gathers the games that cells name, if there are such cells.
fn gather(
    env: &Env<'_>,
    path: &Path,
    content: &Content<'_>,
) -> Result<(Dictionary, Option<Tally>)> {
    let form = content.form();
    if !form.columns.has(Column::GAME) {
        return Ok((Dictionary::new(Vec::new()), None));
    }
    let new = || Gatherer::new(env, folder_of(path), &form);
    let (gathered, tally) = look(env, path, content, new, Gatherer::add)?;
    let sorted = gathered.into_iter().map(Gatherer::finish).collect::<Result<_>>()?;
    Ok((dictionary(env, path, sorted)?, Some(tally)))
}

fn count<'a>(
    env: &Env<'_>,
    path: &Path,
    content: &Content<'_>,
    games: &'a Dictionary,
) -> Result<(Census<'a>, Tally)> {
    let new = || Census::new(content.form(), games);
    let add = |census: &mut Census<'_>, entry: &Entry<'_>| {
        census.add(entry);
        Ok(())
    };
    let (counted, tally) = look(env, path, content, new, add)?;
    let mut census = new();
    counted.iter().for_each(|other| census.join(other));
    Ok((census, tally))
}

/// Writes the dictionary of games and the sums of its blocks.
fn write_games(
    file: &AtomicFile<'_>,
    offset: u64,
    games: &Dictionary,
    sections: &mut Vec<Section>,
) -> Result<()> {
    let (length, beside) = (GAME_CELL * games.len(), Some(TableKind::Moves));
    let (tag, cell) = (Tag::GAMES, GAME_CELL);
    let section = Section { tag, cell, offset, length, beside, ..Section::default() };
    let mut out = StripOut::new(section);
    for games in games.games().chunks(AT_ONCE / GAME_CELL as usize) {
        out.write(file, games.as_bytes())?;
    }
    sections.push(section);
    sections.push(write_sums(file, &section, &out.finish())?);
    Ok(())
}

/// The section PAGE on its way to the file.
struct Pages<'a> {
    file: &'a AtomicFile<'a>,
    params: &'a Params,
    games: &'a Dictionary,
    pages: PageWriter<'a>,
    out: PagesOut<'a>,
    /// Where rows of the next group went already, if it is a large one.
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
        games: &'a Dictionary,
    ) -> Self {
        let out = PagesOut {
            file,
            start: offset,
            next: offset,
            buffer: Vec::with_capacity(AT_ONCE),
            hash: Xxh3Default::new(),
        };
        let columns = params.form.columns;
        let large = LargeRows { env, file, columns, positions: None, moves: None };
        let pages = PageWriter::new(params);
        Self { file, params, games, pages, out, begun: None, large }
    }

    fn take(&mut self, piece: &Piece) -> Result<()> {
        match piece {
            Piece::Groups(groups) => groups.iter().try_for_each(|group| self.push(group)),
            Piece::Large(rows) => self.spill(rows),
            Piece::End(_) => Ok(()),
        }
    }

    /// Takes the next group; none if it is a large one, whose rows were taken already.
    #[inline]
    fn push(&mut self, group: Option<&[u8]>) -> Result<()> {
        let out = &mut self.out;
        // An empty group takes no more room than a large one, and has no rows to be put elsewhere.
        let near = |bytes: &&[u8]| bytes[0] == 0 || self.pages.is_near(bytes.len());
        if let Some(bytes) = group.filter(near) {
            return self.pages.push(bytes, |page| out.push(page));
        }
        if let Some(bytes) = group {
            self.spill(&self.read_again(bytes))?;
        }
        let limit = || Error::Limit {
            path: self.file.target().to_owned(),
            what: "a group of a packed book can't have more than 2^32 rows",
        };
        let large = self.begun.take().and_then(|group| group.encode()).ok_or_else(limit)?;
        self.pages.push(&large, |page| self.out.push(page))
    }

    /// The entries of the next group, which was written as a small one.
    fn read_again(&self, bytes: &[u8]) -> GroupBuffer {
        let of_page = u64::from(self.params.groups());
        let (home, group) = (self.pages.next() / of_page, (self.pages.next() % of_page) as u32);
        let (mut page, mut rows) = ([0; PAGE_LEN], GroupBuffer::default());
        page[..bytes.len()].copy_from_slice(bytes);
        let games = Games::Known(self.games);
        let found = Group::read(&page, 0, self.params.buckets_of(group), self.params);
        if let Some(Found::Group(written)) = found {
            let read = written.each_entry(self.params.first_bucket(home, group), &games, |entry| {
                rows.push(entry);
                Ok(())
            });
            debug_assert_eq!(read, Ok(()));
        }
        rows
    }

    /// Takes rows of a group that is large.
    fn spill(&mut self, group: &GroupBuffer) -> Result<()> {
        let rows = self.large.push(group)?;
        let begun = self.begun.get_or_insert(LargeGroup {
            positions: rows.positions.start..rows.positions.start,
            moves: rows.moves.start..rows.moves.start,
        });
        begun.positions.end = rows.positions.end;
        begun.moves.end = rows.moves.end;
        Ok(())
    }

    /// Writes what is left, and says where the section is.
    fn finish(mut self, entries: u64) -> Result<(Section, LargeRows<'a>)> {
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
        let moves = Chunk::of_parts(moves.to_vec(), self.columns, cells.to_vec());
        let positions: Vec<_> = group.positions().copied().collect();
        Ok(LargeGroup {
            positions: append(self.env, self.file, &mut self.positions, Chunk::of_rows(positions))?,
            moves: append(self.env, self.file, &mut self.moves, moves)?,
        })
    }

    /// Writes the sections of both tables and of what is beside them.
    fn write(
        &self,
        file: &AtomicFile<'_>,
        offset: u64,
        content: &Content<'_>,
        totals: &Tally,
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
        let mut buffer = Vec::new();
        run.rows().each_chunk(|chunk| -> Result<()> {
            strips[0].1.write(file, chunk.rows().as_bytes())?;
            for ((place, column), (_, out)) in columns.places().zip(&mut strips[1..]) {
                buffer.clear();
                for cells in chunk.cells().chunks_exact(columns.stride()) {
                    buffer.extend_from_slice(&cells[place..place + column.size()]);
                }
                out.write(file, &buffer)?;
            }
            Ok(())
        })?;
    }
    for (section, out) in strips {
        sections.push(section);
        sections.push(write_sums(file, &section, &out.finish())?);
    }
    Ok(at)
}
