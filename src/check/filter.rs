//! Verifying a filter: that it is the one its positions give. Rule B-21.

use crate::bytes::{Bytes, Pread};
use crate::error::{Context, Result};
use crate::format::{FilterBlock, Section, filter_block_of};
use crate::row::Row;
use crate::table::FilterBlocks;
use std::path::Path;
use zerocopy::IntoBytes;

/// The filter as the rows of a piece of the table give it: blocks with their numbers, ascending.
pub struct FilterPart(Vec<(u64, FilterBlock)>);

impl FilterPart {
    /// The part of a filter of so many blocks that comes from these rows, which are in order.
    pub fn of<'a, R: Row>(rows: impl Iterator<Item = &'a R>, blocks: u64) -> Self {
        let mut part: Vec<(u64, FilterBlock)> = Vec::new();
        for row in rows {
            let number = filter_block_of(row.hash(), blocks);
            match part.last_mut() {
                Some((last, block)) if *last == number => block.insert(row.hash()),
                _ => {
                    let mut block = FilterBlock::default();
                    block.insert(row.hash());
                    part.push((number, block));
                }
            }
        }
        Self(part)
    }
}

/// The comparison of a book's filter with the one its rows give.
pub struct FilterCheck<'a> {
    expected: FilterBlocks,
    file: InFile<'a>,
}

/// The filter that is in the file.
struct InFile<'a> {
    bytes: &'a Pread,
    path: &'a Path,
    offset: u64,
    buffer: Vec<FilterBlock>,
    /// The number of the first block that is not as expected.
    first_wrong: Option<u64>,
    wrong: u64,
}

impl InFile<'_> {
    fn compare(&mut self, first: u64, expected: &[FilterBlock]) -> Result<()> {
        self.buffer.resize(expected.len(), FilterBlock::default());
        self.bytes.read_exact_at(self.buffer.as_mut_bytes(), self.offset + first * FilterBlock::SIZE).at("read", self.path)?;
        for (number, (block, expected)) in (first..).zip(self.buffer.iter().zip(expected)) {
            if block != expected {
                self.first_wrong.get_or_insert(number);
                self.wrong += 1;
            }
        }
        Ok(())
    }
}

impl<'a> FilterCheck<'a> {
    /// The comparison with this section.
    pub fn new(bytes: &'a Pread, path: &'a Path, section: &Section) -> Self {
        let file = InFile { bytes, path, offset: section.offset, buffer: Vec::new(), first_wrong: None, wrong: 0 };
        Self { expected: FilterBlocks::new(section.length / FilterBlock::SIZE), file }
    }

    /// How many blocks the filter has.
    pub fn blocks(&self) -> u64 {
        self.expected.count()
    }

    /// Compares what the next piece of the table gives.
    pub fn take(&mut self, part: &FilterPart) -> Result<()> {
        let Self { expected, file } = self;
        for (number, block) in &part.0 {
            expected.block(*number, |first, blocks| file.compare(first, blocks))?.unite(block);
        }
        Ok(())
    }

    /// Compares the rest: where the first wrong block stands in the file, and how many there are, if any.
    pub fn finish(mut self) -> Result<Option<(u64, u64)>> {
        let Self { expected, file } = &mut self;
        expected.finish(|first, blocks| file.compare(first, blocks))?;
        Ok(file.first_wrong.map(|number| (file.offset + number * FilterBlock::SIZE, file.wrong)))
    }
}
