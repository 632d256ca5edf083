//! What a book has at each ply.

use super::bars::Ink;
use super::numbers::{bytes, grouped, percent, write_fact};
use crate::{Level, Levels, Survey};
use serde::Serialize;
use std::io::{self, Write};

const BAR: usize = 17;

/// What a book has at each ply, as it is shown.
#[derive(Debug, Serialize)]
pub struct Surveyed {
    /// None if the book has no such table.
    positions: Option<Table>,
    moves: Table,
    /// Positions that are reached and at which there is no move.
    leaves: u64,
    illegal_moves: u64,
    /// Bytes it took.
    memory: u64,
    plies: Vec<Ply>,
}

#[derive(Debug, Serialize)]
struct Table {
    rows: u64,
    reached: u64,
    unreached: u64,
    /// Those seen once, of the rows reached.
    once: u64,
    #[serde(skip)]
    lost: Level,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Ply {
    ply: usize,
    positions: Option<u64>,
    /// Games of the positions; of the moves in a book that has no positions.
    games: u64,
    positions_once: Option<u64>,
    leaves: u64,
    moves: u64,
    move_games: u64,
    moves_once: u64,
}

impl Table {
    fn new(levels: &Levels) -> Self {
        let (reached, lost) = (levels.reached(), levels.unreached);
        Self {
            rows: reached.rows + lost.rows,
            reached: reached.rows,
            unreached: lost.rows,
            once: reached.once,
            lost,
        }
    }

    fn write(&self, name: &str, out: &mut impl Write) -> io::Result<()> {
        write_fact(out, name, self.rows, "")?;
        if self.unreached > 0 {
            write_fact(out, "  reached", self.reached, "from the start by legal moves")?;
            let games = grouped(self.lost.games);
            let said = format!("with {games} games: not in the figures below");
            write_fact(out, "  not", self.unreached, &said)?;
        }
        write_fact(out, "  seen once", self.once, &percent(self.once, self.reached))
    }
}

impl Ply {
    fn new(survey: &Survey, ply: usize) -> Self {
        let (positions, moves) =
            (survey.positions.as_ref().map(|levels| levels.at(ply)), survey.moves.at(ply));
        Self {
            ply,
            positions: positions.map(|level| level.rows),
            games: positions.unwrap_or(moves).games,
            positions_once: positions.map(|level| level.once),
            leaves: survey.leaves.get(ply).copied().unwrap_or(0),
            moves: moves.rows,
            move_games: moves.games,
            moves_once: moves.once,
        }
    }

    /// Rows of the table that bars are of, and how many of them were seen once.
    fn rows(&self) -> [u64; 2] {
        self.positions
            .zip(self.positions_once)
            .map_or([self.moves, self.moves_once], <[u64; 2]>::from)
    }

    /// Both together, under the first one's number.
    fn and(self, other: Self) -> Self {
        let sum = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
        Self {
            ply: self.ply,
            positions: sum(self.positions, other.positions),
            games: self.games + other.games,
            positions_once: sum(self.positions_once, other.positions_once),
            leaves: self.leaves + other.leaves,
            moves: self.moves + other.moves,
            move_games: self.move_games + other.move_games,
            moves_once: self.moves_once + other.moves_once,
        }
    }
}

impl Surveyed {
    /// From what was counted.
    pub fn new(survey: &Survey) -> Self {
        Self {
            positions: survey.positions.as_ref().map(Table::new),
            moves: Table::new(&survey.moves),
            leaves: survey.leaves.iter().sum(),
            illegal_moves: survey.illegal,
            memory: survey.memory,
            plies: (0..survey.plies()).map(|ply| Ply::new(survey, ply)).collect(),
        }
    }

    /// Writes it: this many plies, and what is later as one line.
    pub fn write(&self, out: &mut impl Write, plies: usize) -> io::Result<()> {
        self.positions.iter().try_for_each(|table| table.write("positions", out))?;
        self.moves.write("moves", out)?;
        write_fact(out, "leaves", self.leaves, "positions without a move")?;
        if self.illegal_moves > 0 {
            write_fact(out, "illegal", self.illegal_moves, "moves")?;
        }
        write_fact(out, "memory", self.memory, &bytes(self.memory))?;
        writeln!(out)?;
        let (shown, later) = self.plies.split_at(self.plies.len().min(plies.saturating_add(1)));
        let ink = Ink::of_locale();
        let most = shown.iter().map(|ply| ply.rows()[0]).max().unwrap_or(0);
        let [often, once] = ink.shades();
        let of = if self.positions.is_some() { "positions" } else { "moves" };
        writeln!(
            out,
            "  ply {:>12} {:>12} {:>13} {:>8} {:>6}",
            "positions", "moves", "games", "leaves", "once"
        )?;
        for ply in shown {
            writeln!(out, "{}", line(ply, &ply.ply.to_string(), Some((ink, most))).trim_end())?;
        }
        if let Some(ply) = later.iter().copied().reduce(Ply::and) {
            writeln!(out, "{}", line(&ply, &format!("{}+", ply.ply), None).trim_end())?;
        }
        writeln!(out, "\nbars and once: {of}; {often} seen more often  {once} seen once")
    }
}

/// A ply of the table; with a bar if the most rows of a ply are given.
fn line(ply: &Ply, name: &str, bar: Option<(Ink, u64)>) -> String {
    let [all, once] = ply.rows();
    let positions = ply.positions.map_or_else(|| "-".to_owned(), grouped);
    // Of a hundred, as exactly as fits.
    let share =
        if all == 0 { "-".to_owned() } else { format!("{:.0}%", once as f64 * 100.0 / all as f64) };
    let bar = bar.map_or_else(String::new, |(ink, most)| ink.shaded([all - once, once], most, BAR));
    format!(
        "{name:>5} {positions:>12} {:>12} {:>13} {:>8} {share:>6}  {bar}",
        grouped(ply.moves),
        grouped(ply.games),
        grouped(ply.leaves)
    )
}
