//! The line that both sides want.

use crate::negamax::solve::seen;
use crate::negamax::{Arena, Solved};
use std::cmp::Reverse;
use std::collections::HashSet;

/// A principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The positions, from the one it was asked for.
    pub positions: Vec<u32>,
    /// Why it ends where it does.
    pub end: End,
}

/// Why a principal variation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The last position is a leaf: the book knows what it is worth and no move to play there.
    Leaf,
    /// What it is worth stands for moves that the book lacks.
    Deviation,
    /// All that is worth as much leads back to positions of the variation.
    Repetition,
}

/// The principal variation from a position of which something is known.
///
/// The side that its value is good for, compared to a repetition, goes the shortest way, and the
/// other one holds out, so that it ends. Of moves that are still equal the first is taken.
pub fn variation(arena: &impl Arena, solved: &Solved, from: u32) -> Variation {
    let (mut positions, mut seen) = (vec![from], HashSet::from([from]));
    let mut at = from;
    loop {
        match next(arena, solved, at, &seen) {
            Ok(to) => at = to,
            Err(end) => return Variation { positions, end },
        }
        positions.push(at);
        seen.insert(at);
    }
}

/// The position that comes next in the variation.
fn next(arena: &impl Arena, solved: &Solved, at: u32, visited: &HashSet<u32>) -> Result<u32, End> {
    let side = arena.side(at);
    let (value, even) = (solved.value(at, side), Some(seen(arena.repetition(), side)));
    let best =
        || arena.moves(at).filter(|&to| value.is_some() && solved.value_of_move(to, side) == value);
    let knows_moves = arena.moves(at).any(|to| solved.value(to, side).is_some());
    if value > even && solved.steps(at) == 0 || best().next().is_none() {
        return Err(if knows_moves { End::Deviation } else { End::Leaf });
    }
    let next = match value.cmp(&even) {
        std::cmp::Ordering::Greater => best().min_by_key(|&to| solved.steps(to)),
        std::cmp::Ordering::Less => best().min_by_key(|&to| Reverse(solved.steps(to))),
        std::cmp::Ordering::Equal => best().find(|to| !visited.contains(to)),
    };
    next.filter(|to| !visited.contains(to)).ok_or(End::Repetition)
}
