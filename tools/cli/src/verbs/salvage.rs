//! `tabia salvage`: keep what is sound of a damaged book.

use super::check::bad;
use crate::prelude::*;
use tabia::Kept;
use tabia_build::whole::{self, SalvagedBook};
use tabia_gamefile::SalvagedGames;
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
    Output::of_summary(console).facts(args.new.json, &facts(&saved, no_longer_expanded))
}

/// Takes the flag `expanded` from positions of a salvaged book that may lack a deviation now; from how
/// many.
fn unexpanded(path: &Path, meter: &Meter) -> Done<u64> {
    let header = Book::open(path)?.header().clone();
    let known = Known::of(header.game.as_str(), header.keys.as_str());
    let watch = |step| meter.trimming(step);
    match known.filter(|_| header.share.is_whole()) {
        Some(known) => Ok(unexpand(&meter.env(), path, &known, &watch)?),
        None => Ok(unexpand_all(&meter.env(), path, &watch)?),
    }
}

/// What was kept, and what is gone.
fn facts(saved: &SalvagedBook, no_longer_expanded: u64) -> Facts {
    let report = &saved.rows;
    let rows = |expected: u64, kept: u64| {
        let lost = expected.saturating_sub(kept);
        Facts::default().json("expected", expected).json("kept", kept).json("lost", lost)
    };
    let table = |name: &str, kept: Kept| {
        let [there, lost] = [kept.kept, kept.lost()].map(grouped);
        let line = format!("{name:<10}  {there:>14} rows kept, {lost} lost");
        rows(kept.expected, kept.kept).line(line)
    };
    let positions = report.positions.map(|kept| table("positions", kept));
    let moves = report.moves.map(|kept| table("moves", kept));
    let games = saved.games.as_ref().map(|games| match games {
        Ok(SalvagedGames { expected, kept, .. }) => {
            let [there, lost] = [*kept, expected.saturating_sub(*kept)].map(grouped);
            let line = format!("games file  {there:>14} games kept, {lost} lost");
            rows(*expected, *kept).line(line)
        }
        Err(error) => rows(0, 0)
            .json("unreadable", error.to_string())
            .line(format!("games file  lost: {error}")),
    });
    let bad: Vec<Facts> = report.bad.iter().map(bad).collect();
    let columns: Vec<_> = report.unknown_columns.iter().map(ToString::to_string).collect();
    let cells =
        || format!("columns     {:>14} cells lost: they say nothing now", grouped(report.cells));
    let unknown = |column: &String| {
        format!(
            "columns     `{column}` was left out: this program doesn't know it; use a newer tabia to keep it"
        )
    };
    let is_kept = |kept, lost| if kept { "kept" } else { lost };
    let sources = is_kept(report.sources, "lost: nothing tells now which archives are in the book");
    let of_the_book = is_kept(report.facts, "lost: nothing tells now how the book was made");
    let expanded = || {
        let positions = grouped(no_longer_expanded);
        format!("expanded    {positions:>14} positions aren't any more: what they need may be lost")
    };
    let fingerprints = saved.fingerprints.as_ref().map(ToString::to_string);
    Facts::default()
        .json("positions", &positions)
        .json("moves", &moves)
        .json("sources", report.sources)
        .json("facts", report.facts)
        .json("cells", report.cells)
        .json("unknown_columns", &columns)
        .json("frames", report.frames)
        .json("no_longer_expanded", no_longer_expanded)
        .json_if("games_file", games.as_ref())
        .json_if("fingerprints", fingerprints.as_ref())
        .json("bad", &bad)
        .lines_of(bad.iter().chain(&positions).chain(&moves))
        .lines((report.cells > 0).then(cells))
        .lines(columns.iter().map(unknown))
        .line(format!("journal     {:>14} frames kept", grouped(report.frames)))
        .line(format!("sources     {sources}"))
        .line(format!("facts       {of_the_book}"))
        .lines((no_longer_expanded > 0).then(expanded))
        .lines(fingerprints.map(|what| format!("fingerprints lost: {what}")))
        .lines_of(&games)
}
