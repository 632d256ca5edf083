//! A row of either table as the fields that its columns hold: what all formats write and read.

use super::{Column, Fault};
use tabia::{Counts, Key, MoveRow, NO_EVAL, PositionRow, Row, TableKind};

/// A row of either table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Of the positions table.
    Position(PositionRow),
    /// Of the moves table.
    Move(MoveRow),
}

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
}

impl Default for Fields {
    fn default() -> Self {
        Self { key: 0, counts: Counts::default(), eval: NO_EVAL, depth: 0, flags: 0, code: 0, marks: 0 }
    }
}

impl Fields {
    /// The number in a column that is not the key; none for no eval.
    #[inline]
    pub fn number(&self, column: Column) -> Option<i64> {
        Some(match column {
            Column::Key => self.key.cast_signed(),
            Column::Wins => self.counts.wins.into(),
            Column::Draws => self.counts.draws.into(),
            Column::Losses => self.counts.losses.into(),
            Column::Eval if self.eval == NO_EVAL => return None,
            Column::Eval => self.eval.into(),
            Column::Depth => self.depth.into(),
            Column::Flags => self.flags.into(),
            Column::Move => self.code.into(),
            Column::Marks => self.marks.into(),
        })
    }

    /// Puts a number into a column; whether the column can hold it.
    #[inline]
    pub fn set(&mut self, column: Column, number: i64) -> bool {
        if !column.range().contains(&number) {
            return false;
        }
        match column {
            Column::Key => self.key = number.cast_unsigned(),
            Column::Wins => self.counts.wins = number as u32,
            Column::Draws => self.counts.draws = number as u32,
            Column::Losses => self.counts.losses = number as u32,
            Column::Eval => self.eval = number as i16,
            Column::Depth => self.depth = number as u8,
            Column::Flags => self.flags = number as u8,
            Column::Move => self.code = number as u16,
            Column::Marks => self.marks = number as u8,
        }
        true
    }

    /// The row of this table.
    #[inline]
    pub fn entry(&self, kind: TableKind) -> Fault<Entry> {
        if self.eval == NO_EVAL && self.depth != 0 {
            return Err(format!("the depth is {} although there is no eval: write 0", self.depth));
        }
        Ok(match kind {
            TableKind::Positions => {
                Entry::Position(PositionRow::new(self.key, self.counts).with_eval(self.eval, self.depth).with_flags(self.flags))
            }
            TableKind::Moves => Entry::Move(MoveRow::new(self.key, self.code, self.counts).with_marks(self.marks)),
        })
    }
}

impl From<&PositionRow> for Fields {
    #[inline]
    fn from(row: &PositionRow) -> Self {
        let (eval, depth, flags) = (row.eval().unwrap_or(NO_EVAL), row.depth(), row.flags());
        Self { key: row.key(), counts: row.counts(), eval, depth, flags, ..Self::default() }
    }
}

impl From<&MoveRow> for Fields {
    #[inline]
    fn from(row: &MoveRow) -> Self {
        Self { key: row.key(), counts: row.counts(), code: row.code(), marks: row.marks(), ..Self::default() }
    }
}
