//! Othello on the board of 8x8.
//!
//! - A side that can't move is skipped by [`Game::play`] itself, as in transcripts and in WTHOR's
//!   archives, where passes aren't written: plies are discs placed, and no position in a book is
//!   one in which a side must pass.
//! - A position is the discs as the side to move sees them, its own and the opponent's: with all
//!   colors changed, and White to move instead of Black, it is the same. Where neither side can
//!   move the game is over, and the side that didn't move last counts as the one to move.

mod bitboard;
mod ggf;
mod keys;
mod setup;

use crate::game::{Game, GameNames, MoveError, SetupError, Trouble, set_bits, set_up};
use crate::outcome::{Outcome, Side};
pub use bitboard::{flips, moves};
pub use ggf::{GgfEnd, GgfProperties};
use keys::{BoardKeys, IMAGES};

/// An Othello position, with its key.
#[derive(Clone, Debug)]
pub struct Othello {
    /// The discs of the side to move.
    own: u64,
    opponent: u64,
    legal: u64,
    side: Side,
    /// A side had to pass after the last disc.
    has_passed: bool,
    is_folded: bool,
    keys: BoardKeys,
    key: u64,
    symmetries: u16,
}

/// A disc placed, with what it flips where it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Disc {
    square: u8,
    flips: u64,
}

impl Disc {
    /// The square: 0 is a1, 1 is b1, 63 is h8.
    pub const fn square(self) -> u8 {
        self.square
    }
}

impl Othello {
    /// The position games start from, for keys by which the eight images of a board count together.
    pub fn start() -> Self {
        Self::keyed([0x0000_0008_1000_0000, 0x0000_0010_0800_0000], Side::First, true)
    }

    /// The position games start from, with keys that distinguish images of a board.
    pub fn without_symmetry() -> Self {
        let start = Self::start();
        Self::keyed(start.discs(), start.side, false)
    }

    /// The position that games start from, with images of a board together and apart.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::start(), Self::without_symmetry()].into_iter()
    }

    /// The squares with discs of Black and of White; bit 0 is a1, bit 1 is b1, bit 63 is h8.
    pub fn discs(&self) -> [u64; 2] {
        if self.side == Side::First { [self.own, self.opponent] } else { [self.opponent, self.own] }
    }

    /// How many discs Black and White have; empty squares are the winner's where the game is over.
    pub fn score(&self) -> [u32; 2] {
        let [black, white] = self.discs().map(u64::count_ones);
        let empty = if self.legal == 0 { 64 - black - white } else { 0 };
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => [black + empty, white],
            std::cmp::Ordering::Equal => [black + empty / 2, white + empty / 2],
            std::cmp::Ordering::Less => [black, white + empty],
        }
    }

    /// Whether a side that couldn't move was skipped, so that a pass may be written here.
    pub fn has_passed(&self) -> bool {
        self.has_passed
    }

    /// The legal move to this square: 0 is a1, 1 is b1, 63 is h8.
    #[inline]
    pub fn disc_on(&self, square: u8) -> Option<Disc> {
        let is_legal = square < 64 && self.legal >> square & 1 == 1;
        is_legal.then(|| self.disc(square))
    }

    #[inline]
    fn disc(&self, square: u8) -> Disc {
        Disc { square, flips: bitboard::flips(self.own, self.opponent, square) }
    }

    fn keyed(discs: [u64; 2], side: Side, is_folded: bool) -> Self {
        let [own, opponent] = if side == Side::First { discs } else { [discs[1], discs[0]] };
        let legal = bitboard::moves(own, opponent);
        let keys = BoardKeys::of(own, opponent);
        let (has_passed, key, symmetries) = (false, 0, 1);
        let mut position =
            Self { own, opponent, legal, side, has_passed, is_folded, keys, key, symmetries };
        position.pass_if_due();
        position.choose_key();
        position
    }

    #[inline]
    fn change_side(&mut self) {
        (self.own, self.opponent, self.side) = (self.opponent, self.own, self.side.other());
        self.legal = bitboard::moves(self.own, self.opponent);
        self.keys.change_side();
    }

    #[inline]
    fn pass_if_due(&mut self) {
        self.has_passed = self.legal == 0;
        if self.has_passed && bitboard::moves(self.opponent, self.own) != 0 {
            self.change_side();
        }
    }

    #[inline]
    fn choose_key(&mut self) {
        (self.key, self.symmetries) = self.keys.keys.canonical(self.is_folded);
    }
}

