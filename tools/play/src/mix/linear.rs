//! The equilibrium of a matrix game by linear programming (Dantzig 1951).

use crate::mix::matrix::{Matrix, Pair};
use microlp::{ComparisonOp, OptimizationDirection, Problem};

/// A matrix that the solver found no equilibrium of.
#[derive(Debug, thiserror::Error)]
#[error("linear programming found no equilibrium: {0}")]
pub struct Unsolved(#[from] microlp::Error);

/// Parts below this are the solver's rounding.
const NOTHING: f64 = 1e-9;

/// One equilibrium, up to the solver's rounding; [`Matrix::guarantees`] says how far.
///
/// # Errors
/// If the solver fails.
pub fn solve(matrix: &Matrix) -> Result<Pair, Unsolved> {
    let (rows, columns) = (matrix.rows.len(), matrix.columns.len());
    let first = best_mix(rows, columns, |row, column| matrix.score(row, column))?;
    let second = best_mix(columns, rows, |column, row| 100.0 - matrix.score(row, column))?;
    Ok(Pair { first, second })
}

/// The mix of `own` strategies whose least score against any of the `other` ones is the highest.
fn best_mix(
    own: usize,
    other: usize,
    score: impl Fn(usize, usize) -> f64,
) -> Result<Vec<f64>, Unsolved> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (0.0, 100.0));
    let parts: Vec<_> = (0..own).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    let all: Vec<_> = parts.iter().map(|&part| (part, 1.0)).collect();
    problem.add_constraint(&all[..], ComparisonOp::Eq, 1.0);
    for against in 0..other {
        let mut gain: Vec<_> =
            parts.iter().enumerate().map(|(place, &part)| (part, score(place, against))).collect();
        gain.push((value, -1.0));
        problem.add_constraint(&gain[..], ComparisonOp::Ge, 0.0);
    }
    let solution = problem
        .solve()?
        .into_solution()
        .map_err(|_| microlp::Error::InternalError("it stopped early".to_owned()))?;
    let found: Vec<f64> = parts
        .iter()
        .map(|&part| solution.var_value(part))
        .map(|part| if part < NOTHING { 0.0 } else { part })
        .collect();
    let sum: f64 = found.iter().sum();
    Ok(found.into_iter().map(|part| part / sum).collect())
}
