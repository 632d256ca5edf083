//! A row of either table as the fields that its columns hold: what all formats write and read.

use super::cell::{self, AllCells};
use super::{Checked, Fault, FileColumn, Form, Schema};
use crate::AnyRow;
use tabia::{
    Columns, Counts, Flags, Key, Marks, MoveRow, NO_EVAL, PositionRow, Row, TableKind, WithCells,
};

/// The fields of a row; those that its table doesn't have say nothing.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// The position's key.
    pub key: Key,
    counts: Counts,
    eval: i16,
    depth: u8,
    flags: u8,
    code: u16,
    marks: u8,
    cells: AllCells,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            key: 0,
            counts: Counts::default(),
            eval: NO_EVAL,
            depth: 0,
            flags: 0,
            code: 0,
            marks: 0,
            cells: [0; Columns::MOST],
        }
    }
}

impl Fields {
    /// The number in a column, that of 64 bits as bits; none for no eval.
    #[inline]
    pub fn number(&self, column: FileColumn) -> Option<i64> {
        Some(match column {
            FileColumn::Key => self.key.cast_signed(),
            FileColumn::Wins => self.counts.wins.into(),
            FileColumn::Draws => self.counts.draws.into(),
            FileColumn::Losses => self.counts.losses.into(),
            FileColumn::Eval if self.eval == NO_EVAL => return None,
            FileColumn::Eval => self.eval.into(),
            FileColumn::Depth => self.depth.into(),
            FileColumn::Flags => self.flags.into(),
            FileColumn::Move => self.code.into(),
            FileColumn::Marks => self.marks.into(),
            FileColumn::Cell(field) => field.get(&self.cells).cast_signed(),
        })
    }

    /// Puts a number into a column, into one of 64 bits as bits; whether the column can hold it.
    #[inline]
    pub(super) fn set(&mut self, column: FileColumn, number: i64) -> bool {
        if !column.range().contains(&number) {
            return false;
        }
        match column {
            FileColumn::Key => self.key = number.cast_unsigned(),
            FileColumn::Wins => self.counts.wins = number as u32,
            FileColumn::Draws => self.counts.draws = number as u32,
            FileColumn::Losses => self.counts.losses = number as u32,
            FileColumn::Eval => self.eval = number as i16,
            FileColumn::Depth => self.depth = number as u8,
            FileColumn::Flags => self.flags = number as u8,
            FileColumn::Move => self.code = number as u16,
            FileColumn::Marks => self.marks = number as u8,
            FileColumn::Cell(field) => field.set(&mut self.cells, number.cast_unsigned()),
        }
        true
    }

    /// Puts a number without a sign into a column of numbers; whether the column can hold it.
    #[inline]
    pub(super) fn set_unsigned(&mut self, column: FileColumn, number: u64) -> bool {
        match column.form() {
            Form::Long => self.set(column, number.cast_signed()),
            Form::Number => i64::try_from(number).is_ok_and(|number| self.set(column, number)),
            Form::Word => false,
        }
    }

    /// Whether its cells say anything.
    #[inline]
    #[cfg(feature = "parquet")]
    pub(super) fn has_cells(&self) -> bool {
        self.cells.iter().any(|&byte| byte != 0)
    }

    /// The row of such a table.
    #[inline]
    pub(super) fn entry(&self, schema: Schema) -> Checked<AnyRow> {
        if self.eval == NO_EVAL && self.depth != 0 {
            return Err(Fault::Depth(self.depth));
        }
        Ok(match schema.kind {
            TableKind::Positions => AnyRow::Position(
                PositionRow::new(self.key, self.counts)
                    .with_eval(self.eval, self.depth)
                    .with_flags(Flags::from_bits_retain(self.flags)),
            ),
            TableKind::Moves => {
                let row = MoveRow::new(self.key, self.code, self.counts)
                    .with_marks(Marks::from_bits_retain(self.marks));
                AnyRow::Move(WithCells { row, cells: cell::gathered(&self.cells, schema.cells) })
            }
        })
    }
}

impl From<&PositionRow> for Fields {
    #[inline]
    fn from(row: &PositionRow) -> Self {
        let (eval, depth, flags) = (row.eval().unwrap_or(NO_EVAL), row.depth(), row.flags().bits());
        Self { key: row.key(), counts: row.counts(), eval, depth, flags, ..Self::default() }
    }
}

impl From<&MoveRow> for Fields {
    #[inline]
    fn from(row: &MoveRow) -> Self {
        Self {
            key: row.key(),
            counts: row.counts(),
            code: row.code(),
            marks: row.marks().bits(),
            ..Self::default()
        }
    }
}

impl From<&WithCells<MoveRow>> for Fields {
    #[inline]
    fn from(WithCells { row, cells }: &WithCells<MoveRow>) -> Self {
        Self { cells: cell::spread(cells), ..Self::from(row) }
    }
}
