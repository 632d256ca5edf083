//! What a book holds and a Polyglot book doesn't say, by reason.

use super::gather::Gathered;
use crate::{LossReason, Losses};

/// Rows of positions.
pub const POSITIONS: LossReason =
    LossReason::new("positions", "positions' own games, evals and flags");
/// Moves with annotations.
pub const MARKED: LossReason = LossReason::new("marked_moves", "moves' annotations");
/// Moves with ratings.
pub const RATED: LossReason = LossReason::new("rated_moves", "moves' ratings");

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[POSITIONS, MARKED, RATED];

impl Gathered {
    /// What the entries don't say of a book with `positions` rows of positions.
    #[must_use]
    pub fn losses(&self, positions: u64) -> Losses {
        let mut losses = Losses::new(ALL);
        losses.add(POSITIONS, positions);
        losses.add(MARKED, self.annotated);
        losses.add(RATED, self.rated);
        losses
    }
}
