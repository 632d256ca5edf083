//! `tabia export`: a book to another program's book, a subcommand for each format.

#[cfg(feature = "chess")]
mod abk;
mod mcst;
mod polyglot;
#[cfg(feature = "chess")]
mod suite;

use super::dump::target::{self, Target};
use crate::books::{self, ViewChoice};
use crate::numbers::bytes;
use crate::prelude::*;
use crate::{foreign, games, layout};
use std::io::{self, BufWriter};
use std::slice;
use tabia::{Book, Error, Progress, Stage, TableKind};
use tabia_games::Known;
use tabia_interop::Losses;
use tabia_play::explore::{Explorable, OpenBook};

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
    #[cfg(feature = "chess")]
    Abk(abk::Args),
    Mcst(mcst::Args),
    #[cfg(feature = "chess")]
    Suite(suite::Args),
}

/// Exports it.
pub fn run(args: &Args, console: &Console) -> Done {
    match &args.format {
        Format::Polyglot(args) => export(args, &args.common, console, polyglot::write),
        #[cfg(feature = "chess")]
        Format::Abk(args) => export(args, &args.common, console, abk::write),
        Format::Mcst(args) => export(args, &args.common, console, mcst::write),
        #[cfg(feature = "chess")]
        Format::Suite(args) => export(args, &args.common, console, suite::write),
    }
}

/// What all formats ask for.
#[derive(clap::Args)]
struct Common {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The file to make [default: -, standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    journal: ViewChoice,
    /// Replace a file of that name
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON
    ///
    /// About the file that was made.
    #[arg(long, requires = "output")]
    json: bool,
}

/// The book that is exported.
struct Source<'a> {
    path: &'a Path,
    book: OpenBook,
    game: Known,
    meter: Meter,
}

/// What was written to a target that is not published yet.
struct Written {
    target: Target,
    facts: Facts,
    losses: Losses,
}

impl Common {
    /// The file to make; none for standard output.
    fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|&output| output != Path::new("-"))
    }
}

impl Source<'_> {
    /// Receives how far the writing has come of `total`, and shows multiples of `each`; its error
    /// ends the work.
    fn watch(&self, total: u64, each: u64) -> impl Fn(u64) -> tabia::Result<()> {
        move |done| {
            let goes_on =
                !done.is_multiple_of(each) || self.meter.step(Stage::Writing, done, total);
            if goes_on { Ok(()) } else { Err(Error::Interrupted) }
        }
    }

    fn rows(&self, kind: TableKind) -> u64 {
        self.book.books().iter().map(|book| layout::rows(book.header(), kind)).sum()
    }
}

/// Opens the book, has a format write it, puts the file where it belongs and reports on it.
fn export<A>(
    args: &A,
    common: &Common,
    console: &Console,
    write: fn(&A, &Source<'_>, Target) -> Done<Written>,
) -> Done {
    let output = common.output();
    let book = books::open_any(slice::from_ref(&common.book), common.journal.view(), console)?;
    let game = games::of(book.header(), &common.book)?;
    // Standard output may stand on the terminal.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let source = Source { path: &common.book, book, game, meter };
    let files = source.book.books().iter().map(Book::path);
    let target = output.map_or_else(
        || Ok(Target::Output(io::stdout())),
        |output| target::create(output, files, common.force),
    )?;
    let Written { target, facts, losses } = write(args, &source, target)?;
    let file = target.path().map(|path| path.display().to_string());
    let length = target.publish()?;
    let lost = foreign::in_words(&losses);
    if file.is_none() && !console.quiet && !lost.is_empty() {
        source.meter.note(&format!("left out: {lost}"));
    }
    drop(source);
    let Some(file) = file else { return Ok(Verdict::Fine) };
    let facts = Facts::default()
        .json("file", &file)
        .and(facts)
        .json("bytes", length)
        .json("lost", foreign::by_name(&losses))
        .lines(foreign::line_of(&losses))
        .number("bytes", length, format!("{}  {file}", bytes(length)));
    Output::of_summary(console).facts(common.json, &facts)
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
