//! Writing a table in one pass, from rows in order, with its columns, its tags, and the sums of all
//! of them.
//!
//! The number of rows says where each section starts. Only if keys are chosen to collide, so that
//! rows are displaced beyond the usual slack, is the table begun again with more of it.

use super::place::{Batch, Placing};
use crate::column::Columns;
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{
    Load, PAGE, ROW, Results, Section, Share, TAG_CELL, TableShape, Tag, block_sums, blocks_of,
    slack, tag_of_empty, tag_of_row,
};
use crate::partitions::{count_rows, stream_by_partitions};
use crate::publish::AtomicFile;
use crate::row::{Row, TableKind};
use crate::stream::{RowSet, Rows};
use std::sync::mpsc;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U64;

/// Batches that wait to be written.
const WAITING: usize = 2;

/// What a table is to be beside its rows.
#[derive(Clone, Copy)]
pub(crate) struct TableOptions {
    pub share: Share,
    pub load: Load,
    pub results: Results,
    /// Whether its slots are to have tags.
    pub tags: bool,
}

/// Writes a table at this offset of a new file, and the sections beside it; all of these sections
/// are returned, with those of their sums, in their order.
///
/// # Errors
/// [`Error::Changed`] if the rows are not the same when they are streamed again, or not in
/// ascending order; [`Error::Share`] if one belongs to another share; [`Error::Results`] if one has
/// wins or losses, and none may; the system's, and those of the rows.
pub(crate) fn write_table<R: Row>(
    env: &Env<'_>,
    file: &AtomicFile<'_>,
    offset: u64,
    options: TableOptions,
    rows: &dyn RowSet<R>,
) -> Result<Vec<Section>> {
    let count = match rows.exactly() {
        Some(count) => count,
        None => count_rows(env, rows)?,
    };
    if count > 1 << 56 {
        return Err(Error::Limit {
            path: file.target().to_owned(),
            what: "a table can't have more than 2^56 rows",
        });
    }
    let mut plan = Plan { options, offset, count, slack: slack(count, 0), columns: rows.columns() };
    loop {
        let written = stream_by_partitions(rows, |rows| plan.write(env, file, rows))?;
        let shape = written.shape;
        if shape.max_displacement <= plan.slack {
            // Sums over less than 2^32 rows don't wrap; of more, not all have the most wins there
            // can be.
            if options.results == Results::Unknown && (shape.wins, shape.losses) != (0, 0) {
                return Err(Error::Results { path: file.target().to_owned() });
            }
            return plan.finish::<R>(file, written);
        }
        plan.slack = slack(count, shape.max_displacement);
    }
}

/// Where all of a table goes.
#[derive(Clone, Copy)]
struct Plan {
    options: TableOptions,
    offset: u64,
    count: u64,
    slack: u64,
    columns: Columns,
}

struct Written {
    shape: TableShape,
    /// Those of its sections, in their order.
    sums: Vec<Vec<U64>>,
}

impl Plan {
    fn homes(&self) -> u64 {
        self.options.load.homes(self.count)
    }

    fn slots(&self) -> u64 {
        self.homes() + self.slack
    }

    /// The sections that have a cell for each slot: the table, its tags, its columns.
    fn strips<R: Row>(&self) -> Vec<Section> {
        let tagged = self.options.tags && R::TABLE == TableKind::Positions;
        let tags = tagged.then_some((Tag::TAGS, TAG_CELL));
        let columns = self.columns.iter().map(|column| (column.tag, column.size() as u64));
        let mut next = self.offset;
        let beside = tags.into_iter().chain(columns).map(|(tag, cell)| (tag, cell, Some(R::TABLE)));
        let place = |(tag, cell, beside)| {
            let length = self.slots() * cell;
            let section = Section { tag, cell, offset: next, length, beside, ..Section::default() };
            next = section.end() + (8 * blocks_of(length)).next_multiple_of(PAGE);
            section
        };
        std::iter::once((Tag::table(R::TABLE), ROW, None)).chain(beside).map(place).collect()
    }

    /// Writes all slots, or, if a row is displaced too far for the slack, finds out how far rows
    /// are.
    fn write<R: Row>(
        self,
        env: &Env<'_>,
        file: &AtomicFile<'_>,
        rows: &mut dyn Rows<R>,
    ) -> Result<Written> {
        let mut out = Out {
            file,
            homes: self.homes(),
            share: self.options.share,
            columns: self.columns,
            strips: self.strips::<R>().into_iter().map(StripOut::new).collect(),
            buffer: Vec::new(),
        };
        let (path, share) = (file.target(), self.options.share);
        let (homes, slots) = (self.homes(), self.slots());
        let placing = Placing::<R>::new(path, share, homes, slots, self.offset, self.columns);
        if self.count < Batch::<R>::SLOTS as u64 {
            let shape = self.place(env, placing, rows, |batch| {
                out.write(batch)?;
                batch.clear();
                Ok(())
            })?;
            return Ok(Written { shape, sums: out.finish() });
        }
        let (to_write, full) = mpsc::sync_channel::<Batch<R>>(WAITING);
        let (to_fill, written) = mpsc::channel();
        std::thread::scope(|scope| {
            let writing = scope.spawn(move || {
                for mut batch in full {
                    out.write(&batch)?;
                    batch.clear();
                    let _ = to_fill.send(batch);
                }
                Ok(out.finish())
            });
            let placed = self.place(env, placing, rows, |batch| {
                let empty = written.try_recv().unwrap_or_default();
                // Writing stops only by an error, which comes before this one.
                to_write.send(batch.replaced_by(empty)).map_err(|_| changed(file))
            });
            drop(to_write);
            let sums = writing.join().expect("writing doesn't panic")?;
            Ok(Written { shape: placed?, sums })
        })
    }

