//! The command: its formats, and a file made of what one of them writes.

use super::{Common, Source, Written};
use crate::books;
use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::foreign::{self, Facts};
use crate::games;
use crate::numbers::{bytes, grouped};
use crate::output::Output;
use crate::verbs::dump::target::{self, Target};
use serde::Serialize;
use std::io::{self, Write};
use tabia_build::one_line;
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
    Polyglot(super::polyglot::Args),
    #[cfg(feature = "chess")]
    Abk(super::abk::Args),
    Mcst(super::mcst::Args),
    #[cfg(feature = "chess")]
    Suite(super::suite::Args),
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
        Format::Polyglot(args) => export(args, &args.common, console, super::polyglot::write),
        #[cfg(feature = "chess")]
        Format::Abk(args) => export(args, &args.common, console, super::abk::write),
        Format::Mcst(args) => export(args, &args.common, console, super::mcst::write),
        #[cfg(feature = "chess")]
        Format::Suite(args) => export(args, &args.common, console, super::suite::write),
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
    let book = books::open(&common.book, common.journal.view(), console)?;
    let game = games::of(book.header(), &common.book)?;
    // Standard output may stand on the terminal.
    let meter = Console { quiet: console.quiet || output.is_none() }.meter();
    let source = Source { path: &common.book, book, game, meter };
    let target = output.map_or_else(
        || Ok(Target::Output(io::stdout())),
        |output| target::create(output, &common.book, common.force),
    )?;
    let Written { target, facts, losses } = write(args, &source, target)?;
    let file = target.path().map(|path| path.display().to_string());
    let bytes = target.publish()?;
    let lost = foreign::in_words(&losses);
    if file.is_none() && !console.quiet && !lost.is_empty() {
        source.meter.note(&format!("left out: {lost}"));
    }
    drop(source);
    file.map_or(Ok(()), |file| {
        Exported { file, facts, bytes, lost: losses }.report(common.json, console)
    })?;
    Ok(Verdict::Fine)
}

impl Exported {
    fn report(&self, json: bool, console: &Console) -> Done<()> {
        let mut out = Output::of_summary(console);
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
