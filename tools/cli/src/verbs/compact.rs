//! `tabia compact`: the journal into the book.

use crate::console::Console;
use crate::failure::Done;
use crate::layout::Layout;
use crate::made::Made;
use crate::numbers::{bytes, counted, seconds};
use crate::output::Output;
use crate::stray;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tabia::{Book, View, Writer};

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
    /// Pack the book: an eighth to a tenth of the bytes
    ///
    /// A tenth where moves have their games. As `tabia pack` does, in the book's place; also if there is no journal.
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
    #[serde(flatten)]
    made: Made,
    seconds: f64,
}

/// Compacts it.
pub fn run(args: &Args, console: &Console) -> Done {
    let compacted = compact(args, console)?;
    Output::summary(console, args.json, &compacted, Compacted::write)
}

fn compact(args: &Args, console: &Console) -> Done<Compacted> {
    let start = Instant::now();
    // What is wrong with the book is said when it is locked.
    let book = Book::open_view(&args.book, View::Bare).ok();
    let packed = args.pack || book.as_ref().is_some_and(|book| book.header().packed);
    let layout = if packed { Layout::Packed } else { Layout::Tables };
    let meter = console.meter_of_merge(layout, book.as_slice(), false);
    drop(book);
    let mut writer = Writer::open(meter.env(), &args.book)?;
    stray::refuse(&args.book, writer.header().digest)?;
    let (frames, was_packed) = (writer.journal().frames, writer.header().packed);
    let changed = writer.compact_as(args.pack || was_packed)?;
    Ok(Compacted {
        changed,
        was_packed_now: writer.header().packed != was_packed,
        frames,
        made: Made::new(writer.header()),
        seconds: seconds(start.elapsed()),
    })
}

impl Compacted {
    fn write(&self, out: &mut Output) -> io::Result<()> {
        let now = bytes(self.made.bytes());
        match self.frames {
            _ if !self.changed => writeln!(out, "the journal is empty: there is nothing to do"),
            0 => writeln!(out, "the book is packed and has {now} now"),
            frames => {
                let frames = counted(frames, "frame");
                let is = if self.was_packed_now { "is packed and has" } else { "has" };
                writeln!(out, "{frames} went into the book, which {is} {now} now")
            }
        }
    }
}
