//! What was found of a matrix of strategies.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::fmt;
use tabia_play::mix::{Guarantees, Interval, Matrix, Pair, Regret, Resampling};
use tabia_play::text::numbers::grouped;

/// Mixed strategies of both players, and what they are worth.
#[derive(Serialize)]
pub struct MixReport {
    first: Side,
    second: Side,
    /// What both get by the exact mix, and how much is missing of an equilibrium.
    exact: Gains,
    /// How fictitious play came near it.
    fictitious_play: Vec<Progress>,
    /// How sure it is; none if the games aren't known.
    resampled: Option<Resampled>,
    left_out: Vec<String>,
}

/// What comes of the games drawn again.
#[derive(Serialize)]
pub struct Resampled {
    resamples: usize,
    seed: u64,
    /// What the first player gets when both play what is best, in percent.
    value: Interval,
    first_regret: Regret,
    second_regret: Regret,
    /// Of each strategy's weight; told with it.
    #[serde(skip)]
    parts: [Vec<Interval>; 2],
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
    /// Where 95 % of the parts lie that other games would give, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<Interval>,
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
    /// What the mixes guarantee after so many rounds.
    pub fn new(rounds: u64, gets: Guarantees) -> Self {
        Self { rounds, gains: Gains::new(gets) }
    }
}

impl MixReport {
    /// What was found of a matrix, exactly and by fictitious play.
    pub fn new(
        matrix: &Matrix,
        (exact, played): (&Pair, &Pair),
        fictitious_play: Vec<Progress>,
        resampled: Option<Resampled>,
    ) -> Self {
        let (row, column, alone) = matrix.pure();
        let parts = resampled.as_ref().map(|resampled| &resampled.parts);
        let [of_first, of_second] = [0, 1].map(|side| parts.map(|parts| &parts[side][..]));
        Self {
            first: Side {
                strategies: strategies(&matrix.rows, (&exact.first, &played.first), of_first),
                best_alone: matrix.rows[row].clone(),
                best_alone_gets: alone.first,
            },
            second: Side {
                strategies: strategies(&matrix.columns, (&exact.second, &played.second), of_second),
                best_alone: matrix.columns[column].clone(),
                best_alone_gets: 100.0 - alone.second,
            },
            exact: Gains::new(matrix.guarantees(exact)),
            fictitious_play,
            resampled,
            left_out: matrix.left_out.clone(),
        }
    }
}

impl fmt::Display for MixReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        self.resampled.iter().try_for_each(|resampled| resampled.write(out))?;
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

/// A player's strategies with their parts, exact and by play, and the intervals of the exact ones.
fn strategies(
    names: &[String],
    (exact, played): (&[f64], &[f64]),
    intervals: Option<&[Interval]>,
) -> Vec<Strategy> {
    let one = |place: usize| Strategy {
        name: names[place].clone(),
        exact: exact[place],
        interval: intervals.map(|intervals| intervals[place]),
        played: played[place],
    };
    (0..names.len()).map(one).collect()
}

impl Resampled {
    /// What was found of games that were drawn again, by this seed.
    pub fn new(resampling: &Resampling<'_>, seed: u64) -> Self {
        let [first_regret, second_regret] = resampling.regrets();
        Self {
            resamples: resampling.rounds(),
            seed,
            value: resampling.value(),
            first_regret,
            second_regret,
            parts: resampling.parts(),
        }
    }

    fn write(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { least, most } = self.value;
        writeln!(
            out,
            "\ngames drawn again {} times (seed {}): the first player gets {least:.1} to {most:.1} % \
             in 95 of 100",
            grouped(self.resamples as u64),
            self.seed
        )?;
        let losses = [("first", &self.first_regret), ("second", &self.second_regret)];
        losses.into_iter().try_for_each(|(who, Regret { mean, most })| {
            writeln!(
                out,
                "mixes of such games lose the {who} player {mean:.2} % on average, and {most:.2} % \
                 or less in 95 of 100"
            )
        })
    }
}

impl Side {
    fn write(&self, out: &mut fmt::Formatter<'_>, who: &str, gets: f64) -> fmt::Result {
        writeln!(
            out,
            "{who}: at least {gets:.1} % against anyone; the best one alone, {}, {:.1} %\n",
            self.best_alone, self.best_alone_gets
        )?;
        let part = |part: f64| {
            if part < 0.000_05 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part) }
        };
        let has_intervals = self.strategies.iter().any(|strategy| strategy.interval.is_some());
        let columns = ["strategy", "exact", "95 % interval", "by play"];
        let shown = |column: &usize| *column != 2 || has_intervals;
        let header: Vec<&str> = (0..4).filter(shown).map(|column| columns[column]).collect();
        let mut table = table(&header);
        table.add_rows(self.strategies.iter().map(|strategy| {
            let ends =
                |ends: Interval| format!("{:.1} to {:.1} %", 100.0 * ends.least, 100.0 * ends.most);
            let cells = [
                strategy.name.clone(),
                part(strategy.exact),
                strategy.interval.map_or_else(String::new, ends),
                part(strategy.played),
            ];
            (0..4).filter(shown).map(|column| cells[column].clone()).collect::<Vec<_>>()
        }));
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

fn draw(out: &mut fmt::Formatter<'_>, table: &Table) -> fmt::Result {
    table.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}