impl Game for Othello {
    type Move = Disc;

    fn names(&self) -> GameNames {
        GameNames {
            game: "othello",
            keys: if self.is_folded { "zobrist-8" } else { "zobrist" },
            sides: ["Black", "White"],
            examples: "f5, or F5",
        }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let start = || if self.is_folded { Self::start() } else { Self::without_symmetry() };
        let keyed = |(discs, side)| Self::keyed(discs, side, self.is_folded);
        set_up(text, start, |text| setup::read(text).map(keyed), ["othello", setup::EXPECTED])
    }

    fn setup(&self) -> String {
        setup::write(self.discs(), self.side)
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.keys.keys.0[0]
    }

    #[inline]
    fn symmetries(&self) -> u16 {
        self.symmetries
    }

    fn legal_moves(&self, moves: &mut Vec<Disc>) {
        moves.clear();
        moves.extend(set_bits(self.legal).map(|square| self.disc(square as u8)));
    }

    #[inline]
    fn play(&mut self, played: &Disc) {
        self.keys.place(played.square);
        self.keys.turn(played.flips);
        self.own |= played.flips | 1 << played.square;
        self.opponent &= !played.flips;
        self.change_side();
        self.pass_if_due();
        self.choose_key();
    }

    #[inline]
    fn image(&self, played: &Disc, symmetry: u32) -> u16 {
        u16::from(IMAGES[symmetry as usize % 8][usize::from(played.square)])
    }

    /// From the h file to the a file, and there from the eighth row to the first: so f5 comes first
    /// of all first moves, as transcripts have it.
    fn rank(&self, code: u16) -> u16 {
        63_u16.saturating_sub(code % 8 * 8 + code / 8)
    }

    fn move_of_code(&self, code: u16) -> Option<Disc> {
        let moves = set_bits(self.legal).map(|square| self.disc(square as u8));
        moves
            .filter(|played| self.code(played) == code)
            .min_by_key(|played| self.rank(self.image(played, 0)))
    }

    /// A square, `f5` or `F5`. A written pass (`--`, `pa`, `pas`, `pass`) is [`Trouble::Null`], as
    /// [`Othello::play`](Game::play) makes passes itself.
    #[inline]
    fn read_move(&self, text: &[u8]) -> Result<Disc, Trouble> {
        match *text {
            [file @ (b'a'..=b'h' | b'A'..=b'H'), rank @ b'1'..=b'8'] => {
                let square = (rank - b'1') * 8 + (file.to_ascii_lowercase() - b'a');
                self.disc_on(square).ok_or(Trouble::Illegal)
            }
            _ if is_pass(text) => Err(Trouble::Null),
            _ => Err(Trouble::Unreadable),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Disc, MoveError> {
        let text = text.trim();
        self.read_move(text.as_bytes()).map_err(|trouble| {
            let mut error = trouble.explained(self, text);
            if trouble == Trouble::Null {
                error.why = ": a side that can't move passes by itself: leave passes out".into();
            }
            error
        })
    }

    fn notation(&self, played: &Disc) -> String {
        let (file, rank) = (b'a' + played.square % 8, b'1' + played.square / 8);
        String::from_iter([char::from(file), char::from(rank)])
    }

    fn outcome(&self) -> Option<Outcome> {
        let [black, white] = self.discs().map(u64::count_ones);
        (self.legal == 0).then(|| Outcome::of_lead(black as i32 - white as i32))
    }

    fn diagram(&self) -> String {
        setup::diagram(self.discs())
    }
}

/// Whether a text is a pass, as archives write it.
#[cold]
fn is_pass(text: &[u8]) -> bool {
    [b"--".as_slice(), b"pa", b"pas", b"pass"].iter().any(|pass| text.eq_ignore_ascii_case(pass))
}
