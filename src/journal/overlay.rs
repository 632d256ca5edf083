//! What a journal changes, in memory and in order, laid over the tables of its book.

use super::batch::Change;
use super::frame::{Fault, Part};
use super::parts::Unsound;
use crate::format::{Fact, Header, Results, Source};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row};
use crate::stream::{CHUNK, Cursor, Rows};
use std::borrow::Cow;

/// A change of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delta<R> {
    pub change: Change,
    pub row: R,
}

impl<R: Row> Delta<R> {
    /// Makes this the change that does what this one and then the later one do.
    pub fn follow(&mut self, later: &Self) {
        match (self.change, later.change) {
            (_, Change::Put | Change::Delete) => *self = *later,
            (Change::Delete, Change::Add) => *self = Self { change: Change::Put, row: later.row },
            (Change::Add | Change::Put, Change::Add) => self.row.absorb(&later.row),
        }
    }

    /// The row after this change of it; none if there is none left.
    pub fn apply(&self, before: Option<&R>) -> Option<R> {
        match (self.change, before) {
            (Change::Delete, _) => None,
            (Change::Put, _) | (Change::Add, None) => Some(self.row),
            (Change::Add, Some(before)) => {
                let mut row = *before;
                row.absorb(&self.row);
                Some(row)
            }
        }
    }
}

/// All that a journal changes: one delta a row, in the order of rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
    /// Whether its book's moves have ratings: then they are in `rated_moves`, else in `moves`.
    rated: bool,
    results: Results,
    positions: Vec<Delta<PositionRow>>,
    moves: Vec<Delta<MoveRow>>,
    rated_moves: Vec<Delta<RatedMoveRow>>,
    /// The sources it brings.
    pub sources: Vec<Source>,
    /// The facts it brings.
    pub facts: Vec<Fact>,
}

/// Rows whose changes an [`Overlay`] knows.
pub(crate) trait Layered: Row {
    fn deltas(overlay: &Overlay) -> &Vec<Delta<Self>>;
}

impl Layered for PositionRow {
    fn deltas(overlay: &Overlay) -> &Vec<Delta<Self>> {
        &overlay.positions
    }
}

impl Layered for MoveRow {
    fn deltas(overlay: &Overlay) -> &Vec<Delta<Self>> {
        &overlay.moves
    }
}

impl Layered for RatedMoveRow {
    fn deltas(overlay: &Overlay) -> &Vec<Delta<Self>> {
        &overlay.rated_moves
    }
}

/// Where the rows of a frame begin among those of the frames before it.
#[derive(Clone, Copy)]
struct Starts {
    positions: usize,
    moves: usize,
    rated_moves: usize,
    sources: usize,
    facts: usize,
}

impl Overlay {
    /// Nothing changed, for a book with this header.
    pub fn of(header: &Header) -> Self {
        Self { rated: header.is_rated(), results: header.results(), ..Self::default() }
    }

    /// Takes the parts of the next frame, or, if one of them is wrong, nothing; [`Overlay::settle`] has to follow the last one.
    pub fn push_frame(&mut self, parts: impl Iterator<Item = Result<Part, Unsound>>) -> Result<(), Unsound> {
        let starts = Starts {
            positions: self.positions.len(),
            moves: self.moves.len(),
            rated_moves: self.rated_moves.len(),
            sources: self.sources.len(),
            facts: self.facts.len(),
        };
        let pushed = self.push_parts(parts, starts);
        if pushed.is_err() {
            self.positions.truncate(starts.positions);
            self.moves.truncate(starts.moves);
            self.rated_moves.truncate(starts.rated_moves);
            self.sources.truncate(starts.sources);
            self.facts.truncate(starts.facts);
        }
        pushed
    }

    fn push_parts(&mut self, parts: impl Iterator<Item = Result<Part, Unsound>>, starts: Starts) -> Result<(), Unsound> {
        for part in parts {
            match part? {
                Part::Positions(change, rows) => push(&mut self.positions, change, &rows, starts.positions, self.results)?,
                Part::Moves(change, rows) if !self.rated => push(&mut self.moves, change, &rows, starts.moves, self.results)?,
                Part::RatedMoves(change, rows) if self.rated => {
                    push(&mut self.rated_moves, change, &rows, starts.rated_moves, self.results)?;
                }
                Part::Moves(..) => return Err(("J-8", "its moves have no ratings, those of the book have").into()),
                Part::RatedMoves(..) => return Err(("J-8", "its moves have ratings, those of the book have none").into()),
                Part::Sources(sources) => self.sources.extend(sources),
                Part::Facts(facts) => self.facts.extend(facts),
            }
        }
        order_frame(&mut self.positions[starts.positions..])?;
        order_frame(&mut self.moves[starts.moves..])?;
        Ok(order_frame(&mut self.rated_moves[starts.rated_moves..])?)
    }

