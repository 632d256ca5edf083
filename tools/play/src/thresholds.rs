//! Which moves of a position are kept, and in which order they are taken.

use crate::choice::is_always;
use crate::score::{Order, Percent};
use crate::stats::TrimReason;
use std::cmp::Ordering;
use tabia::{Marks, MoveRow, Row, WithCells};

/// What a move needs to be kept. One that the book maker marked `always`, and not `never`, needs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thresholds {
    /// The games it was played in, at least.
    pub min_games: u64,
    /// The score of those who played it, at least.
    pub min_score: Percent,
    /// How many of the best moves that aren't marked `never` are kept; all moves if none.
    pub keep: Option<u32>,
    /// What makes a move better than another.
    pub order: Order,
}

impl Thresholds {
    /// Whether it asks something that only moves can answer.
    pub(crate) fn asks_moves(&self) -> bool {
        self.keep.is_some() || self.min_score != Percent::NONE
    }

    /// Why a move isn't kept whatever the others are, if there is a reason.
    pub(crate) fn fault(&self, row: &MoveRow) -> Option<TrimReason> {
        if self.keep.is_some() && row.marks().contains(Marks::NEVER) {
            Some(TrimReason::Never)
        } else if is_always(row.marks()) {
            None
        } else if row.counts().games() < self.min_games {
            Some(TrimReason::Games)
        } else if !self.min_score.is_met(row.counts()) {
            Some(TrimReason::Score)
        } else {
            None
        }
    }

    /// The better of two moves first: those marked `always`, then by [`Order`], then by code.
    pub(crate) fn compare(&self, a: &WithCells<MoveRow>, b: &WithCells<MoveRow>) -> Ordering {
        let by_word = is_always(b.row.marks()).cmp(&is_always(a.row.marks()));
        by_word.then_with(|| self.order.compare(a, b)).then(a.row.code().cmp(&b.row.code()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::Counts;

    fn row(wins: u32, losses: u32, marks: Marks) -> MoveRow {
        MoveRow::new(1, 1, Counts::new(wins, 0, losses)).with_marks(marks)
    }

    #[test]
    fn a_move_has_one_fault_at_a_time() {
        let rule = Thresholds {
            min_games: 10,
            min_score: "30".parse().unwrap(),
            keep: Some(1),
            order: Order::Score,
        };
        assert_eq!(rule.fault(&row(5, 5, Marks::empty())), None);
        assert_eq!(rule.fault(&row(5, 4, Marks::empty())), Some(TrimReason::Games));
        assert_eq!(rule.fault(&row(2, 8, Marks::empty())), Some(TrimReason::Score));
        assert_eq!(rule.fault(&row(0, 1, Marks::ALWAYS)), None);
        let found = rule.fault(&row(9, 9, Marks::ALWAYS | Marks::NEVER));
        assert_eq!(found, Some(TrimReason::Never));
        let all = Thresholds { keep: None, ..rule };
        assert_eq!(all.fault(&row(9, 9, Marks::NEVER)), None, "the mark itself is worth keeping");
        let found = all.fault(&row(0, 1, Marks::ALWAYS | Marks::NEVER));
        assert_eq!(found, Some(TrimReason::Games), "never is stronger, as in choosing");
        assert_eq!(Thresholds::default().fault(&row(0, 0, Marks::empty())), None);
    }
}
