//! Best-first expansion (Buro 1999, "Toward Opening Book Learning", section 4): the leaf at the end
//! of the principal variation is expanded next.
//!
//! Draws count for the first player and for the second in turn, so that a line that both are happy
//! to draw doesn't end the growth. Whose turn it is follows from how many positions are expanded, so
//! that growing can be interrupted anywhere.

use crate::tree::{ROOT, Tree, UNKNOWN};
use std::collections::BTreeSet;
use tabia_games::{Game, Side};
use tabia_play::negamax::{DrawValue, Solved, Value, Variation};

/// What to expand next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selected {
    /// This leaf.
    Leaf(u32),
    /// Nothing: the root is worth this to the first player, whatever draws count.
    Solved(Value),
    /// Nothing: all that is left was left out, or is further from the best line than was asked for.
    Exhausted,
}

/// Chooses a leaf. Those in `left_out` are being expanded, or out of bounds.
pub fn select<G: Game>(
    tree: &Tree<G>,
    left_out: &BTreeSet<u32>,
    in_flight: u64,
    max_error: Option<f64>,
) -> Selected {
    let phase = (tree.expanded() + in_flight) % 2;
    let mut values = Vec::with_capacity(2);
    for phase in [phase, 1 - phase] {
        let draws = if phase == 0 { DrawValue::Win } else { DrawValue::Loss };
        let (solved, line) = tree.solved(left_out, draws);
        if let Some(leaf) = leaf(tree, &solved, &line, left_out) {
            let is_too_far = max_error.is_some_and(|most| distance(tree, left_out) > most);
            return if is_too_far { Selected::Exhausted } else { Selected::Leaf(leaf) };
        }
        values.push(solved.value(ROOT, Side::First));
    }
    match values[..] {
        [Some(Value::WIN), Some(Value::WIN)] => Selected::Solved(Value::WIN),
        [Some(Value::LOSS), Some(Value::LOSS)] => Selected::Solved(Value::LOSS),
        [Some(one), Some(other)] if one.is_sure() && other.is_sure() => {
            Selected::Solved(Value::EVEN)
        }
        _ => Selected::Exhausted,
    }
}

/// The first position of a line that isn't complete, or the last one if all that the book has there
/// is lost.
fn leaf<G: Game>(
    tree: &Tree<G>,
    solved: &Solved,
    line: &Variation,
    left_out: &BTreeSet<u32>,
) -> Option<u32> {
    let lacks = |at: u32| solved.value(at, tree.graph().side(at)) == Some(UNKNOWN);
    let first = line.positions.iter().copied().find(|&at| !tree.is_complete(at));
    let last = line.positions.last().copied().filter(|&at| lacks(at));
    first.or(last).filter(|&at| !left_out.contains(&at))
}

/// How much the root's value changes when positions are left out.
fn distance<G: Game>(tree: &Tree<G>, left_out: &BTreeSet<u32>) -> f64 {
    let value = |left_out: &BTreeSet<u32>| {
        tree.solved(left_out, DrawValue::Even).0.value(ROOT, Side::First)
    };
    match (value(&BTreeSet::new()), value(left_out)) {
        (Some(best), Some(left)) if best == left => 0.0,
        (Some(best), Some(left)) => match (best.number(), left.number()) {
            (Some(best), Some(left)) => (f64::from(best) - f64::from(left)).abs(),
            _ => f64::INFINITY,
        },
        (None, _) => 0.0,
        (_, None) => f64::INFINITY,
    }
}
