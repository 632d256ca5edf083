//! `tabia diff`: what changed between two books.

use crate::books;
use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::numbers::grouped;
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use tabia::{
    DiffSummary, Difference, MoveRow, PositionRow, Row, TableDiff, TableKind, View, WithCells, diff,
};
use tabia_interop::rows::{Fields, Schema, text};

/// Show what differs between two books
///
/// Rows that only the first has are marked with -, those that only the second has with +, and
/// changed ones come as a pair. Exit code 1 if the rows differ, or what the books' columns say of
/// them; the load, which archives the rows come from and how the books were made make no
/// difference.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia diff before.tabia after.tabia --limit 50
  tabia diff before.tabia after.tabia --json > changes.json")]
pub struct Args {
    /// The first book
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// The second book
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// List at most N rows that differ
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How they differ.
#[derive(Serialize)]
struct Compared {
    same: bool,
    same_sources: bool,
    /// Whether the same is known of how they were made.
    same_facts: bool,
    positions: Table,
    moves: Table,
    /// The first differences.
    differences: Vec<Pair>,
}

#[derive(Serialize)]
struct Table {
    same: u64,
    changed: u64,
    removed: u64,
    added: u64,
}

/// What one book says and what the other says, as rows of text.
#[derive(Serialize)]
struct Pair {
    table: &'static str,
    key: String,
    first: Option<String>,
    second: Option<String>,
}

/// Compares them.
pub fn run(args: &Args, console: &Console) -> Done {
    let open = |path| books::open(path, View::Whole, console);
    let (first, second) = (open(&args.first)?, open(&args.second)?);
    let mut differences = Vec::new();
    let summary = {
        let meter = console.meter();
        diff(&meter.env(), &first, &second, |difference| {
            if differences.len() < args.limit {
                differences.push(difference);
            }
        })?
    };
    let mut out = Output::new();
    if args.json {
        out.json(&Compared::new(&summary, &differences))?;
    } else {
        write(&summary, &differences, &mut out)?;
        out.finish()?;
    }
    Ok(Verdict::found(!summary.same_rows()))
}

impl Compared {
    fn new(summary: &DiffSummary, differences: &[Difference]) -> Self {
        Self {
            same: summary.same_rows(),
            same_sources: summary.same_sources,
            same_facts: summary.same_facts,
            positions: Table::new(summary.positions),
            moves: Table::new(summary.moves),
            differences: differences.iter().map(Pair::new).collect(),
        }
    }
}

impl Table {
    fn new(table: TableDiff) -> Self {
        Self {
            same: table.same,
            changed: table.changed,
            removed: table.removed,
            added: table.added,
        }
    }
}

impl Pair {
    fn new(difference: &Difference) -> Self {
        let (table, key, first, second) = match difference {
            Difference::Position(a, b) => {
                ("positions", key(a, b), a.as_ref().map(line), b.as_ref().map(line))
            }
            Difference::Move(a, b) => {
                let row = |played: &Option<WithCells<MoveRow>>| played.map(|played| played.row);
                ("moves", key(&row(a), &row(b)), a.as_ref().map(line), b.as_ref().map(line))
            }
        };
        Self { table, key: format!("{key:016x}"), first, second }
    }
}

fn key<R: Row>(first: &Option<R>, second: &Option<R>) -> u64 {
    first.as_ref().or(second.as_ref()).map_or(0, Row::key)
}

/// A row that is shown with all that is known of it.
trait Shown {
    fn schema(&self) -> Schema;
}

impl Shown for PositionRow {
    fn schema(&self) -> Schema {
        Schema::bare(TableKind::Positions)
    }
}

impl Shown for WithCells<MoveRow> {
    fn schema(&self) -> Schema {
        Schema { kind: TableKind::Moves, cells: self.cells.columns() }
    }
}

/// A row as a line of text, without its end.
fn line<R: Shown>(row: &R) -> String
where
    Fields: for<'a> From<&'a R>,
{
    let mut text = Vec::new();
    let written = text::write_row(&mut text, &row.schema().columns(), &row.into());
    debug_assert!(written.is_ok(), "memory can be written");
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

fn write(
    summary: &DiffSummary,
    differences: &[Difference],
    out: &mut impl Write,
) -> io::Result<()> {
    for Pair { table, first, second, .. } in differences.iter().map(Pair::new) {
        first.map_or(Ok(()), |row| writeln!(out, "-{table}\t{row}"))?;
        second.map_or(Ok(()), |row| writeln!(out, "+{table}\t{row}"))?;
    }
    for (name, table) in [("positions", summary.positions), ("moves", summary.moves)] {
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
