//! Writing what is in a book once more, as another book in the other layout.

use crate::books;
use crate::console::Console;
use crate::failure::Done;
use crate::layout::{self, Layout};
use crate::made::{MadeWhole, NewBookArgs};
use crate::numbers::{grouped, seconds};
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::slice;
use std::time::Instant;
use tabia::{View, journal_path};
use tabia_build::{one_line, whole};
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

/// What was written, beside what it was made of.
#[derive(Serialize)]
struct Repacked {
    layout_before: &'static str,
    bytes_before: u64,
    /// Frames of the journal that went into it.
    frames: u64,
    #[serde(flatten)]
    whole: MadeWhole,
    seconds: f64,
    /// Both sizes, in words.
    #[serde(skip)]
    sizes: [String; 2],
    #[serde(skip)]
    journal: PathBuf,
}

/// Writes the book as another one in this layout, and reports it.
pub fn run(args: &Repacking, layout: Layout, console: &Console) -> Done {
    let repacked = repack(args, layout, console)?;
    Output::summary(console, args.new.json, &repacked, Repacked::write)
}

fn repack(args: &Repacking, layout: Layout, console: &Console) -> Done<Repacked> {
    let start = Instant::now();
    args.new.check([&args.book])?;
    let book = books::open(&args.book, View::Whole, console)?;
    let before = book.header();
    if Layout::of(before) == layout {
        let what = if layout == Layout::Packed { "is packed already" } else { "is not packed" };
        console.note(&format!("{} {what}: this makes a copy", args.book.display()));
    }
    let has_games = path_beside(&args.book).exists();
    let meter = console.meter_of_merge(layout, slice::from_ref(&book), has_games);
    let (output, packed) = (&args.new.output, layout == Layout::Packed);
    let made = whole::copy(&meter.env(), &book, output, packed, args.new.existing())?;
    drop(meter);
    Ok(Repacked {
        layout_before: Layout::of(before).name(),
        bytes_before: before.file_length,
        frames: book.journal().frames,
        whole: MadeWhole::new(&made, output, console),
        seconds: seconds(start.elapsed()),
        sizes: [layout::size(before), layout::size(&made.header)],
        journal: journal_path(&args.book),
    })
}

impl Repacked {
    fn write(&self, out: &mut Output) -> io::Result<()> {
        let [before, now] = &self.sizes;
        let made = &self.whole.made;
        made.write_rows(out)?;
        if self.frames > 0 {
            let what = if self.frames == 1 { "frame" } else { "frames" };
            let from = one_line(&self.journal.display().to_string());
            writeln!(out, "journal     {:>14}  {what} of {from} went in", grouped(self.frames))?;
        }
        writeln!(out, "before      {:>14}  {before}", grouped(self.bytes_before))?;
        writeln!(out, "bytes       {:>14}  {now}", grouped(made.bytes()))?;
        self.whole.write_end(self.seconds, out)
    }
}
