//! Rows of either table, as books of other programs make them one after the other.

use tabia::{MoveRow, PositionRow};

/// A row of either table, to be sorted and merged with the others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyRow {
    /// What a position is worth.
    Position(PositionRow),
    /// What was played at a position.
    Move(MoveRow),
}
