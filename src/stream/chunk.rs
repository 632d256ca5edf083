//! Some rows with their cells, side by side: what a stream hands on at a time.

use crate::column::{Cells, Columns, WithCells};
use crate::row::Row;
use std::ops::Range;

/// Some rows, and beside them their cells: those of a row one after the other, as its columns have
/// them. Rows without columns are rows alone.
///
/// ```
/// use tabia::stream::Chunk;
/// use tabia::{Cells, Column, Columns, Counts, MoveRow, Years};
///
/// let mut chunk = Chunk::new(Columns::NONE.with(Column::YEARS));
/// chunk.push(MoveRow::new(42, 796, Counts { wins: 1, draws: 0, losses: 0 }), &Cells::NONE.with(Years::of_game(1972)));
/// assert_eq!((chunk.len(), chunk.cells().len()), (1, 4));
/// assert_eq!(chunk.iter().next().and_then(|row| row.cells.get()), Some(Years::of_game(1972)));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Chunk<R> {
    columns: Columns,
    rows: Vec<R>,
    cells: Vec<u8>,
}

impl<R> Default for Chunk<R> {
    fn default() -> Self {
        Self { columns: Columns::NONE, rows: Vec::new(), cells: Vec::new() }
    }
}

impl<R: Row> Chunk<R> {
    /// No rows yet, which will have cells of these columns.
    #[must_use]
    pub fn new(columns: Columns) -> Self {
        Self { columns, ..Self::default() }
    }

    /// A chunk of these rows, without cells.
    #[must_use]
    pub fn of_rows(rows: Vec<R>) -> Self {
        Self { rows, ..Self::default() }
    }

    /// These rows with these cells, those of a row after those of the row before it.
    ///
    /// # Panics
    /// If the number of cells isn't that of rows and columns.
    #[must_use]
    pub fn of_parts(rows: Vec<R>, columns: Columns, cells: Vec<u8>) -> Self {
        let all = rows.len() * columns.stride();
        assert_eq!(cells.len(), all, "every row has a cell of each column");
        Self { columns, rows, cells }
    }

    /// The columns of which every row has a cell.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The rows.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// The rows, without their cells.
    #[must_use]
    pub fn into_rows(self) -> Vec<R> {
        self.rows
    }

    /// The cells of all rows, those of a row after those of the row before it.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The bytes of the cells of a row.
    ///
    /// # Panics
    /// If there are no more than `index` rows.
    #[must_use]
    pub fn cells_of(&self, index: usize) -> &[u8] {
        let stride = self.columns.stride();
        &self.cells[index * stride..(index + 1) * stride]
    }

    /// The rows with their cells.
    pub fn iter(&self) -> impl Iterator<Item = WithCells<R>> {
        self.rows.iter().enumerate().map(|(index, &row)| WithCells {
            row,
            cells: Cells::of_bytes(self.columns, self.cells_of(index)),
        })
    }

    /// Takes all rows away; those to come have cells of these columns.
    #[inline]
    pub fn clear(&mut self, columns: Columns) {
        self.columns = columns;
        self.rows.clear();
        self.cells.clear();
    }

    /// Appends a row. Of its cells those are taken that the other rows have; those that it lacks
    /// say nothing.
    pub fn push(&mut self, row: R, cells: &Cells) {
        self.rows.push(row);
        if !self.columns.is_empty() {
            self.cells.extend_from_slice(cells.to(self.columns).as_bytes());
        }
    }

    /// Appends a row with cells of the same columns.
    #[inline]
    pub(crate) fn push_from(&mut self, row: R, cells: &[u8]) {
        self.rows.push(row);
        self.cells.extend_from_slice(cells);
    }

    /// Appends rows with cells of the same columns.
    #[inline]
    pub(crate) fn extend_from(&mut self, rows: &[R], cells: &[u8]) {
        self.rows.extend_from_slice(rows);
        self.cells.extend_from_slice(cells);
    }

    /// Appends some rows of another chunk, which has cells of the same columns.
    pub fn extend(&mut self, other: &Self, range: Range<usize>) {
        let stride = self.columns.stride();
        let cells = &other.cells[range.start * stride..range.end * stride];
        self.extend_from(&other.rows[range], cells);
    }

    /// Keeps the first `len` rows.
    pub fn truncate(&mut self, len: usize) {
        self.rows.truncate(len);
        self.cells.truncate(len * self.columns.stride());
    }

    /// Removes the first `count` rows.
    pub fn drop_first(&mut self, count: usize) {
        self.rows.drain(..count);
        self.cells.drain(..count * self.columns.stride());
    }

    /// Keeps the rows of which this is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&R) -> bool) {
        let stride = self.columns.stride();
        if stride == 0 {
            return self.rows.retain(keep);
        }
        let mut kept = 0;
        for index in 0..self.rows.len() {
            if keep(&self.rows[index]) {
                self.rows[kept] = self.rows[index];
                self.cells.copy_within(index * stride..(index + 1) * stride, kept * stride);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// `len` rows with their cells, of any content, to be overwritten.
    #[inline]
    pub(crate) fn places(&mut self, columns: Columns, len: usize) -> (&mut [R], &mut [u8]) {
        self.columns = columns;
        self.rows.resize(len, R::EMPTY);
        self.cells.resize(len * columns.stride(), 0);
        (&mut self.rows, &mut self.cells)
    }

    /// Sorts rows in any order by hash and move, and merges those that are equal in both, with
    /// their cells.
    pub fn sort_and_merge(&mut self) {
        if self.columns.is_empty() {
            let kept = crate::row::sort_and_merge(&mut self.rows);
            return self.rows.truncate(kept);
        }
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        order.sort_unstable_by_key(|&index| self.rows[index as usize].rank());
        let mut sorted = Self::new(self.columns);
        for index in order {
            let (row, cells) = (self.rows[index as usize], self.cells_of(index as usize));
            match sorted.rows.last_mut().filter(|last| last.rank() == row.rank()) {
                Some(last) => {
                    last.merge(&row);
                    let start = sorted.cells.len() - self.columns.stride();
                    self.columns.merge(&mut sorted.cells[start..], cells);
                }
                None => sorted.push_from(row, cells),
            }
        }
        *self = sorted;
    }
}

impl<R: Row> std::fmt::Debug for Chunk<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Rows with cells of any columns, in any order, each as it comes: all get the columns that one of
/// them has.
impl<R: Row> FromIterator<WithCells<R>> for Chunk<R> {
    fn from_iter<I: IntoIterator<Item = WithCells<R>>>(rows: I) -> Self {
        let rows: Vec<_> = rows.into_iter().collect();
        let columns = rows.iter().fold(Columns::NONE, |all, row| all.union(row.cells.columns()));
        let mut chunk = Self::new(columns);
        rows.iter().for_each(|row| chunk.push(row.row, &row.cells));
        chunk
    }
}
