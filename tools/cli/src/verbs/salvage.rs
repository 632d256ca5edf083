//! `tabia salvage`: keep what is sound of a damaged book.

use super::check::Bad;
use crate::console::{Console, Meter};
use crate::failure::{Done, Failure};
use crate::made::NewBookArgs;
use crate::numbers::grouped;
use crate::output::Output;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabia::{Book, Kept};
use tabia_build::{one_line, whole};
use tabia_gamefile::{GameFileError, SalvagedGames};
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
    #[command(flatten)]
    new: NewBookArgs,
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
    /// Why the fingerprints of its games could not be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprints: Option<String>,
    bad: Vec<Bad>,
    /// What is bad, in words.
    #[serde(skip)]
    findings: Vec<String>,
}

/// What was kept of the games beside a book.
#[derive(Serialize)]
struct SavedGames {
    #[serde(flatten)]
    games: Rows,
    /// Why nothing could be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
}

impl SavedGames {
    fn new(saved: Result<SalvagedGames, GameFileError>) -> Self {
        match saved {
            Ok(SalvagedGames { expected, kept, .. }) => {
                Self { games: Rows::new(expected, kept), unreadable: None }
            }
            Err(error) => Self { games: Rows::new(0, 0), unreadable: Some(error.to_string()) },
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.unreadable {
            Some(what) => writeln!(out, "games file  lost: {}", one_line(what)),
            None => {
                let (kept, lost) = (grouped(self.games.kept), grouped(self.games.lost));
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
    fn new(expected: u64, kept: u64) -> Self {
        Self { expected, kept, lost: expected.saturating_sub(kept) }
    }

    fn of(kept: Kept) -> Self {
        Self::new(kept.expected, kept.kept)
    }
}

/// Salvages it.
pub fn run(args: &Args, console: &Console) -> Done {
    let (output, existing) = (&args.new.output, args.new.existing());
    args.new.check([&args.book])?;
    let meter = console.meter();
    let mut no_longer_expanded = 0;
    let saved = whole::salvage(&meter.env(), &args.book, output, existing, |saved, report| {
        if !report.bad.is_empty() {
            no_longer_expanded = unexpanded(saved, &meter).map_err(|failure| match failure {
                Failure::Engine(error) => error.of_a_step().into(),
                failure => failure,
            })?;
        }
        Done::Ok(())
    })?;
    drop(meter);
    let report = &saved.rows;
    let salvaged = Salvaged {
        positions: report.positions.map(Rows::of),
        moves: report.moves.map(Rows::of),
        sources: report.sources,
        facts: report.facts,
        cells: report.cells,
        unknown_columns: report.unknown_columns.iter().map(ToString::to_string).collect(),
        frames: report.frames,
        no_longer_expanded,
        games_file: saved.games.map(SavedGames::new),
        fingerprints: saved.fingerprints.map(|error| error.to_string()),
        bad: report.bad.iter().map(Bad::new).collect(),
        findings: report.bad.iter().map(ToString::to_string).collect(),
    };
    Output::summary(console, args.new.json, &salvaged, Salvaged::write)
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

impl Salvaged {
    fn write(&self, out: &mut Output) -> io::Result<()> {
        self.findings.iter().try_for_each(|finding| writeln!(out, "{}", one_line(finding)))?;
        for (table, rows) in [("positions", &self.positions), ("moves", &self.moves)] {
            if let Some(Rows { kept, lost, .. }) = rows {
                let (kept, lost) = (grouped(*kept), grouped(*lost));
                writeln!(out, "{table:<10}  {kept:>14} rows kept, {lost} lost")?;
            }
        }
        if self.cells > 0 {
            let cells = grouped(self.cells);
            writeln!(out, "columns     {cells:>14} cells lost: they say nothing now")?;
        }
        for column in &self.unknown_columns {
            writeln!(
                out,
                "columns     `{column}` was left out: this program doesn't know it; use a newer tabia to keep it"
            )?;
        }
        let is_kept = |kept, lost| if kept { "kept" } else { lost };
        let sources =
            is_kept(self.sources, "lost: nothing tells now which archives are in the book");
        let facts = is_kept(self.facts, "lost: nothing tells now how the book was made");
        writeln!(
            out,
            "journal     {:>14} frames kept\nsources     {sources}\nfacts       {facts}",
            grouped(self.frames)
        )?;
        if self.no_longer_expanded > 0 {
            writeln!(
                out,
                "expanded    {:>14} positions aren't any more: what they need may be lost",
                grouped(self.no_longer_expanded)
            )?;
        }
        if let Some(what) = &self.fingerprints {
            writeln!(out, "fingerprints lost: {}", one_line(what))?;
        }
        self.games_file.as_ref().map_or(Ok(()), |games| games.write(out))
    }
}
