//! Streaming a table's rows from wherever its bytes are, every block verified (B-13), so that damage never spreads into another book.

use super::Piece;
use crate::bytes::Bytes;
use crate::error::{Context, Error, Result};
use crate::format::{BLOCK, Header, Rule, Section};
use crate::key::home;
use crate::row::Row;
use crate::stream::Rows;
use std::path::Path;

/// The rows of a table, in order.
pub(crate) struct TableRows<'a, R> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    header: &'a Header,
    table: &'a Section,
    /// The next byte of the table to read.
    at: u64,
    piece: Piece<R>,
    last: Option<(u64, u16)>,
}

impl<'a, R: Row> TableRows<'a, R> {
    /// The rows of the table of this kind in a book; none if it has no such table, or one of other rows. Those before the piece in which the search for hash `from`
    /// begins are left out.
    pub fn new(bytes: &'a dyn Bytes, path: &'a Path, header: &'a Header, from: u64) -> Option<Self> {
        let table = header.table_of::<R>()?;
        let at = Piece::<R>::start_of_slot(home(from, table.shape.homes));
        Some(Self { bytes, path, header, table, at, piece: Piece::default(), last: None })
    }

    fn damaged(&self, block: u64, rule: Rule, what: &str) -> Error {
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
        // What is in the chunk is written over, which is cheaper than to make room for as many rows anew.
        let mut rows = 0;
        while rows == 0 && self.at < self.table.length {
            self.piece.read(self.bytes, self.header, self.at).at("read", self.path)?;
            if let Some(block) = self.piece.damaged().next() {
                return Err(self.damaged(block, "B-13", "a block's checksum is wrong"));
            }
            self.piece.take_rows(chunk);
            let ascending = chunk.is_sorted_by(|a, b| a.rank() < b.rank());
            let joins = chunk.first().zip(self.last).is_none_or(|(first, last)| last < first.rank());
            if !ascending || !joins {
                return Err(self.damaged(self.at / BLOCK, "B-16", "rows are out of order"));
            }
            self.last = chunk.last().map(Row::rank).or(self.last);
            self.at += self.piece.len();
            rows = chunk.len();
        }
        chunk.truncate(rows);
        Ok(())
    }
}
