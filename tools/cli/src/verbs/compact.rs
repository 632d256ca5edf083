//! `tabia compact`: the journal into the book.

use crate::console::Console;
use crate::facts::Facts;
use crate::failure::Done;
use crate::numbers::{bytes, counted, seconds};
use crate::output::Output;
use crate::stray;
use std::path::PathBuf;
use std::time::Instant;
use tabia::{Book, View};

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

/// Compacts it.
pub fn run(args: &Args, console: &Console) -> Done {
    let start = Instant::now();
    // What is wrong with the book is said when it is locked.
    let book = Book::open_view(&args.book, View::Bare).ok();
    let packed = args.pack || book.as_ref().is_some_and(|book| book.header().packed);
    let meter = console.meter_of_merge(packed, book.as_slice(), false);
    drop(book);
    let mut writer = stray::open_writer(&meter, &args.book)?;
    let (frames, was_packed) = (writer.journal().frames, writer.header().packed);
    let changed = writer.compact_as(args.pack || was_packed)?;
    let header = writer.header();
    let length = bytes(header.file_length);
    let said = match frames {
        _ if !changed => "the journal is empty: there is nothing to do".to_owned(),
        0 => format!("the book is packed and has {length} now"),
        frames => {
            let frames = counted(frames, "frame");
            let is = if header.packed == was_packed { "has" } else { "is packed and has" };
            format!("{frames} went into the book, which {is} {length} now")
        }
    };
    let facts = Facts::default()
        .json("changed", changed)
        .json("frames", frames)
        .json_of_book(header)
        .json("seconds", seconds(start.elapsed()))
        .line(said);
    Output::of_summary(console).facts(args.json, &facts)
}
