//! English draughts (checkers) on 8x8 squares, international draughts on 10x10, the rules as data.
//!
//! - Squares have the numbers of PDN, from the top left of the diagram; Black starts at the top.
//! - Who can't move loses. Draws, by repetition or by counting moves, are for the players.
//! - A position turned by 180 degrees with the colors exchanged is the same for the other side.
//!   Such images have one key: that of the one in which the first player is to move
//!   ([`Checkers::english`] and [`Checkers::international`]), or two
//!   ([`Checkers::with_images_apart`]).
//!
//! The canonical board is that with the first player to move, not the one of two with the lesser
//! key: one of the two always has it, and no second key has to be kept.

mod captures;
mod moves;
mod notation;
mod rules;
mod setup;

use crate::game::{Game, GameNames, MoveError, SetupError, Trouble, set_up};
use crate::outcome::{Outcome, Side};
use captures::View;
pub use moves::Move;
use moves::bits;
use rules::{ENGLISH, INTERNATIONAL, Rules};
use setup::Setup;

/// A position of English or international draughts, with its key.
#[derive(Clone, Debug)]
pub struct Checkers {
    rules: &'static Rules,
    images_apart: bool,
    side: Side,
    pieces: [u64; 2],
    kings: u64,
    /// The numbers of all pieces, on this board and on the turned one.
    keys: [u64; 2],
}

impl Checkers {
    /// The position from which English draughts starts.
    pub fn english() -> Self {
        Self::start(&ENGLISH)
    }

    /// The position from which international draughts starts.
    pub fn international() -> Self {
        Self::start(&INTERNATIONAL)
    }

    /// The positions from which both kinds of draughts start, with images together and apart.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::english(), Self::international()]
            .into_iter()
            .flat_map(|start| [start.clone(), start.with_images_apart()])
    }

    /// This position, with keys that distinguish it from its image on the turned board.
    pub fn with_images_apart(self) -> Self {
        Self { images_apart: true, ..self }
    }

    /// The number of the board's squares that pieces can use: 32 or 50.
    pub fn squares(&self) -> u32 {
        self.rules.squares()
    }

    /// The men of the first and the second player, as bits: that of square `n`, as PDN numbers it,
    /// is `n - 1 + (n - 1) / (2 w)`, where `w` is the number of squares in a row, 4 or 5.
    pub fn men(&self) -> [u64; 2] {
        self.pieces.map(|pieces| pieces & !self.kings)
    }

    /// The kings of the first and the second player, as bits like those of [`Checkers::men`].
    pub fn kings(&self) -> [u64; 2] {
        self.pieces.map(|pieces| pieces & self.kings)
    }

    fn start(rules: &'static Rules) -> Self {
        let men = [rules.home(Side::First), rules.home(Side::Second)];
        Self::of(rules, false, &Setup { men, ..Default::default() })
    }

    fn of(rules: &'static Rules, images_apart: bool, setup: &Setup) -> Self {
        let side = if setup.second_to_move { Side::Second } else { Side::First };
        let pieces = [0, 1].map(|side| setup.men[side] | setup.kings[side]);
        let kings = setup.kings[0] | setup.kings[1];
        let mut position = Self { rules, images_apart, side, pieces, kings, keys: [0; 2] };
        for side in [Side::First, Side::Second] {
            bits(pieces[side.index()])
                .for_each(|bit| position.toggle(side, position.kings & bit != 0, bit));
        }
        position
    }

    /// Puts a piece into the keys, or takes it out.
    #[inline]
    fn toggle(&mut self, side: Side, is_king: bool, bit: u64) {
        let [here, turned] = self.rules.numbers.piece(side, is_king, bit);
        self.keys[0] ^= here;
        self.keys[1] ^= turned;
    }

    #[inline]
    fn view(&self) -> View {
        let (own, enemy) = (self.pieces[self.side.index()], self.pieces[self.side.other().index()]);
        let empty = self.rules.all() & !(own | enemy);
        let (men, kings) = (own & !self.kings, own & self.kings);
        View { rules: self.rules, side: self.side, men, kings, enemy, empty }
    }

    fn letter(&self, square: u32) -> char {
        let bit = self.rules.bit(square);
        let Some(side) = self.pieces.iter().position(|pieces| pieces & bit != 0) else {
            return '.';
        };
        let letter = if self.rules.sides[side] == "White" { 'w' } else { 'b' };
        if self.kings & bit == 0 { letter } else { letter.to_ascii_uppercase() }
    }

    /// How many ways lead over the same pieces to the same end: 1 unless it captures several. Some
    /// tables of counts take each for a move of its own.
    pub fn ways(&self, played: &Move) -> usize {
        notation::ways(&self.view(), played).len().max(1)
    }
}

