//! `tabia get`: raw rows by key, of any game.

use crate::failure::{Done, Verdict};
use crate::output::Output;
use crate::ratings::{self, Sums};
use crate::rows::{self, text};
use crate::words;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use tabia::{Book, Key, PositionRow, RatedMoveRow, Row, TableKind, View};

/// Show the rows of positions, given their keys
///
/// Works for books of any game. Rows are shown as `tabia dump` writes them, moves with the sums of ratings if the book has
/// them. A key that is not in the book is no failure.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabia get masters.tabia 463b96181691fc9c")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Keys of positions, 16 hexadecimal digits each
    #[arg(value_name = "KEY", required = true, value_parser = rows::read_key)]
    keys: Vec<Key>,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is known under a key.
struct Found {
    key: Key,
    position: Option<PositionRow>,
    /// Without rated games if the book has no ratings.
    moves: Vec<RatedMoveRow>,
}

#[derive(Serialize)]
struct FoundFacts {
    key: String,
    position: Option<PositionFacts>,
    moves: Vec<MoveFacts>,
}

#[derive(Serialize)]
struct PositionFacts {
    wins: u32,
    draws: u32,
    losses: u32,
    eval: Option<i16>,
    depth: u8,
    flags: Vec<&'static str>,
}

#[derive(Serialize)]
struct MoveFacts {
    #[serde(rename = "move")]
    code: u16,
    wins: u32,
    draws: u32,
    losses: u32,
    marks: Vec<&'static str>,
    /// Only in a book that has them.
    #[serde(flatten)]
    ratings: Option<Sums>,
}

/// Shows them.
pub fn run(args: &Args) -> Done {
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    let look_up = |&key: &Key| Ok(Found { key, position: book.position(key)?, moves: book.rated_moves(key)?.into_owned() });
    let rated = book.header().is_rated();
    let found = args.keys.iter().map(look_up).collect::<Result<Vec<_>, tabia::Error>>()?;
    let mut out = Output::new();
    if args.json {
        out.json(&found.iter().map(|found| FoundFacts::of(found, rated)).collect::<Vec<_>>())?;
    } else {
        write(&found, rated, &mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn write(found: &[Found], rated: bool, out: &mut impl Write) -> io::Result<()> {
    for absent in found.iter().filter(|found| found.position.is_none() && found.moves.is_empty()) {
        writeln!(out, "# {:016x} is not in the book", absent.key)?;
    }
    if found.iter().any(|found| found.position.is_some()) {
        text::write_columns(out, TableKind::Positions)?;
        found.iter().filter_map(|found| found.position.as_ref()).try_for_each(|row| text::write_position(out, row))?;
    }
    if found.iter().any(|found| !found.moves.is_empty()) {
        write_line(out, rated.then_some(ratings::COLUMNS), |line| text::write_columns(line, TableKind::Moves))?;
        for row in found.iter().flat_map(|found| &found.moves) {
            let ratings = rated.then(|| ratings::tabbed(&row.ratings()));
            write_line(out, ratings.as_deref(), |line| text::write_move(line, &row.plain()))?;
        }
    }
    Ok(())
}

/// Writes a line, with more behind what stands in it.
fn write_line(out: &mut impl Write, more: Option<&str>, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<()> {
    let mut line = Vec::new();
    write(&mut line)?;
    line.pop();
    out.write_all(&line)?;
    writeln!(out, "{}", more.unwrap_or_default())
}

impl FoundFacts {
    fn of(found: &Found, rated: bool) -> Self {
        let position = found.position.map(|row| {
            let counts = row.counts();
            PositionFacts {
                wins: counts.wins,
                draws: counts.draws,
                losses: counts.losses,
                eval: row.eval(),
                depth: row.depth(),
                flags: words::of_flags(row.flags()),
            }
        });
        Self { key: format!("{:016x}", found.key), position, moves: found.moves.iter().map(|row| MoveFacts::of(row, rated)).collect() }
    }
}

impl MoveFacts {
    fn of(row: &RatedMoveRow, rated: bool) -> Self {
        let counts = row.counts();
        let marks = words::of_marks(row.marks());
        Self {
            code: row.code(),
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            marks,
            ratings: rated.then(|| Sums::of(&row.ratings())),
        }
    }
}
