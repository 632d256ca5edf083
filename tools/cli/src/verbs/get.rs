//! `tabia get`: raw rows by key, of any game.

use crate::numbers::read_key;
use crate::prelude::*;
use serde::Serialize;
use tabia::{Columns, Counts, Hash, Key, PositionRow, Row, WithCells};
use tabia_interop::rows::{CellFacts, Fields, Schema, text};
use tabia_play::explore::{PositionRowFacts, labels};

/// Show the rows of positions, given their keys
///
/// Works for books of any game. Rows are shown as `tabia dump` writes them, with all that the book
/// knows of them: sums of ratings, years, and what the best game is found by. A key that is not in
/// the book is no failure.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia get masters.tabia 463b96181691fc9c
  tabia get shares/ 463b96181691fc9c
  echo 463b96181691fc9c | tabia get masters.tabia - --json")]
pub struct Args {
    /// The book, or a folder with all its shares (*.tabia)
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Keys of positions, 16 hexadecimal digits; `-`: from standard input
    #[arg(value_name = "KEY", required = true, value_parser = KeyOrInput::read)]
    keys: Vec<KeyOrInput>,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A key, or all those of standard input.
#[derive(Clone, Copy)]
enum KeyOrInput {
    Key(Key),
    Input,
}

impl KeyOrInput {
    fn read(text: &str) -> Result<Self, &'static str> {
        if text == "-" { Ok(Self::Input) } else { read_key(text).map(Self::Key) }
    }

    /// The keys that are meant; those of standard input have spaces or ends of lines between them.
    fn keys(self) -> Done<Vec<Key>> {
        match self {
            Self::Key(key) => Ok(vec![key]),
            Self::Input => {
                let text = io::read_to_string(io::stdin())
                    .map_err(|error| failure!("standard input: cannot read: {error}"))?;
                let key = |word: &str| {
                    read_key(word).map_err(|error| failure!("standard input: `{word}`: {error}"))
                };
                text.split_whitespace().map(key).collect()
            }
        }
    }
}

/// What is known under a key.
struct Found {
    key: Key,
    position: Option<PositionRow>,
    moves: Vec<WithCells<MoveRow>>,
    /// Whether the book, a share, doesn't hold such keys.
    elsewhere: bool,
}

/// Shows them.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = books::open_one(std::slice::from_ref(&args.book), args.journal.view(), console)?;
    let elsewhere =
        |key| matches!(&book, OpenBook::One(book) if !book.header().share.holds(Hash::of(key)));
    let look_up = |&key: &Key| {
        Ok(Found {
            key,
            position: book.rows().position(key)?,
            moves: book.rows().moves_with_cells(key)?,
            elsewhere: elsewhere(key),
        })
    };
    let columns = book.header().columns(TableKind::Moves);
    let mut found = Vec::new();
    for keys in &args.keys {
        found.extend(keys.keys()?.iter().map(look_up).collect::<Result<Vec<_>, tabia::Error>>()?);
    }
    let json: Vec<_> = found.iter().map(facts).collect();
    Output::new().show(args.json, &json, |_, out| write(&found, columns, out))
}

fn write(found: &[Found], columns: Columns, out: &mut impl Write) -> io::Result<()> {
    for absent in found.iter().filter(|found| found.position.is_none() && found.moves.is_empty()) {
        let where_else = if absent.elsewhere { ": it belongs to another share" } else { "" };
        writeln!(out, "# {:016x} is not in the book{where_else}", absent.key)?;
    }
    let positions = found.iter().filter_map(|found| found.position.as_ref()).map(Fields::from);
    write_rows(Schema::bare(TableKind::Positions), positions.collect(), out)?;
    let moves = found.iter().flat_map(|found| &found.moves).map(Fields::from);
    write_rows(Schema { kind: TableKind::Moves, cells: columns }, moves.collect(), out)
}

/// Writes the rows of a table, if there are any, below the names of its columns.
fn write_rows(schema: Schema, rows: Vec<Fields>, out: &mut impl Write) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    text::write_schema(out, schema)?;
    let columns = schema.columns();
    rows.iter().try_for_each(|row| text::write_row(out, &columns, row))
}

/// What is known under a key, for programs.
fn facts(Found { key, position, moves, .. }: &Found) -> Facts {
    let played = |WithCells { row, cells }: &WithCells<MoveRow>| {
        let Counts { wins, draws, losses } = row.counts();
        let marks = labels::of_marks(row.marks());
        // Those of the columns that the book has.
        MoveFacts { code: row.code(), wins, draws, losses, marks, cells: CellFacts::of(cells) }
    };
    Facts::default()
        .json("key", format!("{key:016x}"))
        .json("position", position.as_ref().map(PositionRowFacts::from))
        .json("moves", moves.iter().map(played).collect::<Vec<_>>())
}

#[derive(Serialize)]
struct MoveFacts {
    #[serde(rename = "move")]
    code: u16,
    wins: u32,
    draws: u32,
    losses: u32,
    marks: Vec<&'static str>,
    #[serde(flatten)]
    cells: CellFacts,
}
