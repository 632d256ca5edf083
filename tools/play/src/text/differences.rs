//! How two books differ, as text and as facts.

use super::lines::wrapped;
use super::numbers::grouped;
use crate::ListedDifference;
use crate::differing::key_and_code;
use serde::Serialize;
use std::io::{self, Write};
use tabia::{DiffSummary, Difference, MoveRow, PositionRow, TableDiff, TableKind, WithCells};
use tabia_interop::rows::{Fields, Schema, text};

/// How two books differ, and the rows that are listed.
#[derive(Debug, Serialize)]
pub struct Differences {
    /// Whether their rows are the same.
    pub same: bool,
    same_sources: bool,
    same_facts: bool,
    positions: Table,
    moves: Table,
    differences: Vec<Pair>,
    #[serde(skip)]
    listed: Vec<ListedDifference>,
}

/// How many rows of two tables are the same or differ.
#[derive(Clone, Copy, Debug, Serialize)]
struct Table {
    same: u64,
    changed: u64,
    removed: u64,
    added: u64,
}

/// What one book says and what the other says, as rows of text.
#[derive(Debug, Serialize)]
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

impl Differences {
    /// What [`crate::Differing`] found.
    pub fn new((summary, listed): (DiffSummary, Vec<ListedDifference>)) -> Self {
        let table = |TableDiff { same, changed, removed, added, .. }| Table {
            same,
            changed,
            removed,
            added,
        };
        Self {
            same: summary.same_rows(),
            same_sources: summary.same_sources,
            same_facts: summary.same_facts,
            positions: table(summary.positions),
            moves: table(summary.moves),
            differences: listed.iter().map(Pair::new).collect(),
            listed,
        }
    }

    /// Writes the rows as a dump has them, and how many there are.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write_rows(&self, out: &mut impl Write) -> io::Result<()> {
        for Pair { table, first, second, .. } in &self.differences {
            first.as_ref().map_or(Ok(()), |row| writeln!(out, "-{table}\t{row}"))?;
            second.as_ref().map_or(Ok(()), |row| writeln!(out, "+{table}\t{row}"))?;
        }
        self.write_sums(out)
    }

    /// Writes below each line the rows of its position, in so many columns, and how many there are.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write_lines(&self, out: &mut impl Write, columns: usize) -> io::Result<()> {
        let mut last = None;
        for listed in &self.listed {
            let place = listed.place();
            if last.as_ref() != Some(&place) {
                for line in wrapped(&place, columns) {
                    writeln!(out, "{line}")?;
                }
                last = Some(place);
            }
            for (sign, text) in listed.both() {
                writeln!(out, "  {sign} {:<12} {text}", listed.what())?;
            }
        }
        if !self.listed.is_empty() {
            writeln!(out)?;
        }
        self.write_sums(out)
    }

    fn write_sums(&self, out: &mut impl Write) -> io::Result<()> {
        let tables = [("positions", self.positions), ("moves", self.moves)];
        let differing = |(_, table): (_, Table)| table.changed + table.removed + table.added;
        let all: u64 = tables.into_iter().map(differing).sum();
        let more = all.saturating_sub(self.listed.len() as u64);
        if more > 0 {
            writeln!(out, "{} more rows differ (--limit N lists N)", grouped(more))?;
        }
        for (name, Table { same, changed, removed, added }) in tables {
            let [same, changed, removed, added] = [same, changed, removed, added].map(grouped);
            writeln!(
                out,
                "{name:<9}  {same} the same, {changed} changed, {removed} only in the first, {added} only in the second"
            )?;
        }
        let word = |same| if same { "the same" } else { "not the same" };
        writeln!(out, "sources    {}", word(self.same_sources))?;
        writeln!(out, "facts      {}", word(self.same_facts))
    }
}

impl Pair {
    fn new(listed: &ListedDifference) -> Self {
        let of_position = |row: &PositionRow| line(Schema::bare(TableKind::Positions), &row.into());
        let of_move = |row: &WithCells<MoveRow>| {
            line(Schema { kind: TableKind::Moves, cells: row.cells.columns() }, &row.into())
        };
        let (table, first, second) = match &listed.difference {
            Difference::Position(a, b) => {
                ("positions", a.as_ref().map(of_position), b.as_ref().map(of_position))
            }
            Difference::Move(a, b) => ("moves", a.as_ref().map(of_move), b.as_ref().map(of_move)),
        };
        let key = format!("{:016x}", key_and_code(&listed.difference).0);
        let (line, played) = (listed.line.clone(), listed.played.clone());
        Self { table, key, line, played, first, second }
    }
}

/// A row as a line of text, without its end.
fn line(schema: Schema, fields: &Fields) -> String {
    let mut text = Vec::new();
    let written = text::write_row(&mut text, &schema.columns(), fields);
    debug_assert!(written.is_ok(), "memory can be written");
    String::from_utf8_lossy(&text).trim_end().to_owned()
}
