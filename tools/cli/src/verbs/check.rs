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
use tabia::{Book, Finding};
use tabia_build::one_line;
use tabia_build::whole::{self, BookCheck};

/// Verify every checksum, row and total of a book and its journal
///
/// Exit code 1 if something is damaged or missing; what and where is listed. What else is to be
/// known is said, and changes no exit code. Of several books each is verified, and, if they hold
/// shares of the hashes, that they are all shares of one book. Of games beside a book (BOOK-games)
/// all is verified, and that those are there that the book's moves name.
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
    /// Files that belong to it and aren't there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<PathBuf>,
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
    /// What is bad, in words.
    #[serde(skip)]
    findings: Vec<String>,
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

impl CheckedOne {
    fn new(book: &Path, found: &BookCheck, expanded: Option<ExpandedFacts>) -> Self {
        let report = &found.rows;
        let checked = Checked {
            ok: found.ok(),
            blocks: report.blocks,
            rows: report.rows,
            frames: report.frames,
            torn: report.torn,
            bad: report.bad.iter().map(Bad::new).collect(),
            unlisted: report.unlisted,
            crowded: crowded::names(&report.crowded),
            unknown_columns: report.unknown_columns.iter().map(ToString::to_string).collect(),
            fingerprints: found.fingerprints.as_ref().map(ToString::to_string),
            games_file: found.games.as_ref().map(CheckedGames::new),
            missing: found.missing.clone(),
            expanded,
        };
        let findings = report.bad.iter().map(ToString::to_string).collect();
        Self { book: book.display().to_string(), checked, findings }
    }
}

/// Checks it, or them.
pub fn run(args: &Args, console: &Console) -> Done {
    let books = books::named(&args.books)?;
    let meter = console.meter();
    let check = |book: &PathBuf| {
        let found = whole::check(&meter.env(), book)?;
        let expanded = ExpandedFacts::of(book, &found.rows, &meter)?;
        Ok(CheckedOne::new(book, &found, expanded))
    };
    let checked = books.iter().map(check).collect::<Done<Vec<_>>>()?;
    let sound = checked.iter().all(|one| one.checked.bad.is_empty());
    let set = if books.len() > 1 && sound { check_set(&books, &meter)? } else { None };
    drop(meter);
    let ok = checked.iter().all(|one| one.checked.ok) && set.as_ref().is_none_or(|set| set.ok);
    // What is wrong is said even so.
    let out =
        if ok && console.quiet && !args.json { Output::of_summary(console) } else { Output::new() };
    match &checked[..] {
        [one] if args.json => out.json(&one.checked)?,
        _ if args.json => out.json(&CheckedAll { ok, books: checked, set })?,
        _ => write(&checked, set.as_ref(), out)?,
    }
    Ok(Verdict::found(!ok))
}

/// Whether books, if one of them is a share, are all shares of one book (S-1, S-2); none if none
/// is.
fn check_set(paths: &[PathBuf], meter: &Meter) -> Done<Option<Set>> {
    let books = paths.iter().map(Book::open).collect::<Result<Vec<_>, _>>()?;
    let mut shares = books.iter().map(|book| book.header().share);
    let Some(share) = shares.find(|share| !share.is_whole()) else { return Ok(None) };
    let what = whole::set_finding(books)?;
    if !tabia::Progress::step(meter, tabia::Stage::Checking, 1, 1) {
        return Err(Failure::Interrupted);
    }
    Ok(Some(Set { ok: what.is_none(), shares: share.count(), what }))
}

fn write(checked: &[CheckedOne], set: Option<&Set>, mut out: Output) -> Done<()> {
    for one in checked {
        let label =
            if checked.len() > 1 { format!("{}: ", one_line(&one.book)) } else { String::new() };
        one.write(&label, &mut out)?;
        one.checked
            .expanded
            .as_ref()
            .map_or(Ok(()), |expanded| expanded.write(&label, &mut out))?;
    }
    match set {
        Some(Set { shares, what: None, .. }) => {
            writeln!(out, "ok: all {} of one book", counted(*shares, "share"))?;
        }
        Some(Set { what: Some(what), .. }) => {
            writeln!(out, "no set of shares: {}", one_line(what))?;
        }
        None => {}
    }
    let games = checked.iter().filter_map(|one| one.checked.games_file.as_ref());
    games.into_iter().try_for_each(|games| games.write(&mut out))?;
    for file in checked.iter().flat_map(|one| &one.checked.missing) {
        let file = file.display().to_string();
        writeln!(
            out,
            "{}: it belongs to the book, and is not there or lacks something",
            one_line(&file)
        )?;
    }
    for what in checked.iter().filter_map(|one| one.checked.fingerprints.as_ref()) {
        writeln!(out, "{}: remove it, and copies of the book's games count again", one_line(what))?;
    }
    out.finish()
}

impl CheckedOne {
    fn write(&self, label: &str, out: &mut impl Write) -> io::Result<()> {
        let Checked { blocks, rows, frames, torn, unlisted, .. } = self.checked;
        self.findings.iter().try_for_each(|finding| writeln!(out, "{}", one_line(finding)))?;
        if unlisted > 0 {
            writeln!(out, "{label}and {} more", counted(unlisted, "finding"))?;
        }
        if torn > 0 {
            writeln!(
                out,
                "{label}the journal has a torn tail of {}, never acknowledged: the next writer cuts it off",
                bytes(torn)
            )?;
        }
        if let Some(warning) = crowded::warning(Path::new(&self.book), &self.checked.crowded) {
            writeln!(out, "{}", one_line(&warning))?;
        }
        for column in &self.checked.unknown_columns {
            writeln!(
                out,
                "{label}column `{column}` is not known to this program: its checksums were verified, and not what it says"
            )?;
        }
        let (blocks, rows) = (counted(blocks, "block"), counted(rows, "row"));
        let verified = format!("{blocks}, {rows}, {}", counted(frames, "journal frame"));
        match self.findings.len() as u64 + unlisted {
            0 if self.checked.ok => writeln!(out, "{label}ok: {verified}"),
            // What is wrong is beside the book.
            0 => writeln!(out, "{label}the book itself is sound: {verified}"),
            findings => writeln!(
                out,
                "{label}damaged: {} in {verified}: `tabia salvage {} -o NEW` keeps what is sound",
                counted(findings, "finding"),
                self.book
            ),
        }
    }
}
