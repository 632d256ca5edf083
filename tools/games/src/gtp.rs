//! Games in the words of GTP, the Go Text Protocol, version 2: commands, colors, vertices, boards
//! (<https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>).
//!
//! - *Colors* are black and white. Where players are called otherwise, as in Connect Four, the first
//!   one is black. In English draughts Black moves first, in international draughts White.
//! - *Vertices* are moves as programs write them ([`Game::coordinates`]): points in capital
//!   letters, `D4`; squares in draughts, captures with their whole way, `15x22x31`; columns in
//!   Connect Four.
//! - *Boards* have one size, the number of their columns; in draughts light squares count, too.

mod command;

use crate::game::Game;
use crate::known::Known;
use crate::outcome::Side;
pub use command::{Command, cleaned};

/// What GTP calls passing.
pub const PASS: &str = "pass";

/// A game in the words of GTP, see [`Known::has_gtp`]. What most games have in common is provided.
pub trait GtpGame: Game {
    /// Whether this is what `set_game` calls it.
    fn is_called(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case(self.name())
    }

    /// The size of an engine's board before one is set; none if that isn't known.
    fn usual_size(&self) -> Option<usize> {
        board_size(self)
    }

    /// The position with this side to move, if the rules allow it to move here.
    fn turned(&self, side: Side) -> Option<Self> {
        (side == self.side()).then(|| self.clone())
    }

    /// What a vertex means for a side here; none if it can't be played.
    fn put(&self, side: Side, vertex: &str) -> Option<Put<Self::Move>> {
        self.turned(side)?.read_move(vertex.as_bytes()).ok().map(Put::Move)
    }

    /// The position with stones of the first player on these vertices, and the other one to move; none
    /// in games without handicap stones.
    fn with_handicap(&self, _vertices: &str) -> Option<Self> {
        None
    }
}

/// What a vertex means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Put<M> {
    /// A move.
    Move(M),
    /// A pass that the game makes by itself.
    Nothing,
}

impl Known {
    /// Whether GTP is spoken of the game: of all but chess.
    pub fn has_gtp(&self) -> bool {
        !matches!(self, Self::Chess(_))
    }
}

/// The size of a game's board; none of games that GTP isn't spoken of.
pub fn board_size<G: Game>(game: &G) -> Option<usize> {
    let name = game.name();
    match name {
        "othello" | "checkers" => Some(8),
        "draughts-10" => Some(10),
        "tic-tac-toe" => Some(3),
        _ => {
            let columns = |size: &str| size.split('x').next()?.parse().ok();
            name.strip_prefix("go-").or_else(|| name.strip_prefix("connect4-")).and_then(columns)
        }
    }
}

/// What a player is called.
pub fn color<G: Game>(game: &G, side: Side) -> &'static str {
    let white = if game.sides()[0] == "White" { Side::First } else { Side::Second };
    if side == white { "white" } else { "black" }
}

/// The side that a color means.
pub fn side<G: Game>(game: &G, color: &str) -> Option<Side> {
    let is_called = |side: &Side| {
        let name = self::color(game, *side);
        name.eq_ignore_ascii_case(color) || name[..1].eq_ignore_ascii_case(color)
    };
    [Side::First, Side::Second].into_iter().find(is_called)
}

/// The vertex of a legal move.
pub fn vertex<G: Game>(position: &G, played: &G::Move) -> String {
    let vertex = position.coordinates(played);
    let is_point = vertex != PASS && !vertex.starts_with(|first: char| first.is_ascii_digit());
    if is_point { vertex.to_ascii_uppercase() } else { vertex }
}

#[cfg(feature = "go")]
impl GtpGame for crate::Go {
    fn is_called(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("go")
    }

    fn usual_size(&self) -> Option<usize> {
        Some(19)
    }

    fn turned(&self, side: Side) -> Option<Self> {
        Some((*self).turned(side))
    }

    fn with_handicap(&self, vertices: &str) -> Option<Self> {
        let stones =
            vertices.split_ascii_whitespace().map(|vertex| match self.put(Side::First, vertex) {
                Some(Put::Move(played)) => Some((played.point?, Some(Side::First))),
                _ => None,
            });
        self.arranged(stones.collect::<Option<Vec<_>>>()?, Side::Second)
    }
}

#[cfg(feature = "othello")]
impl GtpGame for crate::Othello {
    fn put(&self, side: Side, vertex: &str) -> Option<Put<Self::Move>> {
        if vertex.eq_ignore_ascii_case(PASS) {
            return (self.has_passed() && self.side() != side).then_some(Put::Nothing);
        }
        self.turned(side)?.read_move(vertex.as_bytes()).ok().map(Put::Move)
    }
}

#[cfg(feature = "chess")]
impl GtpGame for crate::Chess {}

#[cfg(feature = "draughts")]
impl GtpGame for crate::Checkers {}

#[cfg(feature = "connect")]
impl GtpGame for crate::ConnectFour {}

#[cfg(feature = "connect")]
impl GtpGame for crate::TicTacToe {}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_testing::{Rng, Sample};

    /// All moves of random games are read back from their vertices; each vertex is another one.
    #[test]
    fn every_move_has_a_vertex_of_its_own() {
        let mut sample = Sample::one_in(4);
        for start in Known::all().filter(|_| sample.takes()) {
            assert_eq!(start.has_gtp(), !crate::is_chess(start.name()), "{start:?}");
            assert_eq!(start.has_gtp(), board_size(&start).is_some(), "{start:?}");
            let mut rng = Rng::new(1);
            for _ in 0..if start.has_gtp() { 20 } else { 0 } {
                let mut position = start.clone();
                for _ in 0..60 {
                    let moves = position.legal();
                    let side = position.side();
                    let mut seen = std::collections::BTreeSet::new();
                    for played in &moves {
                        let vertex = vertex(&position, played);
                        assert_eq!(position.put(side, &vertex), Some(Put::Move(played.clone())));
                        assert!(!vertex.contains([' ', ',']), "{vertex}");
                        assert!(seen.insert(vertex.clone()), "{vertex} in {}", position.setup());
                    }
                    if moves.is_empty() {
                        break;
                    }
                    position.play(rng.pick(&moves));
                }
            }
        }
    }

    #[test]
    #[cfg(feature = "draughts")]
    fn who_moves_first_has_the_color_of_the_game() {
        use crate::Checkers;
        let (english, international) = (Checkers::english(), Checkers::international());
        assert_eq!(color(&english, Side::First), "black");
        assert_eq!(color(&international, Side::First), "white");
        assert_eq!(side(&english, "b"), Some(Side::First));
        assert_eq!(side(&international, "B"), Some(Side::Second));
        assert_eq!(side(&international, "WHITE"), Some(Side::First));
        assert_eq!(side(&english, "red"), None);
        assert_eq!([&english, &international].map(board_size), [Some(8), Some(10)]);
        assert_eq!(english.put(Side::Second, "22-18"), None, "Black is to move");
    }

    #[test]
    #[cfg(feature = "connect")]
    fn boards_are_as_wide_as_they_have_columns() {
        let sizes = crate::ConnectFour::all().map(|start| (start.name(), board_size(&start)));
        let found: Vec<_> = sizes.collect();
        assert!(found.contains(&("connect4-5x4", Some(5))), "{found:?}");
        assert_eq!(color(&crate::TicTacToe::start(), Side::First), "black");
    }
}
