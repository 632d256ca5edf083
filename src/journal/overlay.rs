//! What a journal changes, in memory and in order, laid over the tables of its book.

use super::deltas::{Change, DeltaSlice, Deltas};
use super::frame::{Fault, Part};
use super::parts::Unsound;
use crate::column::Columns;
use crate::format::Rule;
use crate::format::{Fact, Header, Results, Share, Source};
use crate::key::Hash;
use crate::packed::Unpack;
use crate::row::{MoveRow, PositionRow, Row};
use crate::stream::{CHUNK, Chunk, Cursor, InMemory, Rows};
use std::borrow::Cow;

/// All that a journal changes: one delta a row, in the order of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
    results: Results,
    share: Share,
    positions: Deltas<PositionRow>,
    moves: Deltas<MoveRow>,
    /// The sources it brings.
    pub sources: Vec<Source>,
    /// The facts it brings.
    pub facts: Vec<Fact>,
}

/// Rows whose changes an [`Overlay`] knows.
pub(crate) trait Layered: Unpack {
    fn deltas(overlay: &Overlay) -> &Deltas<Self>;
}

impl Layered for PositionRow {
    fn deltas(overlay: &Overlay) -> &Deltas<Self> {
        &overlay.positions
    }
}

impl Layered for MoveRow {
    fn deltas(overlay: &Overlay) -> &Deltas<Self> {
        &overlay.moves
    }
}

/// Where what a frame brings begins among what those before it brought.
#[derive(Clone, Copy)]
struct Starts {
    positions: usize,
    moves: usize,
    sources: usize,
    facts: usize,
}

impl Overlay {
    /// Nothing changed, for a book with this header.
    pub fn of(header: &Header) -> Self {
        Self {
            results: header.results,
            share: header.share,
            positions: Deltas::new(header.columns(PositionRow::TABLE)),
            moves: Deltas::new(header.columns(MoveRow::TABLE)),
            ..Self::default()
        }
    }

    /// Takes the parts of the next frame, or, if one of them is wrong, nothing; [`Overlay::settle`]
    /// has to follow the last one.
    pub fn push_frame(
        &mut self,
        parts: impl Iterator<Item = Result<Part, Unsound>>,
    ) -> Result<(), Unsound> {
        let starts = Starts {
            positions: self.positions.len(),
            moves: self.moves.len(),
            sources: self.sources.len(),
            facts: self.facts.len(),
        };
        let pushed = self.push_parts(parts, starts);
        if pushed.is_err() {
            self.positions.truncate(starts.positions);
            self.moves.truncate(starts.moves);
            self.sources.truncate(starts.sources);
            self.facts.truncate(starts.facts);
        }
        pushed
    }

    fn push_parts(
        &mut self,
        parts: impl Iterator<Item = Result<Part, Unsound>>,
        starts: Starts,
    ) -> Result<(), Unsound> {
        let of_book = Fitting { results: self.results, share: self.share };
        for part in parts {
            match part? {
                Part::Positions(change, rows, cells) => {
                    of_book.push(&mut self.positions, change, &rows, &cells, starts.positions)?
                }
                Part::Moves(change, rows, cells) => {
                    of_book.push(&mut self.moves, change, &rows, &cells, starts.moves)?
                }
                Part::Sources(sources) => self.sources.extend(sources),
                Part::Facts(facts) => self.facts.extend(facts),
            }
        }
        self.positions.order_frame(starts.positions)?;
        Ok(self.moves.order_frame(starts.moves)?)
    }

    /// Forgets the rows taken so far, which have been checked; sources and facts stay.
    pub fn forget_rows(&mut self) {
        self.positions.truncate(0);
        self.moves.truncate(0);
    }

    /// Brings the deltas of all frames in order, one a row.
    pub fn settle(&mut self) {
        self.positions.settle();
        self.moves.settle();
        self.sources.sort();
        self.facts.sort();
        self.facts.dedup();
    }

    /// Whether no row of this table is changed.
    pub fn spares<R: Layered>(&self) -> bool {
        R::deltas(self).is_empty()
    }

