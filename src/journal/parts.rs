//! What a frame holds: its parts, decoded in pieces of a step at most.

use super::deltas::Change;
use super::frame::{Content, Fault, PART_HEADER_LEN, Part, PartHeader, decode_rows};
use super::layout::{Layout, Layouts};
use super::window::{STEP, Window};
use crate::error::Error;
use crate::format::Rule;
use crate::format::{decode_fact_entries, decode_source_entries};
use crate::row::{Row, TableKind};
use std::io;
use std::ops::Range;
use std::path::Path;

/// The most bytes of sources and facts that a journal has: a reader keeps them all, and a sparse
/// file would have any number of them for nothing.
pub(super) const MOST_ENTRIES: u64 = 1 << 26;

/// Why a part could not be read.
#[derive(Debug)]
pub(crate) enum Unsound {
    /// It breaks a rule.
    Fault(Fault),
    /// It couldn't be read.
    Io(io::Error),
}

impl Unsound {
    /// The error of the frame that begins here in a journal.
    pub fn at(self, offset: u64, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Self::Fault((rule, what)) => {
                Error::Damaged { path, rule, offset, what: what.to_owned() }
            }
            Self::Io(source) => Error::Io { action: "read", path, source },
        }
    }
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

/// The parts of a frame; a part of many rows comes as several with fewer. Nothing comes after an
/// error.
pub(crate) struct Parts<'a, 'b> {
    window: &'a mut Window<'b>,
    /// The columns of the book.
    layouts: &'a Layouts,
    /// Bytes of sources and facts that the journal's frames had so far.
    entries: &'a mut u64,
    /// What is left of the frame.
    rest: Range<u64>,
    /// Parts that are left.
    count: u32,
    /// The part of which rows are left.
    rows: Option<Rows>,
}

/// The rows of a part, and how many of them were read.
struct Rows {
    content: Content,
    /// Where the first one is.
    start: u64,
    all: u64,
    read: u64,
}

impl<'a, 'b> Parts<'a, 'b> {
    /// This many parts, in this part of the file.
    pub(super) fn new(
        window: &'a mut Window<'b>,
        layouts: &'a Layouts,
        entries: &'a mut u64,
        body: Range<u64>,
        count: u32,
    ) -> Self {
        Self { window, layouts, entries, rest: body, count, rows: None }
    }

    fn read(&mut self) -> Result<Option<Part>, Unsound> {
        if let Some(rows) = self.rows.take() {
            return self.read_rows(rows).map(Some);
        }
        if self.count == 0 {
            return if self.rest.is_empty() {
                Ok(None)
            } else {
                Err((Rule::J5, "bytes follow the last part of a frame").into())
            };
        }
        self.count -= 1;
        let header = self.read_header()?;
        let at = self.rest.start;
        self.rest.start += header.length;
        self.pass_padding(header.padding())?;
        match header.content {
            Content::Sources | Content::Facts => self.read_entries(&header, at).map(Some),
            content => self
                .read_rows(Rows { content, start: at, all: header.count.into(), read: 0 })
                .map(Some),
        }
    }

    fn read_header(&mut self) -> Result<PartHeader, Unsound> {
        let left = self.rest.end - self.rest.start;
        let behind = left.checked_sub(PART_HEADER_LEN).ok_or((Rule::J5, "a part is cut off"))?;
        let bytes = self
            .window
            .get(self.rest.start, PART_HEADER_LEN)?
            .first_chunk()
            .ok_or((Rule::J5, "a part is cut off"))?;
        self.rest.start += PART_HEADER_LEN;
        let header = PartHeader::parse(bytes, behind)?;
        header.check(self.layouts)?;
        Ok(header)
    }

    fn pass_padding(&mut self, length: u64) -> Result<(), Unsound> {
        if length > 0 && self.window.get(self.rest.start, length)?.iter().any(|&byte| byte != 0) {
            return Err((Rule::J5, "the padding behind a part is not zero").into());
        }
        self.rest.start += length;
        Ok(())
    }

    /// Reads rows of a part, as many as go into a step.
    fn read_rows(&mut self, mut rows: Rows) -> Result<Part, Unsound> {
        let layouts = self.layouts;
        let part = match rows.content {
            Content::Positions(change) => {
                let (read, cells) =
                    self.next_rows(&mut rows, change, layouts.table(TableKind::Positions))?;
                Part::Positions(change, read, cells)
            }
            Content::Moves(change) => {
                let (read, cells) =
                    self.next_rows(&mut rows, change, layouts.table(TableKind::Moves))?;
                Part::Moves(change, read, cells)
            }
            Content::Sources | Content::Facts => {
                return Err((Rule::J5, "a part without rows").into());
            }
        };
        self.rows = (rows.read < rows.all).then_some(rows);
        Ok(part)
    }

    fn next_rows<R: Row>(
        &mut self,
        rows: &mut Rows,
        change: Change,
        layout: &Layout,
    ) -> Result<(Vec<R>, Vec<u8>), Unsound> {
        let count = (rows.all - rows.read).min(STEP / layout.row_size());
        let bytes = self.window.get(rows.start + rows.read * R::SIZE, count * R::SIZE)?;
        let read = decode_rows(change, bytes)?;
        let behind = rows.start + rows.all * R::SIZE;
        let read_cells = |bytes: &mut [u8], at: u64| self.window.read(bytes, behind + at);
        if change == Change::Delete
            && !layout.is_zero(count as usize, rows.read, rows.all, read_cells)?
        {
            return Err((Rule::J5, "a row is not valid").into());
        }
        let cells = layout.decode(count as usize, rows.read, rows.all, read_cells)?;
        rows.read += count;
        Ok((read, cells))
    }

    fn read_entries(&mut self, header: &PartHeader, at: u64) -> Result<Part, Unsound> {
        *self.entries = self.entries.saturating_add(header.length);
        if *self.entries > MOST_ENTRIES {
            return Err((Rule::J5, "its sources and facts have more than 64 MiB").into());
        }
        let mut bytes = vec![0; header.length as usize];
        self.window.read(&mut bytes, at)?;
        let count = header.count.into();
        let part = match header.content {
            Content::Facts => decode_fact_entries(count, &bytes).map(Part::Facts),
            _ => decode_source_entries(count, &bytes).map(Part::Sources),
        };
        Ok(part.map_err(|what| (Rule::J5, what))?)
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
