//! The legal moves of a position, and their codes, which are fixed by format-spec/keys.md.

use super::captures::View;
use super::rules::{Rules, step};

/// A move: a piece goes from square to square and captures.
///
/// Captures of the same pieces with the same end are one move, however many ways lead over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The bit of the square it starts from.
    pub(super) from: u64,
    /// The bit of the square it ends on.
    pub(super) to: u64,
    pub(super) captured: u64,
    /// Its code here, and that of its image on the turned board.
    pub(super) codes: [u16; 2],
}

impl Move {
    /// A move that no other one shares both squares with.
    #[inline]
    pub(super) fn new(rules: &Rules, from: u64, to: u64, captured: u64) -> Self {
        let (from_square, to_square, last) =
            (rules.square(from) as u16, rules.square(to) as u16, rules.squares() as u16 - 1);
        let codes = [from_square << 6 | to_square, (last - from_square) << 6 | (last - to_square)];
        Self { from, to, captured, codes }
    }

    /// Whether it captures.
    pub const fn is_capture(&self) -> bool {
        self.captured != 0
    }

    /// How many pieces it captures.
    pub const fn captures(&self) -> u32 {
        self.captured.count_ones()
    }

    /// By what the moves of a position are ordered on this board, or on the turned one.
    fn order(&self, rules: &Rules, turned: bool) -> (u16, u64) {
        if turned {
            (self.codes[1] & 0xfff, rules.turned(self.captured))
        } else {
            (self.codes[0] & 0xfff, self.captured)
        }
    }
}

impl View {
    /// All legal moves, in place of what `moves` held, in the order of their codes on this board.
    pub fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let capturers = self.capturers();
        if capturers == 0 {
            self.quiet_moves(moves);
        } else {
            self.captures(capturers, moves);
        }
        moves.sort_unstable_by_key(|played| played.codes[0]);
    }

    /// Whether there is a legal move.
    pub fn can_move(&self) -> bool {
        let [left, right] = self.rules.forward(self.side);
        let beside = |pieces, by| step(pieces, by) & self.empty != 0;
        beside(self.men | self.kings, left)
            || beside(self.men | self.kings, right)
            || beside(self.kings, -left)
            || beside(self.kings, -right)
            || self.capturers() != 0
    }

    fn quiet_moves(&self, moves: &mut Vec<Move>) {
        let mut moves_by = |pieces, by, flies| {
            for from in bits(pieces) {
                let mut to = step(from, by) & self.empty;
                while to != 0 {
                    moves.push(Move::new(self.rules, from, to, 0));
                    to = if flies { step(to, by) & self.empty } else { 0 };
                }
            }
        };
        self.rules.forward(self.side).into_iter().for_each(|by| moves_by(self.men, by, false));
        for by in self.rules.around() {
            moves_by(self.kings, by, self.rules.flying_kings);
        }
    }

    /// Whether a piece may go from square to another square of the board without capturing.
    #[inline]
    pub fn is_quiet_move(&self, from: u64, to: u64) -> bool {
        let [left, right] = self.rules.forward(self.side);
        if self.men & from != 0 {
            return (step(from, left) | step(from, right)) & self.empty & to != 0;
        }
        self.kings & from != 0
            && self.rules.around().into_iter().any(|by| self.is_way(from, to, by))
    }

    fn is_way(&self, from: u64, to: u64, by: i32) -> bool {
        let mut at = step(from, by) & self.empty;
        while self.rules.flying_kings && at & !to != 0 {
            at = step(at, by) & self.empty;
        }
        at == to
    }

    fn captures(&self, capturers: u64, moves: &mut Vec<Move>) {
        let mut most = 0;
        for from in bits(capturers) {
            let start = moves.len();
            self.captures_from(from, &mut |path| {
                let count = path.captured.count_ones();
                let is_new = || {
                    !moves[start..]
                        .iter()
                        .any(|other| (other.to, other.captured) == (path.to(), path.captured))
                };
                if (!self.rules.majority || count >= most) && is_new() {
                    most = most.max(count);
                    moves.push(Move::new(self.rules, from, path.to(), path.captured));
                }
            });
        }
        if self.rules.majority {
            moves.retain(|played| played.captures() == most);
        }
        number(self.rules, moves);
    }

    /// How many pieces a capture must take, by the rule of the majority; 0 if any number will do.
    #[inline]
    pub fn must_capture(&self, capturers: u64) -> u32 {
        let mut most = 0;
        if self.rules.majority {
            for from in bits(capturers) {
                self.captures_from(from, &mut |path| most = most.max(path.captured.count_ones()));
            }
        }
        most
    }
}

/// Gives captures with the same two squares codes of their own.
fn number(rules: &Rules, moves: &mut [Move]) {
    moves.sort_unstable_by_key(|played| played.order(rules, false));
    if moves.windows(2).all(|pair| pair[0].codes[0] != pair[1].codes[0]) {
        return;
    }
    for turned in [true, false] {
        moves.sort_unstable_by_key(|played| played.order(rules, turned));
        let (mut last, mut index, mut beyond) = (u16::MAX, 0, 0);
        for played in &mut *moves {
            let code = &mut played.codes[usize::from(turned)];
            index = if *code == last { index + 1 } else { 0 };
            last = *code;
            *code = if index < 16 { index << 12 | last } else { beyond_the_16th(&mut beyond) };
        }
    }
}

/// The next code for a capture after the 16th with the same two squares.
#[cold]
fn beyond_the_16th(count: &mut u16) -> u16 {
    let number = *count;
    *count += 1;
    ((number / 896 % 16) << 12) | (3_200 + number % 896)
}

/// The bits that are set, each by itself, from the lowest.
#[inline]
pub(super) fn bits(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = bits & bits.wrapping_neg();
        bits ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::super::rules::INTERNATIONAL;
    use super::*;
    use std::collections::BTreeSet;

    /// More captures with the same start and end than any position of a game has: their codes
    /// differ all the same, and those of their images are the same set.
    #[test]
    fn captures_behind_the_16th_have_codes_of_their_own() {
        let rules = &INTERNATIONAL;
        let captures = |turned: bool| {
            let mut moves = Vec::new();
            for (from, to) in [(46, 4), (45, 49), (20, 31)] {
                for set in 1..=1_000u64 {
                    let squares = bits(set)
                        .fold(0, |squares, bit| squares | rules.bit(20 + bit.trailing_zeros()));
                    let on_board = |bits| if turned { rules.turned(bits) } else { bits };
                    let (from, to) = (on_board(rules.bit(from)), on_board(rules.bit(to)));
                    moves.push(Move::new(rules, from, to, on_board(squares)));
                }
            }
            number(rules, &mut moves);
            moves
        };
        let codes = |turned: bool| {
            [0, 1].map(|image| {
                captures(turned).iter().map(|played| played.codes[image]).collect::<BTreeSet<_>>()
            })
        };
        let [here, image] = codes(false);
        assert_eq!((here.len(), image.len()), (3_000, 3_000));
        assert_eq!(codes(true), [image, here.clone()]);
        assert_eq!(here.iter().filter(|code| (*code >> 6 & 63) < 50).count(), 3 * 16);
    }
}
