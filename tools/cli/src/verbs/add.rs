//! `tabia add`: more games into a book that is there, by its journal.

mod to_set;

use crate::console::{Console, Meter};
use crate::facts::{Facts, line_of_seconds};
use crate::failure::Done;
use crate::games;
use crate::numbers::{bytes, counted, seconds};
use crate::output::Output;
use crate::reading::{Reading, Report, is_all_copies, summary};
use crate::stray;
use std::path::PathBuf;
use std::time::Instant;
use tabia::{Beside, Fact};
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
///
/// A folder is the set of the shares in it: a book of the games is made there (called `adding`), and
/// merged into each share, as `tabia merge --into` does. Interrupted, the set is refused until the
/// same command has done the rest.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia add masters.tabia this-week.pgn
  tabia add club.tabia --errors skipped.tsv archives/")]
pub struct Args {
    /// The book to add to, or a set's folder
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

/// Adds them.
pub fn run(args: &Args, console: &Console) -> Done {
    let (facts, _) = add(args, console)?;
    Output::of_summary(console).facts(args.json, &facts)
}

/// Adds them without a word of what was added: how many games.
pub fn count(args: &Args, console: &Console) -> Done<u64> {
    Ok(add(args, console)?.1)
}

fn add(args: &Args, console: &Console) -> Done<(Facts, u64)> {
    if args.book.is_dir() {
        return to_set::add(args, console);
    }
    let start = Instant::now();
    let meter = console.meter_of_add(path_beside(&args.book).exists());
    let mut archives = args.reading.archives(&args.book, args.force)?;
    // The lock comes first, so that nobody reads archives for hours to learn that another writer is
    // at work.
    let mut writer = stray::open_writer(&meter, &args.book)?;
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
    note_min_games(&meter, writer.facts());
    let mut report = Report::new(console, &meter, Some(&plan));
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
    let (games, copies) = (&added.games.games, added.copies.as_ref());
    let untold: Vec<_> = added.untold.iter().map(|source| &source.name).collect();
    let (frames, bytes_more) =
        (writer.journal().frames, writer.journal().bytes.saturating_sub(before));
    let is_new = added.sequence.is_some();
    let seconds = seconds(start.elapsed());
    let summary = summary(games, copies, &archives.paths, seconds);
    let journal = Facts::default()
        .json_if("untold", (!untold.is_empty()).then_some(untold))
        // None if all archives were in the book already.
        .json("sequence", added.sequence)
        .json("frames", frames)
        .json("bytes", bytes_more)
        .number("journal", bytes_more, bytes(bytes_more))
        .games(added.game_file.as_ref())
        .line(line_of_seconds(seconds))
        .lines(
            is_all_copies(games, copies)
                .then_some("Nothing is new: the book has these games already."),
        )
        .line(format!(
            "The journal has {} now; `tabia compact` puts it into the book.",
            counted(frames, "frame")
        ));
    let facts = summary.and(oddities.facts()).and(journal);
    if is_new {
        return Ok((facts, games.games_in));
    }
    Ok((facts.only_line("Nothing is new: the book has these archives already."), 0))
}

/// Says that a book which leaves rare rows out can't count what it left out.
fn note_min_games(meter: &Meter, facts: &[Fact]) {
    let name = format!("{}min-games", Fact::PLAN);
    if let Some(fact) = facts.iter().find(|fact| fact.name() == name) {
        meter.note(&format!(
            "the book was built with --min-games {}: what it left out then counts from now on only",
            fact.value()
        ));
    }
}
