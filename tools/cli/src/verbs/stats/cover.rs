//! How many games are answered within so many plies, and the list of where they leave: what
//! `--archives` and `--against` show alike.

use crate::bars::Ink;
use crate::lines::wrapped;
use crate::newfile::NewFile;
use crate::numbers::{grouped, percent};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use tabia_play::Coverage;
use tabia_play::explore::Numbers;

/// Characters of a line, and those before a list's moves.
const WIDTH: usize = 80;
const BEFORE_MOVES: usize = 20;
/// Characters of a bar.
const BAR: usize = 26;
/// How many moves of an exit are named.
const NAMED: usize = 4;

/// How far the games stay in the book.
#[derive(Serialize)]
pub struct Cover {
    pub games: u64,
    /// Games that left by moves that the book should have known.
    pub left: u64,
    /// Games that left by moves of the book's own side.
    pub left_by_own_side: u64,
    plies: Vec<Ply>,
}

#[derive(Serialize)]
struct Ply {
    /// Counted from 1: the ply with which games left.
    ply: usize,
    /// Games in the book before.
    games: u64,
    left: u64,
    left_by_own_side: u64,
    /// The share of games answered within these plies, from 0 to 1.
    answered: f64,
}

impl Cover {
    /// From what was counted.
    pub fn new(coverage: &Coverage) -> Self {
        let at = |plies: &[u64], ply: usize| plies.get(ply - 1).copied().unwrap_or(0);
        let ply = |ply: usize| Ply {
            ply,
            games: at(&coverage.on, ply),
            left: at(&coverage.left, ply),
            left_by_own_side: at(&coverage.own, ply),
            answered: coverage.answered(ply),
        };
        Self {
            games: coverage.games,
            left: coverage.left.iter().sum(),
            left_by_own_side: coverage.own.iter().sum(),
            plies: (1..=coverage.plies()).map(ply).collect(),
        }
    }

    /// Writes how many games left at each ply.
    pub fn write_plies(&self, out: &mut Output, plies: usize) -> io::Result<()> {
        let ink = Ink::of_locale();
        let (shown, later) = self.plies.split_at(self.plies.len().min(plies));
        let has_own = self.left_by_own_side > 0;
        let own = |text: &str| if has_own { format!(" {text:>11}") } else { String::new() };
        let line = |ply: &str, games: &str, left: u64, own_side: u64, answered: f64| {
            let (left, own) = (grouped(left), own(&grouped(own_side)));
            format!("{ply:>5} {games:>11} {left:>11}{own} {:>8.1}%", answered * 100.0)
        };
        writeln!(
            out,
            "  ply {:>11} {:>11}{} {:>9}",
            "in the book",
            "left",
            own("own side"),
            "answered"
        )?;
        for ply in shown {
            let facts = line(
                &ply.ply.to_string(),
                &grouped(ply.games),
                ply.left,
                ply.left_by_own_side,
                ply.answered,
            );
            let part = (ply.answered * 1e6).round() as u64;
            let bar = ink.shaded([part, 0], 1_000_000, BAR);
            writeln!(out, "{}", format!("{facts}  {bar}").trim_end())?;
        }
        let Some((first, last)) = later.first().zip(later.last()) else { return Ok(()) };
        let sum = |of: fn(&Ply) -> u64| later.iter().map(of).sum::<u64>();
        let (left, own_side) = (sum(|ply| ply.left), sum(|ply| ply.left_by_own_side));
        let number = format!("{}+", first.ply);
        writeln!(out, "{}", line(&number, &grouped(first.games), left, own_side, last.answered))
    }

    /// Draws the shares answered.
    pub fn draw(&self, out: &mut NewFile, title: &str, plies: usize) -> io::Result<()> {
        let columns: Vec<_> = self
            .plies
            .iter()
            .take(plies)
            .map(|ply| (ply.ply, ply.answered * 100.0))
            .map(|(ply, answered)| (ply, [answered, 100.0 - answered]))
            .collect();
        super::drawn(out, title, ["answered", "not answered"], &columns, |number| {
            format!("{number:.0}%")
        })
    }
}

/// A position, and moves there that the book doesn't go on with.
#[derive(Serialize)]
pub struct Gap {
    pub games: u64,
    /// Of all games, from 0 to 1.
    pub share: f64,
    /// The position's key.
    pub key: String,
    /// The moves that lead there, as people write them; none if they aren't known, because the
    /// games started elsewhere.
    pub line: Option<Vec<String>>,
    /// Whether the book has other moves there.
    pub answered: bool,
    pub moves: Vec<GapMove>,
    #[serde(skip)]
    pub numbers: Numbers,
}

/// A move that the book doesn't go on with.
#[derive(Serialize)]
pub struct GapMove {
    pub san: Option<String>,
    pub code: u16,
    pub games: u64,
}

impl Gap {
    /// Writes it, in lines.
    fn write(&self, out: &mut Output, all: u64) -> io::Result<()> {
        let text = self.text();
        let facts = format!("{:>11} {:>6}  ", grouped(self.games), percent(self.games, all));
        for (number, line) in wrapped(&text, WIDTH - BEFORE_MOVES).iter().enumerate() {
            let before = if number == 0 { facts.clone() } else { " ".repeat(BEFORE_MOVES + 2) };
            writeln!(out, "{before}{line}")?;
        }
        Ok(())
    }

    fn text(&self) -> String {
        let plies = self.line.as_ref().map_or(0, Vec::len);
        let mut text = match &self.line {
            None => format!("position {}:", self.key),
            Some(line) if line.is_empty() => "at the start:".to_owned(),
            Some(line) => self.numbers.line(0, line) + ":",
        };
        let is_one = self.moves.len() == 1;
        for (number, played) in self.moves.iter().take(NAMED).enumerate() {
            let name = played.san.clone().unwrap_or_else(|| format!("(code {})", played.code));
            let name = match (&self.line, number) {
                (Some(_), 0) => self.numbers.moved(plies, &name, true),
                _ => name,
            };
            text = text + if number > 0 { ", " } else { " " } + &name;
            if !is_one {
                text = text + " " + &grouped(played.games);
            }
        }
        match self.moves.len().saturating_sub(NAMED) {
            0 => {}
            more => {
                let games: u64 = self.moves[NAMED..].iter().map(|played| played.games).sum();
                text += &format!(", {more} more {}", grouped(games));
            }
        }
        if !self.answered {
            text += " (the book has no move here)";
        }
        text
    }
}

/// Writes a list of gaps with a heading; of all games these.
pub fn write_gaps(out: &mut Output, heading: &str, gaps: &[Gap], all: u64) -> io::Result<()> {
    writeln!(out, "\n{heading}\n{:>11} {:>6}  line: move", "games", "share")?;
    gaps.iter().try_for_each(|gap| gap.write(out, all))
}