    /// Places all rows, and hands full batches on.
    fn place<R: Row>(
        &self,
        env: &Env<'_>,
        mut placing: Placing<'_, R>,
        rows: &mut dyn Rows<R>,
        mut full: impl FnMut(&mut Batch<R>) -> Result<()>,
    ) -> Result<TableShape> {
        rows.each_chunk(|chunk| {
            placing.take(chunk, &mut full)?;
            env.step(Stage::Writing, placing.rows(), self.count)
        })?;
        placing.finish(self.count, full)
    }

    /// Writes the sums, and zeros to the ends of all pages.
    fn finish<R: Row>(&self, file: &AtomicFile<'_>, written: Written) -> Result<Vec<Section>> {
        let mut sections = Vec::new();
        for (mut strip, sums) in self.strips::<R>().into_iter().zip(written.sums) {
            if strip.beside.is_none() {
                strip.shape = written.shape;
            }
            sections.push(strip);
            sections.push(write_sums(file, &strip, &sums)?);
        }
        Ok(sections)
    }
}

/// The sections of a table on their way to the file, a batch of slots after the other.
struct Out<'a> {
    file: &'a AtomicFile<'a>,
    homes: u64,
    share: Share,
    columns: Columns,
    /// The table, its tags if it has any, its columns.
    strips: Vec<StripOut>,
    buffer: Vec<u8>,
}

impl Out<'_> {
    fn write<R: Row>(&mut self, batch: &Batch<R>) -> Result<()> {
        let Some((table, beside)) = self.strips.split_first_mut() else { return Ok(()) };
        table.write(self.file, batch.slots().as_bytes())?;
        let columns = beside.len() - self.columns.iter().count();
        for tags in &mut beside[..columns] {
            self.buffer.clear();
            for (number, slot) in batch.numbered() {
                let tag = if slot.is_empty() {
                    tag_of_empty(number)
                } else {
                    tag_of_row(slot.h() << self.share.bits(), self.homes)
                };
                self.buffer.extend_from_slice(&tag.to_le_bytes());
            }
            tags.write(self.file, &self.buffer)?;
        }
        for (strip, (at, column)) in beside[columns..].iter_mut().zip(self.columns.places()) {
            self.buffer.clear();
            for cells in batch.cells().chunks_exact(self.columns.stride()) {
                self.buffer.extend_from_slice(&cells[at..at + column.size()]);
            }
            strip.write(self.file, &self.buffer)?;
        }
        Ok(())
    }

    fn finish(self) -> Vec<Vec<U64>> {
        self.strips.into_iter().map(StripOut::finish).collect()
    }
}

/// Writes zeros behind a section, and the sums of its blocks after it; their section is returned.
pub(crate) fn write_sums(file: &AtomicFile<'_>, strip: &Section, sums: &[U64]) -> Result<Section> {
    file.pad(strip)?;
    file.write_section(strip.tag.sums(), strip.end(), sums.as_bytes())
}

/// A section on its way to the file, and the sums of its blocks.
pub(crate) struct StripOut {
    /// Where the next bytes go.
    next: u64,
    /// What was written of a block that isn't whole yet.
    begun: Vec<u8>,
    sums: Vec<U64>,
}

impl StripOut {
    /// Of a section that begins where this one does.
    pub fn new(section: Section) -> Self {
        Self { next: section.offset, begun: Vec::new(), sums: Vec::new() }
    }

    /// Writes more of it.
    pub fn write(&mut self, file: &AtomicFile<'_>, bytes: &[u8]) -> Result<()> {
        file.write(bytes, self.next)?;
        self.next += bytes.len() as u64;
        let missing = (PAGE as usize - self.begun.len()) % PAGE as usize;
        let (ending, rest) = bytes.split_at(missing.min(bytes.len()));
        self.begun.extend_from_slice(ending);
        if self.begun.len() == PAGE as usize {
            self.sums.push(U64::new(xxh3_64(&self.begun)));
            self.begun.clear();
        }
        let (whole, rest) = rest.split_at(rest.len() / PAGE as usize * PAGE as usize);
        self.sums.extend(block_sums(whole).map(U64::new));
        self.begun.extend_from_slice(rest);
        Ok(())
    }

    /// The sums of all its blocks.
    pub fn finish(mut self) -> Vec<U64> {
        self.sums.extend(block_sums(&self.begun).map(U64::new));
        self.sums
    }
}

impl AtomicFile<'_> {
    /// Writes a section that is nothing but bytes with their checksum, and zeros after it.
    pub(crate) fn write_section(&self, tag: Tag, offset: u64, bytes: &[u8]) -> Result<Section> {
        self.write(bytes, offset)?;
        let (length, checksum) = (bytes.len() as u64, xxh3_64(bytes));
        let section = Section { tag, offset, length, checksum, ..Section::default() };
        self.pad(&section)?;
        Ok(section)
    }

    /// Writes zeros after a section, to the end of its last page.
    pub(crate) fn pad(&self, section: &Section) -> Result<()> {
        let (end, page) = (section.offset + section.length, section.end());
        self.write(&[0; PAGE as usize][..(page - end) as usize], end)
    }
}

/// What went into this file changed while it was read.
fn changed(file: &AtomicFile<'_>) -> Error {
    Error::Changed { path: file.target().to_owned() }
}
