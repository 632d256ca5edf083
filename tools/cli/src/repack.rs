//! Writing what is in a book once more, as another book in the other layout.

use crate::books;
use crate::console::Console;
use crate::crowded;
use crate::disk::Disk;
use crate::failure::{Done, Verdict};
use crate::game_files::{self, GameFileFacts};
use crate::layout::{self, Layout};
use crate::made::Made;
use crate::numbers::{grouped, seconds};
use crate::output::Output;
use crate::place;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tabia::{Existing, NewBook, View, journal_path};
use tabia_build::dedup::united_fingerprints;

/// What to write, and where.
#[derive(clap::Args)]
pub struct Repacking {
    /// The book
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// The book to make
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// Replace a book of that name
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was written, beside what it was made of.
#[derive(Serialize)]
struct Repacked {
    layout_before: &'static str,
    bytes_before: u64,
    /// Frames of the journal that went into it.
    frames: u64,
    #[serde(flatten)]
    made: Made,
    /// The games, which are beside this book too now.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_file: Option<GameFileFacts>,
    /// Tables of keys that collide, which are slow to look up.
    crowded: Vec<String>,
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
    let mut out = Output::of_summary(console);
    if args.json {
        out.json(&repacked)?;
    } else {
        repacked.write(&mut out)?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

fn repack(args: &Repacking, layout: Layout, console: &Console) -> Done<Repacked> {
    let start = Instant::now();
    place::check_book(&args.output, args.force)?;
    place::check_distinct(&args.output, [args.book.as_path()])?;
    let book = books::open(&args.book, View::Whole, console)?;
    let before = book.header();
    if Layout::of(before) == layout {
        let what = if layout == Layout::Packed { "is packed already" } else { "is not packed" };
        console.note(&format!("{} {what}: this makes a copy", args.book.display()));
    }
    let fingerprints = united_fingerprints(&Disk, &[&book], &args.output)?;
    let games = game_files::united(&[&book], &args.output, args.force.into(), console)?;
    let meter = console.meter_of_merge(layout.passes(before));
    let new = NewBook::copy_of(&book)?.packed(layout == Layout::Packed);
    let now = new.write(&meter.env(), &args.output, args.force.into())?;
    drop(meter);
    let games_file = game_files::publish(games)?;
    fingerprints.map(|file| file.publish(Existing::Replace)).transpose()?;
    let crowded = crowded::tables(&now);
    crowded::warn(console, &args.output, &crowded);
    Ok(Repacked {
        layout_before: Layout::of(before).name(),
        bytes_before: before.file_length,
        frames: book.journal().frames,
        made: Made::new(&now),
        games_file,
        crowded: crowded::names(&crowded),
        seconds: seconds(start.elapsed()),
        sizes: [layout::size(before), layout::size(&now)],
        journal: journal_path(&args.book),
    })
}

impl Repacked {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [before, now] = &self.sizes;
        self.made.write_rows(out)?;
        if self.frames > 0 {
            let what = if self.frames == 1 { "frame" } else { "frames" };
            let from = tabia_build::one_line(&self.journal.display().to_string());
            writeln!(out, "journal     {:>14}  {what} of {from} went in", grouped(self.frames))?;
        }
        writeln!(out, "before      {:>14}  {before}", grouped(self.bytes_before))?;
        writeln!(out, "bytes       {:>14}  {now}", grouped(self.made.bytes()))?;
        self.games_file.as_ref().map_or(Ok(()), |file| file.write(out))?;
        writeln!(out, "seconds     {:>14.1}", self.seconds)
    }
}
