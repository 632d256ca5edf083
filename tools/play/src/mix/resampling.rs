//! How sure a mix is: what it would be if all games were played again (Efron 1979, the bootstrap).
//!
//! Each round draws the games of every cell anew, with replacement, and solves that matrix; all
//! games are taken for independent. A cell of more than 400 is drawn from the normal distribution
//! instead.

use crate::choice::{Rng, Seed};
use crate::mix::linear::{Unsolved, solve};
use crate::mix::matrix::{Guarantees, Matrix, Pair};
use serde::Serialize;

/// The most games that are drawn one by one.
const FEW: u64 = 400;

/// What lies between the least and the greatest 2.5 % of the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub least: f64,
    /// Its upper end.
    pub most: f64,
}

/// What mixes lose that are found from other games of the same number: each is played in the matrix
/// that is known, and compared with the mix that is best there. In percent of the points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Regret {
    /// On average.
    pub mean: f64,
    /// In all rounds but 5 %, no more.
    pub most: f64,
}

/// A matrix whose games are drawn again and again.
pub struct Resampling<'a> {
    matrix: &'a Matrix,
    /// What its own mix gets.
    gets: Guarantees,
    rng: Rng,
    values: Vec<f64>,
    /// The parts of each strategy, a list for each.
    first: Vec<Vec<f64>>,
    second: Vec<Vec<f64>>,
    regrets: [Vec<f64>; 2],
}

impl<'a> Resampling<'a> {
    /// Of a matrix and its mix; none unless every cell of it knows its games.
    pub fn new(matrix: &'a Matrix, exact: &Pair, seed: u64) -> Option<Self> {
        let (rows, columns) = (matrix.rows.len(), matrix.columns.len());
        let mut cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells.all(|(row, column)| matrix.games(row, column).is_some()).then(|| Self {
            matrix,
            gets: matrix.guarantees(exact),
            rng: Seed { seed, game: 0 }.of_game(),
            values: Vec::new(),
            first: vec![Vec::new(); rows],
            second: vec![Vec::new(); columns],
            regrets: [Vec::new(), Vec::new()],
        })
    }

    /// Draws all games again, and solves what comes of them.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn round(&mut self) -> Result<(), Unsolved> {
        let rng = &mut self.rng;
        let drawn = self.matrix.with_scores(|games| drawn_again(rng, games));
        let pair = solve(&drawn)?;
        let gets = drawn.guarantees(&pair);
        self.values.push(f64::midpoint(gets.first, gets.second));
        self.first.iter_mut().zip(&pair.first).for_each(|(list, &part)| list.push(part));
        self.second.iter_mut().zip(&pair.second).for_each(|(list, &part)| list.push(part));
        let here = self.matrix.guarantees(&pair);
        self.regrets[0].push((self.gets.first - here.first).max(0.0));
        self.regrets[1].push((here.second - self.gets.second).max(0.0));
        Ok(())
    }

    /// How many rounds there were.
    pub fn rounds(&self) -> usize {
        self.values.len()
    }

    /// What the first player gets when both play what is best, in percent.
    pub fn value(&self) -> Interval {
        interval(&self.values)
    }

    /// How often each strategy is played: the first player's, and the second player's.
    pub fn parts(&self) -> [Vec<Interval>; 2] {
        [&self.first, &self.second].map(|lists| lists.iter().map(|list| interval(list)).collect())
    }

    /// The first player's regret, and the second player's.
    pub fn regrets(&self) -> [Regret; 2] {
        self.regrets.each_ref().map(|list| Regret {
            mean: list.iter().sum::<f64>() / list.len().max(1) as f64,
            most: per_mille(list, 950),
        })
    }
}

/// The score in percent of as many games as there are here (won, drawn, lost), drawn from these.
fn drawn_again(rng: &mut Rng, games: [u32; 3]) -> f64 {
    let [won, drawn, lost] = games.map(u64::from);
    let all = won + drawn + lost;
    if all <= FEW {
        let half_points = (0..all).map(|_| match rng.below(all) {
            game if game < won => 2,
            game if game < won + drawn => 1,
            _ => 0,
        });
        return 50.0 * half_points.sum::<u64>() as f64 / all as f64;
    }
    let share = |games: u64| games as f64 / all as f64;
    let mean = share(won) + share(drawn) / 2.0;
    let variance = (share(won) + share(drawn) / 4.0 - mean * mean) / all as f64;
    // The sum of twelve numbers from 0 to 1 has the variance 1.
    let normal = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
    (100.0 * (mean + normal * variance.max(0.0).sqrt())).clamp(0.0, 100.0)
}

/// The 2.5th and the 97.5th percentile.
fn interval(list: &[f64]) -> Interval {
    Interval { least: per_mille(list, 25), most: per_mille(list, 975) }
}

/// The least number that so many of a thousand are not above; 0 of an empty list.
fn per_mille(list: &[f64], part: usize) -> f64 {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (list.len() * part).div_ceil(1000).max(1);
    sorted.get(rank - 1).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resampled(text: &str) -> (Interval, [Vec<Interval>; 2], [Regret; 2]) {
        let matrix: Matrix = text.parse().unwrap();
        let exact = solve(&matrix).unwrap();
        let mut resampling = Resampling::new(&matrix, &exact, 1).unwrap();
        (0..1000).for_each(|_| resampling.round().unwrap());
        assert_eq!(resampling.rounds(), 1000);
        (resampling.value(), resampling.parts(), resampling.regrets())
    }

    /// Of one strategy each the value is the score, whose interval is known: 1.96 √(p (1 - p) / n)
    /// around 60 % is ±9.6 points for 100 games, ±0.96 for 10,000.
    #[test]
    fn the_interval_of_a_score_is_that_of_its_games() {
        for (games, spread) in [("60-0-40", 9.6), ("6000-0-4000", 0.96)] {
            let (value, parts, regrets) = resampled(&format!("x a\nb {games}\n"));
            let near = |got: f64, expected: f64| (got - expected).abs() < spread / 5.0;
            let holds = near(value.least, 60.0 - spread) && near(value.most, 60.0 + spread);
            assert!(holds, "{value:?}");
            assert_eq!(parts[0][0], Interval { least: 1.0, most: 1.0 });
            assert_eq!(regrets[0], Regret { mean: 0.0, most: 0.0 });
        }
        // Draws alone leave nothing to chance.
        assert_eq!(resampled("x a\nb 0-7-0\n").0, Interval { least: 50.0, most: 50.0 });
    }
}
