//! `tabia compact`: the journal into the book.

use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::numbers::{bytes, counted, seconds};
use crate::output::Output;
use crate::stray;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use tabia::{TableKind, Writer};

/// Put the journal of a book into the book
///
/// Writes a new book beside the old one and puts it in its place; readers go on with the old one
/// until they open it again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia compact masters.tabia
  tabia add masters.tabia this-week.pgn && tabia compact masters.tabia")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was done.
#[derive(Serialize)]
struct Compacted {
    /// Whether there was anything to do.
    changed: bool,
    /// Frames that the journal had.
    frames: u64,
    positions: u64,
    moves: u64,
    bytes: u64,
    digest: String,
    seconds: f64,
}

/// Compacts it.
pub fn run(args: &Args, console: &Console) -> Done {
    let compacted = compact(args, console)?;
    let mut out = Output::of_summary(console);
    if args.json {
        out.json(&compacted)?;
        return Ok(Verdict::Fine);
    }
    if compacted.changed {
        writeln!(
            out,
            "{} went into the book, which has {} now",
            counted(compacted.frames, "frame"),
            bytes(compacted.bytes)
        )?;
    } else {
        writeln!(out, "the journal is empty: there is nothing to do")?;
    }
    out.finish()?;
    Ok(Verdict::Fine)
}

fn compact(args: &Args, console: &Console) -> Done<Compacted> {
    let start = Instant::now();
    let meter = console.meter_of_merge(2);
    let mut writer = Writer::open(meter.env(), &args.book)?;
    stray::refuse(&args.book, writer.header().digest)?;
    let frames = writer.journal().frames;
    let changed = writer.compact()?;
    let header = writer.header();
    let rows = |kind| header.table(kind).map_or(0, |table| table.shape.rows);
    Ok(Compacted {
        changed,
        frames,
        positions: rows(TableKind::Positions),
        moves: rows(TableKind::Moves),
        bytes: header.file_length,
        digest: header.digest.to_string(),
        seconds: seconds(start.elapsed()),
    })
}
