//! The rows that games make, however much room their visits took.

use tabia::stream::RowSet;
use tabia::{MoveRow, PositionRow};
use tabia_archives::Collectable;
use tabia_archives::collect::Collected;

/// What was collected.
pub struct Harvested(Box<dyn Tables>);

/// The rows of both tables.
trait Tables {
    fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_>;
    fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_>;
}

impl<V: Collectable> Tables for Collected<V> {
    fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_> {
        Box::new(self.positions())
    }

    fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_> {
        Box::new(self.moves())
    }
}

impl Harvested {
    /// The rows of these visits.
    pub fn new<V: Collectable>(collected: Collected<V>) -> Self {
        Self(Box::new(collected))
    }

    /// The rows of the positions table.
    pub fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_> {
        self.0.positions()
    }

    /// The rows of the moves table, with cells of the columns that were wanted.
    pub fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_> {
        self.0.moves()
    }
}
