//! The command: its formats, and a book made of what one of them reads.

use super::file::File;
use super::{Common, Rows};
use crate::console::{Console, Meter};
use crate::failure::{Done, Failure, Verdict};
use crate::foreign::{self, Facts};
use crate::games;
use crate::made::Made;
use crate::numbers::seconds;
use crate::output::Output;
use crate::place;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;
use tabia::NewBook;
use tabia::format::Header;
use tabia_interop::{ForeignBook as Kind, Losses};

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
    #[cfg(feature = "chess")]
    Polyglot(super::polyglot::Args),
    #[cfg(feature = "chess")]
    Abk(super::abk::Args),
    #[cfg(feature = "chess")]
    Ctg(super::ctg::Args),
    #[cfg(feature = "othello")]
    Edax(super::edax::Args),
    Mcst(super::mcst::Args),
    #[cfg(feature = "chess")]
    LichessEvals(super::lichess_evals::Args),
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
    match &args.format {
        #[cfg(feature = "chess")]
        Format::Polyglot(args) => {
            let check = |meter: &Meter| super::polyglot::check_legal(args, meter);
            let common = &args.common;
            import(args, common, Kind::Polyglot, console, super::polyglot::read, check)
        }
        #[cfg(feature = "chess")]
        Format::Abk(args) => plain(args, &args.common, Kind::Abk, console, super::abk::read),
        #[cfg(feature = "chess")]
        Format::Ctg(args) => plain(args, &args.common, Kind::Ctg, console, super::ctg::read),
        #[cfg(feature = "othello")]
        Format::Edax(args) => plain(args, &args.common, Kind::Edax, console, super::edax::read),
        Format::Mcst(args) => plain(args, &args.common, Kind::Mcst, console, super::mcst::read),
        #[cfg(feature = "chess")]
        Format::LichessEvals(args) => {
            plain(args, &args.common, Kind::LichessEvals, console, super::lichess_evals::read)
        }
    }
}

/// Reads a file by its format's options.
type Read<A> = fn(&A, &mut File, &Meter) -> Done<Rows>;

/// Imports a book that isn't checked again.
fn plain<A>(args: &A, common: &Common, kind: Kind, console: &Console, read: Read<A>) -> Done {
    import(args, common, kind, console, read, |_| Ok(Facts::default()))
}

/// Opens the file, has its format read it, writes the book, checks it again (`check`) and reports
/// on it.
fn import<A>(
    args: &A,
    common: &Common,
    kind: Kind,
    console: &Console,
    read: Read<A>,
    check: impl FnOnce(&Meter) -> Done<Facts>,
) -> Done {
    let start = Instant::now();
    place::check_book(&common.output, common.force)?;
    place::check_distinct(&common.output, [common.file.as_path()])?;
    let meter = console.meter();
    let mut file = File::open(&common.file, kind)?;
    let rows = read(args, &mut file, &meter)?;
    let header = write(common, &meter, &rows)?;
    let facts = rows.facts.and(check(&meter).map_err(Failure::after_all)?);
    drop(meter);
    let imported = Imported {
        facts,
        made: Made::new(&header),
        lost: rows.losses,
        seconds: seconds(start.elapsed()),
    };
    let mut out = Output::of_summary(console);
    if common.json {
        out.json(&imported)?;
    } else {
        imported.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn write(common: &Common, meter: &Meter, rows: &Rows) -> Done<Header> {
    let (game, keys) = games::names(&rows.game);
    let mut book = NewBook::new(game, keys)
        .keyed(rows.keyed)
        .results(rows.results)
        .load(common.load)
        .filter(common.filter)
        .facts(rows.of_book.clone());
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
