//! Writing what is in a book once more, as another book in the other layout.

use crate::books;
use crate::console::Console;
use crate::facts::Facts;
use crate::failure::Done;
use crate::game_files;
use crate::layout;
use crate::made::NewBookArgs;
use crate::output::Output;
use std::path::PathBuf;
use std::slice;
use std::time::Instant;
use tabia::{View, journal_path};
use tabia_build::whole;
use tabia_gamefile::path_beside;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Repacking {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    new: NewBookArgs,
}

/// Writes the book as another one, packed or plain, and reports it.
pub fn run(args: &Repacking, packed: bool, console: &Console) -> Done {
    let start = Instant::now();
    args.new.check([&args.book])?;
    let book = books::open(&args.book, View::Whole, console)?;
    let before = book.header();
    if before.packed == packed {
        let what = if packed { "is packed already" } else { "is not packed" };
        console.note(&format!("{} {what}: this makes a copy", args.book.display()));
    }
    let has_games = path_beside(&args.book).exists();
    let meter = console.meter_of_merge(packed, slice::from_ref(&book), has_games);
    let output = &args.new.output;
    let made = whole::copy(&meter.env(), &book, output, packed, args.new.existing())?;
    drop(meter);
    game_files::note_missing(&made.without_games, output, console);
    let (now, frames, journal) = (&made.header, book.journal().frames, journal_path(&args.book));
    let what = if frames == 1 { "frame" } else { "frames" };
    let facts = Facts::default()
        .json("layout_before", layout::name(before))
        .json("bytes_before", before.file_length)
        .json("frames", frames)
        .json_of_book(now)
        .lines_of_rows(now)
        .number_if("journal", frames, format!("{what} of {} went in", journal.display()))
        .number("before", before.file_length, layout::size(before))
        .number("bytes", now.file_length, layout::size(now))
        .games(made.games.as_ref())
        .crowded(now, output, console)
        .time(start.elapsed());
    Output::of_summary(console).facts(args.new.json, &facts)
}
