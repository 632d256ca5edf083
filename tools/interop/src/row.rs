//! Rows of either table, as books of other programs make them one after the other.

use tabia::{Cells, MoveRow, PositionRow, Ratings};

/// A row of either table, to be sorted and merged with the others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyRow {
    /// What a position is worth.
    Position(PositionRow),
    /// What was played at a position.
    Move(MoveRow),
}

/// Whether a move has rated games.
pub(crate) fn is_rated(cells: &Cells) -> bool {
    cells.get().is_some_and(|ratings: Ratings| ratings.games > 0)
}
