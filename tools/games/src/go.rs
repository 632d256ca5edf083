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
//!   where a pass was not recorded) is played as if the other side were not to move: [`Go::turned`]
//!   is the position that it is made from.
//!
//! Keys, images and codes are those of format-spec/keys.md. Ko is no part of the key: positions that
//! differ in nothing else are one in a book, whose moves there are those of both. Nor are passes
//! before it, nor komi. The images of a board are the functions `f_0` to `f_7` of Chen and Zhang
//! 2012, and [`Game::rank`] is the index of their position types, so that [`crate::Line`] is their
//! canonical form of a sequence of moves. With [`Symmetry::BoardAndColors`] there are eight more,
//! `f_i` with colors exchanged as number `8 + i`: what counts for joseki. The side to move is
//! exchanged with the stones, so only one half of them leads to the canonical board: codes need no
//! color.

mod area;
mod board;
mod corner;
mod geometry;
mod position;
mod text;

use crate::game::{CornerGame, Game, GameNames, SetupError, Trouble, set_up};
pub use crate::komi::{BadKomi, Komi};
use crate::outcome::{Outcome, Side};
pub use corner::CornerMove;
pub use geometry::{LARGEST, LEAST};
pub use position::{Go, Move, Suicide, Symmetry};

impl Game for Go {
    type Move = Move;

    fn names(&self) -> GameNames {
        GameNames {
            game: self.geometry.name,
            keys: match self.symmetry {
                Symmetry::None => "zobrist",
                Symmetry::Board => "zobrist-8",
                Symmetry::BoardAndColors => "zobrist-16",
            },
            sides: ["Black", "White"],
            examples: "A1, b2 or pass (letters from the left, without I, and numbers from the bottom)",
        }
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        let names = [self.name(), text::EXPECTED];
        set_up(text, || self.emptied(), |text| text::read(self, text), names)
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

    fn corner_games(&self, moves: &[Move], present: &Self, region: usize) -> Vec<CornerGame<Self>> {
        corner::games(self, moves, present, region)
    }

    fn playable(&self) -> Vec<Move> {
        self.all_moves().filter(|played| self.clone().try_play(played).is_ok()).collect()
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
        text::vertex(self.image(played, 0), self.geometry.size)
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
