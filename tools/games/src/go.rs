//! Go on boards of 2x2 to 19x19.
//!
//! The rules, where rule sets differ:
//!
//! - Suicide is illegal, unless [`Go::with_suicide`] allows it to chains of two stones or more
//!   (Ing, Tromp-Taylor), or to single ones as well (New Zealand, where that is a pass by another
//!   name). The stones are taken off.
//! - Ko: a stone that has just captured one stone, and that would be captured by a stone put in its
//!   place, may not be captured at once.
//! - Other repetitions are allowed. A book knows boards, not the games that led to them, and
//!   archives hold games of rule sets that forbid different ones.
//! - Two passes after each other end the game. The score is by area ([`Go::score`]).
//! - A move knows its color. One out of turn (archives have them, as free handicap stones, and
//!   where somebody passed without saying so) is played as if the other side were not to move:
//!   [`Go::turned`] is the position that it is made from.
//!
//! The key is that of stones and side to move, made by [`crate::zobrist`]'s stream `go`. Ko is no
//! part of it: positions that differ in nothing else are one in a book, whose moves there are those
//! of both. Nor are passes before it, nor komi.
//!
//! With [`Symmetry::Board`] the key is the least of the eight images of a board, which are all kept
//! up to date together. Their numbers are those of the functions `f_0` to `f_7` in Chen and Zhang
//! 2012, and [`Game::rank`] is the index of their position types, so that [`crate::Line`] is their
//! canonical form of a sequence of moves. With [`Symmetry::BoardAndColors`] there are eight more
//! images, `f_i` with colors exchanged as number `8 + i`: what counts for joseki. The side to move
//! is exchanged with the stones, so only images of one half ever lead to the canonical board, and
//! codes need no color.

mod area;
mod board;
mod corner;
mod geometry;
mod text;

use crate::game::{Game, SetupError, Trouble};
pub use crate::komi::{BadKomi, Komi};
use crate::outcome::{Outcome, Side};
use board::{Board, Change, Points};
pub use corner::CornerMove;
use geometry::{Geometry, WHITE};
pub use geometry::{LARGEST, LEAST};

/// Which images of a board count together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// None: keys `zobrist`.
    None,
    /// The eight of the board: keys `zobrist-8`.
    #[default]
    Board,
    /// The eight of the board, with the colors as they are and exchanged: keys `zobrist-16`.
    BoardAndColors,
}

impl Symmetry {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Board, Self::None, Self::BoardAndColors];
}

/// Whether a side may take its own last liberty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// It may not.
    #[default]
    Illegal,
    /// It may if the chain has several stones.
    OfSeveral,
    /// It may.
    Legal,
}

/// A move: whose, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Whose move it is.
    pub side: Side,
    /// The point, `row * size + column` from the top left; none for a pass.
    pub point: Option<u16>,
}

/// No point.
const NOWHERE: u16 = u16::MAX;

/// A position, with its keys.
#[derive(Clone, Copy)]
pub struct Go {
    board: Board,
    geometry: &'static Geometry,
    /// The keys of the images that count together; the others mean nothing.
    keys: [u64; 16],
    side: Side,
    /// Where the side to move may not play because of ko, or [`NOWHERE`].
    ko: u16,
    /// How many passes after each other led here.
    passes: u8,
    suicide: Suicide,
    symmetry: Symmetry,
}

impl Go {
    /// The empty board of this size, Black to move; none if there is no such size, see [`LEAST`]
    /// and [`LARGEST`].
    #[must_use]
    pub fn start(size: usize, symmetry: Symmetry) -> Option<Self> {
        (LEAST..=LARGEST).contains(&size).then(|| Self::empty(Geometry::of(size), symmetry))
    }

