//! Keys of the eight images of a board, kept up to date together.
//!
//! Fixed for all time by format-spec/keys.md.

use super::bitboard::squares;
use crate::outcome::Side;
use crate::zobrist::Stream;

const STREAM: Stream = Stream::named("othello");

/// The number that says that White is to move.
const WHITE_TO_MOVE: u64 = STREAM.number(128);

/// By color and square: a disc's numbers on the eight images of the board. White's come first in the stream: so the start is its own canonical board.
static DISCS: [[[u64; 8]; 64]; 2] = {
    let mut discs = [[[0; 8]; 64]; 2];
    let mut index = 0;
    while index < 2 * 64 * 8 {
        let (color, square, symmetry) = (index / 512, index / 8 % 64, index % 8);
        discs[color][square][symmetry] = STREAM.number((64 * (1 - color)) as u64 + IMAGES[symmetry][square] as u64);
        index += 1;
    }
    discs
};

/// By square: what a disc changes that turns from one color to the other.
static TURNED: [[u64; 8]; 64] = {
    let mut turned = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (square, symmetry) = (index / 8, index % 8);
        turned[square][symmetry] = STREAM.number(IMAGES[symmetry][square] as u64) ^ STREAM.number(64 + IMAGES[symmetry][square] as u64);
        index += 1;
    }
    turned
};

/// By symmetry and square: where the square goes. Bit 0 of a symmetry mirrors the files (a becomes h), then bit 1 the ranks, then bit 2 swaps the two.
pub(super) static IMAGES: [[u8; 64]; 8] = {
    let mut images = [[0; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        let (symmetry, square) = (index / 64, index % 64);
        let file = if symmetry & 1 != 0 { 7 - square % 8 } else { square % 8 };
        let rank = if symmetry & 2 != 0 { 7 - square / 8 } else { square / 8 };
        images[symmetry][square] = (if symmetry & 4 != 0 { 8 * file + rank } else { 8 * rank + file }) as u8;
        index += 1;
    }
    images
};

/// The keys of the eight images of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys([u64; 8]);

impl Keys {
    /// Those of a board with these discs of Black and White.
    pub(super) fn of(discs: [u64; 2], side: Side) -> Self {
        let mut keys = Self([0; 8]);
        for (color, discs) in discs.into_iter().enumerate() {
            squares(discs).for_each(|square| keys.add(&DISCS[color][usize::from(square)]));
        }
        if side == Side::Second {
            keys.change_side();
        }
        keys
    }

    /// A disc comes on the board.
    #[inline]
    pub(super) fn place(&mut self, color: Side, square: u8) {
        self.add(&DISCS[color.index()][usize::from(square)]);
    }

    /// Discs turn over.
    #[inline]
    pub(super) fn turn(&mut self, discs: u64) {
        squares(discs).for_each(|square| self.add(&TURNED[usize::from(square)]));
    }

    /// The other side is to move.
    #[inline]
    pub(super) fn change_side(&mut self) {
        self.add(&[WHITE_TO_MOVE; 8]);
    }

    /// The key of the board itself.
    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.0[0]
    }

    /// The least key, and the symmetries that lead to the image whose it is, a bit for each.
    #[inline]
    pub(super) fn least(&self) -> (u64, u16) {
        let least = self.0.iter().fold(u64::MAX, |least, &key| least.min(key));
        let symmetries = (0..8).fold(0, |bits, symmetry| bits | u16::from(self.0[symmetry] == least) << symmetry);
        (least, symmetries)
    }

    #[inline]
    fn add(&mut self, numbers: &[u64; 8]) {
        for (key, number) in self.0.iter_mut().zip(numbers) {
            *key ^= number;
        }
    }
}
