//! What a frame holds: its parts, decoded in pieces of a step at most.

use super::frame::{Content, Fault, PART_HEADER_LEN, Part, PartHeader, decode_rows};
use super::window::{STEP, Window};
use crate::format::{decode_fact_entries, decode_source_entries};
use crate::row::Row;
use std::io;
use std::ops::Range;

/// The most bytes of sources and facts that a journal has: a reader keeps them all, and a sparse file would have any number of them for nothing.
pub(super) const MOST_ENTRIES: u64 = 1 << 26;

/// Why a part was not to be had.
#[derive(Debug)]
pub(crate) enum Unsound {
    /// It breaks a rule.
    Fault(Fault),
    /// It couldn't be read.
    Io(io::Error),
}

impl From<Fault> for Unsound {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<io::Error> for Unsound {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The parts of a frame; a part of many rows comes as several with fewer. Nothing comes after an error.
pub(crate) struct Parts<'a, 'b> {
    window: &'a mut Window<'b>,
    /// Bytes of sources and facts that the journal's frames had so far.
    entries: &'a mut u64,
    /// What is left of the frame.
    rest: Range<u64>,
    /// Parts that are left.
    count: u32,
    /// The part of which rows are left.
    rows: Option<Rows>,
}

/// The rows of a part that are left.
struct Rows {
    content: Content,
    at: u64,
    left: u64,
}

impl<'a, 'b> Parts<'a, 'b> {
    /// This many parts, in this part of the file.
    pub(super) fn new(window: &'a mut Window<'b>, entries: &'a mut u64, body: Range<u64>, count: u32) -> Self {
        Self { window, entries, rest: body, count, rows: None }
    }

    fn read(&mut self) -> Result<Option<Part>, Unsound> {
        if let Some(rows) = self.rows.take() {
            return self.read_rows(rows).map(Some);
        }
        if self.count == 0 {
            return if self.rest.is_empty() { Ok(None) } else { Err(("J-5", "bytes follow the last part of a frame").into()) };
        }
        self.count -= 1;
        let header = self.read_header()?;
        let at = self.rest.start;
        self.rest.start += header.length;
        self.pass_padding(header.padding())?;
        match header.content {
            Content::Sources | Content::Facts => self.read_entries(&header, at).map(Some),
            content => self.read_rows(Rows { content, at, left: header.count.into() }).map(Some),
        }
    }

    fn read_header(&mut self) -> Result<PartHeader, Unsound> {
        let left = self.rest.end - self.rest.start;
        let behind = left.checked_sub(PART_HEADER_LEN).ok_or(("J-5", "a part is cut off"))?;
        let bytes = self.window.get(self.rest.start, PART_HEADER_LEN)?.first_chunk().ok_or(("J-5", "a part is cut off"))?;
        self.rest.start += PART_HEADER_LEN;
        Ok(PartHeader::parse(bytes, behind)?)
    }

    fn pass_padding(&mut self, length: u64) -> Result<(), Unsound> {
        if length > 0 && self.window.get(self.rest.start, length)?.iter().any(|&byte| byte != 0) {
            return Err(("J-5", "the padding behind a part is not zero").into());
        }
        self.rest.start += length;
        Ok(())
    }

    /// Reads rows of a part, as many as go into a step.
    fn read_rows(&mut self, mut rows: Rows) -> Result<Part, Unsound> {
        let part = match rows.content {
            Content::Positions(change) => Part::Positions(change, self.next_rows(&mut rows, change)?),
            Content::Moves(change) => Part::Moves(change, self.next_rows(&mut rows, change)?),
            Content::RatedMoves(change) => Part::RatedMoves(change, self.next_rows(&mut rows, change)?),
            Content::Sources | Content::Facts => return Err(("J-5", "a part without rows").into()),
        };
        self.rows = (rows.left > 0).then_some(rows);
        Ok(part)
    }

    fn next_rows<R: Row>(&mut self, rows: &mut Rows, change: super::Change) -> Result<Vec<R>, Unsound> {
        let count = rows.left.min(STEP / R::SIZE);
        let bytes = self.window.get(rows.at, count * R::SIZE)?;
        rows.at += count * R::SIZE;
        rows.left -= count;
        Ok(decode_rows(change, bytes)?)
    }

    fn read_entries(&mut self, header: &PartHeader, at: u64) -> Result<Part, Unsound> {
        *self.entries = self.entries.saturating_add(header.length);
        if *self.entries > MOST_ENTRIES {
            return Err(("J-5", "its sources and facts have more than 64 MiB").into());
        }
        let mut bytes = vec![0; header.length as usize];
        self.window.read(&mut bytes, at)?;
        let count = header.count.into();
        let part = match header.content {
            Content::Facts => decode_fact_entries(count, &bytes).map(Part::Facts),
            _ => decode_source_entries(count, &bytes).map(Part::Sources),
        };
        Ok(part.map_err(|what| ("J-5", what))?)
    }
}

impl Iterator for Parts<'_, '_> {
    type Item = Result<Part, Unsound>;

    fn next(&mut self) -> Option<Self::Item> {
        let part = self.read().transpose();
        if let Some(Err(_)) = part {
            (self.rest, self.count, self.rows) = (0..0, 0, None);
        }
        part
    }
}
