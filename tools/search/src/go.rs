//! Go: whose stones are nearer to each point, and which chains can be captured at once. That is far
//! from knowing Go: life and death, shapes and ladders are beyond it.
//!
//! Only some points near stones are searched below the root, so results are never sure but where a
//! pass ends the game in front.

use crate::evaluate::{End, Evaluate};
use std::collections::VecDeque;
use tabia_games::go::Move;
use tabia_games::{Game, Go, Komi, Side};

/// What a search knows of Go.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoKnowledge;

/// How many moves are searched below the root.
const WIDTH: usize = 20;

/// How far a stone's influence goes.
const FAR: u8 = 4;

impl Evaluate<Go> for GoKnowledge {
    fn value(&mut self, position: &Go) -> i32 {
        let [black, white] = [Side::First, Side::Second].map(|side| distances(position, side));
        let mut ahead = -Komi::SEVEN_AND_A_HALF.hundredths();
        for (black, white) in black.iter().zip(&white) {
            ahead += match black.cmp(white) {
                std::cmp::Ordering::Less => 100,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => -100,
            };
        }
        ahead += in_danger(position);
        if position.side() == Side::First { ahead } else { -ahead }
    }

    fn end(&self, position: &Go, moves: &[Move]) -> Option<End> {
        moves.is_empty().then(|| {
            let ahead = (100.0 * position.score(Komi::SEVEN_AND_A_HALF)) as i32;
            End::Hundredths(if position.side() == Side::First { ahead } else { -ahead })
        })
    }

    /// Keeps the points that come first in order, and the pass.
    fn narrow(&self, position: &Go, moves: &mut Vec<Move>) -> bool {
        let count = moves.len();
        moves.sort_by_cached_key(|played| -self.order(position, played));
        let mut kept = 0;
        moves.retain(|played| {
            kept += 1;
            played.point.is_none() || kept <= WIDTH && self.order(position, played) > FILLS
        });
        moves.len() < count
    }

    /// Captures and escapes, contact, and the lines that openings are played on.
    fn order(&self, position: &Go, played: &Move) -> i32 {
        let Some(point) = played.point else { return FILLS };
        let (mut value, mut own) = (edge(position, point), 0);
        let beside: Vec<u16> = neighbors(position.size(), point).collect();
        for &other in &beside {
            match position.at(other) {
                Some(side) if side == played.side => {
                    own += 1;
                    value += 4 + if liberties(position, other).0 == 1 { 40 } else { 0 };
                }
                Some(_) => {
                    let (liberties, stones) = liberties(position, other);
                    value += match liberties {
                        1 => 60 + stones as i32,
                        2 => 20,
                        _ => 6,
                    };
                }
                None => {}
            }
        }
        if own == beside.len() && value < 40 { FILLS - 1 } else { value }
    }

    /// Ko and passes too, which keys of books leave out.
    fn hash(&self, position: &Go) -> u64 {
        let history = position.ko().map_or(0, |point| u64::from(point) + 1) << 2
            | u64::from(position.passes().min(3));
        position.board_key() ^ history.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The order of a pass; moves that fill an own eye are below.
const FILLS: i32 = -100;

/// The points beside a point.
pub(crate) fn neighbors(size: usize, point: u16) -> impl Iterator<Item = u16> {
    let size = size as u16;
    let (x, y) = (point % size, point / size);
    [
        (x > 0).then(|| point - 1),
        (x + 1 < size).then_some(point + 1),
        (y > 0).then(|| point.wrapping_sub(size)),
        (y + 1 < size).then_some(point + size),
    ]
    .into_iter()
    .flatten()
}

/// What a point's distance from the edge is worth.
fn edge(position: &Go, point: u16) -> i32 {
    let size = position.size() as u16;
    let from_edge = |at: u16| at.min(size - 1 - at);
    match from_edge(point % size).min(from_edge(point / size)) {
        0 => -6,
        1 => 0,
        2 | 3 => 5,
        _ => 3,
    }
}

/// How far each point is from the nearest stone of a side.
fn distances(position: &Go, side: Side) -> Vec<u8> {
    let points = (position.size() * position.size()) as u16;
    let mut distances = vec![FAR + 1; points.into()];
    let mut ahead: VecDeque<u16> = VecDeque::new();
    for point in (0..points).filter(|&point| position.at(point) == Some(side)) {
        distances[usize::from(point)] = 0;
        ahead.push_back(point);
    }
    while let Some(point) = ahead.pop_front() {
        let next = distances[usize::from(point)] + 1;
        for beside in neighbors(position.size(), point) {
            let distance = &mut distances[usize::from(beside)];
            if position.at(beside).is_none() && next < *distance {
                *distance = next;
                if next < FAR {
                    ahead.push_back(beside);
                }
            }
        }
    }
    distances
}

/// What chains with one liberty change: Black's gain, in hundredths of a point. The side to move
/// can capture or escape first.
fn in_danger(position: &Go) -> i32 {
    let points = (position.size() * position.size()) as u16;
    let mut value = 0;
    for point in 0..points {
        let Some(side) = position.at(point) else { continue };
        let (liberties, _) = liberties(position, point);
        // Each stone is counted for itself.
        let loss = match liberties {
            1 if side == position.side() => 60,
            1 => 170,
            2 => 20,
            _ => 0,
        };
        value += if side == Side::First { -loss } else { loss };
    }
    value
}

/// How many liberties the chain of a stone has, up to 3, and how many stones, as far as was looked.
fn liberties(position: &Go, point: u16) -> (u32, u32) {
    let side = position.at(point);
    let mut seen = [0u64; 6];
    let mut see = |point: u16| {
        let (word, bit) = (usize::from(point / 64), 1 << (point % 64));
        let is_new = seen[word] & bit == 0;
        seen[word] |= bit;
        is_new
    };
    let (mut liberties, mut stones, mut ahead) = (0, 0, vec![point]);
    see(point);
    while let Some(point) = ahead.pop() {
        stones += 1;
        for beside in neighbors(position.size(), point) {
            if position.at(beside).is_none() {
                liberties += u32::from(see(beside));
                if liberties == 3 {
                    return (liberties, stones);
                }
            } else if position.at(beside) == side && see(beside) {
                ahead.push(beside);
            }
        }
    }
    (liberties, stones)
}
