//! Rows of a book that knows results as those of one that doesn't, and the other way round.

use super::{Chunk, Rows};
use crate::column::{Cells, Columns, Ratings, WithCells};
use crate::error::Result;
use crate::format::Results;
use crate::row::{Counts, Row};

/// Rows of a book of the other kind, counted as this one counts.
///
/// Without results every game is a draw, one of rated players too. Where results count, rows
/// without results are known and count nothing: their games, and what cells say of these, go; marks,
/// evals and flags stay.
pub(crate) struct Recounted<S, R> {
    rows: S,
    results: Results,
    chunk: Chunk<R>,
}

impl<R: Row, S: Rows<R>> Recounted<S, R> {
    /// Rows for a book that counts so.
    pub fn new(rows: S, results: Results) -> Self {
        Self { rows, results, chunk: Chunk::default() }
    }

    fn recounted(&self, WithCells { row, cells }: WithCells<R>) -> (R, Cells) {
        match self.results {
            Results::Known => (row.with_counts(Counts::default()), Cells::NONE.to(cells.columns())),
            Results::Unknown => {
                let draws = u32::try_from(row.counts().games()).unwrap_or(u32::MAX);
                let cells = match cells.get::<Ratings>() {
                    Some(rated) => cells.with(Ratings { score: rated.games.into(), ..rated }),
                    None => cells,
                };
                (row.with_counts(Counts { draws, ..Counts::default() }), cells)
            }
        }
    }
}

impl<R: Row, S: Rows<R>> Rows<R> for Recounted<S, R> {
    fn columns(&self) -> Columns {
        self.rows.columns()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        self.rows.next_chunk(&mut self.chunk)?;
        chunk.clear(self.rows.columns());
        for row in self.chunk.iter() {
            let (row, cells) = self.recounted(row);
            chunk.push(row, &cells);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::{Column, Years};
    use crate::row::{Flags, Marks, MoveRow, PositionRow};
    use crate::stream::RowSet;

    #[test]
    fn results_become_draws_and_draws_without_results_become_nothing() -> Result<()> {
        let counts = Counts::new(u32::MAX, 2, 3);
        let position = PositionRow::new(42, counts).with_eval(-7, 9).with_flags(Flags::EXPANDED);
        let rows = vec![position];
        let of = |results| -> Result<_> {
            Ok(Recounted::new(rows.rows()?, results).collect()?.rows()[0])
        };
        let draws = Counts::new(0, u32::MAX, 0);
        assert_eq!(of(Results::Unknown)?, position.with_counts(draws));
        assert_eq!(of(Results::Known)?, position.with_counts(Counts::default()));
        Ok(())
    }

    #[test]
    fn cells_follow_their_counts() -> Result<()> {
        let columns = Columns::NONE.with(Column::RATINGS).with(Column::YEARS);
        let rated = Ratings { mover_sum: 4100, opponent_sum: 4000, games: 2, score: 3 };
        let row = MoveRow::new(42, 7, Counts::new(1, 1, 0));
        let row = row.with_marks(Marks::ALWAYS);
        let mut chunk = Chunk::new(columns);
        chunk.push(row, &Cells::NONE.with(rated).with(Years::of_game(1999)));
        let of = |results| -> Result<_> {
            let found = Recounted::new(RowSet::rows(&chunk)?, results).collect()?;
            Ok(found.iter().next().map(|WithCells { row, cells }| {
                (row.counts().games(), row.marks(), cells.get::<Ratings>(), cells.get::<Years>())
            }))
        };
        let (ratings, years) = (Ratings { score: 2, ..rated }, Years::of_game(1999));
        assert_eq!(of(Results::Unknown)?, Some((2, Marks::ALWAYS, Some(ratings), Some(years))));
        let (ratings, years) = (Some(Ratings::default()), Some(Years::default()));
        assert_eq!(of(Results::Known)?, Some((0, Marks::ALWAYS, ratings, years)));
        Ok(())
    }
}
