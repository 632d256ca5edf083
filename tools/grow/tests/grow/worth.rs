//! What the positions of a book are worth, computed from the definition (Buro 1999, section 4): by
//! what each side can force, one value after the other.

use crate::toy::Place;
use tabia::Flags;
use tabia_games::{Outcome, Side};

/// What a book knows of a position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Whether it has a row; if not, all else means nothing.
    pub is_there: bool,
    pub eval: Option<i16>,
    pub depth: u8,
    pub is_expanded: bool,
    pub proof: Option<Flags>,
}

impl Known {
    /// A position in which the game ended so.
    pub fn ended(side: Side, outcome: Outcome) -> Self {
        let proof = match outcome.winner() {
            None => Flags::PROVEN_DRAW,
            Some(winner) if winner == side => Flags::PROVEN_WIN,
            Some(_) => Flags::PROVEN_LOSS,
        };
        Self { is_there: true, eval: None, depth: 0, is_expanded: false, proof: Some(proof) }
    }

    pub fn flags(&self) -> Flags {
        let expanded = if self.is_expanded { Flags::EXPANDED } else { Flags::empty() };
        expanded | self.proof.unwrap_or(Flags::empty())
    }
}

/// More than any number.
const WIN: i32 = i16::MAX as i32 + 1;
/// What moves are worth that the book lacks where all others are lost, to the other side: a mate.
const UNKNOWN: i32 = i16::MAX as i32;
/// Numbers beyond this are mates, which are a ply longer a move earlier.
const MATE: i32 = 30_001;
/// More plies than any line of these games has.
const LONGEST: i32 = 30;

/// The same a move earlier.
pub fn a_move_earlier(value: i32) -> i32 {
    if value.abs() == WIN || value.abs() <= MATE { value } else { value - value.signum() }
}

/// The ways to go on from a position: what it is worth in itself, if that counts as one, seen by the
/// first player, and where moves lead that count.
struct Ways {
    own: Option<i32>,
    moves: Vec<usize>,
}

fn ways(places: &[Place], known: &[Known], at: usize) -> Ways {
    let (place, here) = (&places[at], known[at]);
    let sign = if place.side == Side::First { 1 } else { -1 };
    let there = || place.moves.iter().copied().filter(|&to| known[to].is_there);
    if let Some(proof) = here.proof {
        let value = [(Flags::PROVEN_WIN, WIN), (Flags::PROVEN_DRAW, 0), (Flags::PROVEN_LOSS, -WIN)]
            .into_iter()
            .find_map(|(flag, value)| (flag == proof).then_some(value * sign));
        return Ways { own: value, moves: Vec::new() };
    }
    let eval = here.eval.map(|eval| i32::from(eval) * sign);
    if here.is_expanded {
        let is_valued = |to: usize| {
            let to = known[to];
            to.eval.is_some() || to.is_expanded || to.proof.is_some()
        };
        let is_complete = there().filter(|&to| is_valued(to)).count() == place.moves.len();
        let own = if is_complete { None } else { Some(-UNKNOWN * sign) };
        return Ways { own, moves: there().collect() };
    }
    // The eval stands for the moves that the book lacks, and was searched deeper than some.
    let counts = |to: &usize| {
        let to = known[*to];
        to.proof.is_some() || to.is_expanded || to.eval.is_none() || to.depth + 1 >= here.depth
    };
    let moves = if eval.is_some() { there().filter(counts).collect() } else { Vec::new() };
    Ways { own: eval, moves }
}

/// What each position is worth to the first player; none where nothing is known.
pub fn worth(places: &[Place], known: &[Known]) -> Vec<Option<i32>> {
    let mut all: Vec<Ways> = (0..places.len()).map(|at| ways(places, known, at)).collect();
    let mut is_known = vec![true; places.len()];
    loop {
        let has_way = |at: usize| {
            let moves = &all[at].moves;
            known[at].is_there && (all[at].own.is_some() || moves.iter().any(|&to| is_known[to]))
        };
        let next: Vec<bool> = (0..places.len())
            .map(|at| has_way(at) || known[at].is_there && known[at].eval.is_some())
            .collect();
        if next == is_known {
            break;
        }
        is_known = next;
    }
    for (at, ways) in all.iter_mut().enumerate() {
        ways.moves.retain(|&to| is_known[to]);
        // Where nothing is known of any move its own eval is all there is.
        if ways.moves.is_empty() && ways.own.is_none() {
            let sign = if places[at].side == Side::First { 1 } else { -1 };
            ways.own = known[at].eval.map(|eval| i32::from(eval) * sign);
        }
    }
    let [first, second] =
        [Side::First, Side::Second].map(|side| forced(places, &all, &is_known, side));
    let value = |at: usize| is_known[at].then(|| first[at].or(second[at].map(|v| -v)).unwrap_or(0));
    (0..places.len()).map(value).collect()
}

/// The most above a draw that a side can force from each position, as it sees it.
fn forced(places: &[Place], all: &[Ways], is_known: &[bool], side: Side) -> Vec<Option<i32>> {
    let sign = if side == Side::First { 1 } else { -1 };
    let mut levels: Vec<i32> = (UNKNOWN - LONGEST..=WIN).collect();
    levels.extend(all.iter().filter_map(|ways| ways.own).map(i32::abs).filter(|&own| own > 0));
    levels.sort_unstable_by_key(|&level| std::cmp::Reverse(level));
    levels.dedup();
    let mut most = vec![None; places.len()];
    for level in levels {
        // As long as there is another one that can be forced, with the moves that lead there.
        loop {
            let is_enough =
                |to: usize| most[to].is_some_and(|value| a_move_earlier(value) >= level);
            let is_forced = |&at: &usize| {
                let Ways { own, moves } = &all[at];
                let mut ways = (own.iter().map(|&own| own * sign >= level))
                    .chain(moves.iter().map(|&to| is_enough(to)));
                most[at].is_none()
                    && is_known[at]
                    && if places[at].side == side {
                        ways.any(|way| way)
                    } else {
                        (own.is_some() || !moves.is_empty()) && ways.all(|way| way)
                    }
            };
            let new: Vec<usize> = (0..places.len()).filter(is_forced).collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|at| most[at] = Some(level));
        }
    }
    most
}
