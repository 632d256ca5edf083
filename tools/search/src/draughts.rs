//! English and international draughts: material, how far men have come, the back row, mobility.
//! Captures are searched until there are none.

use crate::evaluate::{End, Evaluate, Unrest};
use tabia_engines::Ending;
use tabia_games::checkers::Move;
use tabia_games::{Checkers, Game, Side};

/// What a search knows of English and international draughts.
#[derive(Clone, Copy, Debug, Default)]
pub struct DraughtsKnowledge;

/// How the squares of a board lie in the bits of [`Checkers::men`].
struct Board {
    /// Squares in a row.
    width: u32,
    /// The rows, from the top of the diagram.
    rows: [u64; 10],
    all: u64,
    /// The squares not at the left and right edges.
    inner: u64,
    /// What a king is worth, in hundredths of a man.
    king: i32,
}

static ENGLISH: Board = Board::of(4, 140);
static INTERNATIONAL: Board = Board::of(5, 320);

impl Board {
    const fn of(width: u32, king: i32) -> Self {
        let mut board = Self { width, rows: [0; 10], all: 0, inner: 0, king };
        let mut square = 0;
        while square < 2 * width * width {
            let bit = 1 << (square + square / (2 * width));
            let (row, column) = (square / width, square % width);
            board.rows[row as usize] |= bit;
            board.all |= bit;
            // Even rows have their squares in the odd columns.
            let is_edge = if row % 2 == 0 { column == width - 1 } else { column == 0 };
            board.inner |= if is_edge { 0 } else { bit };
            square += 1;
        }
        board
    }

    /// The rows as men of a side come to them, from the one where they start.
    fn rows(&self, goes_down: bool) -> impl Iterator<Item = u64> {
        let count = 2 * self.width as usize;
        (0..count).map(move |row| self.rows[if goes_down { row } else { count - 1 - row }])
    }

    /// What a side has besides material.
    fn prospects(&self, men: u64, kings: u64, empty: u64, goes_down: bool) -> i32 {
        let count = |pieces: u64| pieces.count_ones() as i32;
        let mut value = 3 * count(men & self.inner) + 4 * count(kings & self.inner);
        for (row, squares) in self.rows(goes_down).enumerate() {
            let weight = if row == 0 { 8 } else { 2 * row as i32 };
            value += weight * count(men & squares);
        }
        let [near, far] = [self.width, self.width + 1];
        let ahead = |pieces: u64| {
            let (one, other) = if goes_down {
                (pieces << near, pieces << far)
            } else {
                (pieces >> near, pieces >> far)
            };
            count(one & empty) + count(other & empty)
        };
        value + 2 * ahead(men | kings)
    }
}

impl Evaluate<Checkers> for DraughtsKnowledge {
    fn value(&mut self, position: &Checkers) -> i32 {
        let is_english = position.squares() == 32;
        let board = if is_english { &ENGLISH } else { &INTERNATIONAL };
        let (men, kings) = (position.men(), position.kings());
        let empty = board.all & !(men[0] | men[1] | kings[0] | kings[1]);
        let [first, second] = [0, 1].map(|side| {
            let material =
                100 * men[side].count_ones() as i32 + board.king * kings[side].count_ones() as i32;
            let goes_down = is_english == (side == 0);
            (material, board.prospects(men[side], kings[side], empty, goes_down))
        });
        let ahead = first.0 - second.0;
        // Who is ahead gains by exchanges.
        let exchanges = 50 * ahead / (first.0 + second.0).max(100);
        let value = ahead + first.1 - second.1 + exchanges;
        3 + if position.side() == Side::First { value } else { -value }
    }

    /// Who can't move has lost.
    fn end(&self, _position: &Checkers, moves: &[Move]) -> Option<End> {
        moves.is_empty().then_some(End::Ending(Ending::Loss))
    }

    /// Who can capture must.
    fn unrest(&self, _position: &Checkers, moves: &mut Vec<Move>) -> Unrest {
        if moves.first().is_some_and(Move::is_capture) { Unrest::Must } else { Unrest::Quiet }
    }

    fn order(&self, _position: &Checkers, played: &Move) -> i32 {
        played.captures() as i32
    }
}
