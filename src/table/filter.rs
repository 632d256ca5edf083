//! The filter of a positions table: writing it beside the table from the same rows.

use crate::error::Result;
use crate::format::{FilterBlock, Section, TableShape, Tag, filter_block_of, filter_blocks};
use crate::publish::Unpublished;
use xxhash_rust::xxh3::Xxh3Default;
use zerocopy::IntoBytes;

/// Blocks that are written at once: a megabyte.
const BLOCKS_AT_ONCE: usize = 1 << 14;

/// A filter in the making: block after block, handed on a megabyte at a time.
#[derive(Debug)]
pub(crate) struct FilterBlocks {
    /// How many there will be.
    count: u64,
    /// The last blocks.
    blocks: Vec<FilterBlock>,
    /// How many were handed on before those.
    done: u64,
}

impl FilterBlocks {
    /// A filter of so many blocks, all of them empty.
    pub fn new(count: u64) -> Self {
        Self { count, blocks: Vec::new(), done: 0 }
    }

    /// Blocks the filter has.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The block of this number, not less than those asked for before. Those before it are handed on with the number of the first.
    #[inline]
    pub fn block(&mut self, number: u64, mut full: impl FnMut(u64, &[FilterBlock]) -> Result<()>) -> Result<&mut FilterBlock> {
        while self.done + self.blocks.len() as u64 <= number {
            if self.blocks.len() == BLOCKS_AT_ONCE {
                self.hand_on(&mut full)?;
            }
            self.blocks.push(FilterBlock::default());
        }
        Ok(&mut self.blocks[(number - self.done) as usize])
    }

    /// Hands on the rest.
    pub fn finish(&mut self, mut full: impl FnMut(u64, &[FilterBlock]) -> Result<()>) -> Result<()> {
        self.block(self.count - 1, &mut full)?;
        self.hand_on(full)
    }

    fn hand_on(&mut self, mut full: impl FnMut(u64, &[FilterBlock]) -> Result<()>) -> Result<()> {
        full(self.done, &self.blocks)?;
        self.done += self.blocks.len() as u64;
        self.blocks.clear();
        Ok(())
    }
}

/// Writes the filter of a table whose rows are given to it in ascending order.
pub(crate) struct FilterWriter<'a> {
    blocks: FilterBlocks,
    out: Out<'a>,
}

/// Where it is written to.
struct Out<'a> {
    file: &'a Unpublished<'a>,
    offset: u64,
    hash: Xxh3Default,
}

impl Out<'_> {
    fn write(&mut self, first: u64, blocks: &[FilterBlock]) -> Result<()> {
        self.hash.update(blocks.as_bytes());
        self.file.write(blocks.as_bytes(), self.offset + first * FilterBlock::SIZE)
    }
}

impl<'a> FilterWriter<'a> {
    /// The filter of so many rows, at this offset of a new file.
    pub fn new(file: &'a Unpublished<'a>, offset: u64, rows: u64) -> Self {
        Self { blocks: FilterBlocks::new(filter_blocks(rows)), out: Out { file, offset, hash: Xxh3Default::new() } }
    }

    /// The section, but for its checksum.
    pub fn section(&self) -> Section {
        let length = self.blocks.count() * FilterBlock::SIZE;
        Section { tag: Tag::FILTER, offset: self.out.offset, length, checksum: 0, shape: TableShape::default() }
    }

    /// Enters a hash, no less than those before it.
    #[inline]
    pub fn push(&mut self, h: u64) -> Result<()> {
        let Self { blocks, out } = self;
        let number = filter_block_of(h, blocks.count());
        blocks.block(number, |first, blocks| out.write(first, blocks))?.insert(h);
        Ok(())
    }

    /// Writes the rest; the section is returned.
    pub fn finish(mut self) -> Result<Section> {
        let Self { blocks, out } = &mut self;
        blocks.finish(|first, blocks| out.write(first, blocks))?;
        let checksum = self.out.hash.digest();
        Ok(Section { checksum, ..self.section() })
    }
}
