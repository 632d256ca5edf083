//! How much of a game came from the book, and what the engine needed for the rest.

use serde::Serialize;
use std::time::Duration;

/// How many games are reported one by one; of further games only sums are.
const MOST_TOLD: usize = 100_000;

/// Figures of what was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Moves from the book.
    pub book_moves: u64,
    /// Moves of the engine.
    pub engine_moves: u64,
    /// How long the engine thought about them, in seconds.
    pub engine_seconds: f64,
}

impl Figures {
    fn add(&mut self, more: &Self) {
        self.book_moves += more.book_moves;
        self.engine_moves += more.engine_moves;
        self.engine_seconds += more.engine_seconds;
    }
}

/// Figures of what was played so far, game by game.
#[derive(Clone, Debug, Default)]
pub struct SessionStats {
    present: Figures,
    past: Vec<Figures>,
    past_games: u64,
    past_sum: Figures,
}

/// Figures of all that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SessionReport {
    /// Games in which a move was played.
    pub games: u64,
    /// All of them.
    #[serde(flatten)]
    pub all: Figures,
    /// One by one.
    pub each: Vec<Figures>,
}

impl SessionStats {
    /// The figures of the present game.
    pub fn present(&self) -> Figures {
        self.present
    }

    pub(crate) fn book_move(&mut self) {
        self.present.book_moves += 1;
    }

    pub(crate) fn engine_move(&mut self, took: Duration) {
        self.present.engine_moves += 1;
        self.present.engine_seconds += took.as_secs_f64();
    }

    /// The present game is over, if there was one.
    pub(crate) fn new_game(&mut self) {
        let played = std::mem::take(&mut self.present);
        if played.book_moves + played.engine_moves == 0 {
            return;
        }
        self.past_games += 1;
        self.past_sum.add(&played);
        if self.past.len() < MOST_TOLD {
            self.past.push(played);
        }
    }

    /// All that was played.
    pub fn report(&self) -> SessionReport {
        let mut all = self.clone();
        all.new_game();
        SessionReport { games: all.past_games, all: all.past_sum, each: all.past }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_without_moves_are_none() {
        let mut stats = SessionStats::default();
        stats.new_game();
        stats.book_move();
        stats.engine_move(Duration::from_millis(250));
        stats.new_game();
        stats.new_game();
        stats.engine_move(Duration::from_millis(500));
        let report = stats.report();
        let Figures { book_moves, engine_moves, engine_seconds } = report.all;
        assert_eq!((report.games, book_moves, engine_moves, engine_seconds), (2, 1, 2, 0.75));
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(
            json["each"][1],
            serde_json::json!({"book_moves": 0, "engine_moves": 1, "engine_seconds": 0.5})
        );
        assert_eq!(json["book_moves"], 1);
    }
}
