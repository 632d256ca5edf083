//! Zobrist's numbers of both boards, fixed by format-spec/keys.md.
//!
//! With `s` squares, number `4 (n - 1) + k` of the stream is that of a piece on square `n`, where
//! `k` is 0 for a man and 1 for a king of the first player, 2 and 3 for those of the second; number
//! `4 s` says that the second player is to move.

use super::rules::place;
use crate::outcome::Side;
use crate::zobrist::Stream;

#[derive(Debug)]
pub(super) struct Numbers {
    /// By piece and bit: the number on this board, and that of the piece's image on the turned
    /// board.
    pieces: [[[u64; 2]; 64]; 4],
    /// The second player is to move.
    pub second_to_move: u64,
}

impl Numbers {
    pub const ENGLISH: Self = Self::of(Stream::named("checkers"), 4);
    pub const INTERNATIONAL: Self = Self::of(Stream::named("draughts"), 5);

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
