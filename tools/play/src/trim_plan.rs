//! What a trimmed book keeps.

use crate::thresholds::Thresholds;
use tabia_games::Side;

/// What is to be kept of a book.
#[derive(Clone, Debug, Default)]
pub struct TrimPlan {
    /// What moves need to be kept; in a solution tree, those of the book's own side. Positions need
    /// the games too, but in a solution tree.
    pub own: Thresholds,
    /// Whether solution trees are to be kept, and whose.
    pub solution: Option<Solution>,
    /// The most plies from where a walk starts.
    pub max_ply: Option<u32>,
    /// Whether the trimmed book is to be packed; it is anyway if the book is.
    pub packed: bool,
}

/// Solution trees.
#[derive(Clone, Debug)]
pub struct Solution {
    /// For whom the book is; what is kept for two is the union of the tree of each.
    pub sides: Vec<Side>,
    /// What replies of the other side need to be kept; nothing, by default. Its `keep` has no
    /// meaning.
    pub reply: Thresholds,
}
