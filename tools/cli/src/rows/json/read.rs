//! JSON Lines to rows: strict, an object at a time, with the line's number in what is said of a wrong one.

use super::super::lines::Lines;
use super::super::{Entry, Fault, Head, Reading};
use super::facts::Facts;
use super::row::{Object, Told};
use crate::failure::Done;
use std::fmt::Display;
use std::io::BufRead;

/// The longest line: a fact's value of which every byte is escaped, and room to spare.
const LONGEST: u64 = 512 << 10;

/// Reads rows from JSON Lines.
pub struct Reader<R> {
    lines: Lines<R>,
    line: Vec<u8>,
    head: Head,
    /// Whether the file promised to say where it ends.
    has_end: bool,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads this text, which messages call by this name.
    pub fn new(text: R, name: impl Display) -> Self {
        Self { lines: Lines::new(text, name, LONGEST), line: Vec::new(), head: Head::default(), has_end: false, ended: false }
    }

    fn take(&mut self, line: &[u8]) -> Fault<Option<Entry>> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        if self.ended {
            return Err("something follows the end: load one dump at a time, or give them as several files".to_owned());
        }
        let object = Object::read(line);
        if let Ok(Object { table: Some(Told::Facts), .. }) = &object {
            return self.facts(line);
        }
        let (sheet, entry) = object.map_err(|error| said(&error))?.entry()?;
        self.head.add(sheet.kind);
        self.head.columns = self.head.columns.union(sheet.cells);
        Ok(Some(entry))
    }

    /// Takes an object that is no row.
    fn facts(&mut self, line: &[u8]) -> Fault<Option<Entry>> {
        match serde_json::from_slice(line).map_err(|error| said(&error))? {
            Facts::Book(book) => {
                self.has_end |= book.version.is_some();
                book.enter(&mut self.head)?;
            }
            Facts::Source(source) => source.enter(&mut self.head)?,
            Facts::Fact(fact) => fact.enter(&mut self.head)?,
            Facts::End {} => self.ended = true,
        }
        Ok(None)
    }
}

impl<R: BufRead> Reading for Reader<R> {
    fn next(&mut self) -> Done<Option<Entry>> {
        while self.lines.next(&mut self.line)? {
            let line = std::mem::take(&mut self.line);
            let entry = self.take(&line).map_err(|what| self.lines.failure(&what));
            self.line = line;
            if let Some(entry) = entry? {
                return Ok(Some(entry));
            }
        }
        if self.has_end && !self.ended {
            return Err(self.lines.failure("the rows end without {\"table\":\"end\"}: they were cut off; get the whole of them"));
        }
        Ok(None)
    }

    fn into_head(self: Box<Self>) -> Head {
        self.head
    }
}

/// What is wrong with an object; where, as a column of its only line.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    match error.classify() {
        serde_json::error::Category::Data => what.to_owned(),
        _ => format!("this is no JSON object on one line: {what} at column {}", error.column()),
    }
}
