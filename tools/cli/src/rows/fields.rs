//! A row of either table as the fields that its columns hold: what all formats write and read.

use super::{Column, Fault, Sheet};
use tabia::{Counts, Key, MoveRow, NO_EVAL, PositionRow, RatedMoveRow, Ratings, Row, TableKind};

/// A row of either table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Of the positions table.
    Position(PositionRow),
    /// Of a moves table without ratings.
    Move(MoveRow),
    /// Of one with ratings.
    RatedMove(RatedMoveRow),
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
    ratings: Ratings,
}

impl Default for Fields {
    fn default() -> Self {
        Self { key: 0, counts: Counts::default(), eval: NO_EVAL, depth: 0, flags: 0, code: 0, marks: 0, ratings: Ratings::default() }
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
            Column::MoverRatingSum => self.ratings.mover_sum.cast_signed(),
            Column::OpponentRatingSum => self.ratings.opponent_sum.cast_signed(),
            Column::RatedGames => self.ratings.games.into(),
            // More than any games can give: only a forged row has it.
            Column::RatedScore => i64::try_from(self.ratings.score).unwrap_or(i64::MAX),
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
            Column::MoverRatingSum => self.ratings.mover_sum = number.cast_unsigned(),
            Column::OpponentRatingSum => self.ratings.opponent_sum = number.cast_unsigned(),
            Column::RatedGames => self.ratings.games = number as u32,
            Column::RatedScore => self.ratings.score = number.cast_unsigned(),
        }
        true
    }

    /// Whether anything is known of the players' ratings.
    #[inline]
    pub fn is_rated(&self) -> bool {
        self.ratings != Ratings::default()
    }

    /// The row of such a table.
    #[inline]
    pub fn entry(&self, sheet: Sheet) -> Fault<Entry> {
        if self.eval == NO_EVAL && self.depth != 0 {
            return Err(format!("the depth is {} although there is no eval: write 0", self.depth));
        }
        let played = || MoveRow::new(self.key, self.code, self.counts).with_marks(self.marks);
        Ok(match (sheet.kind, sheet.rated) {
            (TableKind::Positions, _) => {
                Entry::Position(PositionRow::new(self.key, self.counts).with_eval(self.eval, self.depth).with_flags(self.flags))
            }
            (TableKind::Moves, false) => Entry::Move(played()),
            (TableKind::Moves, true) => Entry::RatedMove(RatedMoveRow::from(played()).with_ratings(self.ratings)),
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

impl From<&RatedMoveRow> for Fields {
    #[inline]
    fn from(row: &RatedMoveRow) -> Self {
        Self { ratings: row.ratings(), ..Self::from(&row.plain()) }
    }
}
