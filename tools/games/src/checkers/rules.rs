//! The rules of the two boards, how their squares lie in 64 bits, and what their keys are made of.

use crate::outcome::Side;
use crate::zobrist::Stream;

#[derive(Debug)]
pub(super) struct Rules {
    /// The game's name in books.
    pub name: &'static str,
    /// What its players are called, the first one first. PDN calls them by the first letters.
    pub sides: [&'static str; 2],
    /// Dark squares in a row: half of the rows.
    pub width: u32,
    /// The first player moves to squares of higher numbers.
    pub first_goes_down: bool,
    /// Men capture backwards, too.
    pub men_capture_backwards: bool,
    /// Kings move and capture over any distance.
    pub flying_kings: bool,
    /// Of all captures only those of the most pieces are legal.
    pub majority: bool,
    /// What people may give where they are asked for a move.
    pub examples: &'static str,
    /// A set-up text as an example for users.
    pub example_setup: &'static str,
    /// What its keys are made of.
    pub numbers: &'static Numbers,
    layout: Layout,
}

/// English draughts on 8x8 squares, number 21 of PDN's game types. The rules are those of the World
/// Checkers and Draughts Federation.
pub(super) static ENGLISH: Rules = Rules {
    name: "checkers",
    sides: ["Black", "White"],
    width: 4,
    first_goes_down: true,
    men_capture_backwards: false,
    flying_kings: false,
    majority: false,
    examples: "11-15, 15x22, or 26x17x10x1",
    example_setup: "a PDN FEN such as B:W21-32:B1-12 or W:W18,K27:B3,K10",
    numbers: &Numbers::ENGLISH,
    layout: Layout::of(4),
};

/// International draughts on 10x10 squares, number 20 of PDN's game types, by the FMJD's rules.
pub(super) static INTERNATIONAL: Rules = Rules {
    name: "draughts-10",
    sides: ["White", "Black"],
    width: 5,
    first_goes_down: false,
    men_capture_backwards: true,
    flying_kings: true,
    majority: true,
    examples: "32-28, 28x19, or 39x28x17x6",
    example_setup: "a PDN FEN such as W:W31-50:B1-20 or B:W18,K27:B3,K10",
    numbers: &Numbers::INTERNATIONAL,
    layout: Layout::of(5),
};

impl Rules {
    /// The number of squares that pieces can use, numbered by rows from the top left, as in PDN.
    pub const fn squares(&self) -> u32 {
        2 * self.width * self.width
    }

    /// How many pieces a side has at the start.
    pub const fn pieces(&self) -> u32 {
        self.width * (self.width - 1)
    }

    /// The bit of a square, given by its number less 1. There is none for numbers beyond the board.
    #[inline]
    pub fn bit(&self, square: u32) -> u64 {
        self.layout.bits.get(square as usize).copied().unwrap_or_default()
    }

    /// The number less 1 of the square with this bit.
    #[inline]
    pub fn square(&self, bit: u64) -> u32 {
        self.layout.squares[bit.trailing_zeros() as usize & 63].into()
    }

    #[inline]
    pub const fn all(&self) -> u64 {
        self.layout.all
    }

    /// Where the men of a side are at the start: a row less than its half of the board.
    pub fn home(&self, side: Side) -> u64 {
        let (squares, men) = (self.squares(), self.pieces());
        let numbers = if self.goes_down(side) { 0..men } else { squares - men..squares };
        numbers.fold(0, |bits, square| bits | self.bit(square))
    }

    /// The row in which the men of a side are crowned.
    #[inline]
    pub const fn king_row(&self, side: Side) -> u64 {
        self.layout.outer_rows[self.goes_down(side) as usize]
    }

    /// Whether the men of a side move to squares of higher numbers.
    #[inline]
    const fn goes_down(&self, side: Side) -> bool {
        self.first_goes_down == matches!(side, Side::First)
    }

    /// The steps in which the men of a side move, as shifts of bits to the left.
    #[inline]
    pub const fn forward(&self, side: Side) -> [i32; 2] {
        let width = self.width as i32;
        if self.goes_down(side) { [width, width + 1] } else { [-width - 1, -width] }
    }

    /// The steps in all directions.
    #[inline]
    pub const fn around(&self) -> [i32; 4] {
        let width = self.width as i32;
        [-width - 1, -width, width, width + 1]
    }

    /// The squares on the board turned by 180 degrees.
    #[inline]
    pub const fn turned(&self, bits: u64) -> u64 {
        bits.reverse_bits() >> self.layout.all.leading_zeros()
    }
}

/// One step of all these pieces, given as a shift to the left.
#[inline(always)]
pub(super) const fn step(bits: u64, by: i32) -> u64 {
    if by > 0 { bits << by } else { bits >> -by }
}

/// Which bit represents which square. After every second row one bit stays free, so that one step
/// to a side is the same shift everywhere.
#[derive(Debug)]
struct Layout {
    all: u64,
    /// By the square's number less 1.
    bits: [u64; 50],
    /// By the number of the bit: the square's number less 1.
    squares: [u8; 64],
    outer_rows: [u64; 2],
}

impl Layout {
    const fn of(width: u32) -> Self {
        let mut layout = Self { all: 0, bits: [0; 50], squares: [0; 64], outer_rows: [0; 2] };
        let (mut square, count) = (0, 2 * width * width);
        while square < count {
            let place = place(width, square);
            let bit = 1 << place;
            layout.all |= bit;
            layout.bits[square as usize] = bit;
            layout.squares[place as usize] = square as u8;
            if square < width {
                layout.outer_rows[0] |= bit;
            } else if square >= count - width {
                layout.outer_rows[1] |= bit;
            }
            square += 1;
        }
        layout
    }
}

const fn place(width: u32, square: u32) -> u32 {
    square + square / (2 * width)
}

/// Zobrist's numbers of both boards, fixed by format-spec/keys.md.
#[derive(Debug)]
pub(super) struct Numbers {
    /// By piece and bit: its number on this board, and that of its image on the turned board.
    pieces: [[[u64; 2]; 64]; 4],
    /// The second player is to move.
    pub second_to_move: u64,
}

impl Numbers {
    const ENGLISH: Self = Self::of(Stream::named("checkers"), 4);
    const INTERNATIONAL: Self = Self::of(Stream::named("draughts"), 5);

    /// The numbers of a stream for a board with rows of `width` dark squares.
    const fn of(stream: Stream, width: u32) -> Self {
        let squares = 2 * width * width;
        let mut pieces = [[[0; 2]; 64]; 4];
        let mut square = 0;
        while square < squares {
            let mut piece = 0;
            while piece < 4 {
                let image = 4 * (squares - 1 - square) + (piece ^ 2);
                let numbers =
                    [stream.number((4 * square + piece) as u64), stream.number(image as u64)];
                pieces[piece as usize][place(width, square) as usize] = numbers;
                piece += 1;
            }
            square += 1;
        }
        Self { pieces, second_to_move: stream.number(4 * squares as u64) }
    }

    /// The numbers of one piece, here and on the turned board.
    #[inline]
    pub fn piece(&self, side: Side, is_king: bool, bit: u64) -> [u64; 2] {
        self.pieces[2 * side.index() + usize::from(is_king)][bit.trailing_zeros() as usize & 63]
    }
}
