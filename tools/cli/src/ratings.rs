//! Ratings of those who played a move, as `get`, `diff` and `explore` show them.

use serde::Serialize;
use tabia::Ratings;

/// The names of the columns of [`tabbed`].
pub const COLUMNS: &str = "\tmover_rating_sum\topponent_rating_sum\trated_games\trated_score";

/// The sums behind the columns of a plain row.
pub fn tabbed(ratings: &Ratings) -> String {
    let Ratings { mover_sum, opponent_sum, games, score } = ratings;
    format!("\t{mover_sum}\t{opponent_sum}\t{games}\t{score}")
}

/// The sums as they are in the book.
#[derive(Serialize)]
pub struct Sums {
    mover_rating_sum: u64,
    opponent_rating_sum: u64,
    rated_games: u32,
    /// Two for each rated game that was won, one for each that was drawn.
    rated_score: u64,
}

impl Sums {
    pub fn of(ratings: &Ratings) -> Self {
        let &Ratings { mover_sum, opponent_sum, games, score } = ratings;
        Self { mover_rating_sum: mover_sum, opponent_rating_sum: opponent_sum, rated_games: games, rated_score: score }
    }
}

/// How strong the players of a move were, and how they did with it.
#[derive(Debug, Serialize)]
pub struct Strength {
    /// None, like all that follows from it, without rated games.
    pub average_rating: Option<f64>,
    /// None also if the book doesn't know results.
    pub performance: Option<f64>,
    /// Performance less average rating (Fierz 2005).
    pub gain: Option<f64>,
    pub rated_games: u32,
}

impl Strength {
    /// Of these ratings, in a book that knows results or not.
    pub fn of(ratings: &Ratings, results: bool) -> Self {
        Self {
            average_rating: ratings.average(),
            performance: ratings.performance().filter(|_| results),
            gain: ratings.gain().filter(|_| results),
            rated_games: ratings.games,
        }
    }
}
