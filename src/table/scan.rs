//! Streaming a table's rows from wherever its bytes are, every block verified (B-13), so that
//! damage never spreads into another book.

use super::{BadBlock, Extent, Strips};
use crate::bytes::Bytes;
use crate::column::Columns;
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, Rule, Share};
use crate::key::Hash;
use crate::row::Row;
use crate::stream::{Chunk, Rows};
use std::cmp::Ordering;
use std::path::Path;

/// The rows of a table with their cells, in order.
pub(crate) struct TableRows<'a, R> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    strips: Strips<'a>,
    share: Share,
    columns: Columns,
    /// The next extent to read.
    next: u64,
    extent: Extent<R>,
    last: Option<(Hash, u16)>,
}

impl<'a, R: Row> TableRows<'a, R> {
    /// The rows of the table of this kind in a book; none if it has no such table. Those before the
    /// extent in which the search for hash `from` begins are left out.
    pub fn new(
        bytes: &'a dyn Bytes,
        path: &'a Path,
        header: &'a Header,
        from: Hash,
    ) -> Option<Self> {
        let strips = Strips::with_columns(header, R::TABLE)?;
        let next = match from.cmp(header.share.hashes().start()) {
            Ordering::Less | Ordering::Equal => 0,
            Ordering::Greater if header.share.holds(from) => {
                Extent::<R>::of_slot(header.share.home(from, strips.table().shape.homes))
            }
            Ordering::Greater => strips.extents(),
        };
        Some(Self {
            bytes,
            path,
            columns: strips.columns(),
            strips,
            share: header.share,
            next,
            extent: Extent::default(),
            last: None,
        })
    }

    /// Where the extent that was read last begins.
    fn first_block(&self) -> BadBlock {
        let (start, _) = self.extent.start_and_slots();
        let (table, block) = (self.strips.table(), start * R::SIZE / BLOCK);
        BadBlock { tag: table.tag, block, offset: table.offset + block * BLOCK }
    }

    fn damaged(&self, bad: BadBlock, rule: Rule, what: &str) -> Error {
        let what = format!("{what} (block {} of {})", bad.block, bad.tag);
        Error::Damaged { path: self.path.to_owned(), rule, offset: bad.offset, what }
    }
}

impl<R: Row> Rows<R> for TableRows<'_, R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        // What is in the chunk is written over, which is cheaper than to make room for as many rows
        // anew.
        let mut rows = 0;
        while rows == 0 && self.next < self.strips.extents() {
            self.extent.read(self.bytes, &self.strips, self.next).at("read", self.path)?;
            if let Some(bad) = self.extent.bad_blocks(&self.strips).next() {
                return Err(self.damaged(bad, Rule::B13, "a block's checksum is wrong"));
            }
            self.extent.take_rows(&self.strips, chunk);
            let ascending = chunk.rows().is_sorted_by(|a, b| a.rank() < b.rank());
            let joins =
                chunk.rows().first().zip(self.last).is_none_or(|(first, last)| last < first.rank());
            // What stands between two rows of the share is of the share.
            let mut ends = [chunk.rows().first(), chunk.rows().last()].into_iter().flatten();
            let is_of_share = ends.all(|row| self.share.holds(row.hash()));
            if !ascending || !joins {
                return Err(self.damaged(self.first_block(), Rule::B16, "rows are out of order"));
            }
            if !is_of_share {
                let what = "a row belongs to another share of the hashes";
                return Err(self.damaged(self.first_block(), Rule::B24, what));
            }
            self.last = chunk.rows().last().map(Row::rank).or(self.last);
            self.next += 1;
            rows = chunk.len();
        }
        if rows == 0 {
            chunk.clear(self.columns);
        }
        Ok(())
    }
}
