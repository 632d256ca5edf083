//! `tabia export`: a book to another program's book, a subcommand for each format.

#[cfg(feature = "chess")]
mod abk;
mod command;
mod mcst;
mod polyglot;
#[cfg(feature = "chess")]
mod suite;

pub use command::{Args, run};

use super::dump::target::{self, Target};
use crate::books::ViewChoice;
use crate::console::Meter;
use crate::failure::Done;
use crate::foreign::Facts;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use tabia::{Book, Error, Progress, Stage, TableKind};
use tabia_games::Known;
use tabia_interop::Losses;

/// What all formats ask for.
#[derive(clap::Args)]
struct Common {
    /// The book
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

    /// How many rows a table of the book has.
    fn rows(&self, kind: TableKind) -> u64 {
        self.book.header().table(kind).map_or(0, |table| table.shape.rows)
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
