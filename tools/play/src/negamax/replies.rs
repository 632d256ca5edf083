//! What an opponent is expected to play in each position of a graph.

use crate::negamax::{Graph, Unit};
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
    /// Any move, everywhere.
    pub(super) fn any(ours: &Graph) -> Self {
        Self {
            expected: vec![Expected::Any; ours.len() as usize],
            moves: vec![true; ours.move_count() as usize],
        }
    }

    /// Notes which moves are the best by the opponent's book; any move if none.
    pub(super) fn expect(&mut self, ours: &Graph, unit: Unit, at: u32, best: &BTreeSet<u16>) {
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

    /// Whether a position's own value stands for moves that our book lacks; none if the opponent
    /// may play anything.
    pub(super) fn own_is_a_move(&self, at: u32) -> Option<bool> {
        match self.expected[at as usize] {
            Expected::Any => None,
            Expected::Ours => Some(false),
            Expected::OursOrOthers => Some(true),
        }
    }
}
