//! What a book holds and a Polyglot book doesn't say, by reason.

use super::gather::Gathered;
use crate::Losses;
use crate::lost::reasons;

reasons! { new
    /// Rows of positions.
    POSITIONS: "positions", "positions' own games, evals and flags";
    /// Moves with annotations.
    MARKED: "marked_moves", "moves' annotations";
    /// Moves with ratings.
    RATED: "rated_moves", "moves' ratings";
}

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
