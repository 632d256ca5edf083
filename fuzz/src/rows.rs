//! The rows of another program's book.

use tabia::{MoveRow, PositionRow};
use tabia_interop::AnyRow;
use tabia_testing::settle;

/// Rows of both tables, without cells.
#[derive(Debug, Default, PartialEq)]
pub struct Rows {
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
}

impl Rows {
    /// One row more.
    pub fn take(&mut self, row: AnyRow) {
        match row {
            AnyRow::Position(row) => self.positions.push(row),
            AnyRow::Move(played) => self.moves.push(played.row),
        }
    }

    /// In order, those of one key (and move) merged.
    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        settle(&mut self.moves);
        self
    }
}
