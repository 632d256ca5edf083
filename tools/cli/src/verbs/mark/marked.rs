//! All marks of a book, with the lines that lead to them.

use super::Args;
use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict};
use crate::games;
use crate::lines::wrapped;
use crate::numbers::{counted, grouped};
use crate::output::Output;
use crate::passage::Passage;
use crate::terminal;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;
use tabia::format::Keyed;
use tabia::stream::{Chunk, RowSet};
use tabia::{Book, Error, Key, MoveRow, Result, Row};
use tabia_games::{Game, Node, WithGame};
use tabia_play::Step;
use tabia_play::explore::labels;

/// All marked moves of a book, as far as they are listed.
#[derive(Serialize)]
struct AllMarked {
    /// How many moves are marked.
    marked: u64,
    moves: Vec<Listed>,
}

/// A marked move.
#[derive(Serialize)]
struct Listed {
    /// The line to its position, the move at its end; none if none was found.
    line: Option<String>,
    key: String,
    code: u16,
    games: u64,
    marks: Vec<&'static str>,
}

/// The marked moves of a book, by the keys of their positions.
type Rows = HashMap<Key, Vec<MoveRow>>;

/// Lists them.
pub fn list(book: &Book, path: &Path, args: &Args, console: &Console) -> Done {
    let meter = console.meter();
    let rows = read(book, &meter)?;
    let marked = rows.values().map(|rows| rows.len() as u64).sum();
    let moves = match games::of(book.header(), path) {
        Ok(game) => game.with(Finding { book, rows, limit: args.limit, meter: &meter })?,
        Err(_) => unnamed(rows, args.limit),
    };
    drop(meter);
    let all = AllMarked { marked, moves };
    let mut out = Output::new();
    if args.json {
        out.json(&all)?;
    } else {
        all.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

/// All moves that have marks.
fn read(book: &Book, meter: &Meter) -> Result<Rows> {
    let (mut done, all) = (0, RowSet::<MoveRow>::at_most(book));
    let mut rows = Rows::new();
    let (mut stream, mut chunk) = (RowSet::<MoveRow>::rows(book)?, Chunk::default());
    loop {
        stream.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(rows);
        }
        for row in chunk.rows().iter().filter(|row| !row.marks().is_empty()) {
            rows.entry(row.key()).or_default().push(*row);
        }
        done += chunk.len() as u64;
        if meter.trimming(Step::Reading(done, all)).is_break() {
            return Err(Error::Interrupted);
        }
    }
}

/// Marked moves whose lines are looked for.
struct Finding<'a> {
    book: &'a Book,
    rows: Rows,
    limit: usize,
    meter: &'a Meter,
}

impl WithGame for Finding<'_> {
    type Output = Result<Vec<Listed>>;

    fn with<G: Game>(mut self, start: &G) -> Self::Output {
        let start = Node::start(start.clone(), self.book.header().keyed == Keyed::Line);
        let mut listed = Vec::new();
        if self.rows.is_empty() {
            return Ok(listed);
        }
        let watch = |step| self.meter.trimming(step);
        Passage::new(&[self.book], &start).run(&watch, |stop| {
            for row in self.rows.remove(&stop.node.key).unwrap_or_default() {
                listed.push(Listed::new(&row, stop.line_with(row.code())));
            }
            let is_enough = self.rows.is_empty() || listed.len() >= self.limit;
            Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        let room = self.limit.saturating_sub(listed.len());
        listed.extend(unnamed(self.rows, room));
        listed.truncate(self.limit);
        Ok(listed)
    }
}

/// Moves by their keys, in ascending order, and so many of them at most.
fn unnamed(rows: Rows, limit: usize) -> Vec<Listed> {
    let mut rows: Vec<MoveRow> = rows.into_values().flatten().collect();
    rows.sort_by_key(|row| (row.key(), row.code()));
    rows.iter().take(limit).map(|row| Listed::new(row, None)).collect()
}

impl Listed {
    fn new(row: &MoveRow, line: Option<String>) -> Self {
        Self {
            line,
            key: format!("{:016x}", row.key()),
            code: row.code(),
            games: row.counts().games(),
            marks: labels::of_marks(row.marks()),
        }
    }

    /// Where it is.
    fn place(&self) -> String {
        let Self { line, key, code, .. } = self;
        line.clone().unwrap_or_else(|| format!("--key {key} --code {code}"))
    }
}

impl AllMarked {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.marked == 0 {
            return writeln!(out, "no move is marked in this book");
        }
        let columns = terminal::columns();
        for listed in &self.moves {
            let games = counted(listed.games, "game");
            let head = format!("{:<12} {games:>14}  ", listed.marks.join(" "));
            let indent = head.chars().count();
            let lines = wrapped(&listed.place(), columns.saturating_sub(indent).max(20));
            for (number, line) in lines.iter().enumerate() {
                let before = if number == 0 { head.clone() } else { " ".repeat(indent) };
                writeln!(out, "{before}{line}")?;
            }
        }
        let more = self.marked - self.moves.len() as u64;
        if more > 0 {
            writeln!(out, "{} more are marked (--limit N lists N)", grouped(more))?;
        }
        Ok(())
    }
}
