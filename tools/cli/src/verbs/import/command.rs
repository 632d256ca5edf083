//! The command: its formats, and a book made of what one of them reads.

use super::file::File;
use super::{Common, Rows};
use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict};
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
    let nothing = |_: &Known, _: &Meter| Ok(Facts::default());
    match &args.format {
        #[cfg(feature = "chess")]
        Format::Polyglot(args) => {
            let check =
                |game: &Known, meter: &Meter| super::polyglot::check_legal(args, game, meter);
            import(
                &args.common,
                ForeignBook::Polyglot,
                console,
                |file, meter| super::polyglot::read(args, file, meter),
                check,
            )
        }
        #[cfg(feature = "chess")]
        Format::Abk(args) => import(
            &args.common,
            ForeignBook::Abk,
            console,
            |file, meter| super::abk::read(args, file, meter),
            nothing,
        ),
        #[cfg(feature = "chess")]
        Format::Ctg(args) => import(
            &args.common,
            ForeignBook::Ctg,
            console,
            |file, meter| super::ctg::read(args, file, meter),
            nothing,
        ),
        #[cfg(feature = "othello")]
        Format::Edax(args) => import(
            &args.common,
            ForeignBook::Edax,
            console,
            |file, meter| super::edax::read(args, file, meter),
            nothing,
        ),
        Format::Mcst(args) => import(
            &args.common,
            ForeignBook::Mcst,
            console,
            |file, meter| super::mcst::read(args, file, meter),
            nothing,
        ),
        #[cfg(feature = "chess")]
        Format::LichessEvals(args) => import(
            &args.common,
            ForeignBook::LichessEvals,
            console,
            |file, meter| super::lichess_evals::read(args, file, meter),
            nothing,
        ),
    }
}

/// Opens the file, has its format read it, writes the book, checks it again (`check`) and reports
/// on it.
fn import(
    common: &Common,
    format: ForeignBook,
    console: &Console,
    read: impl FnOnce(&mut File, &Meter) -> Done<Rows>,
    check: impl FnOnce(&Known, &Meter) -> Done<Facts>,
) -> Done {
    let start = Instant::now();
    place::check_book(&common.output, common.force)?;
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
