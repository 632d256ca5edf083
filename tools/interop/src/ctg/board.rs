//! Boards as a book's positions have them: seen by the side to move, which is White there.

use super::Fault;
use tabia_games::{Chess, Game, Side};

const EMPTY: u8 = b'.';

/// Bits of castling rights: the opponent's short and long, one's own short and long. As FEN's
/// letters, the side to move in capitals.
const RIGHTS: [(u8, u8); 4] = [(8, b'k'), (4, b'q'), (2, b'K'), (1, b'Q')];

/// A board, seen by the side to move: its pieces are capitals and go up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Board {
    /// By square: a1 is 0, b1 is 1, h8 is 63.
    squares: [u8; 64],
    /// Bits of castling rights.
    castling: u8,
    /// The file on which a pawn can be taken in passing.
    en_passant: Option<u8>,
}

/// How a board was turned to become what books hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    is_flipped: bool,
    is_mirrored: bool,
}

impl Turn {
    /// A square of the book's board on the real one, or the other way round.
    pub fn square(self, square: u8) -> u8 {
        square ^ if self.is_flipped { 56 } else { 0 } ^ if self.is_mirrored { 7 } else { 0 }
    }
}

impl Board {
    /// The board of a position as books hold it, and how it was turned.
    pub fn of(position: &Chess) -> (Self, Turn) {
        let setup = position.setup();
        let mut fields = setup.split_ascii_whitespace();
        let (rows, castling, passing) =
            (fields.next().unwrap_or(""), fields.nth(1).unwrap_or(""), fields.next().unwrap_or(""));
        let is_flipped = position.side() == Side::Second;
        let sees = |letter: u8| if is_flipped { letter ^ 32 } else { letter };
        let mut squares = [EMPTY; 64];
        for (row, text) in rows.split('/').enumerate().take(8) {
            let rank = if is_flipped { row } else { 7 - row };
            put_row(&mut squares[rank * 8..][..8], text, sees);
        }
        let has = |letter: u8| castling.bytes().any(|right| sees(right) == letter);
        let castling = RIGHTS.iter().filter(|(_, letter)| has(*letter)).map(|(bit, _)| bit).sum();
        let en_passant = passing
            .bytes()
            .next()
            .filter(|file| (b'a'..=b'h').contains(file))
            .map(|file| file - b'a');
        let board = Self { squares, castling, en_passant };
        let is_mirrored = board.is_to_be_mirrored();
        (if is_mirrored { board.mirrored() } else { board }, Turn { is_flipped, is_mirrored })
    }

    /// Reads a board's bytes, the first of which says their number and what is at their end.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let Some((&head, board)) = bytes.split_first() else { return Err(Fault::Cut) };
        let mut bits = Bits { bytes: board, at: 0 };
        let mut squares = [EMPTY; 64];
        for index in 0..64 {
            squares[index % 8 * 8 + index / 8] = bits.piece().ok_or(Fault::Board(head & 31))?;
        }
        let (has_passing, has_castling) = (head & 32 != 0, head & 64 != 0);
        let needed = 3 * usize::from(has_passing) + 4 * usize::from(has_castling);
        // A last byte that holds neither is there even if the board ended with the one before it.
        let padding = bits
            .left()
            .checked_sub(needed)
            .filter(|&padding| padding < 16 && bits.number(padding) == Some(0));
        padding.ok_or(Fault::Board(head & 31))?;
        let en_passant = if has_passing { bits.number(3).map(|file| file as u8) } else { None };
        let castling = if has_castling { bits.number(4).unwrap_or(0) as u8 } else { 0 };
        Ok(Self { squares, castling, en_passant })
    }

    /// The square of a piece of the side to move, given by its letter and its number, from 0, among
    /// all of its kind, file by file from a1 up.
    pub fn piece(&self, letter: u8, number: usize) -> Option<u8> {
        let squares = (0..64).map(|index| index % 8 * 8 + index / 8);
        squares.filter(|&square| self.squares[usize::from(square)] == letter).nth(number)
    }

    fn is_to_be_mirrored(&self) -> bool {
        self.castling == 0 && self.piece(b'K', 0).is_some_and(|square| square % 8 < 4)
    }

    fn mirrored(&self) -> Self {
        let mut squares = self.squares;
        squares.chunks_exact_mut(8).for_each(<[u8]>::reverse);
        Self { squares, en_passant: self.en_passant.map(|file| 7 - file), ..*self }
    }
}

/// Puts a row of a FEN on eight squares.
fn put_row(squares: &mut [u8], text: &str, sees: impl Fn(u8) -> u8) {
    let mut file = 0;
    for letter in text.bytes() {
        if letter.is_ascii_digit() {
            file += usize::from(letter - b'0');
        } else if let Some(square) = squares.get_mut(file) {
            *square = sees(letter);
            file += 1;
        }
    }
}

/// Bits from the highest of the first byte on.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn left(&self) -> usize {
        self.bytes.len() * 8 - self.at
    }

    fn bit(&mut self) -> Option<bool> {
        let bit = self.bytes.get(self.at / 8)? >> (7 - self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }

    /// So many bits as a number, the highest first.
    fn number(&mut self, bits: usize) -> Option<u32> {
        (0..bits).try_fold(0, |number, _| Some(number << 1 | u32::from(self.bit()?)))
    }

    /// A square's letter.
    fn piece(&mut self) -> Option<u8> {
        if !self.bit()? {
            return Some(EMPTY);
        }
        let letter = match self.bit()? {
            true => b'P',
            false => match self.number(2)? {
                0 => return Some(if self.bit()? { self.cased(b'Q')? } else { self.cased(b'K')? }),
                1 => b'N',
                2 => b'B',
                _ => b'R',
            },
        };
        self.cased(letter)
    }

    /// A letter as the next bit has it: one for the side that isn't to move.
    fn cased(&mut self, letter: u8) -> Option<u8> {
        Some(if self.bit()? { letter.to_ascii_lowercase() } else { letter })
    }
}
