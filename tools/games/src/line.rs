//! Keys of lines: a game tree in which a position reached by other moves is another node.
//!
//! Fixed by section 2.1 of the format specification: books keyed by line hold these keys.

use crate::game::{Game, set_bits};

/// 2^64 divided by the golden ratio, made odd: the increment of SplitMix64.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), a bijection on 64 bits.
#[inline(always)]
pub const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// The key of the line without moves that starts from the position with this key.
#[inline]
pub const fn line_start(position: u64) -> u64 {
    mix(position)
}

/// The key of a line with one more move, given by its code. Different moves have different keys.
#[inline]
pub const fn line_next(line: u64, code: u16) -> u64 {
    mix(line.wrapping_add(STEP.wrapping_mul(code as u64 + 1)))
}

/// A line of moves being followed, in its canonical form: lines that are images of each other under
/// the symmetries of their game are one line.
///
/// Of the images of a sequence of moves the canonical one is that whose [`Game::rank`]s come first
/// in the order of sequences (Chen and Zhang 2012, "Canonical orientation of a game"). It begins as
/// the canonical form of any part of it from the start, so that a line can be followed move by
/// move: what is kept is which symmetries lead to the canonical form so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    key: u64,
    symmetries: u16,
}

impl Line {
    /// The line without moves from this position.
    pub fn start<G: Game>(position: &G) -> Self {
        Self { key: line_start(position.key()), symmetries: position.symmetries() }
    }

    /// The line's key.
    pub fn key(self) -> u64 {
        self.key
    }

    /// The symmetries that lead from the line as played to its canonical form, a bit for each.
    pub fn symmetries(self) -> u16 {
        self.symmetries
    }

    /// The code of a move in the canonical form of the line that it makes from this position.
    pub fn code<G: Game>(self, position: &G, played: &G::Move) -> u16 {
        let images = set_bits(self.symmetries).map(|symmetry| position.image(played, symmetry));
        images.min_by_key(|&code| position.rank(code)).unwrap_or_default()
    }

    /// The line with one more move.
    pub fn after<G: Game>(self, position: &G, played: &G::Move) -> Self {
        let code = self.code(position, played);
        let leads = |&symmetry: &u32| position.image(played, symmetry) == code;
        let symmetries =
            set_bits(self.symmetries).filter(leads).fold(0, |bits, symmetry| bits | 1 << symmetry);
        Self { key: line_next(self.key, code), symmetries }
    }

    /// The legal move that has this code in the line; of several the one with the least rank.
    pub fn move_of_code<G: Game>(self, position: &G, code: u16) -> Option<G::Move> {
        let moves = position.legal().into_iter();
        moves
            .filter(|played| self.code(position, played) == code)
            .min_by_key(|played| position.rank(position.image(played, 0)))
    }
}
