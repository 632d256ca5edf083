//! Connect Four on boards of several sizes.
//!
//! - A stone falls to the lowest empty cell of its column. Who has four in a line (a row, a column
//!   or a diagonal) has won; a full board without that is a draw.
//! - A board and its mirror image are the same: one key ([`ConnectFour::start`]), or two
//!   ([`ConnectFour::with_images_apart`]). Who is to move follows from the number of stones.

mod setup;
mod shape;

use crate::game::{Game, GameNames, SetupError, Trouble, set_up};
use crate::outcome::{Outcome, Side};
use crate::rows;
use crate::zobrist::Keys;
use shape::{SHAPES, Shape};

/// A position of Connect Four, with its key.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    shape: &'static Shape,
    images_apart: bool,
    /// The stones of the first and the second player.
    stones: [u64; 2],
    side: Side,
    keys: Keys<2>,
}

/// A stone dropped into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drop {
    column: u8,
}

impl Drop {
    /// The column, counted from 0 at the left.
    pub const fn column(self) -> u8 {
        self.column
    }
}

impl ConnectFour {
    /// The empty board with so many columns of so many cells; none if there is no such board.
    pub fn start(columns: u32, cells: u32) -> Option<Self> {
        let mut shapes = SHAPES.iter();
        let shape = shapes.find(|shape| (shape.width, shape.height) == (columns, cells))?;
        Some(Self::empty(shape))
    }

    /// Empty boards of all sizes, the usual one first, each with images together and apart.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_shape = |shape| [Self::empty(shape), Self::empty(shape).with_images_apart()];
        SHAPES.iter().flat_map(of_shape)
    }

    /// This position, with keys that distinguish it from its mirror image.
    pub fn with_images_apart(self) -> Self {
        Self { images_apart: true, ..self }
    }

    /// How many columns the board has.
    pub fn columns(&self) -> u32 {
        self.shape.width
    }

    /// How many cells a column has.
    pub fn cells(&self) -> u32 {
        self.shape.height
    }

    /// The stones of the first and the second player. Bit `(cells + 1) x + y` is the cell in
    /// column `x` from the left and row `y` from the bottom, both counted from 0.
    pub fn stones(&self) -> [u64; 2] {
        self.stones
    }

    /// The cells to which stones can fall, a bit for each as in [`ConnectFour::stones`].
    pub fn playable(&self) -> u64 {
        let stones = self.stones[0] | self.stones[1];
        (stones << 1 | self.shape.bottom()) & self.shape.all() & !stones
    }

    /// The empty cells in which a stone of this side would complete a line of four, whether or not
    /// it can fall there now; a bit for each as in [`ConnectFour::stones`].
    pub fn threats(&self, side: Side) -> u64 {
        self.shape.completing(self.stones[side.index()]) & !(self.stones[0] | self.stones[1])
    }

    fn empty(shape: &'static Shape) -> Self {
        let keys = Keys([shape.numbers.empty; 2]);
        Self { shape, images_apart: false, stones: [0; 2], side: Side::First, keys }
    }

    fn of(&self, stones: [u64; 2]) -> Self {
        let mut position = Self { images_apart: self.images_apart, ..Self::empty(self.shape) };
        for cell in (0..64).map(|bit| 1 << bit) {
            if let Some(side) = rows::stone(stones, cell) {
                position.put(side, cell);
            }
        }
        let [first, second] = stones.map(u64::count_ones);
        position.side = if first == second { Side::First } else { Side::Second };
        position
    }

    #[inline]
    fn put(&mut self, side: Side, cell: u64) {
        self.stones[side.index()] |= cell;
        self.keys.toggle(&self.shape.numbers.stone(side, cell));
    }

    /// The cell that a stone in this column falls to; 0 if there is none.
    #[inline]
    fn cell(&self, column: u8) -> u64 {
        self.shape.drop(self.stones[0] | self.stones[1], column.into())
    }

    /// Only the side that made the last move can have four in a line.
    #[inline]
    fn is_won(&self) -> bool {
        self.shape.has_four(self.stones[self.side.other().index()])
    }
}

impl Game for ConnectFour {
    type Move = Drop;

    fn names(&self) -> GameNames {
        GameNames {
            game: self.shape.name,
            keys: if self.images_apart { "zobrist" } else { "zobrist-2" },
            sides: ["X", "O"],
            examples: "4, a column's number from the left",
        }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let Shape { name, example_setup, .. } = *self.shape;
        let read = |text: &str| setup::read(self.shape, text).map(|stones| self.of(stones));
        set_up(text, || self.of([0; 2]), read, [name, example_setup])
    }

    fn setup(&self) -> String {
        setup::write(self.shape, self.stones)
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.keys.canonical(!self.images_apart).0
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.keys.0[0]
    }

    /// Bit 1 is the mirror image.
    #[inline]
    fn symmetries(&self) -> u16 {
        self.keys.canonical(!self.images_apart).1
    }

    fn legal_moves(&self, moves: &mut Vec<Drop>) {
        moves.clear();
        if !self.is_won() {
            let columns = (0..self.shape.width as u8).filter(|&column| self.cell(column) != 0);
            moves.extend(columns.map(|column| Drop { column }));
        }
    }

    #[inline]
    fn play(&mut self, played: &Drop) {
        let cell = self.cell(played.column);
        debug_assert!(cell != 0, "{played:?} is not legal");
        self.put(self.side, cell);
        self.side = self.side.other();
    }

    #[inline]
    fn image(&self, played: &Drop, symmetry: u32) -> u16 {
        let column = u16::from(played.column);
        if symmetry == 0 { column } else { self.shape.width as u16 - 1 - column }
    }

    /// A column's number, `4`, or its letter, `d`.
    #[inline]
    fn read_move(&self, text: &[u8]) -> Result<Drop, Trouble> {
        let column = match *text {
            [number @ b'1'..=b'8'] => number - b'1',
            [letter @ (b'a'..=b'h' | b'A'..=b'H')] => letter.to_ascii_lowercase() - b'a',
            _ => return Err(Trouble::Unreadable),
        };
        let is_legal = self.cell(column) != 0 && !self.is_won();
        if is_legal { Ok(Drop { column }) } else { Err(Trouble::Illegal) }
    }

    fn notation(&self, played: &Drop) -> String {
        (played.column + 1).to_string()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.is_won() {
            return Some(Outcome::won_by(self.side.other()));
        }
        (self.playable() == 0).then_some(Outcome::Draw)
    }

    fn diagram(&self) -> String {
        setup::diagram(self.shape, self.stones)
    }
}
