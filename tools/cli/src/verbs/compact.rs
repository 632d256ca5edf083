//! `tabia compact`: the journal into the book.

use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::layout::Layout;
use crate::numbers::{bytes, counted, seconds};
use crate::output::Output;
use crate::stray;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use tabia::format::Header;
use tabia::{Book, TableKind, View, Writer};

/// Put the journal of a book into the book
///
/// Writes a new book beside the old one and puts it in its place; readers go on with the old one
/// until they open it again. A packed book stays packed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia compact masters.tabia
  tabia add masters.tabia this-week.pgn && tabia compact masters.tabia
  tabia compact masters.tabia --pack")]
pub struct Args {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Pack the book into about an eighth of the bytes
    ///
    /// As `tabia pack` does, in the book's place; also if there is no journal.
    #[arg(long)]
    pack: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was done.
#[derive(Serialize)]
struct Compacted {
    /// Whether there was anything to do.
    changed: bool,
    /// Whether it was packed, and had not been.
    #[serde(skip)]
    was_packed_now: bool,
    /// Frames that the journal had.
    frames: u64,
    positions: u64,
    moves: u64,
    bytes: u64,
    /// How its rows lie: `tables` or `packed`.
    layout: &'static str,
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
    let now = bytes(compacted.bytes);
    match compacted.frames {
        _ if !compacted.changed => writeln!(out, "the journal is empty: there is nothing to do")?,
        0 => writeln!(out, "the book is packed and has {now} now")?,
        frames => {
            let frames = counted(frames, "frame");
            let is = if compacted.was_packed_now { "is packed and has" } else { "has" };
            writeln!(out, "{frames} went into the book, which {is} {now} now")?;
        }
    }
    out.finish()?;
    Ok(Verdict::Fine)
}

fn compact(args: &Args, console: &Console) -> Done<Compacted> {
    let start = Instant::now();
    let meter = console.meter_of_merge(passes(args));
    let mut writer = Writer::open(meter.env(), &args.book)?;
    stray::refuse(&args.book, writer.header().digest)?;
    let (frames, was_packed) = (writer.journal().frames, writer.header().packed);
    let changed = writer.compact_as(args.pack || was_packed)?;
    let was_packed_now = writer.header().packed != was_packed;
    Ok(Compacted { was_packed_now, ..Compacted::new(changed, frames, writer.header(), start) })
}

/// How many times all rows are gone through; what is wrong with the book is said when it is locked.
fn passes(args: &Args) -> usize {
    let passes = |book: Book| {
        let layout = if args.pack { Layout::Packed } else { Layout::of(book.header()) };
        layout.passes(book.header())
    };
    Book::open_view(&args.book, View::Bare).map_or(1, passes)
}

impl Compacted {
    fn new(changed: bool, frames: u64, header: &Header, start: Instant) -> Self {
        let rows = |kind| header.table(kind).map_or(0, |table| table.shape.rows);
        Self {
            changed,
            was_packed_now: false,
            frames,
            positions: rows(TableKind::Positions),
            moves: rows(TableKind::Moves),
            bytes: header.file_length,
            layout: Layout::of(header).name(),
            digest: header.digest.to_string(),
            seconds: seconds(start.elapsed()),
        }
    }
}
