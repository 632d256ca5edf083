//! `tabia add`: more games into a book that is there, by its journal.

use crate::console::{Console, Meter};
use crate::failure::Done;
use crate::game_files::GameFileFacts;
use crate::games;
use crate::numbers::{bytes, counted, grouped};
use crate::output::Output;
use crate::reading::{Oddities, Reading, Report, Summary};
use crate::stray;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tabia::{Beside, Fact, Writer};
use tabia_gamefile::path_beside;

/// Add the games of more archives to a book
///
/// The games go into the book's journal, all of them together or, if anything fails, none. Every
/// reader sees them at once; `tabia compact` puts them into the book itself. Ratings, years and
/// games are gathered if the book has them; a file of games beside the book (BOOK-games) is written
/// anew with the new ones. Archives that are in the book already are left out.
///
/// Archives are read as those in the book were: with the same filters, --max-ply, --evals and so on
/// (`tabia info` lists them). Other options are refused, unless with --differently.
///
/// Where copies are left out (--dedup), so are those of games that the book has already, by the
/// fingerprints in the file BOOK-fingerprints. The game that came first counts then; games that are
/// only a part of one in the book, or go on after its end, are not told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia add masters.tabia this-week.pgn
  tabia add club.tabia --errors skipped.tsv archives/")]
pub struct Args {
    /// The book to add to
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Read archives with other options than before
    ///
    /// With exactly those that are given, although the archives in the book were read with others.
    #[arg(long)]
    differently: bool,
    /// Go on although a file that belongs to a book isn't there
    ///
    /// BOOK-games or BOOK-fingerprints: games are missing then, and copies of games may count twice.
    #[arg(long)]
    allow_missing: bool,
    /// Replace the file that --errors names
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

/// What was added.
#[derive(Serialize)]
struct Added {
    #[serde(flatten)]
    summary: Summary,
    #[serde(flatten)]
    oddities: Oddities,
    /// Archives of the book whose games have no fingerprints, so that copies of these were not told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    untold: Vec<String>,
    /// The batch's number; null if all archives were in the book already.
    sequence: Option<u64>,
    /// Batches in the journal.
    frames: u64,
    /// Bytes by which the journal grew.
    bytes: u64,
    /// The file of games beside the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_file: Option<GameFileFacts>,
}

/// Adds them.
pub fn run(args: &Args, console: &Console) -> Done {
    let added = add(args, console)?;
    Output::summary(console, args.json, &added, Added::write)
}

/// Adds them without a word of what was added: how many games.
pub fn count(args: &Args, console: &Console) -> Done<u64> {
    let added = add(args, console)?;
    Ok(if added.sequence.is_some() { added.summary.games() } else { 0 })
}

fn add(args: &Args, console: &Console) -> Done<Added> {
    let start = Instant::now();
    let meter = console.meter_of_add(path_beside(&args.book).exists());
    let mut archives = args.reading.archives(&args.book, args.force)?;
    // The lock comes first, so that nobody reads archives for hours to learn that another writer is
    // at work.
    let mut writer = Writer::open(meter.env(), &args.book)?;
    stray::refuse(&args.book, writer.header().digest)?;
    let game = games::of(writer.header(), &args.book)?;
    if writer.cut() > 0 {
        meter.note(&format!(
            "{}: a torn tail of {} was cut off the journal",
            args.book.display(),
            bytes(writer.cut())
        ));
    }
    if !args.reading.allow_duplicate_sources {
        archives.leave_out_known(writer.sources())?;
    }
    let mut plan = args.reading.plan(&game)?;
    plan.fit(writer.header());
    if args.allow_missing {
        plan.beside = Beside::Leave;
    }
    if !args.differently {
        plan.read_as_before(writer.sources(), writer.facts())?;
    }
    note_min_games(&meter, &writer);
    let mut report = Report::new(console, &meter, &plan);
    let before = writer.journal().bytes;
    let added = plan.add(&meter.env(), &archives, &args.book, &mut writer, &mut report)?;
    let mut oddities = report.finish();
    if let [first, ..] = &added.untold[..] {
        meter.note(&format!(
            "the games of {} in the book ({} first) have no fingerprints: copies of these games were counted again",
            counted(added.untold.len() as u64, "archive"),
            first.name
        ));
    }
    if added.sequence.is_none() {
        // Nothing was read, so nothing was reported.
        oddities.leave_out(&archives.left_out, &meter);
    }
    Ok(Added {
        summary: Summary::new(
            &added.games.games,
            added.copies.as_ref(),
            &archives.paths,
            start.elapsed(),
        ),
        oddities,
        untold: added.untold.into_iter().map(|source| source.name).collect(),
        sequence: added.sequence,
        frames: writer.journal().frames,
        bytes: writer.journal().bytes.saturating_sub(before),
        games_file: added.game_file.as_ref().map(GameFileFacts::new),
    })
}

/// Says that a book which leaves rare rows out can't count what it left out.
fn note_min_games(meter: &Meter, writer: &Writer<'_>) {
    let name = format!("{}min-games", Fact::PLAN);
    if let Some(fact) = writer.facts().iter().find(|fact| fact.name() == name) {
        meter.note(&format!(
            "the book was built with --min-games {}: what it left out then counts from now on only",
            fact.value()
        ));
    }
}

impl Added {
    fn write(&self, out: &mut Output) -> io::Result<()> {
        if self.sequence.is_none() {
            return writeln!(out, "Nothing is new: the book has these archives already.");
        }
        self.summary.write(out)?;
        writeln!(out, "journal     {:>14}  {}", grouped(self.bytes), bytes(self.bytes))?;
        self.games_file.as_ref().map_or(Ok(()), |file| file.write(out))?;
        self.summary.write_time(out)?;
        if self.summary.is_all_copies() {
            writeln!(out, "Nothing is new: the book has these games already.")?;
        }
        writeln!(
            out,
            "The journal has {} now; `tabia compact` puts it into the book.",
            counted(self.frames, "frame")
        )
    }
}
