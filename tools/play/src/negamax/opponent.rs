//! What an opponent plays who has a book of their own (Buro 1999, section 7).
//!
//! Negamax takes for granted that the opponent knows what we know. An opponent with a book that we
//! know plays from it, as far as it goes: where it has the position, the moves that are best by
//! negamax over it, any of those that are equal. Where it doesn't, or says that all its moves lose,
//! or that a move it lacks is better, they may play anything, and plain negamax over our book is
//! what to expect.

use crate::negamax::{Arena, Graph, GraphView, Replies, Solved, Unit, Value};
use std::collections::BTreeSet;
use tabia_games::Side;

impl Replies {
    /// What this side, the opponent, is expected to play in positions of our graph whose values are
    /// in this unit. `theirs` is their book as they see it, solved.
    #[must_use]
    pub fn new(ours: &Graph, unit: Unit, theirs: &GraphView<'_>, solved: &Solved) -> Self {
        let mut replies = Self::any(ours);
        for at in (0..ours.len()).filter(|&at| ours.side(at) == theirs.side) {
            let best = theirs
                .graph
                .find(ours.key(at), theirs.side)
                .map(|there| best_codes(theirs, solved, there));
            replies.expect(ours, unit, at, &best.unwrap_or_default());
        }
        replies
    }
}

/// The codes of the moves that a book says are best in one of its positions; none if it says to
/// play something else, or nothing.
fn best_codes(view: &GraphView<'_>, solved: &Solved, at: u32) -> BTreeSet<u16> {
    let side: Side = view.side(at);
    let known = || {
        view.playable(at)
            .filter_map(|played| Some((solved.value_of_move(played.to, side)?, played.code)))
    };
    let Some(best) = known().map(|(value, _)| value).max().filter(|&best| best != Value::LOSS)
    else {
        return BTreeSet::new();
    };
    let own = solved.own(view, at, side).filter(|_| view.own_is_a_move(at));
    if own.is_some_and(|own| own > best) {
        return BTreeSet::new();
    }
    known().filter(|&(value, _)| value == best).map(|(_, code)| code).collect()
}
