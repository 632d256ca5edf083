//! The columns of the tables: their names, their order, what they can hold; whether
//! what a file gives for them can be had from it.

use super::cell::{self, CellField};
use super::{Checked, Fault};
use std::ops::RangeInclusive;
use std::sync::LazyLock;
use tabia::{Columns, Flags, NO_EVAL, TableKind};

/// A column of a file of rows: what all books know of their rows, or a field of the cells of a
/// [`tabia::Column`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileColumn {
    /// The position's key, 64 bits.
    Key,
    /// Games won by the side to move.
    Wins,
    /// Drawn games.
    Draws,
    /// Games lost by the side to move.
    Losses,
    /// The eval for the side to move, in the game's unit, or none.
    Eval,
    /// What the eval is worth.
    Depth,
    /// The set of [`tabia::Flags`].
    Flags,
    /// The move's code, as its game defines it.
    Move,
    /// The set of [`tabia::Marks`].
    Marks,
    /// A field of what not every book knows of its rows.
    Cell(CellField),
}

/// How the values of a column look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 64 bits that are no amount: 16 hexadecimal digits where rows are text.
    Word,
    /// A number of 64 bits without a sign.
    Long,
    /// A number within [`FileColumn::range`].
    Number,
}

/// The columns that the rows of a file have: those of a table, and those of the cells that are
/// beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The table.
    pub kind: TableKind,
    /// What is known of its rows besides what all books know.
    pub cells: Columns,
}

impl Schema {
    /// Rows of a table with all columns that there are.
    pub(super) fn of_all(kind: TableKind) -> Self {
        Self { kind, cells: cell::all_columns() }
    }

    /// Rows of which nothing is known but what all books know.
    pub fn bare(kind: TableKind) -> Self {
        Self { kind, cells: Columns::NONE }
    }

    /// The columns, in the order in which they are written.
    pub fn columns(self) -> Vec<FileColumn> {
        let cells = cell::all()
            .filter(|field| self.cells.has(field.column) && field.column.table == self.kind);
        base(self.kind).iter().copied().chain(cells.map(FileColumn::Cell)).collect()
    }
}

fn base(kind: TableKind) -> &'static [FileColumn] {
    use FileColumn::{Depth, Draws, Eval, Flags, Key, Losses, Marks, Move, Wins};
    match kind {
        TableKind::Positions => &[Key, Wins, Draws, Losses, Eval, Depth, Flags],
        TableKind::Moves => &[Key, Wins, Draws, Losses, Move, Marks],
    }
}

/// All columns, those of cells last.
static ALL: LazyLock<Vec<FileColumn>> = LazyLock::new(|| {
    let [positions, moves] = TableKind::ALL.map(base);
    let of_moves = moves.iter().filter(|column| !positions.contains(column));
    positions.iter().chain(of_moves).copied().chain(cell::all().map(FileColumn::Cell)).collect()
});

impl FileColumn {
    /// All columns, those of cells last.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The place in [`FileColumn::all`] of the one with this name.
    pub(super) fn place(name: &str) -> Option<usize> {
        Self::all().iter().position(|column| column.name() == name)
    }

    /// What of cells a row has that has these columns.
    pub(super) fn cells(columns: &[Self]) -> Columns {
        let of_cell = |column: &Self| {
            if let Self::Cell(field) = column { Some(field.column) } else { None }
        };
        columns.iter().filter_map(of_cell).collect()
    }

    /// The columns without which there is no row of this table.
    pub(super) fn needed(kind: TableKind) -> &'static [Self] {
        match kind {
            TableKind::Positions => &[Self::Key],
            TableKind::Moves => &[Self::Key, Self::Move],
        }
    }

    /// Its name in all formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Wins => "wins",
            Self::Draws => "draws",
            Self::Losses => "losses",
            Self::Eval => "eval",
            Self::Depth => "depth",
            Self::Flags => "flags",
            Self::Move => "move",
            Self::Marks => "marks",
            Self::Cell(field) => field.field.name,
        }
    }

    /// How its values look.
    #[inline]
    pub fn form(self) -> Form {
        match self {
            Self::Key => Form::Word,
            Self::Cell(field) => field.form(),
            _ => Form::Number,
        }
    }

    /// The numbers it can hold, if it holds numbers; what has 64 bits holds all there are.
    pub fn range(self) -> RangeInclusive<i64> {
        match self {
            Self::Key => i64::MIN..=i64::MAX,
            Self::Wins | Self::Draws | Self::Losses => 0..=u32::MAX.into(),
            Self::Eval => i64::from(NO_EVAL) + 1..=i16::MAX.into(),
            Self::Depth | Self::Marks => 0..=u8::MAX.into(),
            Self::Flags => 0..=Flags::all().bits().into(),
            Self::Move => 0..=u16::MAX.into(),
            Self::Cell(field) => field.range(),
        }
    }

    /// An error: something else is where its value is expected; `none` is how the format writes
    /// that there is no eval.
    pub(super) fn refuses(self, none: &'static str, value: &str) -> Fault {
        Fault::Value { column: self, none, found: value.to_owned() }
    }

    /// The columns that a file names for its rows, checked to be enough to make rows.
    pub(super) fn named<'a>(
        kind: TableKind,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Checked<Vec<Self>> {
        let known = Schema::of_all(kind).columns();
        let mut columns = Vec::new();
        for name in names {
            let column = known.iter().find(|column| column.name() == name);
            let column = *column.ok_or_else(|| Fault::Column(name.to_owned(), kind))?;
            if columns.contains(&column) {
                return Err(Fault::Twice(column));
            }
            columns.push(column);
        }
        match Self::needed(kind).iter().find(|column| !columns.contains(column)) {
            Some(&missing) => Err(Fault::Missing(missing)),
            None => Ok(columns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_name_of_its_own() {
        for (place, column) in FileColumn::all().iter().enumerate() {
            assert_eq!(FileColumn::place(column.name()), Some(place));
        }
        assert!(FileColumn::all().len() <= 64, "sets of columns are 64 bits");
    }
}