    /// Empty boards of all sizes with all symmetries.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_size = |size| {
            Symmetry::ALL.into_iter().map(move |symmetry| Self::empty(Geometry::of(size), symmetry))
        };
        (LEAST..=LARGEST).flat_map(of_size)
    }

    fn empty(geometry: &'static Geometry, symmetry: Symmetry) -> Self {
        let mut keys = [geometry.empty(); 16];
        keys[8..].iter_mut().for_each(|key| *key ^= WHITE);
        Self {
            board: Board::default(),
            geometry,
            keys,
            side: Side::First,
            ko: NOWHERE,
            passes: 0,
            suicide: Suicide::Illegal,
            symmetry,
        }
    }

    /// The empty board of the same game, under the same rules.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { suicide: self.suicide, ..Self::empty(self.geometry, self.symmetry) }
    }

    /// The same position under rules that allow suicide, or don't.
    #[must_use]
    pub fn with_suicide(self, suicide: Suicide) -> Self {
        Self { suicide, ..self }
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> usize {
        self.geometry.size.into()
    }

    /// Which images count together.
    #[must_use]
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// Whose stone stands on a point; none if nobody's, or if there is no such point.
    #[must_use]
    pub fn at(&self, point: u16) -> Option<Side> {
        if point < self.geometry.points() { self.board.at(point) } else { None }
    }

    /// The position with this side to move. If it wasn't, the ko is over.
    #[must_use]
    pub fn turned(mut self, side: Side) -> Self {
        self.turn_to(side);
        self
    }

    fn turn_to(&mut self, side: Side) {
        if side != self.side {
            self.ko = NOWHERE;
            self.turn();
        }
    }

    #[inline]
    fn turn(&mut self) {
        self.side = self.side.other();
        self.keys.iter_mut().for_each(|key| *key ^= WHITE);
    }

    /// Plays a move if it is legal, whether or not its side is to move, and whether or not two
    /// passes have ended the game: an archive may go on behind them.
    ///
    /// # Errors
    /// If it isn't legal; nothing has changed then.
    #[inline]
    pub fn try_play(&mut self, played: &Move) -> Result<(), Trouble> {
        let ko = if played.side == self.side { self.ko } else { NOWHERE };
        match played.point {
            None => self.pass(played.side),
            Some(point)
                if point >= self.geometry.points()
                    || point == ko
                    || self.board.at(point).is_some() =>
            {
                return Err(Trouble::Illegal);
            }
            Some(point) => {
                let mut board = self.board;
                let change = board.play(self.geometry, point, played.side);
                if let Change::Suicide(chain) = change
                    && !self.suicide.is_legal_for(&chain)
                {
                    return Err(Trouble::Illegal);
                }
                self.board = board;
                self.take_note(point, played.side, change);
            }
        }
        Ok(())
    }

    fn pass(&mut self, side: Side) {
        self.turn_to(side);
        self.turn();
        self.ko = NOWHERE;
        self.passes = self.passes.saturating_add(1);
    }

    /// Brings all else up to date with a stone that was put on the board.
    #[inline]
    fn take_note(&mut self, point: u16, side: Side, change: Change) {
        self.turn_to(side);
        self.turn();
        (self.ko, self.passes) = (NOWHERE, 0);
        self.key_stone(point, side);
        match change {
            Change::None => {}
            Change::Captured(captured) => {
                self.ko = self.ko_after(point, side, captured);
                captured.iter().for_each(|point| self.key_stone(point, side.other()));
            }
            Change::Suicide(chain) => {
                self.board.remove(&chain, side);
                chain.iter().for_each(|point| self.key_stone(point, side));
            }
        }
    }

    /// Where the stone just played may not be captured at once: it captured one stone, stands
    /// alone, and that is its only liberty.
    #[inline]
    fn ko_after(&self, point: u16, side: Side, captured: Points) -> u16 {
        let hemmed = |&beside: &u16| {
            captured.contains(beside) || self.board.at(beside) == Some(side.other())
        };
        let is_ko = captured.len() == 1 && self.geometry.neighbors(point).iter().all(hemmed);
        if is_ko { captured.iter().next().unwrap_or(NOWHERE) } else { NOWHERE }
    }

    /// Puts a stone into the keys, or takes it out.
    #[inline]
    fn key_stone(&mut self, point: u16, side: Side) {
        let (own, exchanged) = self.keys.split_at_mut(8);
        own.iter_mut()
            .zip(self.geometry.stone(point, side))
            .for_each(|(key, number)| *key ^= number);
        if self.symmetry == Symmetry::BoardAndColors {
            exchanged
                .iter_mut()
                .zip(self.geometry.stone(point, side.other()))
                .for_each(|(key, number)| *key ^= number);
        }
    }

    /// Puts stones on the board, takes some off, and says who is to move: for set-up stones. Points
    /// that aren't on the board are passed over.
    ///
    /// None if a chain has no liberty then.
    #[must_use]
    pub fn arranged(
        &self,
        stones: impl IntoIterator<Item = (u16, Option<Side>)>,
        side: Side,
    ) -> Option<Self> {
        let mut board = self.board;
        for (point, stone) in
            stones.into_iter().filter(|&(point, _)| point < self.geometry.points())
        {
            board.clear(point);
            if let Some(side) = stone {
                board.put(point, side);
            }
        }
        let mut arranged = Self { board, ..self.emptied() };
        for point in 0..self.geometry.points() {
            if let Some(side) = board.at(point) {
                if board.without_liberty(self.geometry, point, side).is_some() {
                    return None;
                }
                arranged.key_stone(point, side);
            }
        }
        arranged.turn_to(side);
        Some(arranged)
    }

    fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// A move on each point, and a pass.
    fn all_moves(&self) -> impl Iterator<Item = Move> {
        let side = self.side;
        (0..self.geometry.points()).map(Some).chain([None]).map(move |point| Move { side, point })
    }

    fn is_legal(&self, played: &Move) -> bool {
        !self.is_over() && self.clone().try_play(played).is_ok()
    }

    /// The code of a move: its point, or the number of points for a pass.
    #[inline]
    fn plain_code(&self, played: &Move) -> u16 {
        played.point.unwrap_or(self.geometry.points())
    }
}

