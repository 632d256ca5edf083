//! `tabia get`: raw rows by key, of any game.

use crate::failure::{Done, Verdict};
use crate::output::Output;
use crate::rows::{self, text};
use crate::words;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use tabia::{Book, Key, MoveRow, PositionRow, Row, TableKind, View};

/// Show the rows of positions, given their keys
///
/// Works for books of any game. Rows are shown as `tabia dump` writes them. A key that is not in the book is no failure.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  tabia get masters.tabia 463b96181691fc9c")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Keys of positions, 16 hexadecimal digits each
    #[arg(value_name = "KEY", required = true, value_parser = read_key)]
    keys: Vec<Key>,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn read_key(text: &str) -> Result<Key, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    rows::key(digits.as_bytes()).ok_or("a key is 16 hexadecimal digits")
}

/// What is known under a key.
struct Found {
    key: Key,
    position: Option<PositionRow>,
    moves: Vec<MoveRow>,
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
}

/// Shows them.
pub fn run(args: &Args) -> Done {
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    let look_up = |&key: &Key| Ok(Found { key, position: book.position(key)?, moves: book.moves(key)?.into_owned() });
    let found = args.keys.iter().map(look_up).collect::<Result<Vec<_>, tabia::Error>>()?;
    let mut out = Output::new();
    if args.json {
        out.json(&found.iter().map(FoundFacts::of).collect::<Vec<_>>())?;
    } else {
        write(&found, &mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn write(found: &[Found], out: &mut impl Write) -> io::Result<()> {
    for absent in found.iter().filter(|found| found.position.is_none() && found.moves.is_empty()) {
        writeln!(out, "# {:016x} is not in the book", absent.key)?;
    }
    if found.iter().any(|found| found.position.is_some()) {
        text::write_columns(out, TableKind::Positions)?;
        found.iter().filter_map(|found| found.position.as_ref()).try_for_each(|row| text::write_position(out, row))?;
    }
    if found.iter().any(|found| !found.moves.is_empty()) {
        text::write_columns(out, TableKind::Moves)?;
        found.iter().flat_map(|found| &found.moves).try_for_each(|row| text::write_move(out, row))?;
    }
    Ok(())
}

impl FoundFacts {
    fn of(found: &Found) -> Self {
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
        Self { key: format!("{:016x}", found.key), position, moves: found.moves.iter().map(MoveFacts::of).collect() }
    }
}

impl MoveFacts {
    fn of(row: &MoveRow) -> Self {
        let counts = row.counts();
        let marks = words::of_marks(row.marks());
        Self { code: row.code(), wins: counts.wins, draws: counts.draws, losses: counts.losses, marks }
    }
}
