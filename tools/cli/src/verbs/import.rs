//! `tabia import`: a book of another program to a book, a subcommand for each format.

mod abk;
mod ctg;
mod edax;
mod file;
mod into;
mod mcst;
mod polyglot;

use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict};
use crate::foreign::{self, Facts};
use crate::games;
use crate::headings;
use crate::made::Made;
use crate::memory::Memory;
use crate::numbers::seconds;
use crate::output::Output;
use crate::place;
use file::File;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tabia::format::{Header, Keyed, Load, Results, Source};
use tabia::sort::Sorted;
use tabia::{MoveRow, NewBook, PositionRow};
use tabia_games::Known;
use tabia_interop::{ForeignBook, Losses};

/// Make a book of another program's book
///
/// Each format is a command of its own, with its own options: see `tabia import FORMAT --help`.
/// Files may be plain or compressed by zstd, gzip or bzip2. What the file says and a book has no
/// place for is told. A book that says how often moves were played and never how games ended makes
/// counts without results.
#[derive(clap::Args)]
#[command(
    subcommand_value_name = "FORMAT",
    subcommand_help_heading = "Formats",
    disable_help_subcommand = true,
    after_help = "\
Examples:
  tabia import polyglot performance.bin -o performance.tabia
  tabia import mcst tree.mcst -o go.tabia"
)]
pub struct Args {
    #[command(subcommand)]
    format: Format,
}

/// The books that can be read.
#[derive(clap::Subcommand)]
enum Format {
    Polyglot(polyglot::Args),
    Abk(abk::Args),
    Ctg(ctg::Args),
    Edax(edax::Args),
    Mcst(mcst::Args),
}

/// What all formats ask for.
#[derive(clap::Args)]
struct Common {
    /// The other program's book; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// Replace a book of that name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// How full the tables are, from 0.5 to 0.98
    ///
    /// Fuller is smaller and slower.
    #[arg(long, default_value = "0.80", help_heading = headings::BOOK)]
    load: Load,
    /// Add a filter, for faster probes of absent positions
    ///
    /// With it most probes for absent positions touch no row; 10 bits a position.
    #[arg(long, help_heading = headings::BOOK)]
    filter: bool,
    /// Memory to work with
    ///
    /// What doesn't fit is sorted on disk, beside the book.
    #[arg(long, value_name = "SIZE", default_value = "2G", help_heading = headings::MEMORY)]
    memory: Memory,
}

/// The rows of another book, and what is told of it.
struct Rows {
    game: Known,
    keyed: Keyed,
    results: Results,
    positions: Option<Sorted<PositionRow>>,
    moves: Sorted<MoveRow>,
    source: Source,
    facts: Facts,
    losses: Losses,
}

/// What was in the other book, and what became of it.
#[derive(Serialize)]
struct Imported {
    #[serde(flatten)]
    facts: Facts,
    #[serde(flatten)]
    made: Made,
    /// What the other book holds and this one doesn't.
    #[serde(serialize_with = "foreign::as_map")]
    lost: Losses,
    seconds: f64,
}

/// Imports it.
pub fn run(args: &Args, console: &Console) -> Done {
    let nothing = |_: &Known, _: &Meter| Ok(Facts::default());
    match &args.format {
        Format::Polyglot(args) => {
            let check = |game: &Known, meter: &Meter| polyglot::check_legal(args, game, meter);
            import(
                &args.common,
                ForeignBook::Polyglot,
                console,
                |file, meter| polyglot::read(args, file, meter),
                check,
            )
        }
        Format::Abk(args) => import(
            &args.common,
            ForeignBook::Abk,
            console,
            |file, meter| abk::read(args, file, meter),
            nothing,
        ),
        Format::Ctg(args) => import(
            &args.common,
            ForeignBook::Ctg,
            console,
            |file, meter| ctg::read(args, file, meter),
            nothing,
        ),
        Format::Edax(args) => import(
            &args.common,
            ForeignBook::Edax,
            console,
            |file, meter| edax::read(args, file, meter),
            nothing,
        ),
        Format::Mcst(args) => import(
            &args.common,
            ForeignBook::Mcst,
            console,
            |file, meter| mcst::read(args, file, meter),
            nothing,
        ),
    }
}

/// Opens the file, has its format read it, writes the book, looks at that once more (`check`) and
/// tells of it.
fn import(
    common: &Common,
    format: ForeignBook,
    console: &Console,
    read: impl FnOnce(&mut File, &Meter) -> Done<Rows>,
    check: impl FnOnce(&Known, &Meter) -> Done<Facts>,
) -> Done {
    let start = Instant::now();
    place::check_output(&common.output, common.force)?;
    place::check_distinct(&common.output, [common.file.as_path()])?;
    let meter = console.meter();
    let mut file = File::open(&common.file, format)?;
    let rows = read(&mut file, &meter)?;
    let header = write(common, &meter, &rows)?;
    let facts = rows.facts.and(check(&rows.game, &meter)?);
    drop(meter);
    let imported = Imported {
        facts,
        made: Made::new(&header),
        lost: rows.losses,
        seconds: seconds(start.elapsed()),
    };
    let mut out = Output::new();
    if common.json {
        out.json(&imported)?;
    } else {
        imported.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

impl Common {
    /// The most bytes of a file that is read as a whole.
    fn file_limit(&self) -> u64 {
        self.memory.share(1) as u64
    }
}

fn write(common: &Common, meter: &Meter, rows: &Rows) -> Done<Header> {
    let (game, keys) = games::names(&rows.game);
    let mut book = NewBook::new(game, keys)
        .keyed(rows.keyed)
        .results(rows.results)
        .load(common.load)
        .filter(common.filter);
    if let Some(positions) = &rows.positions {
        book = book.positions(positions);
    }
    book = book.moves(&rows.moves);
    Ok(book.sources(vec![rows.source.clone()]).write(
        &meter.env(),
        &common.output,
        common.force.into(),
    )?)
}

impl Imported {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.facts.write(out)?;
        foreign::write_losses(&self.lost, out)?;
        self.made.write(out)?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}
