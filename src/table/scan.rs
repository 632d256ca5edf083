//! Streaming a table's rows from wherever its bytes are, every block verified (B-13), so that damage never spreads into another book.

use crate::bytes::Bytes;
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, Section, Tag, block_sums};
use crate::row::Row;
use crate::stream::Rows;
use std::path::Path;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U64;

/// Blocks that are read at once: a whole number of rows (three blocks are 512 rows of 24 bytes), about a quarter of a megabyte.
const BLOCKS_AT_ONCE: u64 = 3 * 22;

/// The rows of a table, in order.
pub(crate) struct TableRows<'a, R> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    table: &'a Section,
    sums: &'a Section,
    /// The next byte of the table to read.
    at: u64,
    slots: Vec<R>,
    expected: Vec<U64>,
    last: Option<(u64, u16)>,
}

impl<'a, R: Row> TableRows<'a, R> {
    /// The rows of the table of this kind in a book; none if it has no such table.
    pub fn new(bytes: &'a dyn Bytes, path: &'a Path, header: &'a Header) -> Option<Self> {
        let table = header.table(R::TABLE)?;
        let sums = header.section(Tag::sums(R::TABLE))?;
        Some(Self { bytes, path, table, sums, at: 0, slots: Vec::new(), expected: Vec::new(), last: None })
    }

    /// Reads and verifies the next slots; whether there were any.
    fn read(&mut self) -> Result<bool> {
        let len = (self.table.length - self.at).min(BLOCKS_AT_ONCE * BLOCK);
        if len == 0 {
            return Ok(false);
        }
        self.slots.resize((len / R::SIZE) as usize, R::EMPTY);
        self.bytes.read_exact_at(self.slots.as_mut_bytes(), self.table.offset + self.at).at("read", self.path)?;
        let first = self.at / BLOCK;
        self.expected.resize(len.div_ceil(BLOCK) as usize, U64::ZERO);
        self.bytes.read_exact_at(self.expected.as_mut_bytes(), self.sums.offset + 8 * first).at("read", self.path)?;
        let sums = block_sums(self.slots.as_bytes());
        if let Some(bad) = sums.zip(&self.expected).position(|(sum, expected)| sum != expected.get()) {
            return Err(self.damaged(first + bad as u64, "B-13", "a block's checksum is wrong"));
        }
        self.at += len;
        Ok(true)
    }

    fn damaged(&self, block: u64, rule: &'static str, what: &str) -> Error {
        Error::Damaged {
            path: self.path.to_owned(),
            rule,
            offset: self.table.offset + block * BLOCK,
            what: format!("{what} (block {block} of {})", R::TABLE),
        }
    }
}

impl<R: Row> Rows<R> for TableRows<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        while chunk.is_empty() && self.read()? {
            chunk.extend(self.slots.iter().filter(|row| !row.is_empty()));
            let ascending = chunk.is_sorted_by(|a, b| a.rank() < b.rank());
            let joins = chunk.first().zip(self.last).is_none_or(|(first, last)| last < first.rank());
            if !ascending || !joins {
                return Err(self.damaged(self.at.div_ceil(BLOCK).saturating_sub(1), "B-16", "rows are out of order"));
            }
            self.last = chunk.last().map(Row::rank).or(self.last);
        }
        Ok(())
    }
}
