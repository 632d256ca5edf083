//! An extent of a table, and of the sections beside it: some slots, read and verified (B-13).

use crate::bytes::Bytes;
use crate::column::Columns;
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, ROW, Rule, Section, Tag, block_sums, blocks_at, blocks_of};
use crate::parallel::{self, Maker, Prefetch};
use crate::row::{Row, TableKind};
use crate::stream::Chunk;
use std::io;
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, IntoBytes};

/// Slots of an extent: of cells of any size they are whole blocks, so that no block is in two extents.
/// About a quarter of a megabyte of rows.
pub(crate) const EXTENT_SLOTS: u64 = 3 * BLOCK;

/// How many extents a thread reads ahead.
const EXTENTS_AHEAD: usize = 2;

/// How many extents are not worth a thread.
const FEW: u64 = 4;

/// How many threads read ahead at most.
const THREADS: usize = 8;

/// A table, and those sections beside it that are wanted, each with its sums.
pub(crate) struct Strips<'a> {
    table: Strip<'a>,
    beside: Vec<Strip<'a>>,
}

/// A section with a cell for each slot, and its sums.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'a> {
    pub section: &'a Section,
    pub sums: &'a Section,
}

impl<'a> Strip<'a> {
    pub fn of(header: &'a Header, section: &'a Section) -> Option<Self> {
        header.section(section.tag.sums()).map(|sums| Self { section, sums })
    }

    /// Reads bytes of the section, every block touched verified (B-13).
    pub fn read(&self, bytes: &dyn Bytes, path: &Path, at: u64, len: u64) -> Result<Vec<u8>> {
        let Self { section, sums } = self;
        let first = at / BLOCK;
        let (start, end) = (first * BLOCK, (at + len).next_multiple_of(BLOCK).min(section.length));
        let mut body = vec![0; (end - start) as usize];
        bytes.read_exact_at(&mut body, section.offset + start).at("read", path)?;
        let mut expected = vec![U64::ZERO; body.len().div_ceil(BLOCK as usize)];
        bytes.read_exact_at(expected.as_mut_bytes(), sums.offset + 8 * first).at("read", path)?;
        if let Some(bad) =
            block_sums(&body).zip(&expected).position(|(sum, expected)| sum != expected.get())
        {
            let block = first + bad as u64;
            return Err(Error::Damaged {
                path: path.to_owned(),
                rule: Rule::B13,
                offset: section.offset + block * BLOCK,
                what: format!("a block's checksum is wrong (block {block} of {})", section.tag),
            });
        }
        body.truncate((at + len - start) as usize);
        body.drain(..(at - start) as usize);
        Ok(body)
    }

    /// Reads what these slots have of it; every block touched is verified.
    fn read_slots(&self, bytes: &dyn Bytes, path: &Path, slots: &Range<u64>) -> Result<Vec<u8>> {
        let cell = self.section.cell;
        self.read(bytes, path, slots.start * cell, (slots.end - slots.start) * cell)
    }
}

impl<'a> Strips<'a> {
    /// The table of this kind, if the book has one, and the sections beside it that are `wanted`.
    pub fn of(
        header: &'a Header,
        kind: TableKind,
        wanted: impl Fn(&Section) -> bool,
    ) -> Option<Self> {
        let table = Strip::of(header, header.table(kind)?)?;
        let beside = header.beside(kind).filter(|section| wanted(section));
        Some(Self {
            table,
            beside: beside.filter_map(|section| Strip::of(header, section)).collect(),
        })
    }

    /// The table and the columns that this code knows, whose cells rows have.
    pub fn with_columns(header: &'a Header, kind: TableKind) -> Option<Self> {
        Self::of(header, kind, |section| section.column().is_some())
    }

    /// The section of the table.
    pub fn table(&self) -> &'a Section {
        self.table.section
    }

    /// The table and the sections beside it.
    pub fn all(&self) -> impl Iterator<Item = Strip<'a>> {
        std::iter::once(self.table).chain(self.beside.iter().copied())
    }

    /// The columns among the sections beside it.
    pub fn columns(&self) -> Columns {
        self.beside.iter().filter_map(|strip| strip.section.column()).collect()
    }

    /// Slots of the table.
    pub fn slots(&self) -> u64 {
        self.table.section.length / ROW
    }

    /// Appends the rows in these slots, none of them empty, to a chunk, with their cells; every
    /// block touched is verified.
    pub fn read_rows<R: Row>(
        &self,
        bytes: &dyn Bytes,
        path: &Path,
        slots: Range<u64>,
        chunk: &mut Chunk<R>,
    ) -> Result<()> {
        let rows = self.table.read_slots(bytes, path, &slots)?;
        let rows = <[R]>::ref_from_bytes(&rows).unwrap_or_default();
        chunk.extend_from(rows, &self.read_cells(bytes, path, slots)?);
        Ok(())
    }

    /// The cells of the rows in these slots, those of a row after those of the one before it; every
    /// block touched is verified.
    pub fn read_cells(&self, bytes: &dyn Bytes, path: &Path, slots: Range<u64>) -> Result<Vec<u8>> {
        let read = |strip: &Strip<'_>| strip.read_slots(bytes, path, &slots);
        let beside = self.beside.iter().map(read).collect::<Result<Vec<_>>>()?;
        let mut cells = Vec::new();
        for index in 0..(slots.end - slots.start) as usize {
            for (strip, of_strip) in self.beside.iter().zip(&beside) {
                let size = strip.section.cell as usize;
                cells.extend_from_slice(&of_strip[index * size..(index + 1) * size]);
            }
        }
        Ok(cells)
    }

    /// How many extents it has.
    pub fn extents(&self) -> u64 {
        self.slots().div_ceil(EXTENT_SLOTS)
    }
}

