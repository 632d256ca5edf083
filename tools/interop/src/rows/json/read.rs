//! JSON Lines to rows: strict, an object at a time, with the line's number in what is said of a
//! wrong one.

use super::super::lines::Lines;
use super::super::{Checked, Fault, Metadata, ReadError, ReadRows};
use super::facts::Facts;
use super::row::{Kind, Object};
use crate::AnyRow;
use std::io::BufRead;

/// The longest line: a fact's value of which every byte is escaped, and room to spare.
const LONGEST: u64 = 512 << 10;

/// Reads rows from JSON Lines.
pub struct Reader<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    metadata: Metadata,
    /// Whether the file promised to say where it ends.
    has_end: bool,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads this text.
    pub fn new(text: R) -> Self {
        Self {
            lines: Lines::new(text, LONGEST),
            line: Vec::new(),
            metadata: Metadata::default(),
            has_end: false,
            ended: false,
        }
    }

    fn take(&mut self, line: &[u8]) -> Checked<Option<AnyRow>> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        if self.ended {
            return Err(Fault::AfterEnd("the end"));
        }
        let object = Object::read(line);
        if let Ok(Object { table: Some(Kind::Facts), .. }) = &object {
            return self.facts(line);
        }
        let (schema, entry) = object.map_err(|error| fault(&error))?.entry()?;
        self.metadata.add(schema.kind);
        self.metadata.columns = self.metadata.columns.union(schema.cells);
        Ok(Some(entry))
    }

    /// Takes an object that is no row.
    fn facts(&mut self, line: &[u8]) -> Checked<Option<AnyRow>> {
        match serde_json::from_slice(line).map_err(|error| fault(&error))? {
            Facts::Book(book) => {
                self.has_end |= book.version.is_some();
                book.enter(&mut self.metadata)?;
            }
            Facts::Source(source) => source.enter(&mut self.metadata)?,
            Facts::Fact(fact) => fact.enter(&mut self.metadata)?,
            Facts::End {} => self.ended = true,
        }
        Ok(None)
    }
}

impl<R: BufRead> ReadRows for Reader<R> {
    fn next(&mut self) -> Result<Option<AnyRow>, ReadError> {
        while self.lines.next(&mut self.line)? {
            let line = std::mem::take(&mut self.line);
            let entry = self.take(&line).map_err(|fault| self.lines.error(fault));
            self.line = line;
            if let Some(entry) = entry? {
                return Ok(Some(entry));
            }
        }
        if self.has_end && !self.ended {
            return Err(self.lines.error(Fault::CutOff("{\"table\":\"end\"}")));
        }
        Ok(None)
    }

    fn into_metadata(self: Box<Self>) -> Metadata {
        self.metadata
    }
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
