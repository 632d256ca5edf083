//! The variations of a game: `1. e4 e5 (1... c5 2. Nf3) 2. Nf3` has one, which takes the place of the
//! move before it.

use crate::game_record::{EvalComment, Ply};
use crate::reading::Replayed;
use crate::variations::Variation;

/// The variations of a game while they are replayed.
pub(super) struct Branches<'a, G> {
    /// Takes each one that ends.
    pub take: &'a mut dyn FnMut(Variation<'_>),
    /// The line that is being read, before its last move; none before its first one.
    pub before: Option<Replayed<G>>,
    /// The variations that are open, the innermost last.
    pub open: Vec<Branch<G>>,
}

/// What a variation branched off from, to be gone on with when it ends.
pub(super) struct Branch<G> {
    /// Where the variation begins in the text.
    pub at: usize,
    pub game: Replayed<G>,
    pub before: Replayed<G>,
    pub replaced: Ply,
    /// The evals of positions behind the branching.
    pub evals: Vec<EvalComment>,
    /// How many plies and evals lead to it.
    pub plies: usize,
    pub kept_evals: usize,
}

impl<'a, G> Branches<'a, G> {
    /// Variations that each go to `take` when they end, those inside others first.
    pub fn new(take: &'a mut dyn FnMut(Variation<'_>)) -> Self {
        Self { take, before: None, open: Vec::new() }
    }
}
