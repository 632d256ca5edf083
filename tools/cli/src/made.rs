//! The report of a book that was made.

use crate::layout::Layout;
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
    /// How its rows lie: `tables` or `packed`.
    layout: &'static str,
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
            layout: Layout::of(header).name(),
            digest: header.digest.to_string(),
        }
    }

    /// A plain book of so many bytes.
    #[cfg(test)]
    pub fn of_bytes(bytes: u64) -> Self {
        let layout = Layout::Tables.name();
        Self { positions: 0, moves: 0, bytes, layout, digest: String::new() }
    }

    /// Whether the book is packed.
    pub fn is_packed(&self) -> bool {
        self.layout == Layout::Packed.name()
    }

    /// Bytes of the book.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Writes it, in lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_rows(out)?;
        let packed = if self.is_packed() { ", packed" } else { "" };
        writeln!(out, "bytes       {:>14}  {}{packed}", grouped(self.bytes), bytes(self.bytes))
    }

    /// Writes how many rows it has, in lines.
    pub fn write_rows(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "positions   {:>14}", grouped(self.positions))?;
        writeln!(out, "moves       {:>14}", grouped(self.moves))
    }
}
