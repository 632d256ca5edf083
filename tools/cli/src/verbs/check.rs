//! `tabia check`: verify everything.

mod expanded;

use crate::books;
use crate::console::{Console, Meter};
use crate::crowded;
use crate::failure::{Done, Failure, Verdict};
use crate::game_files::CheckedGames;
use crate::numbers::{bytes, counted};
use crate::output::Output;
use expanded::ExpandedFacts;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::{Book, BookSet, CheckReport, Error, Finding, TableKind, check};
use tabia_build::dedup::KnownGames;
use tabia_build::one_line;

/// Verify every checksum, row and total of a book and its journal
///
/// Exit code 1 if there is damage; what is damaged and where is listed. Of several books each is
/// verified, and, if they hold shares of the hashes, that they are all shares of one book. Of games
/// beside a book (BOOK-games) all is verified, and that those are there that the book's moves name.
///
/// Of a book of a known game that has positions flagged `expanded` it is also looked whether each of
/// them that is reached from the start has a deviation, as the flag says: a move that no game made, to
/// a position with an eval from which the book goes no further; or whether the book has all of its legal
/// moves. One without isn't damaged, but worth less than the book says; `tabia set` takes the flag away.
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

/// What was verified of a book, and what is wrong.
#[derive(Serialize)]
struct Checked {
    ok: bool,
    /// Blocks of tables and columns that were verified.
    blocks: u64,
    rows: u64,
    /// Frames of the journal.
    frames: u64,
    /// Bytes of a torn tail of the journal, which is no damage.
    torn: u64,
    bad: Vec<Bad>,
    /// Findings beyond those listed.
    unlisted: u64,
    /// Tables of keys that collide, which are slow to look up.
    crowded: Vec<String>,
    /// Tags of columns that this program doesn't know.
    unknown_columns: Vec<String>,
    /// Why the fingerprints of its games can't be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprints: Option<String>,
    /// The games beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_file: Option<CheckedGames>,
    /// The positions flagged `expanded`, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded: Option<ExpandedFacts>,
}

/// What was verified of several books.
#[derive(Serialize)]
struct CheckedAll {
    ok: bool,
    books: Vec<CheckedOne>,
    /// If one of them is a share.
    set: Option<Set>,
}

#[derive(Serialize)]
struct CheckedOne {
    book: String,
    #[serde(flatten)]
    checked: Checked,
}

/// Whether books are the shares of one.
#[derive(Serialize)]
struct Set {
    ok: bool,
    /// How many shares there are.
    shares: u64,
    /// What is wrong.
    what: Option<String>,
}

/// Something wrong.
#[derive(Serialize)]
pub struct Bad {
    file: String,
    section: String,
    block: Option<u64>,
    offset: u64,
    rule: String,
    what: String,
}

impl Bad {
    /// The finding, for JSON.
    pub fn new(finding: &Finding) -> Self {
        Self {
            file: finding.file.display().to_string(),
            section: finding.section.clone(),
            block: finding.block,
            offset: finding.offset,
            rule: finding.rule.to_string(),
            what: finding.what.clone(),
        }
    }
}

impl Checked {
    fn new(
        report: &CheckReport,
        fingerprints: Option<String>,
        games_file: Option<CheckedGames>,
        expanded: Option<ExpandedFacts>,
    ) -> Self {
        Self {
            ok: report.ok()
                && fingerprints.is_none()
                && games_file.as_ref().is_none_or(CheckedGames::ok)
                && expanded.as_ref().is_none_or(ExpandedFacts::ok),
            blocks: report.blocks,
            rows: report.rows,
            frames: report.frames,
            torn: report.torn,
            bad: report.bad.iter().map(Bad::new).collect(),
            unlisted: report.unlisted,
            crowded: crowded::names(&report.crowded),
            unknown_columns: report.unknown_columns.iter().map(ToString::to_string).collect(),
            fingerprints,
            games_file,
            expanded,
        }
    }
}

/// Checks it, or them.
pub fn run(args: &Args, console: &Console) -> Done {
    let books = books::named(&args.books)?;
    let (reports, set, games, expanded) = {
        let meter = console.meter();
        let reports =
            books.iter().map(|book| Ok(check(&meter.env(), book)?)).collect::<Done<Vec<_>>>()?;
        let sound = reports.iter().all(CheckReport::ok);
        let set = if books.len() > 1 && sound { check_set(&books, &meter)? } else { None };
        let games = books.iter().zip(&reports);
        let games = games.map(|(book, report)| CheckedGames::of(book, report.ok(), &meter));
        let games = games.collect::<Done<Vec<_>>>()?;
        let look = |(book, report): (&PathBuf, _)| ExpandedFacts::of(book, report, &meter);
        let expanded = books.iter().zip(&reports).map(look).collect::<Done<Vec<_>>>()?;
        (reports, set, games, expanded)
    };
    let mut out = Output::new();
    let fingerprints: Vec<_> = books.iter().map(|book| bad_fingerprints(book)).collect();
    let ok = reports.iter().all(CheckReport::ok)
        && set.as_ref().is_none_or(|set| set.ok)
        && fingerprints.iter().all(Option::is_none)
        && games.iter().flatten().all(CheckedGames::ok)
        && expanded.iter().flatten().all(ExpandedFacts::ok);
    if !args.json {
        write(&books, &reports, &expanded, set.as_ref(), &mut out)?;
        games.iter().flatten().try_for_each(|games| games.write(&mut out))?;
        for what in fingerprints.iter().flatten() {
            writeln!(
                out,
                "{}: remove it, and copies of the book's games count again",
                one_line(what)
            )?;
        }
        out.finish()?;
        return Ok(Verdict::found(!ok));
    }
    let checked = reports.iter().zip(fingerprints).zip(games).zip(expanded);
    let mut checked = checked.map(|(((report, fingerprints), games), expanded)| {
        Checked::new(report, fingerprints, games, expanded)
    });
    if let [_] = &reports[..] {
        out.json(&checked.next())?;
    } else {
        let one = |(book, checked): (&PathBuf, _)| CheckedOne {
            book: book.display().to_string(),
            checked,
        };
        let all = books.iter().zip(checked).map(one);
        out.json(&CheckedAll { ok, books: all.collect(), set })?;
    }
    Ok(Verdict::found(!ok))
}

