//! What stands in the place of a game whose feature is off.

use crate::game::{Game, GameNames, SetupError, Trouble};
use crate::outcome::{Outcome, Side};

/// A game that this crate was built without: there are no positions of it, so nothing of this is
/// ever called. Code for any of the games compiles with it as with the game.
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

macro_rules! never {
    ($(fn $name:ident(&self $(, $argument:ty)*) -> $result:ty;)*) => {
        $(fn $name(&self $(, _: $argument)*) -> $result {
            match self.0 {}
        })*
    };
}

impl Game for BuiltWithout {
    type Move = Self;

    never! {
        fn names(&self) -> GameNames;
        fn set_up(&self, &str) -> Result<Self, SetupError>;
        fn setup(&self) -> String;
        fn side(&self) -> Side;
        fn key(&self) -> u64;
        fn legal_moves(&self, &mut Vec<Self>) -> ();
        fn image(&self, &Self, u32) -> u16;
        fn read_move(&self, &[u8]) -> Result<Self, Trouble>;
        fn notation(&self, &Self) -> String;
        fn outcome(&self) -> Option<Outcome>;
        fn diagram(&self) -> String;
    }

    fn play(&mut self, _: &Self) {
        match self.0 {}
    }
}

impl crate::gtp::GtpGame for BuiltWithout {}
