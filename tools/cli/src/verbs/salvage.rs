//! `tabia salvage`: keep what is sound of a damaged book.

use super::check::Bad;
use crate::console::{Console, Meter};
use crate::failure::{Done, Verdict};
use crate::numbers::grouped;
use crate::output::Output;
use crate::place;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::{Book, Existing, Kept, SalvageReport, salvage};
use tabia_build::one_line;
use tabia_gamefile::{GameFileError, check_place, path_beside, salvage_games};
use tabia_games::{Game, Known, WithGame};
use tabia_play::{unexpand, unexpand_all};

/// Save what is sound of a damaged book and its journal
///
/// Every row outside damaged blocks is kept, and every sound frame of the journal. The damaged book
/// stays as it is. Where anything is lost, positions flagged `expanded` lose the flag unless they are
/// reached from the start and have a deviation still. Of games beside the book (BOOK-games) all that
/// can be read whole are kept.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia salvage broken.tabia -o saved.tabia
  tabia salvage broken.tabia -o saved.tabia --force --json")]
pub struct Args {
    /// The damaged book
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

/// What was kept, and what is gone.
#[derive(Serialize)]
struct Salvaged {
    positions: Option<Rows>,
    moves: Option<Rows>,
    /// Whether the list of sources was kept.
    sources: bool,
    /// Whether what is known of how the book was made was kept.
    facts: bool,
    /// Cells of columns that were lost of rows that were kept.
    cells: u64,
    /// Tags of columns that this program doesn't know, and left out.
    unknown_columns: Vec<String>,
    /// Frames of the journal that were kept.
    frames: u64,
    /// Positions that aren't flagged `expanded` any more.
    no_longer_expanded: u64,
    /// The games beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_file: Option<SavedGames>,
    bad: Vec<Bad>,
}

/// What was kept of the games beside a book.
#[derive(Serialize)]
struct SavedGames {
    expected: u64,
    kept: u64,
    lost: u64,
    /// Why nothing could be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
}

impl SavedGames {
    /// Keeps them; none if there are none.
    fn save(args: &Args, meter: &Meter) -> Done<Option<Self>> {
        let (from, to) = (path_beside(&args.book), path_beside(&args.output));
        if !from.exists() {
            return Ok(None);
        }
        let none = |unreadable| Self { expected: 0, kept: 0, lost: 0, unreadable };
        match salvage_games(&meter.env(), &from, &to, Existing::Replace) {
            Ok(saved) => Ok(Some(Self {
                expected: saved.expected,
                kept: saved.kept,
                lost: saved.expected.saturating_sub(saved.kept),
                unreadable: None,
            })),
            Err(error @ GameFileError::Refused { .. }) => Ok(Some(none(Some(error.to_string())))),
            Err(error) => Err(error.into()),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.unreadable {
            Some(what) => writeln!(out, "games file  lost: {}", one_line(what)),
            None => {
                let (kept, lost) = (grouped(self.kept), grouped(self.lost));
                writeln!(out, "games file  {kept:>14} games kept, {lost} lost")
            }
        }
    }
}

#[derive(Serialize)]
struct Rows {
    expected: u64,
    kept: u64,
    lost: u64,
}

impl Rows {
    fn new(kept: Kept) -> Self {
        Self { expected: kept.expected, kept: kept.kept, lost: kept.lost() }
    }
}

/// Salvages it.
pub fn run(args: &Args, console: &Console) -> Done {
    place::check_book(&args.output, args.force)?;
    if path_beside(&args.book).exists() {
        check_place(&path_beside(&args.output), args.force.into())?;
    }
    place::check_distinct(&args.output, [args.book.as_path()])?;
    let (report, unexpanded, games_file) = {
        let meter = console.meter();
        let report = salvage(&meter.env(), &args.book, &args.output, args.force.into())?;
        let is_whole = report.bad.is_empty();
        let unexpanded = if is_whole { 0 } else { unexpanded(&args.output, &meter)? };
        (report, unexpanded, SavedGames::save(args, &meter)?)
    };
    let mut out = Output::of_summary(console);
    if args.json {
        out.json(&Salvaged {
            positions: report.positions.map(Rows::new),
            moves: report.moves.map(Rows::new),
            sources: report.sources,
            facts: report.facts,
            cells: report.cells,
            unknown_columns: report.unknown_columns.iter().map(ToString::to_string).collect(),
            frames: report.frames,
            no_longer_expanded: unexpanded,
            games_file,
            bad: report.bad.iter().map(Bad::new).collect(),
        })?;
    } else {
        write(&report, &mut out)?;
        if unexpanded > 0 {
            writeln!(
                out,
                "expanded    {:>14} positions aren't any more: what they need may be lost",
                grouped(unexpanded)
            )?;
        }
        games_file.map_or(Ok(()), |games| games.write(&mut out))?;
        out.finish()?;
    }
    Ok(Verdict::Fine)
}

/// Takes the flag `expanded` from positions of a salvaged book that may lack a deviation now; from how
/// many.
fn unexpanded(path: &Path, meter: &Meter) -> Done<u64> {
    let header = Book::open(path)?.header().clone();
    let known = Known::of(header.game.as_str(), header.keys.as_str());
    match known.filter(|_| header.share.is_whole()) {
        Some(known) => known.with(Unexpanding { path, meter }),
        None => Ok(unexpand_all(&meter.env(), path, &|step| meter.trimming(step))?),
    }
}

struct Unexpanding<'a> {
    path: &'a Path,
    meter: &'a Meter,
}

impl WithGame for Unexpanding<'_> {
    type Output = Done<u64>;

    fn with<G: Game>(self, start: &G) -> Done<u64> {
        let Self { path, meter } = self;
        Ok(unexpand(&meter.env(), path, start, &|step| meter.trimming(step))?)
    }
}

fn write(report: &SalvageReport, out: &mut impl Write) -> io::Result<()> {
    report
        .bad
        .iter()
        .try_for_each(|finding| writeln!(out, "{}", one_line(&finding.to_string())))?;
    for (table, rows) in [("positions", report.positions), ("moves", report.moves)] {
        if let Some(rows) = rows {
            writeln!(
                out,
                "{table:<10}  {:>14} rows kept, {} lost",
                grouped(rows.kept),
                grouped(rows.lost())
            )?;
        }
    }
    if report.cells > 0 {
        writeln!(
            out,
            "columns     {:>14} cells lost: they say nothing now",
            grouped(report.cells)
        )?;
    }
    for column in &report.unknown_columns {
        writeln!(
            out,
            "columns     `{column}` was left out: this program doesn't know it; use a newer tabia to keep it"
        )?;
    }
    let sources = if report.sources {
        "kept"
    } else {
        "lost: nothing tells now which archives are in the book"
    };
    let facts = if report.facts { "kept" } else { "lost: nothing tells now how the book was made" };
    writeln!(
        out,
        "journal     {:>14} frames kept\nsources     {sources}\nfacts       {facts}",
        grouped(report.frames)
    )
}
