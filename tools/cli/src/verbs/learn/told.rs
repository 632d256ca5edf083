//! What is said of learning.

use super::Args;
use crate::console::Console;
use crate::failure::Done;
use crate::numbers::{counted, grouped};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use tabia_grow::learning::Lesson;
use tabia_match::Facts;

/// Games of a point of the learning curve.
const SPAN: u64 = 100;

/// What was learned.
#[derive(Debug, Serialize)]
pub struct Told {
    overlay: PathBuf,
    /// Games in which the book's side played.
    pub games: u64,
    /// Games that can't be read.
    pub skipped: u64,
    /// Games that it lost.
    lost: u64,
    /// Of these, how many were learned now, and had been before.
    learned: u64,
    known: u64,
    /// Of these, how many had no move from the book, and didn't begin at the start.
    out_of_book: u64,
    set_up: u64,
    /// Moves from the book in the games that were learned now.
    moves: u64,
    /// Positions that were copied into the overlay, and rows that were scaled.
    positions: u64,
    rows: u64,
    /// How games ended that were played here, a hundred after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    curve: Vec<Span>,
    /// Whether the user asked to stop.
    #[serde(skip)]
    pub was_stopped: bool,
}

/// How a hundred games ended for the book's side.
#[derive(Debug, Serialize)]
pub struct Span {
    from: u64,
    to: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// In percent, and half of its 95 % interval.
    score: f64,
    error: f64,
}

impl Told {
    /// Nothing yet.
    pub fn of(args: &Args) -> Self {
        Self {
            overlay: args.overlay.clone(),
            games: 0,
            skipped: 0,
            lost: 0,
            learned: 0,
            known: 0,
            out_of_book: 0,
            set_up: 0,
            moves: 0,
            positions: 0,
            rows: 0,
            curve: Vec::new(),
            was_stopped: false,
        }
    }

    /// What came of a lost game.
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

    /// A game was played: the next after those that were; what to say of the hundred that it ends.
    pub fn count(&mut self, facts: &Facts) -> Option<String> {
        if self.games.is_multiple_of(SPAN) {
            self.curve.push(Span::after(self.games));
        }
        self.games += 1;
        let span = self.curve.last_mut()?;
        span.add(facts.half_points());
        (self.games.is_multiple_of(SPAN)).then(|| span.line())
    }

    /// Prints it.
    pub fn print(&self, console: &Console, as_json: bool) -> Done<()> {
        let mut out = Output::of_summary(console);
        if as_json {
            return out.json(self);
        }
        self.write(&mut out)?;
        out.finish()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for span in &self.curve {
            writeln!(out, "{}", span.line())?;
        }
        let Self { games, lost, learned, moves, positions, rows, .. } = *self;
        writeln!(
            out,
            "{}: {} of {} lost; {} learned: {} from the book, {} new, {} scaled",
            self.overlay.display(),
            grouped(lost),
            counted(games, "game"),
            grouped(learned),
            counted(moves, "move"),
            counted(positions, "position"),
            counted(rows, "row")
        )?;
        for (number, what) in [
            (self.known, "was learned before"),
            (self.out_of_book, "had no move from the book"),
            (self.set_up, "began in a set-up position"),
        ] {
            if number > 0 {
                let what = if number > 1 { what.replace("was ", "were ") } else { what.to_owned() };
                writeln!(out, "Of those lost {} {what}.", grouped(number))?;
            }
        }
        if self.skipped > 0 {
            writeln!(out, "{} could not be read.", counted(self.skipped, "game"))?;
        }
        Ok(())
    }
}

impl Span {
    fn after(games: u64) -> Self {
        Self { from: games + 1, to: games, wins: 0, draws: 0, losses: 0, score: 0.0, error: 0.0 }
    }

    /// Counts a game with twice its points.
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

    fn line(&self) -> String {
        let Self { from, to, wins, draws, losses, score, error } = self;
        format!("games {from}-{to}: +{wins} ={draws} -{losses}, {score:.1} % ± {error:.1}")
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
        let mut span = Span::after(100);
        [2, 2, 1, 0].into_iter().for_each(|half_points| span.add(half_points));
        // A mean of 5/8, squares of 9/16: a variance of 11/64, and 196 times the root of 11/256.
        assert_eq!(span.line(), "games 101-104: +2 =1 -1, 62.5 % ± 40.6");
    }
}
