//! How the squares of a board lie in 64 bits.

/// Which bit represents which square. After every second row one bit stays free, so that one step
/// to a side is the same shift everywhere.
#[derive(Debug)]
pub(super) struct Layout {
    /// All squares.
    pub all: u64,
    /// By the square's number less 1.
    pub bits: [u64; 50],
    /// By the number of the bit: the square's number less 1.
    pub squares: [u8; 64],
    /// The top row and the bottom row.
    pub outer_rows: [u64; 2],
}

impl Layout {
    /// That of a board with rows of `width` dark squares.
    pub const fn of(width: u32) -> Self {
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

/// The bit of a square on a board with rows of `width` dark squares.
pub(super) const fn place(width: u32, square: u32) -> u32 {
    square + square / (2 * width)
}
