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
use tabia::{Book, Kept, SalvageReport, salvage};
use tabia_build::one_line;
use tabia_games::{Game, Known, WithGame};
use tabia_play::{unexpand, unexpand_all};

/// Save what is sound of a damaged book and its journal
///
/// Every row outside damaged blocks is kept, and every sound frame of the journal. The damaged book
/// stays as it is. Where anything is lost, positions flagged `expanded` lose the flag unless they are
/// reached from the start and have a deviation still.
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
    bad: Vec<Bad>,
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
    place::check_distinct(&args.output, [args.book.as_path()])?;
    let (report, unexpanded) = {
        let meter = console.meter();
        let report = salvage(&meter.env(), &args.book, &args.output, args.force.into())?;
        let is_whole = report.bad.is_empty();
        let unexpanded = if is_whole { 0 } else { unexpanded(&args.output, &meter)? };
        (report, unexpanded)
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
