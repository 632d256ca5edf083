//! `tabia check`: verify everything.

use crate::made::warning_of_crowded;
use crate::prelude::*;
use tabia::{BookSet, CheckReport, Finding, ReadBook};
use tabia_build::whole::{self, BookCheck};
use tabia_play::Expanded;

/// Verify every checksum, row and total of a book and its journal
///
/// Exit code 1 if something is damaged or missing; what and where is listed. What else is to be
/// known is said, and changes no exit code. Of several books each is verified, and, if they hold
/// shares of the hashes, that they are all shares of one book. Of games beside a book (BOOK-games)
/// all is verified, and that those are there that the book's moves name.
///
/// Also checked, of a book of a known game, or all shares of one: whether each position flagged
/// `expanded` that is reached from the start has a deviation, as the flag says: a move that no game
/// made, to a position with an eval from which the book goes no further; or whether the book has all of its legal
/// moves. Where the book grew by `grow --min-games N`, moves of fewer games count as made by none.
/// One without isn't damaged, but worth less than the book says; `tabia set` takes the flag away.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia check masters.tabia && echo sound
  tabia check shares/")]
pub struct Args {
    /// The book, or several; a folder stands for the books in it (*.tabia)
    #[arg(value_name = "BOOK", required = true)]
    books: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Checks it, or them.
pub fn run(args: &Args, console: &Console) -> Done {
    let books = books::named(&args.books)?;
    let is_several = books.len() > 1 || args.books.iter().any(|path| path.is_dir());
    let meter = console.meter();
    let check = |book: &PathBuf| {
        let found = whole::check(&meter.env(), book)?;
        let label = if books.len() > 1 { format!("{}: ", book.display()) } else { String::new() };
        let opened = Book::open(book).ok();
        // Of a set they are looked at in all shares together.
        let alone = opened.as_ref().filter(|it| !is_several || it.header().share.is_whole());
        let expanded = match alone.filter(|_| found.rows.ok() && may_be_expanded(&found.rows)) {
            Some(book) => facts_of_expanded(book, &label, &meter)?,
            None => None,
        };
        let same = opened.and_then(|book| layout::same_keys(book.header()));
        let said = same.map(|pairs| format!("{label}keys of {}", layout::same_keys_said(pairs)));
        let facts = facts(book, &label, &found, expanded.as_ref());
        Ok((facts.json_if("same_keys", same).lines(said), found))
    };
    let checked = books.iter().map(check).collect::<Done<Vec<_>>>()?;
    let all = || checked.iter().map(|(_, found)| found);
    let sound = all().all(|found| found.rows.bad.is_empty());
    let is_expanded = all().any(|found| may_be_expanded(&found.rows));
    let set = if is_several && sound { check_set(&books, is_expanded, &meter)? } else { None };
    drop(meter);
    let ok = all().all(BookCheck::ok) && set.as_ref().is_none_or(|(ok, _)| *ok);
    let set = set.map(|(_, facts)| facts);
    // What is wrong is said even so.
    let mut out =
        if ok && console.quiet && !args.json { Output::of_summary(console) } else { Output::new() };
    match &checked[..] {
        [(facts, _)] if args.json => out.json(facts)?,
        _ if args.json => {
            let name = |book: &PathBuf| Facts::default().json("book", book.display().to_string());
            let books = books.iter().map(name).zip(checked);
            let books: Vec<_> = books.map(|(name, (facts, _))| name.and(facts)).collect();
            out.json(&Facts::default().json("ok", ok).json("books", books).json("set", set))?;
        }
        _ => {
            let each = checked.iter().map(|(facts, _)| facts).chain(&set);
            Facts::default().lines_of(each).write(&mut out)?;
            lines_beside(all()).write(&mut out)?;
            out.finish()?;
        }
    }
    Ok(Verdict::found(!ok))
}

/// Whether books, if one of them is a share, are all shares of one book (S-1, S-2), and what is said
/// of that and of positions flagged `expanded`, if there may be some; none if none is.
fn check_set(paths: &[PathBuf], is_expanded: bool, meter: &Meter) -> Done<Option<(bool, Facts)>> {
    let books = paths.iter().map(Book::open).collect::<Result<Vec<_>, _>>()?;
    let mut shares = books.iter().map(|book| book.header().share);
    let Some(share) = shares.find(|share| !share.is_whole()) else { return Ok(None) };
    let what = whole::set_finding(books)?;
    if !tabia::Progress::step(meter, tabia::Stage::Checking, 1, 1) {
        return Err(Failure::Interrupted);
    }
    let line = match &what {
        None => format!("ok: all {} of one book", counted(share.count(), "share")),
        Some(what) => format!("no set of shares: {what}"),
    };
    let (ok, facts) = (what.is_none(), Facts::default());
    let expanded = if ok && is_expanded {
        facts_of_expanded(&BookSet::open(paths)?, "", meter)?
    } else {
        None
    };
    let facts = facts.json("ok", ok).json("shares", share.count()).json("what", what);
    Ok(Some((ok, facts.json_if("expanded", expanded.as_ref()).line(line).lines_of(&expanded))))
}

/// Something wrong.
pub fn bad(finding: &Finding) -> Facts {
    Facts::default()
        .json("file", finding.file.display().to_string())
        .json("section", &finding.section)
        .json("block", finding.block)
        .json("offset", finding.offset)
        .json("rule", finding.rule.to_string())
        .json("what", &finding.what)
        .line(finding.to_string())
}

/// What was verified of a book, and what is wrong: of files beside it for programs.
fn facts(book: &Path, label: &str, found: &BookCheck, expanded: Option<&Facts>) -> Facts {
    let report = &found.rows;
    let CheckReport { blocks, rows, frames, torn, unlisted, .. } = *report;
    let bad: Vec<Facts> = report.bad.iter().map(bad).collect();
    let crowded: Vec<_> = report.crowded.iter().map(ToString::to_string).collect();
    let columns: Vec<_> = report.unknown_columns.iter().map(ToString::to_string).collect();
    let missing: Vec<_> = found.missing.iter().map(|file| file.display().to_string()).collect();
    let more = || format!("{label}and {} more", counted(unlisted, "finding"));
    let tail = || {
        let torn = bytes(torn);
        format!(
            "{label}the journal has a torn tail of {torn}, never acknowledged: the next writer cuts it off"
        )
    };
    let unknown = |column: &String| {
        format!(
            "{label}column `{column}` is not known to this program: its checksums were verified, and not what it says"
        )
    };
    let (blocks_read, rows_read) = (counted(blocks, "block"), counted(rows, "row"));
    let verified = format!("{blocks_read}, {rows_read}, {}", counted(frames, "journal frame"));
    let verdict = match report.bad.len() as u64 + unlisted {
        0 if found.ok() => format!("{label}ok: {verified}"),
        // What is wrong is beside the book.
        0 => format!("{label}the book itself is sound: {verified}"),
        findings => format!(
            "{label}damaged: {} in {verified}: `tabia salvage {} -o NEW` keeps what is sound",
            counted(findings, "finding"),
            book.display()
        ),
    };
    Facts::default()
        .json("ok", found.ok())
        .json("blocks", blocks)
        .json("rows", rows)
        .json("frames", frames)
        .json("torn", torn)
        .json("bad", &bad)
        .json("unlisted", unlisted)
        .json("crowded", &crowded)
        .json("unknown_columns", &columns)
        .json_if("fingerprints", found.fingerprints.as_ref().map(ToString::to_string))
        .json_if("games_file", found.games.as_ref().map(|games| game_files::checked(games, false)))
        .json_if("missing", (!missing.is_empty()).then_some(missing))
        .json_if("expanded", expanded)
        .lines_of(&bad)
        .lines((unlisted > 0).then(more))
        .lines((torn > 0).then(tail))
        .lines(warning_of_crowded(book, &crowded))
        .lines(columns.iter().map(unknown))
        .line(verdict)
        .lines_of(expanded)
}

/// What is said of the files beside books, for people.
fn lines_beside<'a>(all: impl Iterator<Item = &'a BookCheck> + Clone) -> Facts {
    let is_several = all.clone().nth(1).is_some();
    let games = all.clone().filter_map(|found| found.games.as_ref());
    let games: Vec<_> = games.map(|games| game_files::checked(games, is_several)).collect();
    let missing = all.clone().flat_map(|found| &found.missing).map(|file| {
        let file = file.display();
        format!("{file}: it belongs to the book, and is not there or lacks something")
    });
    let fingerprints = all.filter_map(|found| found.fingerprints.as_ref());
    let fingerprints = fingerprints
        .map(|what| format!("{what}: remove it, and copies of the book's games count again"));
    Facts::default().lines_of(&games).lines(missing).lines(fingerprints)
}

