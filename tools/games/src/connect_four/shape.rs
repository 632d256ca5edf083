//! The sizes of the board, how its cells lie in 64 bits, and what keys are made of.
//!
//! A column is a run of bits, its lowest cell first, with one bit above it that is always empty, so
//! that no line of four goes on in the next column (Tromp's layout).

use crate::outcome::Side;
use crate::zobrist::Stream;

const STREAM: Stream = Stream::named("connect4");

#[derive(Debug)]
pub(super) struct Shape {
    /// The game's name in books.
    pub name: &'static str,
    /// How many columns there are.
    pub width: u32,
    /// How many cells a column has.
    pub height: u32,
    /// A set-up text as an example for users.
    pub example_setup: &'static str,
    /// What its keys are made of.
    pub numbers: Numbers,
}

/// All sizes, the usual one first.
pub(super) static SHAPES: [Shape; 7] = [
    Shape::of("connect4-7x6", 7, 6, "its rows from the top, as in 7/7/7/7/3O3/3X3"),
    Shape::of("connect4-4x4", 4, 4, "its rows from the top, as in 4/4/1O2/1X2"),
    Shape::of("connect4-5x4", 5, 4, "its rows from the top, as in 5/5/2O2/2X2"),
    Shape::of("connect4-5x5", 5, 5, "its rows from the top, as in 5/5/5/2O2/2X2"),
    Shape::of("connect4-6x4", 6, 4, "its rows from the top, as in 6/6/2O3/2X3"),
    Shape::of("connect4-6x5", 6, 5, "its rows from the top, as in 6/6/6/2O3/2X3"),
    Shape::of("connect4-8x7", 8, 7, "its rows from the top, as in 8/8/8/8/8/3O4/3X4"),
];

impl Shape {
    const fn of(name: &'static str, width: u32, height: u32, example_setup: &'static str) -> Self {
        assert!(width * (height + 1) <= 64, "the board has more cells than there are bits");
        Self { name, width, height, example_setup, numbers: Numbers::of(width, height) }
    }

    /// The bit of a cell, column and row counted from 0 at the lower left.
    #[inline]
    pub const fn cell(&self, column: u32, row: u32) -> u64 {
        1 << (column * (self.height + 1) + row)
    }

    /// The cells of a column.
    #[inline]
    pub const fn column(&self, column: u32) -> u64 {
        ((1 << self.height) - 1) << (column * (self.height + 1))
    }

    /// All cells.
    #[inline]
    pub fn all(&self) -> u64 {
        (0..self.width).fold(0, |cells, column| cells | self.column(column))
    }

    /// The lowest cell of each column.
    #[inline]
    pub fn bottom(&self) -> u64 {
        (0..self.width).fold(0, |cells, column| cells | self.cell(column, 0))
    }

    /// The cell that a stone in this column falls to, given all stones; 0 if there is none.
    #[inline]
    pub fn drop(&self, stones: u64, column: u32) -> u64 {
        if column >= self.width {
            return 0;
        }
        let cells = self.column(column);
        let free = cells & !stones;
        free & free.wrapping_neg()
    }

    /// Whether four of these stones stand in a line.
    #[inline]
    pub fn has_four(&self, stones: u64) -> bool {
        let up = self.height + 1;
        [1, up, up - 1, up + 1].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// The cells, empty or not, in which one more of these stones would stand in a line of four.
    pub fn completing(&self, stones: u64) -> u64 {
        let up = self.height + 1;
        let mut cells = 0;
        for step in [1, up, up - 1, up + 1] {
            let (behind, before) = (stones << step, stones >> step);
            let (pair_behind, pair_before) =
                (behind & stones << (2 * step), before & stones >> (2 * step));
            cells |= pair_behind & (stones << (3 * step) | before);
            cells |= pair_before & (stones >> (3 * step) | behind);
        }
        cells & self.all()
    }
}

/// Zobrist's numbers of a board, fixed by format-spec/keys.md.
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

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_testing::Rng;

    /// The cells that complete a line are those with which there is one, on boards without.
    #[test]
    fn cells_that_complete_a_line_are_those_that_give_four() {
        let mut rng = Rng::new(1);
        for shape in SHAPES.iter().cycle().take(7_000) {
            let stones = rng.bits() & rng.bits() & shape.all();
            if shape.has_four(stones) {
                continue;
            }
            let cells = (0..shape.width)
                .flat_map(|column| (0..shape.height).map(move |row| shape.cell(column, row)))
                .filter(|cell| stones & cell == 0 && shape.has_four(stones | cell))
                .fold(0, |cells, cell| cells | cell);
            assert_eq!(shape.completing(stones) & !stones, cells, "{} {stones:x}", shape.name);
        }
    }
}
