//! `tabia add`: more games into a book that is there, by its journal.

use crate::facts::line_of_seconds;
use crate::prelude::*;
use crate::reading::{Reading, Report, is_all_copies, summary};
use crate::verbs::merge::{Merging, open_all};
use tabia::Beside;
use tabia_build::set;
use tabia_gamefile::{GameFile, path_beside};

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
        return add_to_set(args, console);
    }
    let start = Instant::now();
    let meter = console.meter_of(&stages::adding(path_beside(&args.book).exists()));
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

/// Adds the games to a set, as a book of their own, which is merged into each share; what there is to say
/// of it, and how many they are.
fn add_to_set(args: &Args, console: &Console) -> Done<(Facts, u64)> {
    let (start, folder) = (Instant::now(), &args.book);
    let shares = open_all(slice::from_ref(folder), console)?;
    let Some(first) = shares.first() else { return Err(failure!("no share was found")) };
    let again = || shares.iter().map(|share| Book::open(share.path())).collect::<Result<_, _>>();
    let new = set::GamesForSet::of(folder, &shares)?;
    let mut archives = args.reading.archives(&new.path, args.force)?;
    if !new.is_begun {
        set::check(again()?)?;
    }
    let game = games::of(first.header(), first.path())?;
    let known_by = if args.reading.allow_duplicate_sources { &new.added } else { &new.known };
    archives.leave_out_known(known_by)?;
    let mut plan = args.reading.plan(&game)?;
    plan.fit(first.header());
    if !args.differently {
        plan.read_as_before(&new.known, &first.facts()?)?;
    }
    plan.games = GameFile::beside(first)?.map(|file| file.header().kept);
    plan.part_bytes = None;
    let meter = console.meter_of(&stages::building(&plan));
    note_min_games(&meter, &first.facts()?);
    let report = || Report::new(console, &meter, Some(&plan));
    if archives.paths.is_empty() {
        new.remove_done(&Disk)?;
        let mut oddities = report().finish();
        oddities.leave_out(&archives.left_out, &meter);
        let summary = summary(&Default::default(), None, &[], seconds(start.elapsed()));
        let facts = summary.and(oddities.facts());
        return Ok((facts.only_line("Nothing is new: the set has these archives already."), 0));
    }
    let path = &new.path;
    let (facts, games) = if new.is_begun {
        for left in new.unread(archives)? {
            meter.note(&format!(
                "{}: it was not read before that was interrupted: add it by itself",
                left.display()
            ));
        }
        let games = Book::open(path)?.sources()?.iter().map(|source| source.games).sum();
        meter.note(&format!(
            "{}: the games were read before that was interrupted; now they go on into the shares",
            path.display()
        ));
        (Facts::default(), games)
    } else {
        let mut report = report();
        let made = plan.build(&meter.env(), &archives, path, &mut report)?;
        let (games, copies) = (&made.games.games, made.copies.as_ref());
        let summary = summary(games, copies, &archives.paths, seconds(start.elapsed()));
        (summary.and(report.finish().facts()), games.games_in)
    };
    drop(meter);
    new.remove_done(&Disk)?;
    let beside = if args.allow_missing { Beside::Leave } else { Beside::Refuse };
    let duplicates = args.reading.allow_duplicate_sources.into();
    let merging = Merging { books: slice::from_ref(path), duplicates, beside };
    let merged = merging.to_set(folder, console).inspect_err(|_| {
        // Where no share was changed all is as it was.
        if again().is_ok_and(|shares| set::check(shares).is_ok()) {
            let _ = new.remove(&Disk);
        }
    })?;
    new.remove(&Disk)?;
    Ok((facts.and(merged), games))
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