impl Game for Checkers {
    type Move = Move;

    fn names(&self) -> GameNames {
        let Rules { name: game, sides, examples, .. } = *self.rules;
        let keys = if self.images_apart { "zobrist" } else { "zobrist-2" };
        GameNames { game, keys, sides, examples }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let Rules { name, example_setup, .. } = *self.rules;
        let start = || Self { images_apart: self.images_apart, ..Self::start(self.rules) };
        let of = |setup: Setup| Self::of(self.rules, self.images_apart, &setup);
        set_up(text, start, |text| setup::read(self.rules, text).map(of), [name, example_setup])
    }

    fn setup(&self) -> String {
        let second_to_move = self.side == Side::Second;
        let setup = Setup { men: self.men(), kings: self.kings(), second_to_move };
        setup::write(self.rules, &setup)
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        let is_turned = self.side == Side::Second && !self.images_apart;
        if is_turned { self.keys[1] } else { self.board_key() }
    }

    #[inline]
    fn board_key(&self) -> u64 {
        let to_move = if self.side == Side::Second { self.rules.numbers.second_to_move } else { 0 };
        self.keys[0] ^ to_move
    }

    /// Bit 1 is the turned board.
    #[inline]
    fn symmetries(&self) -> u16 {
        if self.images_apart || self.side == Side::First { 1 } else { 2 }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.view().legal_moves(moves);
    }

    #[inline]
    fn play(&mut self, played: &Move) {
        let Move { from, to, captured, .. } = *played;
        let (side, other) = (self.side, self.side.other());
        let is_king = self.kings & from != 0;
        let is_crowned = is_king || to & self.rules.king_row(side) != 0;
        self.toggle(side, is_king, from);
        self.toggle(side, is_crowned, to);
        for bit in bits(captured) {
            self.toggle(other, self.kings & bit != 0, bit);
        }
        self.pieces[side.index()] = self.pieces[side.index()] & !from | to;
        self.pieces[other.index()] &= !captured;
        self.kings &= !(from | captured);
        self.kings |= if is_crowned { to } else { 0 };
        self.side = other;
    }

    #[inline]
    fn image(&self, played: &Move, symmetry: u32) -> u16 {
        played.codes[symmetry as usize & 1]
    }

    #[inline]
    fn code(&self, played: &Move) -> u16 {
        played.codes[self.symmetries() as usize >> 1]
    }

    #[inline]
    fn read_move(&self, text: &[u8]) -> Result<Move, Trouble> {
        notation::read(text, &self.view())
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let text = text.trim();
        notation::read_any(text.as_bytes(), &self.view())
            .map_err(|trouble| trouble.explained(self, text))
    }

    fn example_like(&self, text: &str) -> String {
        notation::example_like(text, &self.view()).unwrap_or_else(|| self.examples().to_owned())
    }

    /// As PDN writes it: start and end, and the whole way of a capture where that could be several.
    fn notation(&self, played: &Move) -> String {
        notation::short(&self.view(), played)
    }

    /// With the whole way of a capture.
    fn coordinates(&self, played: &Move) -> String {
        notation::long(&self.view(), played)
    }

    fn outcome(&self) -> Option<Outcome> {
        (!self.view().can_move()).then(|| Outcome::won_by(self.side.other()))
    }

    /// The board as it is printed everywhere: square 1 at the top left, which is Black's side.
    /// Beside each row are the numbers of its first and last square.
    fn diagram(&self) -> String {
        let (width, mut text) = (self.rules.width, String::new());
        for row in 0..2 * width {
            let (first, last) = (row * width, (row + 1) * width - 1);
            let squares: Vec<String> =
                (first..=last).map(|square| self.letter(square).to_string()).collect();
            let (before, behind) = if row % 2 == 0 { ("  ", "") } else { ("", "  ") };
            let (squares, first, last) = (squares.join("   "), first + 1, last + 1);
            text.push_str(&format!("{first:2} {before}{squares}{behind} {last:2}\n"));
        }
        text
    }
}
