//! JSON Lines: strict, an object at a time.

use super::super::line::Line;
use super::super::lines::{LineFormat, Said};
use super::super::{Checked, Fault, Fields, FileColumn, Metadata, Schema};
use super::facts::{Book, Fact, Facts, Source};
use super::row::{Kind, Object};
use crate::AnyRow;
use serde::Serialize;
use std::io::{self, Write};
use tabia::TableKind;

/// JSON Lines.
#[derive(Default)]
pub struct Jsonl;

impl LineFormat for Jsonl {
    const LONGEST: u64 = 512 << 10;
    const END: &'static str = "{\"table\":\"end\"}";

    fn take(&mut self, line: &[u8], said: &mut Said) -> Checked<Option<AnyRow>> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        if said.ended {
            return Err(Fault::AfterEnd("the end"));
        }
        let object = Object::read(line);
        if let Ok(Object { table: Some(Kind::Facts), .. }) = &object {
            return facts(line, said).map(|()| None);
        }
        let (schema, entry) = object.map_err(|error| fault(&error))?.entry()?;
        said.metadata.add(schema.kind);
        said.metadata.columns = said.metadata.columns.union(schema.cells);
        Ok(Some(entry))
    }

    fn write_metadata(out: &mut impl Write, metadata: &Metadata) -> io::Result<()> {
        write_object(out, &Facts::Book(Book::of(metadata)))?;
        let mut sources = metadata.sources.iter();
        sources.try_for_each(|source| write_object(out, &Facts::Source(Source::of(source))))?;
        metadata.facts.iter().try_for_each(|fact| write_object(out, &Facts::Fact(Fact::of(fact))))
    }

    fn write_schema(_: &mut impl Write, _: Schema) -> io::Result<()> {
        Ok(())
    }

    fn write_row(
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
}

/// Takes an object that is no row.
fn facts(line: &[u8], said: &mut Said) -> Checked<()> {
    match serde_json::from_slice(line).map_err(|error| fault(&error))? {
        Facts::Book(book) => {
            said.has_end |= book.version.is_some();
            book.enter(&mut said.metadata)?;
        }
        Facts::Source(source) => source.enter(&mut said.metadata)?,
        Facts::Fact(fact) => fact.enter(&mut said.metadata)?,
        Facts::End {} => said.ended = true,
    }
    Ok(())
}

fn write_object(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    writeln!(out)
}

/// What is wrong with an object; where, as a column of its only line.
fn fault(error: &serde_json::Error) -> Fault {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_owned();
    match error.classify() {
        serde_json::error::Category::Data => Fault::Object(what),
        _ => Fault::NotJson { what, column: error.column() },
    }
}
