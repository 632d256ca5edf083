//! Edax's books to rows.

use super::{Common, File, Into, Rows, failed};
use crate::prelude::*;
use tabia_games::Othello;
use tabia_interop::edax::{self, Lines};

/// Read an Edax book of Othello (.dat, .book)
///
/// It says evals in discs, of positions and of moves by the positions behind them. Its counts are
/// of lines of the book, not of games, and are left out.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import edax book.dat -o othello.tabia
  tabia import edax --symmetry none book.dat -o plain.tabia")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// Which images of a position count as one
    #[arg(long, value_parser = one_of(SYMMETRIES), value_name = "IMAGES", default_value = "board")]
    symmetry: Symmetry,
    /// Count lines of the book as games
    ///
    /// Those that Edax has played to the end. Scores of such a book are not those of games, and a
    /// merge with a book of games adds both.
    #[arg(long)]
    count_lines: bool,
}

/// The start of the game that images of a position count as one of, or not.
type Symmetry = fn() -> Othello;

const SYMMETRIES: &[Named<Symmetry>] = &[
    ("none", Othello::without_symmetry, "None: each position for itself"),
    ("board", Othello::start, "Those by turning and reflecting the board"),
];

pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let start = (args.symmetry)();
    let bytes = file.whole(common)?;
    let mut into = Into::new(common, meter);
    let lines = if args.count_lines { Lines::Count } else { Lines::LeaveOut };
    let read = edax::read(&bytes, &start, lines, |row| into.push(row)).map_err(failed(common))?;
    Ok(Rows {
        facts: Facts::default()
            .with("records", read.positions)
            .with("links", read.links)
            .with("leaves", read.leaves)
            .with_any("passes", read.passes, "records in which the side to move passes"),
        losses: read.lost,
        ..into.rows(Known::Othello(start), (Keyed::Position, Results::Known), file, 0)?
    })
}