/// Why the fingerprints of a book's games can't be used; none if they can, or if there are none.
fn bad_fingerprints(book: &Path) -> Option<String> {
    KnownGames::of(book, &[], &[]).err().map(|error| error.to_string())
}

/// Whether books, if one of them is a share, are all shares of one book (S-1, S-2); none if none
/// is.
fn check_set(paths: &[PathBuf], meter: &Meter) -> Done<Option<Set>> {
    let books = paths.iter().map(Book::open).collect::<Result<Vec<_>, _>>()?;
    let Some(share) = books.iter().map(|book| book.header().share).find(|share| !share.is_whole())
    else {
        return Ok(None);
    };
    let what = match BookSet::of(books) {
        Ok(set) => what_differs(&set)?,
        Err(
            error @ (Error::Shares { .. }
            | Error::Incompatible { .. }
            | Error::DuplicateSource { .. }),
        ) => Some(error.to_string()),
        Err(error) => return Err(error.into()),
    };
    if tabia::Progress::step(meter, tabia::Stage::Checking, 1, 1) {
        Ok(Some(Set { ok: what.is_none(), shares: share.count(), what }))
    } else {
        Err(Failure::Interrupted)
    }
}

/// What the books of a set don't agree on that all shares of one book say alike (S-1).
fn what_differs(set: &BookSet) -> Done<Option<String>> {
    let Some((first, others)) = set.books().split_first() else { return Ok(None) };
    let facts = first.facts()?;
    for other in others {
        let (mine, theirs) = (first.header(), other.header());
        let is_same = |kind| mine.columns(kind) == theirs.columns(kind);
        let what = if !is_same(TableKind::Positions) || !is_same(TableKind::Moves) {
            "columns"
        } else if mine.section(tabia::format::Tag::TAGS).is_some()
            != theirs.section(tabia::format::Tag::TAGS).is_some()
        {
            "a filter"
        } else if other.facts()? != facts {
            "facts"
        } else {
            continue;
        };
        let (first, other) = (first.path().display(), other.path().display());
        return Ok(Some(format!(
            "{other}: it has other {what} than {first}: these are not shares of one book"
        )));
    }
    Ok(None)
}

fn write(
    books: &[PathBuf],
    reports: &[CheckReport],
    expanded: &[Option<ExpandedFacts>],
    set: Option<&Set>,
    out: &mut impl Write,
) -> io::Result<()> {
    for ((book, report), expanded) in books.iter().zip(reports).zip(expanded) {
        let label = if books.len() > 1 {
            format!("{}: ", one_line(&book.display().to_string()))
        } else {
            String::new()
        };
        write_one(book, &label, report, out)?;
        if let Some(expanded) = expanded {
            expanded.write(&label, out)?;
        }
    }
    match set {
        Some(Set { shares, what: None, .. }) => {
            writeln!(out, "ok: all {} of one book", counted(*shares, "share"))
        }
        Some(Set { what: Some(what), .. }) => writeln!(out, "no set of shares: {}", one_line(what)),
        None => Ok(()),
    }
}

fn write_one(
    book: &Path,
    label: &str,
    report: &CheckReport,
    out: &mut impl Write,
) -> io::Result<()> {
    report
        .bad
        .iter()
        .try_for_each(|finding| writeln!(out, "{}", one_line(&finding.to_string())))?;
    if report.unlisted > 0 {
        writeln!(out, "{label}and {} more", counted(report.unlisted, "finding"))?;
    }
    if report.torn > 0 {
        writeln!(
            out,
            "{label}the journal has a torn tail of {}, never acknowledged: the next writer cuts it off",
            bytes(report.torn)
        )?;
    }
    if let Some(warning) = crowded::warning(book, &report.crowded) {
        writeln!(out, "{}", one_line(&warning))?;
    }
    for column in &report.unknown_columns {
        writeln!(
            out,
            "{label}column `{column}` is not known to this program: its checksums were verified, and not what it says"
        )?;
    }
    let verified = [
        counted(report.blocks, "block"),
        counted(report.rows, "row"),
        counted(report.frames, "journal frame"),
    ]
    .join(", ");
    if report.ok() {
        writeln!(out, "{label}ok: {verified}")
    } else {
        let found = counted(report.bad.len() as u64 + report.unlisted, "finding");
        writeln!(
            out,
            "{label}damaged: {found} in {verified}: `tabia salvage {} -o NEW` keeps what is sound",
            book.display()
        )
    }
}
