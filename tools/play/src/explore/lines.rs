//! Lines of moves as people write them: with numbers.

use crate::choice::GameHistory;
use std::ops::Range;
use tabia_games::{Game, Side};

/// How the moves behind a position are numbered: two to a number, as in chess.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Half moves that count before the first one.
    before: usize,
}

impl Numbers {
    /// For a game that started with this side to move, of which so many plies are behind.
    pub fn after(first: Side, plies: usize) -> Self {
        Self { before: plies + usize::from(first == Side::Second) }
    }

    /// For a game that started in the position with this set-up text, with this side to move. Chess
    /// counts on from the number in its FEN, the last field of six or, with checks to go, seven.
    pub fn of_setup(setup: &str, first: Side) -> Self {
        let number = setup.split(' ').skip(5).last().and_then(|number| number.parse().ok());
        Self::after(first, 2 * (number.unwrap_or(1_usize).max(1) - 1))
    }

    /// The number of a move. `ply` counts from 0.
    pub fn of(self, ply: usize) -> usize {
        (self.before + ply) / 2 + 1
    }

    /// A move with what stands before it: its number if it is the first of the two, and also if it
    /// is the first of a line. `ply` counts from 0.
    pub fn moved(self, ply: usize, text: &str, opens: bool) -> String {
        let half = self.before + ply;
        match half % 2 {
            0 => format!("{}. {text}", half / 2 + 1),
            _ if opens => format!("{}... {text}", half / 2 + 1),
            _ => text.to_owned(),
        }
    }

    /// A line that begins with this ply.
    pub fn line<T: AsRef<str>>(self, ply: usize, moves: &[T]) -> String {
        let numbered = moves
            .iter()
            .enumerate()
            .map(|(place, text)| self.moved(ply + place, text.as_ref(), place == 0));
        numbered.collect::<Vec<_>>().join(" ")
    }
}

/// The moves of a game as people write them.
#[derive(Clone, Debug)]
pub struct Played {
    /// How they are numbered.
    pub numbers: Numbers,
    /// Each without its number.
    pub moves: Vec<String>,
}

impl Played {
    /// All that was played.
    pub fn of<G: Game>(history: &GameHistory<G>) -> Self {
        let nodes = history.nodes();
        let moves = history.moves().iter().zip(nodes);
        Self {
            numbers: Numbers::after(nodes[0].position.side(), 0),
            moves: moves.map(|(played, node)| node.position.notation(played)).collect(),
        }
    }

    /// The moves of these plies, with their numbers.
    pub fn line(&self, plies: Range<usize>) -> String {
        self.numbers.line(plies.start, &self.moves[plies])
    }
}
