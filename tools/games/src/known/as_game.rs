//! A position of any known game as a game, so that code that need not be fast is compiled once.

use super::Known;
use crate::game::{CornerGame, Game, GameNames, MoveError, SetupError, Trouble};
use crate::gtp::{GtpGame, Put};
use crate::outcome::{Outcome, Side};
use crate::{Checkers, Chess, ConnectFour, Go, Othello, TicTacToe, with_game};
use std::any::Any;

/// A move of a [`Known`] position: to be made only where a position is of the same game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KnownMove {
    /// In chess and its variants.
    Chess(<Chess as Game>::Move),
    /// In Othello.
    Othello(<Othello as Game>::Move),
    /// In Go.
    Go(<Go as Game>::Move),
    /// In draughts.
    Checkers(<Checkers as Game>::Move),
    /// In Connect Four.
    ConnectFour(<ConnectFour as Game>::Move),
    /// In tic-tac-toe.
    TicTacToe(<TicTacToe as Game>::Move),
}

/// How one game's own types become those of any game, and back, which panics for those of another game:
/// see [`with_game!`](crate::with_game!).
#[derive(Clone, Debug)]
pub struct OwnType<G: Game> {
    /// A position.
    pub known: fn(G) -> Known,
    /// A position of this game.
    pub own: fn(&Known) -> &G,
    /// A move.
    pub known_move: fn(G::Move) -> KnownMove,
    /// A move of this game.
    pub own_move: fn(&KnownMove) -> &G::Move,
}

/// The [`OwnType`] of one of the variants of [`Known`].
#[doc(hidden)]
#[macro_export]
macro_rules! own_type {
    ($kind:ident) => {
        $crate::OwnType {
            known: $crate::Known::$kind,
            own: |known| match known {
                $crate::Known::$kind(position) => position,
                _ => $crate::other_game(),
            },
            known_move: $crate::KnownMove::$kind,
            own_move: |played| match played {
                $crate::KnownMove::$kind(played) => played,
                _ => $crate::other_game(),
            },
        }
    };
}

/// Ends what mixes positions and moves of several games.
#[doc(hidden)]
#[cold]
#[track_caller]
#[expect(clippy::panic, reason = "a caller's mistake that no input can make")]
pub fn other_game() -> ! {
    panic!("it belongs to another game")
}

impl Game for Known {
    type Move = KnownMove;

    fn as_own(&self) -> &dyn Any {
        with_game!(self, position => position)
    }

    fn names(&self) -> GameNames {
        with_game!(self, position => position.names())
    }

    fn set_up(&self, text: &str) -> Result<Self, SetupError> {
        with_game!(self, position, own => position.set_up(text).map(own.known))
    }

    fn setup(&self) -> String {
        with_game!(self, position => position.setup())
    }

    fn side(&self) -> Side {
        with_game!(self, position => position.side())
    }

    fn key(&self) -> u64 {
        with_game!(self, position => position.key())
    }

    fn board_key(&self) -> u64 {
        with_game!(self, position => position.board_key())
    }

    fn symmetries(&self) -> u16 {
        with_game!(self, position => position.symmetries())
    }

    fn corner_games(
        &self,
        moves: &[KnownMove],
        present: &Self,
        region: usize,
    ) -> Vec<CornerGame<Self>> {
        with_game!(self, start, own => {
            let moves: Vec<_> = moves.iter().map(own.own_move).cloned().collect();
            let known = |moves: Vec<_>| moves.into_iter().map(own.known_move).collect();
            let games = start.corner_games(&moves, (own.own)(present), region).into_iter();
            games
                .map(|CornerGame { name, start, moves, legal, last }| {
                    let (moves, legal) = (known(moves), known(legal));
                    CornerGame { name, start: (own.known)(start), moves, legal, last }
                })
                .collect()
        })
    }

    fn legal_moves(&self, moves: &mut Vec<KnownMove>) {
        moves.clear();
        with_game!(self, position, own => {
            moves.extend(position.legal().into_iter().map(own.known_move));
        });
    }

    fn playable(&self) -> Vec<KnownMove> {
        with_game!(self, position, own => {
            Game::playable(position).into_iter().map(own.known_move).collect()
        })
    }

    fn play(&mut self, played: &KnownMove) {
        match (self, played) {
            (Self::Chess(position), KnownMove::Chess(played)) => position.play(played),
            (Self::Othello(position), KnownMove::Othello(played)) => position.play(played),
            (Self::Go(position), KnownMove::Go(played)) => position.play(played),
            (Self::Checkers(position), KnownMove::Checkers(played)) => position.play(played),
            (Self::ConnectFour(position), KnownMove::ConnectFour(played)) => position.play(played),
            (Self::TicTacToe(position), KnownMove::TicTacToe(played)) => position.play(played),
            _ => other_game(),
        }
    }

    fn image(&self, played: &KnownMove, symmetry: u32) -> u16 {
        with_game!(self, position, own => position.image((own.own_move)(played), symmetry))
    }

    fn code(&self, played: &KnownMove) -> u16 {
        with_game!(self, position, own => position.code((own.own_move)(played)))
    }

    fn rank(&self, code: u16) -> u16 {
        with_game!(self, position => position.rank(code))
    }

    fn move_of_code(&self, code: u16) -> Option<KnownMove> {
        with_game!(self, position, own => position.move_of_code(code).map(own.known_move))
    }

    fn read_move(&self, text: &[u8]) -> Result<KnownMove, Trouble> {
        with_game!(self, position, own => position.read_move(text).map(own.known_move))
    }

    fn parse_move(&self, text: &str) -> Result<KnownMove, MoveError> {
        with_game!(self, position, own => position.parse_move(text).map(own.known_move))
    }

    fn example_like(&self, text: &str) -> String {
        with_game!(self, position => position.example_like(text))
    }

    fn notation(&self, played: &KnownMove) -> String {
        with_game!(self, position, own => position.notation((own.own_move)(played)))
    }

    fn coordinates(&self, played: &KnownMove) -> String {
        with_game!(self, position, own => position.coordinates((own.own_move)(played)))
    }

    fn outcome(&self) -> Option<Outcome> {
        with_game!(self, position => position.outcome())
    }

    fn diagram(&self) -> String {
        with_game!(self, position => position.diagram())
    }
}

impl GtpGame for Known {
    fn is_called(&self, name: &str) -> bool {
        with_game!(self, start => start.is_called(name))
    }

    fn usual_size(&self) -> Option<usize> {
        with_game!(self, start => start.usual_size())
    }

    fn turned(&self, side: Side) -> Option<Self> {
        with_game!(self, position, own => position.turned(side).map(own.known))
    }

    fn put(&self, side: Side, vertex: &str) -> Option<Put<KnownMove>> {
        with_game!(self, position, own => position.put(side, vertex).map(|put| match put {
            Put::Move(played) => Put::Move((own.known_move)(played)),
            Put::Nothing => Put::Nothing,
        }))
    }

    fn with_handicap(&self, vertices: &str) -> Option<Self> {
        with_game!(self, position, own => position.with_handicap(vertices).map(own.known))
    }
}
