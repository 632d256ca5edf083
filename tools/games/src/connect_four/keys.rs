//! Zobrist's numbers of Connect Four, fixed by format-spec/keys.md.
//!
//! With column `x` from the left and row `y` from the bottom, both counted from 0, number
//! `2 (8 y + x) + c` of the stream is that of a stone, where `c` is 0 for the first player's and 1
//! for the second's. Number `128 + 16 w + h` is in all keys of a board with `w` columns of `h`
//! cells.

use crate::outcome::Side;
use crate::zobrist::Stream;

const STREAM: Stream = Stream::named("connect4");

#[derive(Debug)]
pub(super) struct Numbers {
    /// By side and bit: the number on this board, and on its mirror image.
    stones: [[[u64; 2]; 64]; 2],
    /// The key of the empty board.
    pub empty: u64,
}

impl Numbers {
    /// Those of a board with so many columns of so many cells.
    pub const fn of(width: u32, height: u32) -> Self {
        let mut stones = [[[0; 2]; 64]; 2];
        let mut cell = 0;
        while cell < width * height {
            let (column, row) = (cell % width, cell / width);
            let mut side = 0;
            while side < 2 {
                stones[side][(column * (height + 1) + row) as usize] = [
                    STREAM.number((2 * (8 * row + column)) as u64 + side as u64),
                    STREAM.number((2 * (8 * row + width - 1 - column)) as u64 + side as u64),
                ];
                side += 1;
            }
            cell += 1;
        }
        Self { stones, empty: STREAM.number((128 + 16 * width + height) as u64) }
    }

    /// The numbers of one stone, here and on the mirror image.
    #[inline]
    pub fn stone(&self, side: Side, cell: u64) -> [u64; 2] {
        self.stones[side.index()][cell.trailing_zeros() as usize & 63]
    }
}
