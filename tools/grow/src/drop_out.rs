//! Drop-out expansion (Fierz 2005, "Opening books"): the position is expanded next at which a player
//! who follows the book drops out of it soonest, counted in errors of the opponent and in plies.
//!
//! The book's side plays only the best moves of the book, the other side any that has a value. A
//! line costs the errors of the other side and a constant for every ply, which is minus Fierz's
//! priority; so the one of highest priority is the shortest path, found by Dijkstra's algorithm.

use crate::best_first::Selected;
use crate::plan::Method;
use crate::tree::{ROOT, Tree};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use tabia_games::{Game, Side};
use tabia_play::negamax::{DrawValue, Solved, Value};

/// What lines cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineCosts {
    /// A ply, in the unit of evals.
    pub ply: f64,
    /// See [`Method::DropOut`].
    pub singularity: f64,
    /// Who makes no errors; if none, both may make them (Lincke's form of it).
    pub book_side: Option<Side>,
}

/// Costs are counted in thousandths of the unit.
const WHOLE: f64 = 1000.0;

/// Chooses a position that isn't full. Those in `left_out` are being expanded, or out of bounds.
pub fn select<G: Game>(
    tree: &Tree<G>,
    left_out: &BTreeSet<u32>,
    method: Method,
    max_error: Option<f64>,
) -> Selected {
    let Method::DropOut { cost, side, singularity, both_err } = method else {
        return Selected::Exhausted;
    };
    let (solved, _) = tree.solved(&BTreeSet::new(), DrawValue::Even);
    let sides = match (side, both_err) {
        (_, true) => vec![None],
        (Some(side), _) => vec![Some(side)],
        (None, _) => vec![Some(Side::First), Some(Side::Second)],
    };
    let costs = |book_side| LineCosts { ply: cost, singularity, book_side };
    let ends =
        sides.into_iter().filter_map(|side| cheapest_end(tree, &solved, left_out, costs(side)));
    match ends.min() {
        Some((cost, _, at)) if max_error.is_none_or(|most| cost as f64 / WHOLE <= most) => {
            Selected::Leaf(at)
        }
        _ => Selected::Exhausted,
    }
}

/// The end of the line that costs least of those that may be played: a position that isn't full, and
/// not left out, with all before it full. What it costs, in thousandths of the unit of evals; its key
/// and whose it is (0: the first player's), which decide between lines that cost the same; its number.
/// `solved` says what positions are worth.
pub fn cheapest_end<G: Game>(
    tree: &Tree<G>,
    solved: &Solved,
    left_out: &BTreeSet<u32>,
    costs: LineCosts,
) -> Option<(u64, (u64, usize), u32)> {
    let graph = tree.graph();
    let name = |at: u32| (graph.key(at), graph.side(at).index());
    let mut least = vec![u64::MAX; graph.len() as usize];
    let mut waiting = BinaryHeap::from([Reverse((0, name(ROOT), ROOT))]);
    least[ROOT as usize] = 0;
    while let Some(Reverse((cost, named, at))) = waiting.pop() {
        if cost > least[at as usize] {
            continue;
        }
        if !tree.is_full(at) {
            if !left_out.contains(&at) {
                return Some((cost, named, at));
            }
            continue;
        }
        for (to, more) in steps(tree, solved, at, costs) {
            let cost = cost.saturating_add(more);
            if cost < least[to as usize] {
                least[to as usize] = cost;
                waiting.push(Reverse((cost, name(to), to)));
            }
        }
    }
    None
}

/// Where lines go on from a position that isn't decided, and what that costs.
fn steps<G: Game>(tree: &Tree<G>, solved: &Solved, at: u32, costs: LineCosts) -> Vec<(u32, u64)> {
    let (graph, by) = (tree.graph(), tree.graph().side(at));
    if graph.proof(at).is_some() {
        return Vec::new();
    }
    let moves = graph.moves(at).iter().filter(|edge| !edge.is_barred);
    let valued: Vec<(u32, Value)> =
        moves.filter_map(|edge| Some((edge.to, solved.value_of_move(edge.to, by)?))).collect();
    let Some(best) = valued.iter().map(|&(_, value)| value).max() else { return Vec::new() };
    let second = valued.iter().map(|&(_, value)| value).filter(|&value| value < best).max();
    let is_alone = valued.iter().filter(|&&(_, value)| value == best).count() == 1;
    let ply = |value: Value| match second.filter(|_| is_alone && value == best) {
        Some(second) => costs.ply * forced(error(best, second), costs),
        None => costs.ply,
    };
    let may_err = costs.book_side != Some(by);
    let cost = |&(to, value): &(u32, Value)| {
        let error = error(best, value)?;
        (error == 0.0 || may_err).then(|| (to, ((error + ply(value)) * WHOLE).round() as u64))
    };
    valued.iter().filter_map(cost).collect()
}

/// By how much a value is worse than the best; none if it gives away what is sure.
fn error(best: Value, value: Value) -> Option<f64> {
    if best == value {
        return Some(0.0);
    }
    Some(f64::from(best.number()?) - f64::from(value.number()?))
}

/// The part of a ply's cost that counts where the second best move is so much worse.
fn forced(lead: Option<f64>, costs: LineCosts) -> f64 {
    let lead = lead.unwrap_or(f64::INFINITY);
    if costs.singularity == 0.0 {
        1.0
    } else {
        (1.0 - costs.singularity * lead / costs.ply).max(0.25)
    }
}