/// A block of a section beside a table, or of the table, whose checksum is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadBlock {
    pub tag: Tag,
    pub block: u64,
    /// Where it is in the file.
    pub offset: u64,
}

/// The sums of some blocks: as they are, and as they ought to be.
#[derive(Default)]
struct Sums {
    expected: Vec<U64>,
    got: Vec<u64>,
}

impl Sums {
    fn read(
        &mut self,
        bytes: &dyn Bytes,
        strip: Strip<'_>,
        at: u64,
        body: &[u8],
    ) -> io::Result<()> {
        self.expected.resize(blocks_of(body.len() as u64) as usize, U64::ZERO);
        bytes.read_exact_at(self.expected.as_mut_bytes(), strip.sums.offset + 8 * (at / BLOCK))?;
        self.got.clear();
        self.got.extend(block_sums(body));
        Ok(())
    }

    /// Which of the blocks are damaged, from 0 on.
    fn damaged(&self) -> impl Iterator<Item = u64> {
        let pairs = self.got.iter().zip(&self.expected);
        let wrong = (0..).zip(pairs).filter(|(_, (got, expected))| **got != expected.get());
        wrong.map(|(index, _)| index)
    }
}

/// Cells of a section beside the table.
#[derive(Default)]
struct Cells {
    bytes: Vec<u8>,
    sums: Sums,
}

/// An extent of a table, with that of the sections beside it.
pub(crate) struct Extent<R> {
    /// Its first slot.
    start: u64,
    slots: Vec<R>,
    sums: Sums,
    beside: Vec<Cells>,
}

impl<R> Default for Extent<R> {
    fn default() -> Self {
        Self { start: 0, slots: Vec::new(), sums: Sums::default(), beside: Vec::new() }
    }
}

impl<R: Row> Extent<R> {
    /// Reads the extent of this number.
    pub fn read(&mut self, bytes: &dyn Bytes, strips: &Strips<'_>, number: u64) -> io::Result<()> {
        self.start = number * EXTENT_SLOTS;
        let len = (strips.slots() - self.start).min(EXTENT_SLOTS);
        self.slots.resize(len as usize, R::EMPTY);
        let at = self.start * R::SIZE;
        bytes.read_exact_at(self.slots.as_mut_bytes(), strips.table().offset + at)?;
        self.sums.read(bytes, strips.table, at, self.slots.as_bytes())?;
        self.beside.resize_with(strips.beside.len(), Cells::default);
        for (cells, strip) in self.beside.iter_mut().zip(&strips.beside) {
            let at = self.start * strip.section.cell;
            cells.bytes.resize((len * strip.section.cell) as usize, 0);
            bytes.read_exact_at(&mut cells.bytes, strip.section.offset + at)?;
            cells.sums.read(bytes, *strip, at, &cells.bytes)?;
        }
        Ok(())
    }

    /// The number of the extent that a slot is in.
    pub fn of_slot(slot: u64) -> u64 {
        slot / EXTENT_SLOTS
    }

    /// Bytes of it, with the sections beside the table.
    pub fn bytes(&self) -> u64 {
        let beside: usize = self.beside.iter().map(|cells| cells.bytes.len()).sum();
        (self.slots.as_bytes().len() + beside) as u64
    }

    /// The numbers of the table's blocks whose checksum is not the one stored for them.
    pub fn damaged(&self) -> impl Iterator<Item = u64> {
        let first = self.start * R::SIZE / BLOCK;
        self.sums.damaged().map(move |index| first + index)
    }

    /// All blocks whose checksum is not the one stored for them, of the table and beside it.
    pub fn bad_blocks(&self, strips: &Strips<'_>) -> impl Iterator<Item = BadBlock> {
        let sums = std::iter::once(&self.sums).chain(self.beside.iter().map(|cells| &cells.sums));
        let sections: Vec<_> = strips.all().map(|strip| *strip.section).collect();
        let start = self.start;
        sections.into_iter().zip(sums).flat_map(move |(section, sums)| {
            let first = start * section.cell / BLOCK;
            sums.damaged().map(move |index| {
                let block = first + index;
                BadBlock { tag: section.tag, block, offset: section.offset + block * BLOCK }
            })
        })
    }

