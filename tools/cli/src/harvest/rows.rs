//! The rows that games make: plain ones, or with what ratings and evals add.

use tabia::stream::RowSet;
use tabia::{MoveRow, PositionRow, RatedMoveRow};
use tabia_archives::collect::Collected;
use tabia_archives::{RichVisit, Visit};

/// What was collected.
pub enum Harvested {
    /// Counts and marks.
    Plain(Collected<Visit>),
    /// Ratings and evals too.
    Rich(Collected<RichVisit>),
}

impl Harvested {
    /// The rows of the positions table.
    pub fn positions(&self) -> Box<dyn RowSet<PositionRow> + '_> {
        match self {
            Self::Plain(collected) => Box::new(collected.positions()),
            Self::Rich(collected) => Box::new(collected.positions()),
        }
    }

    /// The rows of a moves table without ratings.
    pub fn moves(&self) -> Box<dyn RowSet<MoveRow> + '_> {
        match self {
            Self::Plain(collected) => Box::new(collected.moves()),
            Self::Rich(collected) => Box::new(collected.moves()),
        }
    }

    /// The rows of a moves table with ratings.
    pub fn rated_moves(&self) -> Box<dyn RowSet<RatedMoveRow> + '_> {
        match self {
            Self::Plain(collected) => Box::new(collected.moves()),
            Self::Rich(collected) => Box::new(collected.moves()),
        }
    }
}
