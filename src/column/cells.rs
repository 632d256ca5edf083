//! The cells of one row: those that it has, by their types.

use super::{Column, Columns};
use crate::row::Row;

/// A cell of a column as a value.
///
/// ```
/// use tabia::{Cell, Column, Years};
///
/// let years = Years { first: Some(1972), last: None };
/// assert_eq!(Years::COLUMN, Column::YEARS);
/// assert_eq!(years.values().into_iter().collect::<Vec<_>>(), [1972, 0]);
/// assert_eq!(Years::of_values(&[1972, 0]), years);
/// ```
pub trait Cell: Copy {
    /// The column whose cells it is one of.
    const COLUMN: &'static Column;

    /// The values of the column's fields, in their order. Those that are too great for a field
    /// become its greatest.
    fn values(&self) -> impl IntoIterator<Item = u64>;

    /// The cell with these values, one for each of the column's fields.
    fn of_values(values: &[u64]) -> Self;
}

/// The cells of one row, of any columns.
///
/// ```
/// use tabia::{Cells, Ratings, Years};
///
/// let years = Years { first: Some(1972), last: Some(1972) };
/// let ratings = Ratings { mover_sum: 2785, opponent_sum: 2660, games: 1, score: 2 };
/// let cells = Cells::NONE.with(years).with(ratings);
/// assert_eq!(cells.get::<Years>().map(|years| years.first), Some(Some(1972)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cells {
    columns: Columns,
    bytes: [u8; Columns::MOST],
}

impl Cells {
    /// No cells.
    pub const NONE: Self = Self { columns: Columns::NONE, bytes: [0; Columns::MOST] };

    /// The cells of these columns in these bytes.
    ///
    /// # Panics
    /// If the bytes are not as many as the columns' cells have.
    #[must_use]
    pub fn of_bytes(columns: Columns, bytes: &[u8]) -> Self {
        let mut cells = Self { columns, ..Self::NONE };
        cells.bytes[..columns.stride()].copy_from_slice(bytes);
        cells
    }

    /// The columns of which there are cells.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The bytes of all cells, in the order of the columns.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.columns.stride()]
    }

    /// The bytes of a column's cell; none if there is none.
    #[must_use]
    pub fn of(&self, column: &Column) -> Option<&[u8]> {
        self.columns.place(column).map(|at| &self.bytes[at..at + column.size()])
    }

    /// A cell as a value; none if the column is not among these.
    #[must_use]
    pub fn get<C: Cell>(&self) -> Option<C> {
        let cell = self.of(C::COLUMN)?;
        let mut values = [0; 8];
        let mut count = 0;
        for (at, field) in C::COLUMN.fields() {
            values[count] = field.get(&cell[at..]);
            count += 1;
        }
        Some(C::of_values(&values[..count]))
    }

    /// These cells with another one, in place of one of the same column.
    #[must_use]
    pub fn with<C: Cell>(self, cell: C) -> Self {
        let mut bytes = [0; Columns::MOST];
        for ((at, field), value) in C::COLUMN.fields().zip(cell.values()) {
            field.set(&mut bytes[at..], value);
        }
        self.with_bytes(C::COLUMN, &bytes[..C::COLUMN.size()])
    }

    /// These cells with one of this column that has these bytes, in place of one of the same
    /// column.
    ///
    /// # Panics
    /// If the bytes are not as many as a cell of the column has.
    #[must_use]
    pub fn with_bytes(self, column: &Column, bytes: &[u8]) -> Self {
        let mut cells = self.to(self.columns.with(column));
        if let Some(at) = cells.columns.place(column) {
            cells.bytes[at..at + column.size()].copy_from_slice(bytes);
        }
        cells
    }

    /// The cells of these columns: those that are not there say nothing.
    #[must_use]
    pub fn to(&self, columns: Columns) -> Self {
        let mut cells = Self { columns, ..Self::NONE };
        self.columns.convert(self.as_bytes(), columns, &mut cells.bytes);
        cells
    }

    /// The cells of the same row, merged with these: of all columns that one of them has.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let columns = self.columns.union(other.columns);
        let mut cells = self.to(columns);
        columns.merge(&mut cells.bytes, &other.to(columns).bytes);
        cells
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self::NONE
    }
}

impl std::fmt::Debug for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fields = self.columns.places().flat_map(|(start, column)| {
            column
                .fields()
                .map(move |(at, field)| (field.name, field.get(&self.bytes[start + at..])))
        });
        f.debug_map().entries(fields).finish()
    }
}

/// A row with its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithCells<R> {
    /// The row.
    pub row: R,
    /// Its cells, of the columns that its book has.
    pub cells: Cells,
}

impl<R: Row> From<R> for WithCells<R> {
    fn from(row: R) -> Self {
        Self { row, cells: Cells::NONE }
    }
}
