//! The games whose rules are known, by the names that books have for them.

mod as_game;

#[doc(hidden)]
pub use as_game::other_game;
pub use as_game::{KnownMove, OwnType};

use crate::checkers::Checkers;
use crate::chess::Chess;
use crate::connect_four::ConnectFour;
use crate::game::Game;
use crate::go::Go;
use crate::othello::Othello;
use crate::tic_tac_toe::TicTacToe;

/// The features of this crate with the names that books have for the games whose rules belong to
/// them: of all games, whether their features are on or off.
const NAMES: [(&str, &str); 5] = [
    ("chess", "chess crazyhouse antichess atomic king-of-the-hill three-check horde racing-kings"),
    ("othello", "othello"),
    (
        "go",
        "go-2 go-3 go-4 go-5 go-6 go-7 go-8 go-9 go-10 go-11 go-12 go-13 go-14 go-15 go-16 go-17 \
         go-18 go-19",
    ),
    ("draughts", "checkers draughts-10"),
    (
        "connect",
        "connect4-7x6 connect4-4x4 connect4-5x4 connect4-5x5 connect4-6x4 connect4-6x5 \
         connect4-8x7 tic-tac-toe",
    ),
];

/// The names that books have for games, each with the feature of this crate that the game's rules
/// belong to: of all games, whether their features are on or off.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let names =
        |(feature, names): (_, &'static str)| names.split(' ').map(move |name| (name, feature));
    NAMES.into_iter().flat_map(names)
}

/// The feature that the rules of the game with this name belong to, if it is off: what to say in
/// place of that they aren't known.
pub fn missing_feature(name: &str) -> Option<&'static str> {
    let (_, feature) = names().find(|(known, _)| *known == name)?;
    Known::all().all(|known| known.name() != name).then_some(feature)
}

/// A position of any game whose rules are known: with the moves of [`KnownMove`] a [`Game`] like each of
/// them. As the position it starts from it represents its game.
#[derive(Clone)]
pub enum Known {
    /// Chess and Chess960, with Polyglot's keys; and the variants of chess.
    Chess(Chess),
    /// Othello on the board of 8x8, images of a board together or apart.
    Othello(Othello),
    /// Go on a board of any size, with or without symmetry.
    Go(Go),
    /// English and international draughts, images of a board together or apart.
    Checkers(Checkers),
    /// Connect Four on a board of any size, images of a board together or apart.
    ConnectFour(ConnectFour),
    /// Tic-tac-toe, images of a board together or apart.
    TicTacToe(TicTacToe),
}

/// Does something with a [`Known`] game, whichever it is, where time counts: `start` is then the
/// position of the game's own type. A name behind it is that of its [`OwnType`].
///
/// ```
/// use tabia_games::{Game, Known, with_game};
///
/// fn first_moves<G: Game>(start: &G) -> usize {
///     start.legal().len()
/// }
///
/// for known in Known::all().filter(|known| known.name() == "chess") {
///     assert_eq!(with_game!(known, start => first_moves(start)), 20);
/// }
/// ```
#[macro_export]
macro_rules! with_game {
    ($known:expr, $start:ident => $work:expr) => {
        match &$known {
            $crate::Known::Chess($start) => $work,
            $crate::Known::Othello($start) => $work,
            $crate::Known::Go($start) => $work,
            $crate::Known::Checkers($start) => $work,
            $crate::Known::ConnectFour($start) => $work,
            $crate::Known::TicTacToe($start) => $work,
        }
    };
    ($known:expr, $start:ident, $own:ident => $work:expr) => {
        $crate::with_game!(@own $known, $start, $own => $work,
            Chess Othello Go Checkers ConnectFour TicTacToe)
    };
    (@own $known:expr, $start:ident, $own:ident => $work:expr, $($kind:ident)*) => {
        match &$known {
            $($crate::Known::$kind($start) => {
                let $own = $crate::own_type!($kind);
                $work
            })*
        }
    };
}

impl Known {
    /// All that this crate was built with, of all sizes and key schemes, the usual scheme first.
    pub fn all() -> impl Iterator<Item = Self> {
        Chess::all()
            .map(Self::Chess)
            .chain(Othello::all().map(Self::Othello))
            .chain(Go::all().map(Self::Go))
            .chain(Checkers::all().map(Self::Checkers))
            .chain(ConnectFour::all().map(Self::ConnectFour))
            .chain(TicTacToe::all().map(Self::TicTacToe))
    }

    /// The names of the games that this crate was built with, for people: once for all sizes of a board.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<_> = Self::all()
            .map(|known| match known.name() {
                name if name.starts_with("go-") => "go-9 (or another size from 2 to 19)",
                name if name.starts_with("connect4-") => {
                    "connect4-7x6 (or 4x4, 5x4, 5x5, 6x4, 6x5, 8x7)"
                }
                name => name,
            })
            .collect();
        names.dedup();
        names
    }

    /// The one that books call by these names of game and key scheme.
    pub fn of(name: &str, keys: &str) -> Option<Self> {
        Self::all().find(|known| (known.name(), known.keys()) == (name, keys))
    }

    /// Whether both are of one game with one key scheme.
    pub fn is_game_of(&self, other: &Self) -> bool {
        (self.name(), self.keys()) == (other.name(), other.keys())
    }
}

/// The names of its game and keys.
impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name(), self.keys())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_those_whose_features_are_on() {
        const ON: [(&str, bool); 5] = [
            ("chess", cfg!(feature = "chess")),
            ("othello", cfg!(feature = "othello")),
            ("go", cfg!(feature = "go")),
            ("draughts", cfg!(feature = "draughts")),
            ("connect", cfg!(feature = "connect")),
        ];
        let is_on = |feature| ON.contains(&(feature, true));
        for (name, feature) in names() {
            assert_eq!(missing_feature(name), (!is_on(feature)).then_some(feature), "{name}");
            assert_eq!(Known::all().any(|known| known.name() == name), is_on(feature), "{name}");
        }
        assert!(Known::all().all(|known| names().any(|(name, _)| name == known.name())));
        assert_eq!(missing_feature("shogi"), None);
        let families = [("chess", 8), ("othello", 1), ("go", 1), ("draughts", 2), ("connect", 2)];
        let names: usize =
            families.iter().map(|(feature, names)| if is_on(feature) { *names } else { 0 }).sum();
        assert_eq!(Known::names().len(), names);
    }
}
