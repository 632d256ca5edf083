//! Rows to JSON Lines.

use super::super::line::Line;
use super::super::{Fields, FileColumn, Metadata, WriteRows};
use super::facts::{Book, Fact, Facts, Source};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use tabia::TableKind;

/// Writes what the book says of itself.
pub fn write_metadata(out: &mut impl Write, metadata: &Metadata) -> io::Result<()> {
    write_object(out, &Facts::Book(Book::of(metadata)))?;
    metadata
        .sources
        .iter()
        .try_for_each(|source| write_object(out, &Facts::Source(Source::of(source))))?;
    metadata.facts.iter().try_for_each(|fact| write_object(out, &Facts::Fact(Fact::of(fact))))
}

/// Writes a row of this table, which has these columns.
pub fn write_row(
    out: &mut impl Write,
    kind: TableKind,
    columns: &[FileColumn],
    row: &Fields,
) -> io::Result<()> {
    let mut line = Line::default();
    line.push(match kind {
        TableKind::Positions => b"{\"table\":\"positions\"",
        TableKind::Moves => b"{\"table\":\"moves\"",
    });
    for &column in columns {
        line.push(b",\"");
        line.push(column.name().as_bytes());
        line.push(b"\":");
        line.value(row, column, b"\"", b"null");
    }
    line.push(b"}\n");
    out.write_all(line.bytes())
}

/// Writes that nothing is missing.
pub fn write_end(out: &mut impl Write) -> io::Result<()> {
    write_object(out, &Facts::End {})
}

fn write_object(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}

/// Writes the tables of a book, one after another.
pub struct Writer<W: Write> {
    out: BufWriter<W>,
    metadata: Metadata,
    kind: TableKind,
    columns: Vec<FileColumn>,
}

impl<W: Write> Writer<W> {
    /// Writes what is said of the rows; they follow.
    pub fn new(out: W, metadata: &Metadata) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        write_metadata(&mut out, metadata)?;
        Ok(Self {
            out,
            metadata: metadata.without_lists(),
            kind: TableKind::Positions,
            columns: Vec::new(),
        })
    }
}

impl<W: Write> WriteRows<W> for Writer<W> {
    fn begin(&mut self, kind: TableKind) -> io::Result<()> {
        (self.kind, self.columns) = (kind, self.metadata.schema(kind).columns());
        Ok(())
    }

    fn row(&mut self, row: &Fields) -> io::Result<()> {
        write_row(&mut self.out, self.kind, &self.columns, row)
    }

    fn end(mut self: Box<Self>) -> io::Result<W> {
        write_end(&mut self.out)?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