/// How many of those that are wrong are shown, by the moves that lead there.
const LISTED: usize = 3;

/// Whether a book may have such positions.
fn may_be_expanded(report: &CheckReport) -> bool {
    report.expanded > 0 || report.frames > 0
}

/// What is said of the flagged positions of a sound book, or set of shares: how many there are, how many of them have
/// no deviation, and how many the book's moves don't lead to from the start. None if it has none.
fn facts_of_expanded(book: &dyn ReadBook, label: &str, meter: &Meter) -> Done<Option<Facts>> {
    let header = book.header();
    let (game, keys) = (header.game.as_str(), header.keys.as_str());
    let why = match Known::of(game, keys) {
        _ if !book.share().is_whole() => "it is a share of a book".to_owned(),
        Some(known) => {
            let from = slice::from_ref(&known);
            let found = Expanded::of(book, from, LISTED, &|step| meter.trimming(step))?;
            return Ok(found.map(|found| {
                let examples = found.examples(&known);
                let counts = [found.positions, found.without_deviation(), found.unreached];
                let said = found.said(&examples);
                figures_of_expanded(counts, &examples).line(format!("{label}expanded: {said}"))
            }));
        }
        None => format!("the rules of {game} {}", games::missing(game)),
    };
    let positions = Expanded::count(book, &|step| meter.trimming(step))?;
    let line = format!("{label}expanded: {}, not looked at: {why}", counted(positions, "position"));
    let facts = figures_of_expanded([positions, 0, 0], &[]).json("unknown", why).line(line);
    Ok((positions > 0).then_some(facts))
}

fn figures_of_expanded(
    [positions, without_deviation, unreached]: [u64; 3],
    examples: &[String],
) -> Facts {
    Facts::default()
        .json("positions", positions)
        .json("without_deviation", without_deviation)
        .json("unreached", unreached)
        .json("examples", examples)
}