    /// The sums of the blocks of the table and of the sections beside it, as they are, in their
    /// order.
    pub fn sums(&self) -> impl Iterator<Item = &[u64]> {
        let beside = self.beside.iter().map(|cells| &cells.sums);
        std::iter::once(&self.sums).chain(beside).map(|sums| &sums.got[..])
    }

    /// Its slots with their numbers.
    pub fn slots(&self) -> impl Iterator<Item = (u64, &R)> {
        (self.start..).zip(&self.slots)
    }

    /// The number of its first slot, and its slots.
    pub fn start_and_slots(&self) -> (u64, &[R]) {
        (self.start, &self.slots)
    }

    /// The cells of a section beside the table, by its place among them.
    pub fn cells(&self, strip: usize) -> &[u8] {
        &self.beside[strip].bytes
    }

    /// The bytes of the cells of a slot, in the order of the sections beside the table.
    pub fn cells_of(&self, strips: &Strips<'_>, slot: u64, into: &mut Vec<u8>) {
        into.clear();
        for (cells, strip) in self.beside.iter().zip(&strips.beside) {
            let size = strip.section.cell as usize;
            into.extend_from_slice(&cells.bytes[(slot - self.start) as usize * size..][..size]);
        }
    }

    /// Makes a chunk of its rows, without the slots between them. Which those are can't be
    /// foreseen, so this has no branch that depends on it.
    pub fn take_rows(&self, strips: &Strips<'_>, chunk: &mut Chunk<R>) {
        let columns = strips.columns();
        let (rows, cells) = chunk.places(columns, self.slots.len());
        let mut count = 0;
        for slot in &self.slots {
            rows[count] = *slot;
            count += usize::from(!slot.is_empty());
        }
        for ((at, column), beside) in columns.places().zip(&self.beside) {
            match column.size() {
                24 => self.take_cells::<24>(at, 24, columns.stride(), &beside.bytes, cells),
                8 => self.take_cells::<8>(at, 8, columns.stride(), &beside.bytes, cells),
                4 => self.take_cells::<4>(at, 4, columns.stride(), &beside.bytes, cells),
                size => self.take_cells::<0>(at, size, columns.stride(), &beside.bytes, cells),
            }
        }
        chunk.truncate(count);
    }

    /// Copies the cells of a column that belong to rows to where those of each row are. `SIZE` is
    /// that of a cell, if it isn't 0.
    #[inline(always)]
    fn take_cells<const SIZE: usize>(
        &self,
        at: usize,
        size: usize,
        stride: usize,
        from: &[u8],
        into: &mut [u8],
    ) {
        let size = if SIZE == 0 { size } else { SIZE };
        let mut place = at;
        for (slot, cell) in self.slots.iter().zip(from.chunks_exact(size)) {
            into[place..place + size].copy_from_slice(cell);
            place += if slot.is_empty() { 0 } else { stride };
        }
    }

    /// Whether no block that a slot of the table touches is damaged.
    pub fn is_sound(&self, slot: u64) -> bool {
        !self.damaged().any(|block| blocks_of_slot::<R>(slot).contains(&block))
    }
}

/// Goes through the extents of a book's table in order. They are read, hashed and looked at by
/// several threads meanwhile, each its part of the extents in turn; what a look gave comes with the
/// extent.
pub(crate) fn read_ahead<R: Row, L: Send>(
    bytes: &dyn Bytes,
    path: &Path,
    strips: &Strips<'_>,
    look: impl Fn(&Extent<R>) -> L + Sync,
    mut take: impl FnMut(&Extent<R>, L) -> Result<()>,
) -> Result<()> {
    let extents = strips.extents();
    if extents <= FEW {
        let mut extent = Extent::default();
        return (0..extents).try_for_each(|number| {
            extent.read(bytes, strips, number).at("read", path)?;
            let seen = look(&extent);
            take(&extent, seen)
        });
    }
    let threads = parallel::threads(THREADS).min(extents as usize);
    let make = |first, maker: Maker<_, Extent<R>>| {
        let mut mine = (first as u64..extents).step_by(threads);
        mine.all(|number| {
            let mut extent = maker.used().unwrap_or_default();
            let read = extent.read(bytes, strips, number);
            maker.send(read.map(|()| {
                let seen = look(&extent);
                (extent, seen)
            }))
        });
    };
    std::thread::scope(|scope| {
        // It is gone when the threads are waited for: they stop if `take` fails.
        let mut read =
            Prefetch::start(threads, EXTENTS_AHEAD, make, |work| drop(scope.spawn(work)));
        for _ in 0..extents {
            // A thread goes away early only by a panic, which the scope passes on.
            let Some(read_one) = read.take() else { return Ok(()) };
            let (extent, seen) = read_one.at("read", path)?;
            take(&extent, seen)?;
            read.give_back(extent);
            read.turn();
        }
        Ok(())
    })
}

/// The blocks that a slot of a table touches: one or two.
pub(crate) fn blocks_of_slot<R: Row>(slot: u64) -> RangeInclusive<u64> {
    blocks_at(slot * R::SIZE, R::SIZE)
}
