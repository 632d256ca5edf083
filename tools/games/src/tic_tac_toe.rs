//! Tic-tac-toe.
//!
//! The eight images of a board are the same: one key ([`TicTacToe::start`]), or each its own
//! ([`TicTacToe::without_symmetry`]). Who is to move follows from the number of stones.

use crate::game::{Game, GameNames, SetupError, Trouble, set_bits, set_up};
use crate::outcome::{Outcome, Side};
use crate::rows;
use crate::zobrist::{Keys, Stream, images};

const STREAM: Stream = Stream::named("tictac");

const ALL: u16 = 0o777;

/// The rows, the columns and the diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

const EXPECTED: &str = "its rows from the top, as in .../.X./O..";

/// By symmetry and square: where the square goes.
static IMAGES: [[u8; 9]; 8] = images(3);

/// By side and square: the numbers of a stone on the eight images of the board. Number `2 s + c` of
/// the stream is for square `s`, `c` is 0 for the first player and 1 for the second.
static STONES: [[[u64; 8]; 9]; 2] = {
    let mut stones = [[[0; 8]; 9]; 2];
    let mut index = 0;
    while index < 144 {
        let (side, square, symmetry) = (index / 72, index / 8 % 9, index % 8);
        stones[side][square][symmetry] =
            STREAM.number(2 * IMAGES[symmetry][square] as u64 + side as u64);
        index += 1;
    }
    stones
};

/// The key of the empty board: number 18 of the stream, which is in all keys.
const EMPTY: u64 = STREAM.number(18);

/// A position of tic-tac-toe, with its key.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    /// The stones of the first and the second player.
    stones: [u16; 2],
    is_folded: bool,
    keys: Keys<8>,
}

/// A stone put on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    square: u8,
}

impl TicTacToe {
    /// The empty board, with keys by which its eight images count together.
    pub fn start() -> Self {
        Self { stones: [0; 2], is_folded: true, keys: Keys([EMPTY; 8]) }
    }

    /// The empty board, with keys that distinguish images of a board.
    pub fn without_symmetry() -> Self {
        Self { is_folded: false, ..Self::start() }
    }

    /// The empty board, with images of a board together and apart.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::start(), Self::without_symmetry()].into_iter()
    }

    fn empty(&self) -> u16 {
        ALL & !(self.stones[0] | self.stones[1])
    }

    fn put(&mut self, side: Side, square: u8) {
        self.stones[side.index()] |= 1 << square;
        self.keys.toggle(&STONES[side.index()][usize::from(square) % 9]);
    }

    /// Only the side that made the last move can have three in a line.
    fn is_won(&self) -> bool {
        let stones = self.stones[self.side().other().index()];
        LINES.iter().any(|line| stones & line == *line)
    }

    fn read(&self, text: &str) -> Result<Self, String> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 3 || rows.iter().any(|row| row.chars().count() != 3) {
            return Err("it doesn't have 3 rows of 3 squares".to_owned());
        }
        let mut position = Self { is_folded: self.is_folded, ..Self::start() };
        for (row, signs) in [2, 1, 0].into_iter().zip(rows) {
            for (square, sign) in (3 * row..).zip(signs.chars()) {
                match sign {
                    'X' | 'x' => position.put(Side::First, square),
                    'O' | 'o' => position.put(Side::Second, square),
                    '.' => {}
                    _ => return Err(format!("`{sign}` is no square: write X, O or .")),
                }
            }
        }
        position.fault().map_or(Ok(position), Err)
    }

    /// What keeps this from being a board of a game, if anything does.
    fn fault(&self) -> Option<String> {
        let [first, second] = self.stones.map(u16::count_ones);
        if first != second && first != second + 1 {
            return Some(format!(
                "X has {first} stones and O has {second}; X has as many as O, or one more"
            ));
        }
        let to_move = self.stones[self.side().index()];
        let has_won = LINES.iter().any(|line| to_move & line == *line);
        has_won.then(|| "who is to move has three in a line already".to_owned())
    }

    fn sign(&self, square: u8) -> char {
        rows::stone(self.stones.map(u64::from), 1 << square).map_or('.', rows::sign)
    }

    fn row(&self, row: u8) -> impl Iterator<Item = char> {
        (3 * row..3 * row + 3).map(|square| self.sign(square))
    }
}

impl Game for TicTacToe {
    type Move = Mark;

    fn names(&self) -> GameNames {
        GameNames {
            game: "tic-tac-toe",
            keys: if self.is_folded { "zobrist-8" } else { "zobrist" },
            sides: ["X", "O"],
            examples: "b2, a square from a1 at the lower left to c3",
        }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let start = || Self { is_folded: self.is_folded, ..Self::start() };
        set_up(text, start, |text| self.read(text), ["tic-tac-toe", EXPECTED])
    }

    fn setup(&self) -> String {
        [2, 1, 0].map(|row| self.row(row).collect::<String>()).join("/")
    }

    #[inline]
    fn side(&self) -> Side {
        let [first, second] = self.stones.map(u16::count_ones);
        if first == second { Side::First } else { Side::Second }
    }

    fn key(&self) -> u64 {
        self.keys.canonical(self.is_folded).0
    }

    fn board_key(&self) -> u64 {
        self.keys.0[0]
    }

    fn symmetries(&self) -> u16 {
        self.keys.canonical(self.is_folded).1
    }

    fn legal_moves(&self, moves: &mut Vec<Mark>) {
        moves.clear();
        if !self.is_won() {
            moves.extend(set_bits(self.empty()).map(|square| Mark { square: square as u8 }));
        }
    }

    fn play(&mut self, played: &Mark) {
        self.put(self.side(), played.square);
    }

    fn image(&self, played: &Mark, symmetry: u32) -> u16 {
        IMAGES[symmetry as usize % 8][usize::from(played.square) % 9].into()
    }

    /// A square, `b2` or `B2`.
    fn read_move(&self, text: &[u8]) -> Result<Mark, Trouble> {
        let [file @ (b'a'..=b'c' | b'A'..=b'C'), row @ b'1'..=b'3'] = *text else {
            return Err(Trouble::Unreadable);
        };
        let square = (row - b'1') * 3 + (file.to_ascii_lowercase() - b'a');
        let is_legal = self.empty() >> square & 1 == 1 && !self.is_won();
        if is_legal { Ok(Mark { square }) } else { Err(Trouble::Illegal) }
    }

    fn notation(&self, played: &Mark) -> String {
        let (file, row) = (b'a' + played.square % 3, b'1' + played.square / 3);
        String::from_iter([char::from(file), char::from(row)])
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.is_won() {
            return Some(Outcome::won_by(self.side().other()));
        }
        (self.empty() == 0).then_some(Outcome::Draw)
    }

    fn diagram(&self) -> String {
        let mut text = String::new();
        for row in [2, 1, 0] {
            text.push(char::from(b'1' + row));
            self.row(row).for_each(|sign| text.extend([' ', sign]));
            text.push('\n');
        }
        text + "  a b c\n"
    }
}
