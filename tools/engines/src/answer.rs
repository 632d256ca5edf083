//! What an engine says when it is asked for a move.

use serde::{Deserialize, Serialize};
use std::time::Duration;
use tabia_games::Game;

/// An engine's answer, with what it says of its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought<M> {
    /// The move, or what it said instead.
    pub answer: Answer<M>,
    /// From the question to the answer.
    pub took: Duration,
    /// What it thinks of the position, seen from the side to move.
    pub eval: Option<Eval>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How many nodes it looked at.
    pub nodes: Option<u64>,
    /// The moves that it expects from this one on, where it is heard while it thinks
    /// ([`Engine::analyze`](crate::Engine::analyze)) and says so.
    pub line: Vec<M>,
    /// Whether the move came from a Tabia book (an engine behind `tabia play` says so).
    pub is_book: bool,
}

impl<M> Thought<M> {
    /// An answer of which nothing else is known.
    pub fn of(answer: Answer<M>, took: Duration) -> Self {
        let (eval, depth, nodes) = (None, None, None);
        Self { answer, took, eval, depth, nodes, line: Vec::new(), is_book: false }
    }

    /// The same, with moves of another type.
    pub fn map<N>(self, of: impl Fn(M) -> N) -> Thought<N> {
        let Self { answer, took, eval, depth, nodes, line, is_book } = self;
        let line = line.into_iter().map(&of).collect();
        let answer = match answer {
            Answer::Move(played) => Answer::Move(of(played)),
            Answer::Resigns => Answer::Resigns,
            Answer::Illegal(text) => Answer::Illegal(text),
        };
        Thought { answer, took, eval, depth, nodes, line, is_book }
    }
}

impl<M> Ranking<M> {
    /// The same, with moves of another type.
    pub fn map<N>(self, of: impl Fn(M) -> N) -> Ranking<N> {
        let Self { moves, took, nodes } = self;
        let ranked =
            |Ranked { played, eval, depth, sure }| Ranked { played: of(played), eval, depth, sure };
        Ranking { moves: moves.into_iter().map(ranked).collect(), took, nodes }
    }
}

impl<M: Clone> Ranking<M> {
    /// What it says of the best move; none if it has none.
    pub fn thought(&self) -> Option<Thought<M>> {
        let Ranked { played, eval, depth, .. } = self.moves.first()?;
        let (answer, line) = (Answer::Move(played.clone()), vec![played.clone()]);
        let (eval, depth, nodes) = (Some(*eval), *depth, self.nodes);
        Some(Thought { eval, depth, nodes, line, ..Thought::of(answer, self.took) })
    }
}

/// A move, or what is answered instead of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// A legal move.
    Move(M),
    /// It gives up.
    Resigns,
    /// This, which is no legal move.
    Illegal(String),
}

impl<M> Answer<M> {
    pub(crate) fn of<G: Game<Move = M>>(position: &G, text: String) -> Self {
        position.read_move(text.as_bytes()).map_or_else(|_| Self::Illegal(text), Self::Move)
    }

    /// That of an engine which knows the rules, where there is no move.
    pub fn no_move<G: Game<Move = M>>(position: &G) -> Self {
        Self::Illegal(format!("{} has no move", position.sides()[position.side().index()]))
    }
}

/// Some moves of a position, the best first, with what an engine thinks of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking<M> {
    /// The moves.
    pub moves: Vec<Ranked<M>>,
    /// How long it thought.
    pub took: Duration,
    /// How many nodes it looked at, if it says so.
    pub nodes: Option<u64>,
}

/// What an engine thinks of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked<M> {
    /// The move.
    pub played: M,
    /// What it is worth, seen from the side that makes it.
    pub eval: Eval,
    /// How deep it was looked at, in plies, if the engine says so.
    pub depth: Option<u32>,
    /// How the game ends behind it, if the engine has found that out for sure: a mate, or a game
    /// searched to its end.
    pub sure: Option<Ending>,
}

/// How a game ends for the side that makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// It loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// It wins.
    Win,
}

impl Ending {
    /// That of a game that ends with this value, of which 0 is a draw.
    pub fn of(value: i32) -> Self {
        match value.signum() {
            1 => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }
}

/// An engine's evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eval {
    /// In hundredths of the game's unit: pawns in chess.
    Hundredths(i32),
    /// It mates in this many moves of its own, or if negative is mated in as many of its
    /// opponent's; 0: it is mated.
    Mate(i32),
}

impl Eval {
    /// How the game ends if it is a mate.
    pub fn ending(self) -> Option<Ending> {
        match self {
            Self::Hundredths(_) => None,
            Self::Mate(moves) => Some(if moves > 0 { Ending::Win } else { Ending::Loss }),
        }
    }

    /// What the position behind a move of this eval is worth to the other side, which is to move there:
    /// a mate is a ply nearer.
    pub fn behind(self) -> Self {
        match self {
            Self::Hundredths(hundredths) => Self::Hundredths(0_i32.saturating_sub(hundredths)),
            Self::Mate(moves) if moves > 0 => Self::Mate(1 - moves),
            Self::Mate(moves) => Self::Mate(0_i32.saturating_sub(moves)),
        }
    }

    /// Hundredths, a mate being more than any other value, and the more the sooner.
    pub fn hundredths(self) -> i64 {
        match self {
            Self::Hundredths(hundredths) => hundredths.into(),
            Self::Mate(moves) if moves > 0 => (1 << 40) - i64::from(moves),
            Self::Mate(moves) => -(1 << 40) - i64::from(moves),
        }
    }
}

/// How much of the current game came from a book, as `tabia play` says it in GTP (`tabia-book`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct BookUse {
    /// Moves from the book.
    pub book_moves: u32,
    /// Moves from the engine behind it.
    pub engine_moves: u32,
    /// What that engine thought, in seconds.
    pub engine_seconds: f64,
}
