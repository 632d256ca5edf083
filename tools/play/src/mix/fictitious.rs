//! Fictitious play (Brown 1951; Gaudel et al. 2010, section 3): each player in turn adds the best
//! answer to what the other has played so far on average.
//!
//! The paper's update is `x' = (i x + e) / (i + 1)` with one `i` for both players, each of whom
//! moves only every second time. That is not the average of what was played: after 10,000 updates
//! 1.25 % of the initial strategy would be left, and the paper's table (69.6 % and 30.4 %) would
//! come out as 68.8 and 29.3. Here it is the average, as in the proof that it cites (Robinson
//! 1951): `i` counts a player's own moves.

use crate::mix::matrix::{Matrix, Pair, first_of};

/// A fictitious play that can go on at any time.
#[derive(Clone, Debug)]
pub struct FictitiousPlay<'a> {
    matrix: &'a Matrix,
    /// Rounds so far.
    pub rounds: u64,
    /// How often the first player played each row.
    rows: Vec<u64>,
    columns: Vec<u64>,
    /// What each row would have scored against all columns that were played.
    row_sums: Vec<f64>,
    column_sums: Vec<f64>,
}

impl<'a> FictitiousPlay<'a> {
    /// Before its first round.
    pub fn new(matrix: &'a Matrix) -> Self {
        let (rows, columns) = (matrix.rows.len(), matrix.columns.len());
        Self {
            matrix,
            rounds: 0,
            rows: vec![0; rows],
            columns: vec![0; columns],
            row_sums: vec![0.0; rows],
            column_sums: vec![0.0; columns],
        }
    }

    /// Each player plays once, the second knowing what the first has just played. Of equally good
    /// strategies it is the first.
    pub fn round(&mut self) {
        let row = first_of(self.row_sums.iter().copied(), |a, b| a > b);
        self.rows[row] += 1;
        (0..self.columns.len())
            .for_each(|column| self.column_sums[column] += self.matrix.score(row, column));
        let column = first_of(self.column_sums.iter().copied(), |a, b| a < b);
        self.columns[column] += 1;
        (0..self.rows.len()).for_each(|row| self.row_sums[row] += self.matrix.score(row, column));
        self.rounds += 1;
    }

    /// What was played on average. Before the first round, all strategies alike.
    pub fn pair(&self) -> Pair {
        let average = |counts: &[u64]| match self.rounds {
            0 => vec![1.0 / counts.len() as f64; counts.len()],
            rounds => counts.iter().map(|&count| count as f64 / rounds as f64).collect(),
        };
        Pair { first: average(&self.rows), second: average(&self.columns) }
    }
}
