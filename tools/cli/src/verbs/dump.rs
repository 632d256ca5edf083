//! `tabia dump`: rows as text, JSON Lines or Parquet, for other programs and for `tabia load`.

pub(super) mod target;

use crate::console::{Console, Meter};
use crate::failure::{Done, Failure, Verdict, told};
use crate::numbers::{bytes, grouped};
use crate::output::Output;
use crate::rows::{Fields, Head, Writing, json, text};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Book, Error, MoveRow, PositionRow, Progress, Row, Stage, TableKind, View, WithCells};
use target::{Format, Target};

/// Write a book's rows as text, JSON Lines or Parquet
///
/// All say the same, and `tabia load` makes the same book of it: the game, the sources, how the book was made, and the rows of both tables with
/// named columns, in the order of the book's tables; the journal is laid over them. Text has lines that begin with # before the rows; keys (and what
/// best games are found by) are hexadecimal there, all else is decimal, - is no eval. Parquet takes a file a table: -o NAME makes NAME.positions.parquet and NAME.moves.parquet.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  tabia dump masters.tabia > masters.tsv\n  tabia dump masters.tabia --table moves | grep -v '^#' | cut -f 1 | sort -u | wc -l\n  \
                  tabia dump masters.tabia -o masters.parquet && duckdb -c \"select sum(wins) from 'masters.moves.parquet'\""
)]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Write one table only
    #[arg(long, value_enum, value_name = "TABLE")]
    table: Option<Table>,
    /// How to write it [default: as the output's name ends, .jsonl or .parquet, or else tsv]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// The file to make; `-` is standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace files that have the output's name
    #[arg(long, requires = "output")]
    force: bool,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
    /// Print JSON about the files that were made
    #[arg(long, requires = "output")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Table {
    /// What positions are worth, however reached
    Positions,
    /// What was played at positions
    Moves,
}

impl Table {
    fn kind(self) -> TableKind {
        match self {
            Self::Positions => TableKind::Positions,
            Self::Moves => TableKind::Moves,
        }
    }
}

/// A file that was made, or standard output.
#[derive(Serialize)]
struct Made {
    file: Option<String>,
    rows: u64,
    bytes: u64,
}

/// Writes it.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = Book::open_view(&args.book, if args.bare { View::Bare } else { View::Whole })?;
    if let Some(table) = args.table.map(Table::kind).filter(|&table| !book.has(table)) {
        return Err(Error::NoTable { path: args.book.clone(), table }.into());
    }
    let wanted = |kind: &TableKind| args.table.map_or(book.has(*kind), |table| table.kind() == *kind);
    let tables: Vec<TableKind> = [TableKind::Positions, TableKind::Moves].into_iter().filter(wanted).collect();
    let head = Head::of(book.header(), book.sources()?, book.facts()?, |kind| wanted(&kind));
    let output = args.output.as_deref().filter(|&output| output != Path::new("-"));
    // Rows on standard output may stand on the terminal, or another command's bar.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let made = match output {
        Some(output) => to_files(args, output, &meter, &book, &head, &tables)?,
        None => {
            let format = args.format.unwrap_or(Format::Tsv);
            let target = Target::output(format, &tables)?;
            write(target, format, &meter, &book, &head, &tables)?.publish()?;
            return Ok(Verdict::Fine);
        }
    };
    drop(meter);
    report(args, &made)
}

/// What was written to a target that is not published yet.
struct Written {
    target: Target,
    rows: u64,
}

impl Written {
    fn publish(self) -> Done<Made> {
        let file = self.target.path().map(|path| path.display().to_string());
        Ok(Made { file, rows: self.rows, bytes: self.target.publish()? })
    }
}

/// Writes files beside their places, and puts them there when all are whole.
fn to_files(args: &Args, output: &Path, meter: &Meter, book: &Book, head: &Head, tables: &[TableKind]) -> Done<Vec<Made>> {
    let format = args.format.unwrap_or_else(|| Format::of_name(output));
    let create = |path: &Path| target::create(path, &args.book, args.force);
    let mut written = Vec::new();
    if format == Format::Parquet {
        let paths = target::table_files(output, &args.book, tables, args.table.is_some());
        let targets = paths.iter().map(|path| create(path)).collect::<Done<Vec<_>>>()?;
        for (target, table) in targets.into_iter().zip(tables) {
            written.push(write(target, format, meter, book, head, std::slice::from_ref(table))?);
        }
    } else {
        written.push(write(create(output)?, format, meter, book, head, tables)?);
    }
    written.into_iter().map(Written::publish).collect()
}

fn write(target: Target, format: Format, meter: &Meter, book: &Book, head: &Head, tables: &[TableKind]) -> Done<Written> {
    let path = target.path().map(Path::to_owned);
    let failed = |error| target::failure(path.as_deref(), error);
    let mut out: Box<dyn Writing<Target>> = match format {
        Format::Tsv => Box::new(text::Writer::new(target, head).map_err(failed)?),
        Format::Jsonl => Box::new(json::Writer::new(target, head).map_err(failed)?),
        Format::Parquet => parquet(target, head, tables)?.map_err(failed)?,
    };
    let mut rows = 0;
    for &table in tables {
        out.begin(table).map_err(failed)?;
        let copy = match table {
            TableKind::Positions => copy::<PositionRow>,
            TableKind::Moves => copy::<MoveRow>,
        };
        rows += copy(book, meter, out.as_mut(), &failed)?;
    }
    Ok(Written { target: out.end().map_err(failed)?, rows })
}

#[cfg(feature = "parquet")]
fn parquet(target: Target, head: &Head, tables: &[TableKind]) -> Done<std::io::Result<Box<dyn Writing<Target>>>> {
    let [table] = tables else { return Err(told!("a Parquet file holds one table")) };
    Ok(crate::rows::parquet::Writer::new(target, head, *table).map(|writer| Box::new(writer) as Box<dyn Writing<Target>>))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: Target, _: &Head, _: &[TableKind]) -> Done<std::io::Result<Box<dyn Writing<Target>>>> {
    Err(told!("this tabia was built without Parquet: build it with the feature `parquet`"))
}

/// Writes the rows of a table; how many there are.
fn copy<R: Row>(book: &Book, meter: &Meter, out: &mut dyn Writing<Target>, failed: &dyn Fn(std::io::Error) -> Failure) -> Done<u64>
where
    Book: RowSet<R>,
    Fields: for<'a> From<&'a WithCells<R>>,
{
    let (mut rows, mut chunk) = (RowSet::<R>::rows(book)?, Chunk::default());
    let (mut done, total) = (0, RowSet::<R>::at_most(book));
    loop {
        if !meter.step(Stage::Writing, done, total) {
            return Err(Failure::Interrupted);
        }
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(done);
        }
        chunk.iter().try_for_each(|row| out.row(&(&row).into())).map_err(failed)?;
        done += chunk.len() as u64;
    }
}

fn report(args: &Args, made: &[Made]) -> Done {
    let mut out = Output::new();
    if args.json {
        out.json(&made)?;
        return Ok(Verdict::Fine);
    }
    for Made { file, rows, bytes: length } in made {
        let file = crate::failure::one_line(file.as_deref().unwrap_or("-"));
        writeln!(out, "{:>14} rows  {:>8}  {file}", grouped(*rows), bytes(*length))?;
    }
    out.finish()?;
    Ok(Verdict::Fine)
}
