//! `tabia dump`: rows as text, JSON Lines or Parquet, for other programs and for `tabia load`.

use crate::newfile::{Target, check_no_terminal, refused};
use crate::prelude::*;
use crate::values::TABLES;
use tabia_interop::rows;

const FORMATS: &[Named<rows::RowFormat>] = &[
    ("tsv", rows::RowFormat::Tsv, "Text, fields between tabs"),
    ("jsonl", rows::RowFormat::Jsonl, "JSON Lines, an object a row"),
    ("parquet", rows::RowFormat::Parquet, "Apache Parquet, a file a table"),
];

/// Write a book's rows as text, JSON Lines or Parquet
///
/// All say the same, and `tabia load` makes the same book of it: the game, the sources, how the
/// book was made, and the rows of both tables with named columns, in the order of the book's
/// tables; the journal is laid over them. Text has lines that begin with # before the rows; keys
/// (and what best games are found by) are hexadecimal there, all else is decimal, - is no eval.
/// Parquet takes a file a table: -o NAME makes NAME.positions.parquet and NAME.moves.parquet.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia dump masters.tabia > masters.tsv
  tabia dump masters.tabia --table moves | grep -v '^#' | cut -f 1 | sort -u
  tabia dump masters.tabia -o rows.parquet && \\
      duckdb -c \"select sum(wins) from 'rows.moves.parquet'\"")]
pub struct Args {
    /// The book; all its shares or their folder
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Write one table only
    #[arg(long, value_parser = one_of(TABLES), value_name = "TABLE")]
    table: Option<TableKind>,
    /// How to write it
    ///
    /// Without it as the output's name ends, .jsonl or .parquet, or else as text.
    #[arg(long, value_parser = one_of(FORMATS), value_name = "FORMAT")]
    format: Option<rows::RowFormat>,
    /// The file to make [default: -, standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace files of that name
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    journal: ViewChoice,
    /// Print JSON
    ///
    /// About the files that were made.
    #[arg(long, requires = "output")]
    json: bool,
}

/// Writes it.
pub fn run(args: &Args, console: &Console) -> Done {
    let book = books::open_any(&args.books, args.journal.view(), console)?;
    args.table.map_or(Ok(()), |table| books::check_table(book.first(), table))?;
    let tables = args.table.map_or_else(|| rows::tables(book.first()), |table| vec![table]);
    let output = args.output.as_deref().filter(|&output| output != Path::new("-"));
    // Rows on standard output may stand on the terminal, or another command's bar.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let made = match output {
        Some(output) => to_files(args, output, &meter, &book, &tables)?,
        None => {
            let format = args.format.unwrap_or(rows::RowFormat::Tsv);
            if format == rows::RowFormat::Parquet {
                check_one_table(&tables)?;
            }
            let target = Target::create(None, [], args.force)?;
            write(target, format, &meter, &book, &tables)?.out.publish()?;
            return Ok(Verdict::Fine);
        }
    };
    drop(meter);
    Output::of_summary(console)
        .show(args.json, &made, |made, out| made.iter().try_for_each(|made| made.write(out)))
}

/// Makes sure that standard output can take these tables as Parquet.
fn check_one_table(tables: &[TableKind]) -> Done<()> {
    if tables.len() > 1 {
        return Err(failure!(
            "a Parquet file holds one table: give -o NAME for a file a table, or --table"
        ));
    }
    check_no_terminal(None, "Parquet")
}

/// What was written to a target that is not published yet.
type Written = rows::Written<Target>;

/// Puts it where it belongs: a file, or standard output.
fn publish(written: Written) -> Done<Facts> {
    let file = written.out.path().map(|path| path.display().to_string());
    let (rows, length) = (written.rows, written.out.publish()?);
    let name = file.as_deref().unwrap_or("-");
    let line = format!("{:>14} rows  {:>8}  {name}", grouped(rows), bytes(length));
    Ok(Facts::default().json("file", &file).json("rows", rows).json("bytes", length).line(line))
}

/// Writes files beside their places, and puts them there when all are whole.
fn to_files(
    args: &Args,
    output: &Path,
    meter: &Meter,
    book: &OpenBook,
    tables: &[TableKind],
) -> Done<Vec<Facts>> {
    let format = args.format.unwrap_or_else(|| rows::RowFormat::of_name(output));
    let create =
        |path: &Path| Target::create(Some(path), book.books().iter().map(Book::path), args.force);
    let mut written = Vec::new();
    if format == rows::RowFormat::Parquet {
        let paths = rows::table_files(output, &args.books[0], tables, args.table.is_some());
        let targets = paths.iter().map(|path| create(path)).collect::<Done<Vec<_>>>()?;
        for (target, table) in targets.into_iter().zip(tables) {
            written.push(write(target, format, meter, book, slice::from_ref(table))?);
        }
    } else {
        written.push(write(create(output)?, format, meter, book, tables)?);
    }
    written.into_iter().map(publish).collect()
}

fn write(
    target: Target,
    format: rows::RowFormat,
    meter: &Meter,
    book: &OpenBook,
    tables: &[TableKind],
) -> Done<Written> {
    let path = target.path().map(Path::to_owned);
    let share = Some(book.share());
    let metadata = rows::Metadata { share, ..rows::Metadata::of_book(book.first(), tables)? };
    rows::write_tables(&metadata, (book.read(), book.read()), format, target, meter)
        .map_err(refused(path.as_deref()))
}
