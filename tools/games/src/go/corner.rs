//! Joseki: the moves of a game in each corner of a large board, as sequences (Chen and Zhang 2012).
//!
//! A corner's sequence is played on an otherwise empty board. If a side plays in the corner twice
//! in a row, the other side's move elsewhere becomes a pass. With
//! [`super::Symmetry::BoardAndColors`] all sixteen images of a sequence count together: four
//! corners, the reflection in the diagonal, and both colors.

use super::position::{Go, Move};
use crate::game::CornerGame;

/// The corners by their numbers in [`Go::corners`], in the order in which people open.
const CORNERS: [(usize, &str); 4] =
    [(1, "upper right"), (2, "lower left"), (3, "lower right"), (0, "upper left")];

/// A move of a corner's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CornerMove {
    /// The move.
    pub played: Move,
    /// Which of the game's moves it is, counted from 0; none for a pass in place of one elsewhere.
    pub of: Option<usize>,
}

/// The corners of a game as games of their own ([`Game::corner_games`](crate::Game::corner_games)),
/// the upper right one first. If the side to move was the last to play in one, the other side has
/// passed there: it has moved elsewhere.
pub(super) fn games(
    go: &Go,
    game_moves: &[Move],
    present: &Go,
    region: usize,
) -> Vec<CornerGame<Go>> {
    let region = region.min(go.size() / 2);
    let sequences = go.corners(game_moves, region);
    let one = |&(corner, name): &(usize, &'static str)| {
        let sequence = &sequences[corner];
        let first = sequence.first().map_or(present.side, |step| step.played.side);
        let start = go.emptied().turned(first);
        let mut moves: Vec<Move> = sequence.iter().map(|step| step.played).collect();
        let mut board = start;
        moves.iter().try_for_each(|played| board.try_play(played)).ok()?;
        if board.side != present.side {
            let elsewhere = Move { side: board.side, point: None };
            board.try_play(&elsewhere).ok()?;
            moves.push(elsewhere);
        }
        let is_here = |point: u16| go.corner_of(point, region) == Some(corner);
        let mut points = (0..go.geometry.points()).filter(|&point| is_here(point));
        let is_whole = points.all(|point| board.at(point) == present.at(point));
        let is_legal =
            |played: &Move| played.point.is_some_and(is_here) && present.is_legal(played);
        let legal = present.all_moves().filter(is_legal);
        let last = sequence.last().and_then(|step| step.of);
        is_whole.then(|| CornerGame { name, start, moves, legal: legal.collect(), last })
    };
    CORNERS.iter().filter_map(one).collect()
}

impl Go {
    /// The sequences of the upper left, upper right, lower left and lower right corner of a game on
    /// a board of this size. A corner has `region` rows and columns, at most half of the board's.
    ///
    /// A sequence ends where it can't go on without the stones around it: where a move isn't legal
    /// on a board without them. Passes of the game belong to none. The side that moves first
    /// begins: from [`Go::emptied`] and [`Go::turned`].
    pub fn corners(&self, moves: &[Move], region: usize) -> [Vec<CornerMove>; 4] {
        let region = region.min(self.size() / 2);
        std::array::from_fn(|corner| {
            let is_there = |played: &Move| {
                played.point.is_some_and(|point| self.corner_of(point, region) == Some(corner))
            };
            self.sequence(moves.iter().enumerate().filter(|(_, played)| is_there(played)))
        })
    }

    /// In which corner a point lies, if it lies in one.
    fn corner_of(&self, point: u16, region: usize) -> Option<usize> {
        let (size, point) = (self.size(), usize::from(point));
        let half = |line: usize| match line {
            line if line < region => Some(0),
            line if line + region >= size => Some(1),
            _ => None,
        };
        Some(2 * half(point / size)? + half(point % size)?)
    }

    /// The moves as far as they can be played on an empty board, passes between those of one side.
    fn sequence<'a>(&self, moves: impl Iterator<Item = (usize, &'a Move)>) -> Vec<CornerMove> {
        let (mut sequence, mut board) = (Vec::new(), self.emptied());
        for (number, &played) in moves {
            let turn = board.side;
            if board.try_play(&played).is_err() {
                break;
            }
            if played.side != turn && !sequence.is_empty() {
                sequence.push(CornerMove { played: Move { side: turn, point: None }, of: None });
            }
            sequence.push(CornerMove { played, of: Some(number) });
        }
        sequence
    }
}
