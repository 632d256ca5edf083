//! `tabia export`: a book to another program's book, a subcommand for each format.

#[cfg(feature = "chess")]
mod abk;
mod mcst;
mod polyglot;
#[cfg(feature = "chess")]
mod suite;

use crate::newfile::{Target, unwritten};
use crate::prelude::*;
use std::io::BufWriter;
use tabia::{Error, Progress, Stage};
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
    /// The file to make; none for standard output.
    output: Option<&'a Path>,
}

/// What a format is written to.
type Out = BufWriter<Target>;

/// What there is to say of what was written, and what was left out.
type Written = (Facts, Losses);

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
    write: fn(&A, &Source<'_>, &mut Out) -> Done<Written>,
) -> Done {
    let output = common.output();
    let book = books::open_any(slice::from_ref(&common.book), common.journal.view(), console)?;
    let game = games::of(book.header(), &common.book)?;
    // Standard output may stand on the terminal.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let source = Source { path: &common.book, book, game, meter, output };
    let files = source.book.books().iter().map(Book::path);
    let target = Target::create(output, files, common.force)?;
    let mut out = BufWriter::with_capacity(1 << 16, target);
    let (facts, losses) = write(args, &source, &mut out)?;
    let target = out.into_inner().map_err(|error| unwritten(output, error.into_error()))?;
    let length = target.publish()?;
    let lost = foreign::in_words(&losses);
    if output.is_none() && !console.quiet && !lost.is_empty() {
        source.meter.note(&format!("left out: {lost}"));
    }
    drop(source);
    let Some(file) = output.map(|path| path.display().to_string()) else {
        return Ok(Verdict::Fine);
    };
    let facts = Facts::default()
        .json("file", &file)
        .and(facts)
        .json("bytes", length)
        .json("lost", foreign::by_name(&losses))
        .lines(foreign::line_of(&losses))
        .number("bytes", length, format!("{}  {file}", bytes(length)));
    Output::of_summary(console).facts(common.json, &facts)
}
