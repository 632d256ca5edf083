//! What a book holds and a Polyglot book doesn't say, by reason.

use super::gather::Gathered;
use crate::{Losses, Reason};

/// Rows of positions.
pub const POSITIONS: Reason = Reason::new("positions", "positions' own games, evals and flags");
/// Moves with annotations.
pub const MARKED: Reason = Reason::new("marked_moves", "moves' annotations");
/// Moves with ratings.
pub const RATED: Reason = Reason::new("rated_moves", "moves' ratings");

/// All of these, in the order in which they are reported.
pub const ALL: &[Reason] = &[POSITIONS, MARKED, RATED];

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
