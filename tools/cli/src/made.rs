//! The report of a book that was made.

use crate::numbers::{bytes, grouped};
use serde::Serialize;
use std::io::{self, Write};
use tabia::TableKind;
use tabia::format::Header;

/// How large the book is.
#[derive(Serialize)]
pub struct Made {
    positions: u64,
    moves: u64,
    bytes: u64,
    digest: String,
}

impl Made {
    /// What this header says.
    pub fn new(header: &Header) -> Self {
        let rows = |kind| header.table(kind).map_or(0, |table| table.shape.rows);
        Self {
            positions: rows(TableKind::Positions),
            moves: rows(TableKind::Moves),
            bytes: header.file_length,
            digest: header.digest.to_string(),
        }
    }

    /// Bytes of the book.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes it, in lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "positions   {:>14}", grouped(self.positions))?;
        writeln!(out, "moves       {:>14}", grouped(self.moves))?;
        writeln!(out, "bytes       {:>14}  {}", grouped(self.bytes), bytes(self.bytes))
    }
}