    /// Forgets the rows taken so far, which have been checked; sources and facts stay.
    pub fn forget_rows(&mut self) {
        self.positions.clear();
        self.moves.clear();
        self.rated_moves.clear();
    }

    /// Brings the deltas of all frames in order, one a row.
    pub fn settle(&mut self) {
        settle(&mut self.positions);
        settle(&mut self.moves);
        settle(&mut self.rated_moves);
        self.sources.sort();
        self.facts.sort();
        self.facts.dedup();
    }

    /// Whether no row of this table is changed.
    pub fn spares<R: Layered>(&self) -> bool {
        R::deltas(self).is_empty()
    }

    /// The rows of one hash, after the changes.
    pub fn over<'a, R: Layered>(&self, h: u64, rows: Cow<'a, [R]>) -> Cow<'a, [R]> {
        let deltas = R::deltas(self);
        let start = deltas.partition_point(|delta| delta.row.hash() < h);
        let count = deltas[start..].iter().take_while(|delta| delta.row.hash() == h).count();
        if count == 0 {
            return rows;
        }
        let mut out = Vec::with_capacity(rows.len() + count);
        let mut before = rows.iter().peekable();
        for delta in &deltas[start..start + count] {
            while let Some(row) = before.next_if(|row| row.sub() < delta.row.sub()) {
                out.push(*row);
            }
            out.extend(delta.apply(before.next_if(|row| row.sub() == delta.row.sub())));
        }
        out.extend(before);
        Cow::Owned(out)
    }
}

/// Takes the rows of a part, which have to be in order with those of the same change before it in the frame (J-5), and without results where the
/// book has none (J-9).
fn push<R: Row>(deltas: &mut Vec<Delta<R>>, change: Change, rows: &[R], frame: usize, results: Results) -> Result<(), Fault> {
    if !rows.iter().all(|row| results.allow(row.counts())) {
        return Err(("J-9", "a row has wins or losses, and the book counts games without results"));
    }
    let last = deltas[frame..].last().filter(|last| last.change == change).map(|last| last.row.rank());
    let joins = last.zip(rows.first()).is_none_or(|(last, first)| last < first.rank());
    if !joins || !rows.is_sorted_by(|a, b| a.rank() < b.rank()) {
        return Err(("J-5", "rows of a frame are out of order"));
    }
    deltas.extend(rows.iter().map(|&row| Delta { change, row }));
    Ok(())
}

/// Brings the deltas of a frame in order; no two may change the same row.
fn order_frame<R: Row>(deltas: &mut [Delta<R>]) -> Result<(), Fault> {
    deltas.sort_by_key(|delta| delta.row.rank());
    if deltas.is_sorted_by(|a, b| a.row.rank() < b.row.rank()) { Ok(()) } else { Err(("J-5", "a frame changes a row twice")) }
}

/// Brings deltas in order, later ones of a row on top of earlier ones.
fn settle<R: Row>(deltas: &mut Vec<Delta<R>>) {
    deltas.sort_by_key(|delta| delta.row.rank()); // stable: the frames' order is kept
    deltas.dedup_by(|later, earlier| {
        let same = later.row.rank() == earlier.row.rank();
        if same {
            earlier.follow(later);
        }
        same
    });
}

/// A table's rows after the changes of an overlay, in order.
pub(crate) struct Overlaid<'a, R> {
    rows: Cursor<'a, R>,
    deltas: &'a [Delta<R>],
}

impl<'a, R: Row> Overlaid<'a, R> {
    pub fn new(rows: Box<dyn Rows<R> + 'a>, deltas: &'a [Delta<R>]) -> Self {
        Self { rows: Cursor::new(rows), deltas }
    }
}

impl<R: Row> Rows<R> for Overlaid<'_, R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> crate::error::Result<()> {
        chunk.clear();
        while chunk.len() < CHUNK {
            let end = self.rows.at_end()?;
            let Some((delta, later)) = self.deltas.split_first() else {
                self.rows.hand_on(chunk);
                return Ok(());
            };
            let rest = self.rows.rest();
            let spared = rest.partition_point(|row| row.rank() < delta.row.rank());
            chunk.extend_from_slice(&rest[..spared]);
            if spared < rest.len() || end {
                let before = rest.get(spared).filter(|row| row.rank() == delta.row.rank());
                chunk.extend(delta.apply(before));
                self.deltas = later;
                self.rows.pass(usize::from(before.is_some()));
            }
            self.rows.pass(spared);
        }
        Ok(())
    }
}
