//! Ratings of those who played a move, as facts.

use serde::Serialize;
use tabia::Ratings;

/// How strong the players of a move were, and how they did with it.
#[derive(Debug, Serialize)]
pub struct Strength {
    /// The average rating of those who played it. None, like all that follows from it, without
    /// rated games.
    pub average_rating: Option<f64>,
    /// The rating that their score against their opponents' ratings speaks for. None also if the
    /// book doesn't know results.
    pub performance: Option<f64>,
    /// Performance less average rating (Fierz 2005).
    pub gain: Option<f64>,
    /// Games in which both ratings are known.
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
