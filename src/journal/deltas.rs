//! Changes of rows in order: one a row, with the cells of the row, and how a later change goes on
//! top of an earlier one.

use super::frame::Fault;
use crate::column::Columns;
use crate::format::Rule;
use crate::key::Hash;
use crate::row::Row;
use std::ops::RangeInclusive;

/// What a journal does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Change {
    /// Merges it into the row that is there.
    Add = 1,
    /// Puts it in the place of the row that is there.
    Put = 2,
    /// Takes the row away that is there.
    Delete = 3,
}

impl Change {
    /// All of them, in the order in which a frame holds them.
    pub const ALL: [Self; 3] = [Self::Add, Self::Put, Self::Delete];

    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&change| change as u8 == byte)
    }
}

/// A change of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delta<R> {
    pub change: Change,
    pub row: R,
}

impl<R: Row> Delta<R> {
    /// Makes this the change that does what this one and then the later one do, also to the cells
    /// of these columns.
    pub fn follow(&mut self, cells: &mut [u8], later: &Self, later_cells: &[u8], columns: Columns) {
        match (self.change, later.change) {
            (_, Change::Put | Change::Delete) => {
                *self = *later;
                cells.copy_from_slice(later_cells);
            }
            (Change::Delete, Change::Add) => {
                *self = Self { change: Change::Put, row: later.row };
                cells.copy_from_slice(later_cells);
            }
            (Change::Add | Change::Put, Change::Add) => {
                self.row.merge(&later.row);
                columns.merge(cells, later_cells);
            }
        }
    }

    /// The row after this change of it; none if there is none left.
    pub fn apply(&self, before: Option<&R>) -> Option<R> {
        match (self.change, before) {
            (Change::Delete, _) => None,
            (Change::Put, _) | (Change::Add, None) => Some(self.row),
            (Change::Add, Some(before)) => {
                let mut row = *before;
                row.merge(&self.row);
                Some(row)
            }
        }
    }
}

/// Changes of the rows of a table, each with the cells of its row.
#[derive(Clone, Debug)]
pub(crate) struct Deltas<R> {
    columns: Columns,
    deltas: Vec<Delta<R>>,
    /// Those of a row after those of the one before it.
    cells: Vec<u8>,
}

impl<R> Default for Deltas<R> {
    fn default() -> Self {
        Self { columns: Columns::NONE, deltas: Vec::new(), cells: Vec::new() }
    }
}

impl<R: Row> Deltas<R> {
    /// No changes yet, of rows with cells of these columns.
    pub fn new(columns: Columns) -> Self {
        Self { columns, ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.deltas.len()
    }

    pub fn is_empty(&self) -> bool {
        self.deltas.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Delta<R>> {
        self.deltas.iter()
    }

    /// Keeps the first `len` changes.
    pub fn truncate(&mut self, len: usize) {
        self.deltas.truncate(len);
        self.cells.truncate(len * self.columns.stride());
    }

    /// All changes.
    pub fn all(&self) -> DeltaSlice<'_, R> {
        DeltaSlice { columns: self.columns, deltas: &self.deltas, cells: &self.cells }
    }

    /// The changes of rows of these hashes, if they are in order.
    pub fn between(&self, hashes: &RangeInclusive<Hash>) -> DeltaSlice<'_, R> {
        let start = self.deltas.partition_point(|delta| delta.row.hash() < *hashes.start());
        let end = self.deltas.partition_point(|delta| delta.row.hash() <= *hashes.end()).max(start);
        let stride = self.columns.stride();
        DeltaSlice {
            columns: self.columns,
            deltas: &self.deltas[start..end],
            cells: &self.cells[start * stride..end * stride],
        }
    }

    /// Takes the same change of many rows, with their cells, those of a row after those of the one
    /// before it.
    pub fn extend(&mut self, change: Change, rows: &[R], cells: &[u8]) {
        debug_assert_eq!(cells.len(), rows.len() * self.columns.stride());
        self.deltas.extend(rows.iter().map(|&row| Delta { change, row }));
        self.cells.extend_from_slice(cells);
    }

    /// The last change from this one on, if it is of the kind asked for.
    pub fn last_from(&self, start: usize, change: Change) -> Option<&Delta<R>> {
        self.deltas[start..].last().filter(|last| last.change == change)
    }

    /// Brings the changes from this one on, those of a frame, in order; no two may change the same
    /// row (J-5).
    pub fn order_frame(&mut self, start: usize) -> Result<(), Fault> {
        let ascending =
            |deltas: &[Delta<R>]| deltas.is_sorted_by(|a, b| a.row.rank() < b.row.rank());
        if ascending(&self.deltas[start..]) {
            return Ok(());
        }
        self.sort(start);
        if ascending(&self.deltas[start..]) {
            Ok(())
        } else {
            Err((Rule::J5, "a frame changes a row twice"))
        }
    }

    /// Brings all changes in order, later ones of a row on top of earlier ones.
    pub fn settle(&mut self) {
        self.sort(0);
        let (columns, stride) = (self.columns, self.columns.stride());
        let mut kept = 0;
        for next in 0..self.deltas.len() {
            let later = self.deltas[next];
            if kept > 0 && self.deltas[kept - 1].row.rank() == later.row.rank() {
                let (before, after) = self.cells.split_at_mut(next * stride);
                let cells = &mut before[(kept - 1) * stride..][..stride];
                self.deltas[kept - 1].follow(cells, &later, &after[..stride], columns);
            } else {
                self.deltas[kept] = later;
                self.cells.copy_within(next * stride..(next + 1) * stride, kept * stride);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Sorts the changes from this one on by their rows; those of the same row stay in their order.
    fn sort(&mut self, start: usize) {
        let stride = self.columns.stride();
        if stride == 0 {
            return self.deltas[start..].sort_by_key(|delta| delta.row.rank());
        }
        let mut order: Vec<usize> = (start..self.deltas.len()).collect();
        order.sort_by_key(|&index| self.deltas[index].row.rank());
        let cells_of = |index: &usize| self.cells[index * stride..][..stride].iter();
        let cells: Vec<u8> = order.iter().flat_map(cells_of).copied().collect();
        let deltas: Vec<_> = order.iter().map(|&index| self.deltas[index]).collect();
        self.deltas[start..].copy_from_slice(&deltas);
        self.cells[start * stride..].copy_from_slice(&cells);
    }
}

/// Some changes in order, with the cells of their rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeltaSlice<'a, R> {
    columns: Columns,
    deltas: &'a [Delta<R>],
    cells: &'a [u8],
}

impl<'a, R: Row> DeltaSlice<'a, R> {
    pub fn is_empty(&self) -> bool {
        self.deltas.is_empty()
    }

    pub fn len(&self) -> usize {
        self.deltas.len()
    }

    /// The changes without cells.
    pub fn deltas(&self) -> &'a [Delta<R>] {
        self.deltas
    }

    /// The columns of which every row has a cell.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The first change with its cells, and those after it.
    pub fn split_first(&self) -> Option<(&'a Delta<R>, &'a [u8], Self)> {
        let (delta, deltas) = self.deltas.split_first()?;
        let (cells, later) = self.cells.split_at(self.columns.stride());
        Some((delta, cells, Self { deltas, cells: later, ..*self }))
    }
}
