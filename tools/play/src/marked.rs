//! All marks of a book, with the lines that lead to them.

use crate::explore::labels;
use crate::passage::Passage;
use crate::text::lines::wrapped;
use crate::text::numbers::{counted, grouped};
use crate::watch::{Watch, each_row};
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;
use tabia::{Key, Keyed, MoveRow, ReadBook, Result, Row};
use tabia_games::{Game, Known, Node};

/// All marked moves of a book, as far as they are listed.
#[derive(Debug, Serialize)]
pub struct AllMarked {
    /// How many moves are marked.
    pub marked: u64,
    /// Those with the shortest lines first, then those that no line leads to.
    pub moves: Vec<MarkedMove>,
}

/// A marked move.
#[derive(Debug, Serialize)]
pub struct MarkedMove {
    /// The line to its position, the move at its end; none if none was found.
    pub line: Option<String>,
    /// The key of its position.
    pub key: String,
    /// Its code.
    pub code: u16,
    /// How often it was played.
    pub games: u64,
    /// Its marks in words.
    pub marks: Vec<&'static str>,
}

/// The marked moves of a book, by the keys of their positions.
type Rows = HashMap<Key, Vec<MoveRow>>;

impl AllMarked {
    /// Those of a book, `limit` at most; lines are found if the game's rules are known.
    ///
    /// # Errors
    /// Those of reading the book; [`tabia::Error::Interrupted`] if `watch` says so.
    pub fn of(
        book: &dyn ReadBook,
        game: Option<&Known>,
        limit: usize,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let mut rows = Rows::new();
        each_row::<MoveRow>(book, watch, |row| {
            if !row.marks().is_empty() {
                rows.entry(row.key()).or_default().push(*row);
            }
        })?;
        let marked = rows.values().map(|rows| rows.len() as u64).sum();
        let moves = match game {
            Some(game) => walked(book, game, rows, limit, watch)?,
            None => unnamed(rows, limit),
        };
        Ok(Self { marked, moves })
    }

    /// Writes them in so many columns, each with the line that leads to it.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut impl Write, columns: usize) -> io::Result<()> {
        if self.marked == 0 {
            return writeln!(out, "no move is marked in this book");
        }
        for listed in &self.moves {
            let games = counted(listed.games, "game");
            let head = format!("{:<12} {games:>14}  ", listed.marks.join(" "));
            let indent = head.chars().count();
            let lines = wrapped(&listed.place(), columns.saturating_sub(indent).max(20));
            for (number, line) in lines.iter().enumerate() {
                let before = if number == 0 { &*head } else { "" };
                writeln!(out, "{before:indent$}{line}")?;
            }
        }
        match self.marked - self.moves.len() as u64 {
            0 => Ok(()),
            more => writeln!(out, "{} more are marked (--limit N lists N)", grouped(more)),
        }
    }
}

/// Marked moves with the lines that lead to them, as far as there are any.
fn walked<G: Game>(
    book: &dyn ReadBook,
    start: &G,
    mut rows: Rows,
    limit: usize,
    watch: Watch<'_>,
) -> Result<Vec<MarkedMove>> {
    let start = Node::start(start.clone(), book.header().keyed == Keyed::Line);
    let mut listed = Vec::new();
    if rows.is_empty() {
        return Ok(listed);
    }
    Passage::new(&[&book], start).run(watch, |stop| {
        for row in rows.remove(&stop.node.key).unwrap_or_default() {
            listed.push(MarkedMove::new(&row, stop.line_with(row.code())));
        }
        let is_enough = rows.is_empty() || listed.len() >= limit;
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    let room = limit.saturating_sub(listed.len());
    listed.extend(unnamed(rows, room));
    listed.truncate(limit);
    Ok(listed)
}

/// Moves by their keys, in ascending order, `limit` at most.
fn unnamed(rows: Rows, limit: usize) -> Vec<MarkedMove> {
    let mut rows: Vec<MoveRow> = rows.into_values().flatten().collect();
    rows.sort_by_key(|row| (row.key(), row.code()));
    rows.iter().take(limit).map(|row| MarkedMove::new(row, None)).collect()
}

impl MarkedMove {
    fn new(row: &MoveRow, line: Option<String>) -> Self {
        Self {
            line,
            key: format!("{:016x}", row.key()),
            code: row.code(),
            games: row.counts().games(),
            marks: labels::of_marks(row.marks()),
        }
    }

    /// Where it is: the line, or key and code as options of `tabia mark`.
    pub fn place(&self) -> String {
        let Self { line, key, code, .. } = self;
        line.clone().unwrap_or_else(|| format!("--key {key} --code {code}"))
    }
}
