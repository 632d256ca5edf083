//! Keys of the eight images of a board, kept up to date together, as format-spec/keys.md fixes them.

use crate::game::set_bits;
use crate::zobrist::{Keys, Stream, images};

const STREAM: Stream = Stream::named("othello");

/// By square: the numbers, on the eight images of the board, of a disc of the side to move.
static OWN: [[u64; 8]; 64] = {
    let mut own = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (square, symmetry) = (index / 8, index % 8);
        own[square][symmetry] = STREAM.number(64 + IMAGES[symmetry][square] as u64);
        index += 1;
    }
    own
};

/// By square: what changes where a disc becomes the other side's.
static TURNED: [[u64; 8]; 64] = {
    let mut turned = [[0; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (square, symmetry) = (index / 8, index % 8);
        turned[square][symmetry] =
            OWN[square][symmetry] ^ STREAM.number(IMAGES[symmetry][square] as u64);
        index += 1;
    }
    turned
};

/// By symmetry and square: where the square goes.
pub(super) static IMAGES: [[u8; 64]; 8] = images(8);

/// The keys of the eight images of a board, as the side to move sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardKeys {
    pub keys: Keys<8>,
    /// What changes in the keys if all discs turn.
    all: Keys<8>,
}

impl BoardKeys {
    /// Those of a board with these discs of the side to move and of its opponent.
    pub(super) fn of(own: u64, opponent: u64) -> Self {
        let mut keys = Self { keys: Keys([0; 8]), all: Keys([0; 8]) };
        set_bits(own | opponent).for_each(|square| keys.place(square as u8));
        keys.turn(opponent);
        keys
    }

    /// A disc of the side to move comes on the board.
    #[inline]
    pub(super) fn place(&mut self, square: u8) {
        self.keys.toggle(&OWN[usize::from(square)]);
        self.all.toggle(&TURNED[usize::from(square)]);
    }

    #[inline]
    pub(super) fn turn(&mut self, discs: u64) {
        set_bits(discs).for_each(|square| self.keys.toggle(&TURNED[square as usize]));
    }

    /// The other side is to move, which sees all discs turned.
    #[inline]
    pub(super) fn change_side(&mut self) {
        self.keys.toggle(&self.all.0);
    }
}
