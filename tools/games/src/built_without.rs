//! What stands in the place of a game whose feature is off.

use crate::game::{Game, SetupError, Trouble};
use crate::outcome::{Outcome, Side};

/// A game that this crate was built without: there are no positions of it, so nothing of this is
/// ever called. Code for any of the games compiles with it as it does with the game; code for that
/// very game does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BuiltWithout(Never);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Never {}

/// No positions: the feature `chess` is off.
#[cfg(not(feature = "chess"))]
pub type Chess = BuiltWithout;
/// No positions: the feature `draughts` is off.
#[cfg(not(feature = "draughts"))]
pub type Checkers = BuiltWithout;
/// No positions: the feature `connect` is off.
#[cfg(not(feature = "connect"))]
pub type ConnectFour = BuiltWithout;
/// No positions: the feature `connect` is off.
#[cfg(not(feature = "connect"))]
pub type TicTacToe = BuiltWithout;
/// No positions: the feature `go` is off.
#[cfg(not(feature = "go"))]
pub type Go = BuiltWithout;
/// No positions: the feature `othello` is off.
#[cfg(not(feature = "othello"))]
pub type Othello = BuiltWithout;

impl BuiltWithout {
    /// No game.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::empty()
    }
}

impl Game for BuiltWithout {
    type Move = Self;

    fn name(&self) -> &'static str {
        match self.0 {}
    }

    fn keys(&self) -> &'static str {
        match self.0 {}
    }

    fn sides(&self) -> [&'static str; 2] {
        match self.0 {}
    }

    fn examples(&self) -> &'static str {
        match self.0 {}
    }

    fn set_up(&self, _: &str) -> Result<Self, SetupError> {
        match self.0 {}
    }

    fn setup(&self) -> String {
        match self.0 {}
    }

    fn side(&self) -> Side {
        match self.0 {}
    }

    fn key(&self) -> u64 {
        match self.0 {}
    }

    fn legal_moves(&self, _: &mut Vec<Self>) {
        match self.0 {}
    }

    fn play(&mut self, _: &Self) {
        match self.0 {}
    }

    fn image(&self, _: &Self, _: u32) -> u16 {
        match self.0 {}
    }

    fn read_move(&self, _: &[u8]) -> Result<Self, Trouble> {
        match self.0 {}
    }

    fn notation(&self, _: &Self) -> String {
        match self.0 {}
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.0 {}
    }

    fn diagram(&self) -> String {
        match self.0 {}
    }
}

impl crate::gtp::GtpGame for BuiltWithout {}
