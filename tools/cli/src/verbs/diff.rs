//! `tabia diff`: what changed between two books.

use crate::books;
use crate::console::Console;
use crate::facts::Facts;
use crate::failure::{Done, Verdict};
use crate::games;
use crate::numbers::grouped;
use crate::output::Output;
use crate::terminal;
use clap::ValueEnum;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::slice;
use tabia::{
    DiffSummary, Difference, MoveRow, PositionRow, Row, TableDiff, TableKind, View, WithCells,
};
use tabia_interop::rows::{Fields, Schema, text};
use tabia_play::explore::Explorable;
use tabia_play::{Differing, ListedDifference as Listed};

/// Show what differs between two books
///
/// What differs is listed by the lines that lead there from the start of the game, the shortest
/// first. What only the first book says is marked with -, what only the second says with +; changed
/// rows come as a pair. Rows that no line leads to, or none within 200,000 positions, are listed by
/// their keys, as are those of games whose rules aren't known.
///
/// Exit code 1 if the rows differ, or what the books' columns say of them; the load, which archives
/// the rows come from and how the books were made make no difference.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia diff before.tabia after.tabia --limit 50
  tabia diff before.tabia after.tabia --format rows
  tabia diff before.tabia after.tabia --json > changes.json")]
pub struct Args {
    /// The first book, or a set's folder
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// The second book, or a set's folder
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// List at most N rows that differ
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// How what differs is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "lines")]
    format: Format,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How what differs is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// By the lines that lead there, in moves
    Lines,
    /// By keys, as rows that `tabia dump` writes, in the order of the books
    Rows,
}

/// What one book says and what the other says, as rows of text.
#[derive(Serialize)]
struct Pair {
    table: &'static str,
    key: String,
    /// The line that leads to the position, if one was found; empty for the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// The move as people write it, if it is one.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    played: Option<String>,
    first: Option<String>,
    second: Option<String>,
}

/// Compares them.
pub fn run(args: &Args, console: &Console) -> Done {
    let open = |path| books::open_any(slice::from_ref(path), View::Whole, console);
    let (first, second) = (open(&args.first)?, open(&args.second)?);
    let comparing = Differing { books: [first.read(), second.read()], limit: args.limit };
    let (summary, listed) = {
        let meter = console.meter();
        let game = games::of(first.header(), &args.first).ok();
        match game.filter(|_| args.format == Format::Lines) {
            Some(game) => comparing.by_lines(&game, &meter.env(), &|step| meter.trimming(step))?,
            None => comparing.by_keys(&meter.env())?,
        }
    };
    Output::new().show(args.json, &facts(&summary, &listed), |_, out| {
        match args.format {
            Format::Lines => write_lines(&listed, out)?,
            Format::Rows => write_rows(&listed, out)?,
        }
        write(&summary, listed.len() as u64, out)
    })?;
    Ok(Verdict::found(!summary.same_rows()))
}

/// How they differ, and the first differences.
fn facts(summary: &DiffSummary, listed: &[Listed]) -> Facts {
    let table = |table: TableDiff| {
        Facts::default()
            .json("same", table.same)
            .json("changed", table.changed)
            .json("removed", table.removed)
            .json("added", table.added)
    };
    Facts::default()
        .json("same", summary.same_rows())
        .json("same_sources", summary.same_sources)
        .json("same_facts", summary.same_facts)
        .json("positions", table(summary.positions))
        .json("moves", table(summary.moves))
        .json("differences", listed.iter().map(Pair::new).collect::<Vec<_>>())
}

impl Pair {
    fn new(listed: &Listed) -> Self {
        let of_position = |row: &PositionRow| line(Schema::bare(TableKind::Positions), &row.into());
        let of_move = |row: &WithCells<MoveRow>| {
            line(Schema { kind: TableKind::Moves, cells: row.cells.columns() }, &row.into())
        };
        let (table, key, first, second) = match &listed.difference {
            Difference::Position(a, b) => {
                ("positions", key(a, b), a.as_ref().map(of_position), b.as_ref().map(of_position))
            }
            Difference::Move(a, b) => {
                let row = |played: &Option<WithCells<MoveRow>>| played.map(|played| played.row);
                ("moves", key(&row(a), &row(b)), a.as_ref().map(of_move), b.as_ref().map(of_move))
            }
        };
        let (line, played) = (listed.line.clone(), listed.played.clone());
        Self { table, key: format!("{key:016x}"), line, played, first, second }
    }
}

fn key<R: Row>(first: &Option<R>, second: &Option<R>) -> u64 {
    first.as_ref().or(second.as_ref()).map_or(0, Row::key)
}

/// A row as a line of text, without its end.
fn line(schema: Schema, fields: &Fields) -> String {
    let mut text = Vec::new();
    let written = text::write_row(&mut text, &schema.columns(), fields);
    debug_assert!(written.is_ok(), "memory can be written");
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

/// Writes rows as `tabia dump` does.
fn write_rows(listed: &[Listed], out: &mut impl Write) -> io::Result<()> {
    for Pair { table, first, second, .. } in listed.iter().map(Pair::new) {
        first.map_or(Ok(()), |row| writeln!(out, "-{table}\t{row}"))?;
        second.map_or(Ok(()), |row| writeln!(out, "+{table}\t{row}"))?;
    }
    Ok(())
}

/// Writes what differs for people: below each line the rows of its position.
fn write_lines(listed: &[Listed], out: &mut impl Write) -> io::Result<()> {
    let columns = terminal::columns();
    let mut last = None;
    for listed in listed {
        let place = listed.place();
        if last.as_ref() != Some(&place) {
            for line in crate::lines::wrapped(&place, columns) {
                writeln!(out, "{line}")?;
            }
            last = Some(place);
        }
        for (sign, text) in listed.both() {
            writeln!(out, "  {sign} {:<12} {text}", listed.what())?;
        }
    }
    if listed.is_empty() { Ok(()) } else { writeln!(out) }
}

fn write(summary: &DiffSummary, listed: u64, out: &mut impl Write) -> io::Result<()> {
    let tables = [("positions", summary.positions), ("moves", summary.moves)];
    let differing = |table: TableDiff| table.changed + table.removed + table.added;
    let more =
        tables.iter().map(|(_, table)| differing(*table)).sum::<u64>().saturating_sub(listed);
    if more > 0 {
        writeln!(out, "{} more rows differ (--limit N lists N)", grouped(more))?;
    }
    for (name, table) in tables {
        let [same, changed, removed, added] =
            [table.same, table.changed, table.removed, table.added].map(grouped);
        writeln!(
            out,
            "{name:<9}  {same} the same, {changed} changed, {removed} only in the first, {added} only in the second"
        )?;
    }
    let word = |same| if same { "the same" } else { "not the same" };
    writeln!(
        out,
        "sources    {}\nfacts      {}",
        word(summary.same_sources),
        word(summary.same_facts)
    )
}
