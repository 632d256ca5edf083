//! `tabia export`: a book to another program's book, a subcommand for each format.

mod abk;
mod mcst;
mod polyglot;
mod suite;

use super::dump::target::{self, Target};
use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict, one_line};
use crate::foreign::{self, Facts};
use crate::games;
use crate::numbers::{bytes, grouped};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tabia::{Book, View};
use tabia_games::Known;
use tabia_interop::Losses;

/// Write a book for another program
///
/// Each format is a command of its own, with its own options: see `tabia export FORMAT --help`.
/// What the book knows and the other format can't say is told.
#[derive(clap::Args)]
#[command(
    subcommand_value_name = "FORMAT",
    subcommand_help_heading = "Formats",
    disable_help_subcommand = true,
    after_help = "\
Examples:
  tabia export polyglot masters.tabia -o masters.bin --min-games 5
  tabia export suite masters.tabia -o openings.epd --plies 8 \\
      --min-games 50 --count 500"
)]
pub struct Args {
    #[command(subcommand)]
    format: Format,
}

/// The books that can be written.
#[derive(clap::Subcommand)]
enum Format {
    Polyglot(polyglot::Args),
    Abk(abk::Args),
    Mcst(mcst::Args),
    Suite(suite::Args),
}

/// What all formats ask for.
#[derive(clap::Args)]
struct Common {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to make [default: -, standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
    /// Replace a file of that name
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON about the file that was made
    #[arg(long, requires = "output")]
    json: bool,
}

/// The book that is exported.
struct Source<'a> {
    path: &'a Path,
    book: Book,
    game: Known,
    meter: Meter,
}

/// What was written to a target that is not published yet.
struct Written {
    target: Target,
    facts: Facts,
    losses: Losses,
}

/// A file that was made.
#[derive(Serialize)]
struct Exported {
    file: String,
    #[serde(flatten)]
    facts: Facts,
    bytes: u64,
    /// What the book holds and the file doesn't.
    #[serde(serialize_with = "foreign::as_map")]
    lost: Losses,
}

/// Exports it.
pub fn run(args: &Args, console: &Console) -> Done {
    match &args.format {
        Format::Polyglot(args) => {
            export(&args.common, console, |source, target| polyglot::write(args, source, target))
        }
        Format::Abk(args) => {
            export(&args.common, console, |source, target| abk::write(args, source, target))
        }
        Format::Mcst(args) => {
            export(&args.common, console, |source, target| mcst::write(args, source, target))
        }
        Format::Suite(args) => {
            export(&args.common, console, |source, target| suite::write(args, source, target))
        }
    }
}

/// Opens the book, has a format write it, puts the file where it belongs and tells of it.
fn export(
    common: &Common,
    console: &Console,
    write: impl FnOnce(&Source<'_>, Target) -> Done<Written>,
) -> Done {
    let output = common.output();
    let book = Book::open_view(&common.book, if common.bare { View::Bare } else { View::Whole })?;
    let game = games::of(book.header(), &common.book)?;
    // Standard output may stand on the terminal.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let source = Source { path: &common.book, book, game, meter };
    let target = output.map_or_else(
        || Ok(Target::Output(io::stdout())),
        |output| target::create(output, &common.book, common.force),
    )?;
    let Written { target, facts, losses } = write(&source, target)?;
    let file = target.path().map(|path| path.display().to_string());
    let bytes = target.publish()?;
    let lost = foreign::in_words(&losses);
    if file.is_none() && !console.quiet && !lost.is_empty() {
        source.meter.note(&format!("left out: {lost}"));
    }
    drop(source);
    file.map_or(Ok(()), |file| Exported { file, facts, bytes, lost: losses }.tell(common.json))?;
    Ok(Verdict::Fine)
}

impl Common {
    /// The file to make; none for standard output.
    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|&output| output != Path::new("-"))
    }
}

/// Writes to a target through a buffer, and returns the target.
fn written_to<T>(
    target: Target,
    write: impl FnOnce(&mut BufWriter<Target>, Option<&Path>) -> Done<T>,
) -> Done<(Target, T)> {
    let path = target.path().map(Path::to_owned);
    let mut out = BufWriter::with_capacity(1 << 16, target);
    let written = write(&mut out, path.as_deref())?;
    let target =
        out.into_inner().map_err(|error| target::failure(path.as_deref(), error.into_error()))?;
    Ok((target, written))
}

impl Exported {
    fn tell(&self, json: bool) -> Done<()> {
        let mut out = Output::new();
        if json {
            return out.json(self);
        }
        self.facts.write(&mut out)?;
        foreign::write_losses(&self.lost, &mut out)?;
        writeln!(
            out,
            "bytes       {:>14}  {}  {}",
            grouped(self.bytes),
            bytes(self.bytes),
            one_line(&self.file)
        )?;
        out.finish()
    }
}
