//! What was found of a matrix of strategies.

use crate::numbers::grouped;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::io::{self, Write};
use tabia_play::mix::{Guarantees, Matrix, Pair};

/// Mixed strategies of both players, and what they are worth.
#[derive(Serialize)]
pub struct MixReport {
    first: Side,
    second: Side,
    /// What both get by the exact mix, and how much is missing of an equilibrium.
    exact: Gains,
    /// How fictitious play came near it.
    fictitious_play: Vec<Progress>,
    left_out: Vec<String>,
}

/// A player's strategies.
#[derive(Serialize)]
struct Side {
    strategies: Vec<Strategy>,
    /// The best one by itself, and what it gets, in percent.
    best_alone: String,
    best_alone_gets: f64,
}

#[derive(Serialize)]
struct Strategy {
    name: String,
    /// Parts of 1.
    exact: f64,
    played: f64,
}

/// What mixes get at least, against any opponent, in percent.
#[derive(Serialize)]
struct Gains {
    first_gets: f64,
    second_gets: f64,
    exploitability: f64,
}

/// The state of fictitious play after some rounds.
#[derive(Serialize)]
pub struct Progress {
    rounds: u64,
    #[serde(flatten)]
    gains: Gains,
}

impl Gains {
    fn new(gets: Guarantees) -> Self {
        Self {
            first_gets: gets.first,
            second_gets: 100.0 - gets.second,
            exploitability: gets.exploitability(),
        }
    }
}

impl Progress {
    pub fn new(rounds: u64, gets: Guarantees) -> Self {
        Self { rounds, gains: Gains::new(gets) }
    }
}

impl MixReport {
    pub fn new(
        matrix: &Matrix,
        exact: &Pair,
        played: &Pair,
        fictitious_play: Vec<Progress>,
    ) -> Self {
        let (row, column, alone) = matrix.pure();
        Self {
            first: Side::new(&matrix.rows, &exact.first, &played.first, row, alone.first),
            second: Side::new(
                &matrix.columns,
                &exact.second,
                &played.second,
                column,
                100.0 - alone.second,
            ),
            exact: Gains::new(matrix.guarantees(exact)),
            fictitious_play,
            left_out: matrix.left_out.clone(),
        }
    }

    /// As people read it.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.first.write(out, "first player", self.exact.first_gets)?;
        writeln!(out)?;
        self.second.write(out, "second player", self.exact.second_gets)?;
        writeln!(out, "\nfictitious play, and what is sure after so many rounds\n")?;
        let percent = |value: f64| format!("{value:.3} %");
        let row = |rounds: String, gains: &Gains| {
            [
                rounds,
                percent(gains.first_gets),
                percent(gains.second_gets),
                percent(gains.exploitability),
            ]
        };
        let mut table = table(&["rounds", "first gets", "second gets", "could be lost"]);
        table.add_rows(
            self.fictitious_play.iter().map(|stand| row(grouped(stand.rounds), &stand.gains)),
        );
        table.add_row(row("exact".to_owned(), &self.exact));
        draw(out, &table)?;
        if !self.left_out.is_empty() {
            writeln!(
                out,
                "\nleft out, since no score of them is known: {}",
                self.left_out.join(", ")
            )?;
        }
        Ok(())
    }
}

impl Side {
    fn new(
        names: &[String],
        exact: &[f64],
        played: &[f64],
        best: usize,
        best_alone_gets: f64,
    ) -> Self {
        let strategies = names.iter().zip(exact.iter().zip(played));
        let strategies = strategies
            .map(|(name, (&exact, &played))| Strategy { name: name.clone(), exact, played })
            .collect();
        Self { strategies, best_alone: names[best].clone(), best_alone_gets }
    }

    fn write(&self, out: &mut impl Write, who: &str, gets: f64) -> io::Result<()> {
        writeln!(
            out,
            "{who}: at least {gets:.1} % against anyone; the best one alone, {}, {:.1} %\n",
            self.best_alone, self.best_alone_gets
        )?;
        let part = |part: f64| {
            if part < 0.000_05 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part) }
        };
        let mut table = table(&["strategy", "exact", "by play"]);
        table.add_rows(
            self.strategies.iter().map(|strategy| {
                [strategy.name.clone(), part(strategy.exact), part(strategy.played)]
            }),
        );
        draw(out, &table)
    }
}

/// A table whose first column is aligned left and all others right.
fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header);
    table
        .column_iter_mut()
        .skip(1)
        .for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn draw(out: &mut impl Write, table: &Table) -> io::Result<()> {
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}