    /// The rows of one hash, after the changes, without cells.
    pub fn over<'a, R: Layered>(&self, h: Hash, rows: Cow<'a, [R]>) -> Cow<'a, [R]> {
        let changed = R::deltas(self).between(&(h..=h));
        if changed.is_empty() {
            return rows;
        }
        let mut out = Vec::with_capacity(rows.len() + changed.len());
        let mut before = rows.iter().peekable();
        for delta in changed.deltas() {
            while let Some(row) = before.next_if(|row| row.sub() < delta.row.sub()) {
                out.push(*row);
            }
            out.extend(delta.apply(before.next_if(|row| row.sub() == delta.row.sub())));
        }
        out.extend(before);
        Cow::Owned(out)
    }

    /// The rows of one hash with their cells, after the changes.
    pub fn over_chunk<R: Layered>(&self, h: Hash, rows: Chunk<R>) -> Chunk<R> {
        let changed = R::deltas(self).between(&(h..=h));
        if changed.is_empty() {
            return rows;
        }
        // Rows in memory are never an error.
        Overlaid::new(Box::new(InMemory::with_cells(&rows)), changed).collect().unwrap_or_default()
    }
}

/// What rows of a book have to be.
#[derive(Clone, Copy)]
struct Fitting {
    results: Results,
    share: Share,
}

impl Fitting {
    /// Takes the rows of a part, which have to be in order with those of the same change before it
    /// in the frame (J-5), without results where the book has none (J-9), and of the book's share
    /// (J-10).
    fn push<R: Row>(
        self,
        deltas: &mut Deltas<R>,
        change: Change,
        rows: &[R],
        cells: &[u8],
        frame: usize,
    ) -> Result<(), Fault> {
        if !rows.iter().all(|row| self.results.allow(row.counts())) {
            return Err((
                Rule::J9,
                "a row has wins or losses, and the book counts games without results",
            ));
        }
        if !rows.iter().all(|row| self.share.holds(row.hash())) {
            return Err((Rule::J10, "a row belongs to another share than the book's"));
        }
        let last = deltas.last_from(frame, change).map(|last| last.row.rank());
        let joins = last.zip(rows.first()).is_none_or(|(last, first)| last < first.rank());
        if !joins || !rows.is_sorted_by(|a, b| a.rank() < b.rank()) {
            return Err((Rule::J5, "rows of a frame are out of order"));
        }
        deltas.extend(change, rows, cells);
        Ok(())
    }
}

/// A table's rows after the changes of an overlay, in order.
pub(crate) struct Overlaid<'a, R> {
    rows: Cursor<'a, R>,
    deltas: DeltaSlice<'a, R>,
}

impl<'a, R: Row> Overlaid<'a, R> {
    /// Lays changes over rows of the same columns.
    pub fn new(rows: Box<dyn Rows<R> + 'a>, deltas: DeltaSlice<'a, R>) -> Self {
        debug_assert_eq!(rows.columns(), deltas.columns());
        Self { rows: Cursor::new(rows), deltas }
    }
}

impl<R: Row> Rows<R> for Overlaid<'_, R> {
    fn columns(&self) -> Columns {
        self.deltas.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> crate::error::Result<()> {
        let columns = self.deltas.columns();
        let stride = columns.stride();
        chunk.clear(columns);
        let mut merged = Vec::new();
        while chunk.len() < CHUNK {
            let end = self.rows.at_end()?;
            let Some((delta, cells, later)) = self.deltas.split_first() else {
                self.rows.hand_on(chunk);
                return Ok(());
            };
            let (rest, rest_cells) = (self.rows.rest(), self.rows.cells());
            let spared = rest.partition_point(|row| row.rank() < delta.row.rank());
            chunk.extend_from(&rest[..spared], &rest_cells[..spared * stride]);
            if spared < rest.len() || end {
                let before = rest.get(spared).filter(|row| row.rank() == delta.row.rank());
                if let Some(row) = delta.apply(before) {
                    merged.clear();
                    merged.extend_from_slice(cells);
                    if before.is_some() && delta.change == Change::Add {
                        columns.merge(&mut merged, &rest_cells[spared * stride..][..stride]);
                    }
                    chunk.push_from(row, &merged);
                }
                self.deltas = later;
                let passed = usize::from(before.is_some());
                self.rows.pass(passed);
            }
            self.rows.pass(spared);
        }
        Ok(())
    }
}
