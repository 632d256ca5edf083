//! What was learned, for people.

use crate::console::Console;
use crate::failure::Done;
use crate::numbers::{counted, grouped};
use crate::output::Output;
use std::io::Write;
use tabia_grow::learning::Summary;

/// Prints it.
pub fn print(summary: &Summary, console: &Console, as_json: bool) -> Done<()> {
    let mut out = Output::of_summary(console);
    if as_json {
        return out.json(summary);
    }
    for span in &summary.curve {
        writeln!(out, "{span}")?;
    }
    let Summary { games, lost, learned, moves, positions, rows, .. } = *summary;
    writeln!(
        out,
        "{}: {} of {} lost; {} learned: {} from the book, {} new, {} scaled",
        summary.overlay.display(),
        grouped(lost),
        counted(games, "game"),
        grouped(learned),
        counted(moves, "move"),
        counted(positions, "position"),
        counted(rows, "row")
    )?;
    for (number, what) in [
        (summary.known, "was learned before"),
        (summary.out_of_book, "had no move from the book"),
        (summary.set_up, "began in a set-up position"),
    ] {
        if number > 0 {
            let what = if number > 1 { what.replace("was ", "were ") } else { what.to_owned() };
            writeln!(out, "Of those lost {} {what}.", grouped(number))?;
        }
    }
    if summary.skipped > 0 {
        writeln!(out, "{} could not be read.", counted(summary.skipped, "game"))?;
    }
    out.finish()
}
