//! What a book means, as plain maps, by the words of the specification (rules M-1 to M-7) and none
//! of the engine's code.

use std::collections::BTreeMap;
use tabia::stream::Chunk;
use tabia::{
    BestGame, Cells, Column, Columns, Counts, Flags, Marks, MoveRow, NO_EVAL, PositionRow, Ratings,
    Row, WithCells, Years,
};

/// The fields of a row of the positions table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionCells {
    /// Wins, draws, losses.
    pub counts: [u32; 3],
    /// The eval, or [`NO_EVAL`].
    pub eval: i16,
    /// What the eval is worth.
    pub depth: u8,
    /// The bits of the flags.
    pub flags: u8,
}

/// The fields of a row of the moves table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCells {
    /// Wins, draws, losses.
    pub counts: [u32; 3],
    /// The bits of the marks.
    pub marks: u8,
    /// What its cells say; zeros where there are none.
    pub values: CellValues,
}

/// What the cells of a move say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellValues {
    /// The movers' ratings, their opponents', rated games, score.
    pub ratings: [u64; 4],
    /// The best game, 0: none.
    pub game: u64,
    /// The first and the last year, 0: unknown.
    pub years: [u16; 2],
}

/// What a book holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The positions by their keys.
    pub positions: BTreeMap<u64, PositionCells>,
    /// The moves by the keys of their positions and their codes.
    pub moves: BTreeMap<(u64, u16), MoveCells>,
}

impl From<&PositionRow> for PositionCells {
    fn from(row: &PositionRow) -> Self {
        let counts = row.counts();
        let counts = [counts.wins, counts.draws, counts.losses];
        Self {
            counts,
            eval: row.eval().unwrap_or(NO_EVAL),
            depth: row.depth(),
            flags: row.flags().bits(),
        }
    }
}

impl From<&WithCells<MoveRow>> for MoveCells {
    fn from(WithCells { row, cells }: &WithCells<MoveRow>) -> Self {
        let (counts, ratings) = (row.counts(), cells.get::<Ratings>().unwrap_or_default());
        let ratings =
            [ratings.mover_sum, ratings.opponent_sum, ratings.games.into(), ratings.score];
        let game =
            cells.get::<BestGame>().map_or(0, |game| u64::from(game.rank) << 48 | game.digest);
        let years = cells
            .get::<Years>()
            .map_or([0; 2], |years| [years.first, years.last].map(Option::unwrap_or_default));
        Self {
            counts: [counts.wins, counts.draws, counts.losses],
            marks: row.marks().bits(),
            values: CellValues { ratings, game, years },
        }
    }
}

impl PositionCells {
    /// The row of this key.
    pub fn row(self, key: u64) -> PositionRow {
        PositionRow::new(key, counts(self.counts))
            .with_eval(self.eval, self.depth)
            .with_flags(Flags::from_bits_retain(self.flags))
    }
}

impl MoveCells {
    /// The row of this key and move, with cells of these columns.
    pub fn row(self, key: u64, code: u16, columns: Columns) -> WithCells<MoveRow> {
        let CellValues { ratings: [mover_sum, opponent_sum, games, score], game, years } =
            self.values;
        let ratings = Ratings {
            mover_sum,
            opponent_sum,
            games: u32::try_from(games).unwrap_or(u32::MAX),
            score,
        };
        let [first, last] = years.map(|year| Some(year).filter(|&year| year > 0));
        let game = BestGame { rank: (game >> 48) as u16, digest: game & BestGame::MOST };
        let cells = Cells::NONE.with(ratings).with(game).with(Years { first, last }).to(columns);
        WithCells {
            row: MoveRow::new(key, code, counts(self.counts))
                .with_marks(Marks::from_bits_retain(self.marks)),
            cells,
        }
    }
}

fn counts([wins, draws, losses]: [u32; 3]) -> Counts {
    Counts::new(wins, draws, losses)
}

fn sums(one: [u32; 3], other: [u32; 3]) -> [u32; 3] {
    let sum = |a: u32, b: u32| {
        u32::try_from((u64::from(a) + u64::from(b)).min(0xffff_ffff)).unwrap_or_default()
    };
    [sum(one[0], other[0]), sum(one[1], other[1]), sum(one[2], other[2])]
}

