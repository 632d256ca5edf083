//! What a book means, as plain maps, by the words of the specification (section 4.1) and none of the engine's code.

use std::collections::BTreeMap;
use tabia::{Counts, NO_EVAL, PositionRow, RatedMoveRow, Ratings, Row};

/// The fields of a row of the positions table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionCells {
    pub counts: [u32; 3],
    pub eval: i16,
    pub depth: u8,
    pub flags: u8,
}

/// The fields of a row of the moves table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCells {
    pub counts: [u32; 3],
    pub marks: u8,
    /// The movers' ratings, their opponents', rated games, score; zeros where moves have no ratings.
    pub ratings: [u64; 4],
}

/// What a book holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    pub positions: BTreeMap<u64, PositionCells>,
    pub moves: BTreeMap<(u64, u16), MoveCells>,
}

impl From<&PositionRow> for PositionCells {
    fn from(row: &PositionRow) -> Self {
        let counts = row.counts();
        let counts = [counts.wins, counts.draws, counts.losses];
        Self { counts, eval: row.eval().unwrap_or(NO_EVAL), depth: row.depth(), flags: row.flags() }
    }
}

impl From<&RatedMoveRow> for MoveCells {
    fn from(row: &RatedMoveRow) -> Self {
        let (counts, ratings) = (row.counts(), row.ratings());
        let ratings = [ratings.mover_sum, ratings.opponent_sum, ratings.games.into(), ratings.score];
        Self { counts: [counts.wins, counts.draws, counts.losses], marks: row.marks(), ratings }
    }
}

impl PositionCells {
    /// The row of this key.
    #[must_use]
    pub fn row(self, key: u64) -> PositionRow {
        PositionRow::new(key, counts(self.counts)).with_eval(self.eval, self.depth).with_flags(self.flags)
    }
}

impl MoveCells {
    /// The row of this key and move.
    #[must_use]
    pub fn row(self, key: u64, code: u16) -> RatedMoveRow {
        let [mover_sum, opponent_sum, games, score] = self.ratings;
        let ratings = Ratings { mover_sum, opponent_sum, games: u32::try_from(games).unwrap_or(u32::MAX), score };
        RatedMoveRow::new(key, code, counts(self.counts)).with_marks(self.marks).with_ratings(ratings)
    }
}

fn counts([wins, draws, losses]: [u32; 3]) -> Counts {
    Counts { wins, draws, losses }
}

fn sums(one: [u32; 3], other: [u32; 3]) -> [u32; 3] {
    let sum = |a: u32, b: u32| u32::try_from((u64::from(a) + u64::from(b)).min(0xffff_ffff)).unwrap_or_default();
    [sum(one[0], other[0]), sum(one[1], other[1]), sum(one[2], other[2])]
}

/// M-1 to M-3 for two rows of the positions table.
#[must_use]
pub fn merge_positions(one: PositionCells, other: PositionCells) -> PositionCells {
    let evals = [one, other].map(|cells| (cells.eval, cells.depth));
    let (eval, depth) = match evals {
        [(NO_EVAL, _), there] | [there, (NO_EVAL, _)] => there,
        [one, other] if one.1 == other.1 => (one.0.min(other.0), one.1),
        [one, other] => {
            if one.1 > other.1 {
                one
            } else {
                other
            }
        }
    };
    PositionCells { counts: sums(one.counts, other.counts), eval, depth, flags: one.flags | other.flags }
}

/// M-1, M-3 and M-5 for two rows of the moves table.
#[must_use]
pub fn merge_moves(one: MoveCells, other: MoveCells) -> MoveCells {
    const MOST: [u64; 4] = [0xffff_ffff_ffff, 0xffff_ffff_ffff, 0xffff_ffff, u64::MAX];
    let sum = |cell: usize| (u128::from(one.ratings[cell]) + u128::from(other.ratings[cell])).min(MOST[cell].into()) as u64;
    MoveCells { counts: sums(one.counts, other.counts), marks: one.marks | other.marks, ratings: [sum(0), sum(1), sum(2), sum(3)] }
}

impl Model {
    /// What these rows say; no two may be of the same key (and move).
    ///
    /// # Panics
    /// If two are.
    #[must_use]
    pub fn of(positions: &[PositionRow], moves: &[RatedMoveRow]) -> Self {
        let mut model = Self::default();
        for row in positions {
            assert!(model.positions.insert(row.key(), row.into()).is_none(), "a position is there twice: {row:?}");
        }
        for row in moves {
            assert!(model.moves.insert((row.key(), row.code()), row.into()).is_none(), "a move is there twice: {row:?}");
        }
        model
    }

    /// Merges a position.
    pub fn add_position(&mut self, key: u64, cells: PositionCells) {
        self.positions.entry(key).and_modify(|there| *there = merge_positions(*there, cells)).or_insert(cells);
    }

    /// Merges a move.
    pub fn add_move(&mut self, key: u64, code: u16, cells: MoveCells) {
        self.moves.entry((key, code)).and_modify(|there| *there = merge_moves(*there, cells)).or_insert(cells);
    }

    /// Merges all of another model.
    pub fn add(&mut self, other: &Self) {
        other.positions.iter().for_each(|(&key, &cells)| self.add_position(key, cells));
        other.moves.iter().for_each(|(&(key, code), &cells)| self.add_move(key, code, cells));
    }

    /// The rows, in the order of tables.
    #[must_use]
    pub fn rows(&self) -> (Vec<PositionRow>, Vec<RatedMoveRow>) {
        let mut positions: Vec<_> = self.positions.iter().map(|(&key, cells)| cells.row(key)).collect();
        let mut moves: Vec<_> = self.moves.iter().map(|(&(key, code), cells)| cells.row(key, code)).collect();
        positions.sort_by_key(Row::rank);
        moves.sort_by_key(Row::rank);
        (positions, moves)
    }
}
