//! `tabia drop`: moves out of a book, or a position with all its moves.

use crate::edits::{self, EditChoice};
use crate::prelude::*;
use tabia_build::edits::{Dropped, drop_moves};

/// Drop moves of a position, or the position
///
/// The book doesn't know the moves then; the counts of their position and of those that they lead to
/// stay as they are. What nothing else leads to stays too, until `tabia trim --reachable` leaves it
/// out. A position that was expanded isn't any more: a move is missing.
///
/// All changes of one command are one batch of the journal, which `tabia undo` takes back.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia drop masters.tabia --moves \"e4 e5\" --move Qh5 --move Ba6
  tabia drop masters.tabia --moves \"e4 e5 Qh5\" --everything
  tabia drop masters.tabia --moves \"e4 e5\" --move Qh5 && \\
      tabia trim --reachable masters.tabia -o smaller.tabia")]
pub struct Args {
    /// The book, or a set's folder
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    #[command(flatten)]
    at: EditChoice,
    /// Drop the position with all its moves
    #[arg(long, conflicts_with_all = ["played", "code"])]
    everything: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Drops them.
pub fn run(args: &Args, console: &Console) -> Done {
    if !args.everything && !args.at.has_moves() {
        return Err(failure!(
            "which moves? give them by --move, such as --move e4, or by --code with --key; --everything drops the position"
        ));
    }
    let edited = args.at.of(&edits::open(&args.book, console)?, console)?;
    let codes: Vec<u16> = edited.moves.keys().copied().collect();
    let codes = (!args.everything).then_some(&codes[..]);
    let mut dropped = Dropped::default();
    let sequence = edits::change(&edited.file, console, |book, batch| {
        dropped = drop_moves(book, batch, edited.key, codes)?;
        Ok(())
    })?;
    let Dropped { position, moves, absent, not_expanded, .. } = dropped;
    let absent: Vec<_> = absent.iter().map(|code| edited.moves[code].clone()).collect();
    let and_position = if position { " and their position" } else { "" };
    let said = match sequence {
        None => "nothing was dropped".to_owned(),
        Some(_) => format!("{}{and_position} dropped", counted(moves, "move")),
    };
    let facts = Facts::default()
        .json("key", format!("{:016x}", edited.key))
        .json("sequence", sequence)
        .json("position", position)
        .json("moves", moves)
        .json("absent", &absent)
        .json("not_expanded", not_expanded)
        .lines(absent.iter().map(|name| format!("{name} is not in the book")))
        .line(said)
        .lines(not_expanded.then_some("their position is not expanded any more"))
        .lines(sequence.map(|_| edits::line_of_sequence(sequence)));
    Output::of_summary(console).facts(args.json, &facts)
}