/// M-1 to M-3 for two rows of the positions table.
pub fn merge_positions(one: PositionCells, other: PositionCells) -> PositionCells {
    let evals = [one, other].map(|cells| (cells.eval, cells.depth));
    let (eval, depth) = match evals {
        [(NO_EVAL, _), there] | [there, (NO_EVAL, _)] => there,
        [one, other] if one.1 == other.1 => {
            // The nearer to zero, then the lower.
            let far = |eval: i16| (i32::from(eval).abs(), eval);
            (if far(one.0) <= far(other.0) { one.0 } else { other.0 }, one.1)
        }
        [one, other] => {
            if one.1 > other.1 {
                one
            } else {
                other
            }
        }
    };
    PositionCells {
        counts: sums(one.counts, other.counts),
        eval,
        depth,
        flags: one.flags | other.flags,
    }
}

/// M-1, M-3 and M-5 to M-7 for two rows of the moves table.
pub fn merge_moves(one: MoveCells, other: MoveCells) -> MoveCells {
    const MOST: [u64; 4] = [0xffff_ffff_ffff, 0xffff_ffff_ffff, 0xffff_ffff, u64::MAX];
    let (a, b) = (one.values, other.values);
    let sum = |field: usize| {
        (u128::from(a.ratings[field]) + u128::from(b.ratings[field])).min(MOST[field].into()) as u64
    };
    let known = [a.years[0], b.years[0]].into_iter().filter(|&year| year != 0);
    let years = [known.min().unwrap_or(0), a.years[1].max(b.years[1])];
    let values =
        CellValues { ratings: [sum(0), sum(1), sum(2), sum(3)], game: a.game.max(b.game), years };
    MoveCells { counts: sums(one.counts, other.counts), marks: one.marks | other.marks, values }
}

/// A set of columns that the lowest bits of a number choose.
pub fn columns_of_bits(bits: u8) -> Columns {
    let columns = Column::ALL.iter().copied().enumerate();
    columns.filter(|(index, _)| bits >> index & 1 == 1).map(|(_, column)| column).collect()
}

impl Model {
    /// What these rows say; no two may be of the same key (and move).
    ///
    /// # Panics
    /// If two are.
    pub fn of(positions: &[PositionRow], moves: &Chunk<MoveRow>) -> Self {
        let mut model = Self::default();
        for row in positions {
            let before = model.positions.insert(row.key(), row.into());
            assert!(before.is_none(), "a position is there twice: {row:?}");
        }
        for played in moves.iter() {
            let place = (played.row.key(), played.row.code());
            let before = model.moves.insert(place, (&played).into());
            assert!(before.is_none(), "a move is there twice: {played:?}");
        }
        model
    }

    /// Merges a position.
    pub fn add_position(&mut self, key: u64, cells: PositionCells) {
        let merge = |there: &mut PositionCells| *there = merge_positions(*there, cells);
        self.positions.entry(key).and_modify(merge).or_insert(cells);
    }

    /// Merges a move.
    pub fn add_move(&mut self, key: u64, code: u16, cells: MoveCells) {
        let merge = |there: &mut MoveCells| *there = merge_moves(*there, cells);
        self.moves.entry((key, code)).and_modify(merge).or_insert(cells);
    }

    /// Merges a move with its cells.
    pub fn add_played(&mut self, played: &WithCells<MoveRow>) {
        self.add_move(played.row.key(), played.row.code(), played.into());
    }

    /// Merges all of another model.
    pub fn add(&mut self, other: &Self) {
        other.positions.iter().for_each(|(&key, &cells)| self.add_position(key, cells));
        other.moves.iter().for_each(|(&(key, code), &cells)| self.add_move(key, code, cells));
    }

    /// The rows, in the order of tables, moves with cells of these columns.
    pub fn rows(&self, columns: Columns) -> (Vec<PositionRow>, Chunk<MoveRow>) {
        let mut positions: Vec<_> =
            self.positions.iter().map(|(&key, cells)| cells.row(key)).collect();
        let mut moves: Vec<_> =
            self.moves.iter().map(|(&(key, code), cells)| cells.row(key, code, columns)).collect();
        positions.sort_by_key(Row::rank);
        moves.sort_by_key(|played| played.row.rank());
        let mut chunk = Chunk::new(columns);
        moves.iter().for_each(|played| chunk.push(played.row, &played.cells));
        (positions, chunk)
    }
}