impl Suicide {
    fn is_legal_for(self, chain: &Points) -> bool {
        match self {
            Self::Illegal => false,
            Self::OfSeveral => chain.len() > 1,
            Self::Legal => true,
        }
    }
}

/// The names of the game by the board's size.
const NAMES: [&str; LARGEST + 1] = [
    "", "", "go-2", "go-3", "go-4", "go-5", "go-6", "go-7", "go-8", "go-9", "go-10", "go-11",
    "go-12", "go-13", "go-14", "go-15", "go-16", "go-17", "go-18", "go-19",
];

impl Game for Go {
    type Move = Move;

    fn name(&self) -> &'static str {
        NAMES[self.size()]
    }

    fn keys(&self) -> &'static str {
        match self.symmetry {
            Symmetry::None => "zobrist",
            Symmetry::Board => "zobrist-8",
            Symmetry::BoardAndColors => "zobrist-16",
        }
    }

    fn sides(&self) -> [&'static str; 2] {
        ["Black", "White"]
    }

    fn examples(&self) -> &'static str {
        "A1, b2 or pass (letters from the left, without I, and numbers from the bottom)"
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        text::set_up(self, text)
    }

    fn setup(&self) -> String {
        text::setup(self)
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.keys[..self.symmetry.images()].iter().copied().min().unwrap_or_default()
    }

    #[inline]
    fn board_key(&self) -> u64 {
        self.keys[0]
    }

    #[inline]
    fn symmetries(&self) -> u16 {
        let (key, keys) = (self.key(), &self.keys[..self.symmetry.images()]);
        keys.iter()
            .enumerate()
            .fold(0, |bits, (symmetry, &image)| bits | u16::from(image == key) << symmetry)
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.all_moves().filter(|played| self.is_legal(played)));
    }

    #[inline]
    fn play(&mut self, played: &Move) {
        let is_played = self.try_play(played);
        debug_assert!(is_played.is_ok(), "{played:?} is not legal");
    }

    #[inline]
    fn image(&self, played: &Move, symmetry: u32) -> u16 {
        played.point.map_or(self.geometry.points(), |point| self.geometry.image(point, symmetry))
    }

    #[inline]
    fn rank(&self, code: u16) -> u16 {
        if code < self.geometry.points() { self.geometry.rank(code) } else { 0 }
    }

    fn move_of_code(&self, code: u16) -> Option<Move> {
        let has_code = |played: &Move| self.code(played) == code && self.is_legal(played);
        self.all_moves().filter(has_code).min_by_key(|played| self.rank(self.image(played, 0)))
    }

    #[inline]
    fn read_move(&self, text: &[u8]) -> Result<Move, Trouble> {
        let point = text::point(text, self.geometry.size)?;
        let played = Move { side: self.side, point };
        if self.is_legal(&played) { Ok(played) } else { Err(Trouble::Illegal) }
    }

    fn notation(&self, played: &Move) -> String {
        text::vertex(self.plain_code(played), self.geometry.size)
    }

    fn coordinates(&self, played: &Move) -> String {
        self.notation(played)
    }

    /// By area, with 7.5 points of komi.
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.scored(Komi::SEVEN_AND_A_HALF))
    }

    fn diagram(&self) -> String {
        text::diagram(self)
    }
}

impl std::fmt::Debug for Go {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.name(), self.keys(), self.setup())
    }
}
