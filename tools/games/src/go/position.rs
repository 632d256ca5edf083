//! A position: its stones, its keys, and how moves change them.

use super::board::{Board, Change, Points};
use super::geometry::{Geometry, LARGEST, LEAST, WHITE};
use crate::game::Trouble;
use crate::outcome::Side;

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

    /// How many images of a board count together.
    pub(super) const fn images(self) -> usize {
        match self {
            Self::None => 1,
            Self::Board => 8,
            Self::BoardAndColors => 16,
        }
    }
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

/// A move of Go: its side and its point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Whose move it is.
    pub side: Side,
    /// The point, `row * size + column` from the top left; none for a pass.
    pub point: Option<u16>,
}

pub(super) const NOWHERE: u16 = u16::MAX;

/// A Go position, with its keys.
#[derive(Clone, Copy)]
pub struct Go {
    pub(super) board: Board,
    pub(super) geometry: &'static Geometry,
    /// The keys of the images that count together; the others mean nothing.
    pub(super) keys: [u64; 16],
    pub(super) side: Side,
    /// Where the side to move may not play because of ko, or [`NOWHERE`].
    pub(super) ko: u16,
    pub(super) passes: u8,
    pub(super) suicide: Suicide,
    pub(super) symmetry: Symmetry,
}

impl Go {
    /// The empty board of this size, from [`LEAST`] to [`LARGEST`], Black to move.
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
    pub fn emptied(&self) -> Self {
        Self { suicide: self.suicide, ..Self::empty(self.geometry, self.symmetry) }
    }

    /// This position under rules that allow suicide, or don't.
    pub fn with_suicide(self, suicide: Suicide) -> Self {
        Self { suicide, ..self }
    }

    /// The board's size.
    pub fn size(&self) -> usize {
        self.geometry.size.into()
    }

    /// Which images count together.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// Whose stone is on a point; none if it is empty, or if there is no such point.
    pub fn at(&self, point: u16) -> Option<Side> {
        if point < self.geometry.points() { self.board.at(point) } else { None }
    }

    /// Where the side to move may not play because of ko; none if it may play everywhere.
    pub fn ko(&self) -> Option<u16> {
        Some(self.ko).filter(|&point| point != NOWHERE)
    }

    /// How many passes after each other led here. Two end the game.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The position with this side to move. If it wasn't, the ko is over.
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
    /// passes have ended the game: an archive may go on after them.
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

    /// Where the stone just played may not be captured at once: it captured one stone, has no
    /// neighbour of its color, and that is its only liberty.
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
        let toggle = |keys: &mut [u64], side| {
            let numbers = self.geometry.stone(point, side);
            keys.iter_mut().zip(numbers).for_each(|(key, number)| *key ^= number);
        };
        toggle(own, side);
        if self.symmetry == Symmetry::BoardAndColors {
            toggle(exchanged, side.other());
        }
    }

    /// Puts stones on the board, takes some off, and says who is to move: for set-up stones. Points
    /// that aren't on the board are skipped.
    ///
    /// None if a chain has no liberty then.
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

    pub(super) fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// A move on each point, and a pass.
    pub(super) fn all_moves(&self) -> impl Iterator<Item = Move> {
        let side = self.side;
        (0..self.geometry.points()).map(Some).chain([None]).map(move |point| Move { side, point })
    }

    pub(super) fn is_legal(&self, played: &Move) -> bool {
        !self.is_over() && self.clone().try_play(played).is_ok()
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
