//! What an opponent plays who has a book of their own (Buro 1999, section 7).
//!
//! Negamax takes for granted that the opponent knows what we know. One with a book that we know
//! plays from it where it has the position: any of the moves that are best by negamax over it.
//! Where it doesn't, or says that all its moves lose, or that a move it lacks is better, they may
//! play anything, and plain negamax over our book is what to expect.

use crate::negamax::{Arena, Graph, GraphView, Solved, Unit, Value};
use std::collections::BTreeSet;

/// What is expected of the opponent in each position of our graph where they are to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replies {
    expected: Vec<Expected>,
    /// Of each move of the graph, whether it is to be expected.
    moves: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Any move.
    Any,
    /// Some moves of our book.
    Ours,
    /// Some of them, or one that our book lacks.
    OursOrOthers,
}

impl Replies {
    /// What this side, the opponent, is expected to play in positions of our graph whose values are
    /// in this unit. `theirs` is their book as they see it, solved.
    pub fn new(ours: &Graph, unit: Unit, theirs: &GraphView<'_>, solved: &Solved) -> Self {
        // Any move, if nothing else is known.
        let mut replies = Self {
            expected: vec![Expected::Any; ours.len() as usize],
            moves: vec![true; ours.move_count() as usize],
        };
        for at in (0..ours.len()).filter(|&at| ours.side(at) == theirs.side) {
            let best = theirs
                .graph
                .find(ours.key(at), theirs.side)
                .map(|there| best_codes(theirs, solved, there));
            replies.expect(ours, unit, at, &best.unwrap_or_default());
        }
        replies
    }

    /// Notes which moves are the best by the opponent's book; any move if none.
    fn expect(&mut self, ours: &Graph, unit: Unit, at: u32, best: &BTreeSet<u16>) {
        let found = ours.moves(at).iter().filter(|ours| best.contains(&ours.code)).count();
        if best.is_empty() || found == 0 && ours.own(at, unit).is_none() {
            return;
        }
        self.expected[at as usize] =
            if found == best.len() { Expected::Ours } else { Expected::OursOrOthers };
        for place in ours.move_range(at) {
            self.moves[place] = best.contains(&ours.moves[place].code);
        }
    }

    /// Whether a move that stands here in the list of all may be played.
    pub(super) fn may_be(&self, place: usize) -> bool {
        self.moves[place]
    }

    /// Whether a position's own value stands for moves that our book lacks; none if any may come.
    pub(super) fn own_is_a_move(&self, at: u32) -> Option<bool> {
        match self.expected[at as usize] {
            Expected::Any => None,
            Expected::Ours => Some(false),
            Expected::OursOrOthers => Some(true),
        }
    }
}

/// The codes of the moves that a book says are best in one of its positions; none if it says to
/// play something else, or nothing.
fn best_codes(view: &GraphView<'_>, solved: &Solved, at: u32) -> BTreeSet<u16> {
    let side = view.side(at);
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
