//! What was learned from games, and how they ended, a hundred after the other.

use crate::learning::Lesson;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// Games of a point of the learning curve.
const SPAN: u64 = 100;

/// What was learned.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The overlay.
    pub overlay: PathBuf,
    /// Games in which the book's side played.
    pub games: u64,
    /// Games that can't be read.
    pub skipped: u64,
    /// Games that it lost.
    pub lost: u64,
    /// Of these, how many were learned now.
    pub learned: u64,
    /// Of these, how many had been learned before.
    pub known: u64,
    /// Of these, how many had no move from the book.
    pub out_of_book: u64,
    /// Of these, how many didn't begin at the start.
    pub set_up: u64,
    /// Moves from the book in the games that were learned now.
    pub moves: u64,
    /// Positions that were copied into the overlay.
    pub positions: u64,
    /// Rows that were scaled.
    pub rows: u64,
    /// How the games ended that were counted, a hundred after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<Span>,
}

/// How a hundred games ended for the book's side.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Span {
    /// The number of the first game, from 1.
    pub from: u64,
    /// The number of the last game.
    pub to: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The score in percent.
    pub score: f64,
    /// Half of its 95 % interval.
    pub error: f64,
}

impl Summary {
    /// Nothing learned yet.
    pub fn new(overlay: impl Into<PathBuf>) -> Self {
        Self { overlay: overlay.into(), ..Self::default() }
    }

    /// Counts a lost game.
    pub fn note(&mut self, lesson: Lesson) {
        self.lost += 1;
        match lesson {
            Lesson::Known => self.known += 1,
            Lesson::OutOfBook => self.out_of_book += 1,
            Lesson::SetUp => self.set_up += 1,
            Lesson::Learned(learned) => {
                self.learned += 1;
                self.moves += u64::from(learned.moves);
                self.positions += learned.positions;
                self.rows += learned.rows;
            }
        }
    }

    /// Counts the next game of the curve with twice its points; the hundred that it ends.
    pub fn count(&mut self, half_points: u32) -> Option<&Span> {
        if self.games.is_multiple_of(SPAN) {
            let (from, to) = (self.games + 1, self.games);
            self.curve.push(Span { from, to, ..Span::default() });
        }
        self.games += 1;
        let span = self.curve.last_mut()?;
        span.add(half_points);
        self.games.is_multiple_of(SPAN).then_some(&*span)
    }
}

impl Span {
    fn add(&mut self, half_points: u32) {
        self.to += 1;
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
        let games = (self.wins + self.draws + self.losses) as f64;
        let mean = (self.wins as f64 + self.draws as f64 / 2.0) / games;
        let squares = (self.wins as f64 + self.draws as f64 / 4.0) / games;
        self.score = rounded(100.0 * mean);
        self.error = rounded(196.0 * ((squares - mean * mean).max(0.0) / games).sqrt());
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, wins, draws, losses, score, error } = self;
        write!(f, "games {from}-{to}: +{wins} ={draws} -{losses}, {score:.1} % ± {error:.1}")
    }
}

/// To a tenth.
fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_its_score_and_error() {
        let mut summary = Summary { games: 100, ..Summary::default() };
        for half_points in [2, 2, 1, 0] {
            assert!(summary.count(half_points).is_none());
        }
        // A mean of 5/8, squares of 9/16: a variance of 11/64, and 196 times the root of 11/256.
        assert_eq!(summary.curve[0].to_string(), "games 101-104: +2 =1 -1, 62.5 % ± 40.6");
        (4..99).for_each(|_| assert!(summary.count(2).is_none()));
        assert_eq!(summary.count(2).map(|span| span.to), Some(200));
    }
}
