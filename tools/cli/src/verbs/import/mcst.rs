//! Trees as text, MCST, to rows.

use super::{Common, File, Into, Rows, failed};
use crate::games::GameOfPoints;
use crate::prelude::*;
use tabia_interop::mcst;

/// Read a search tree as text (MCST), of Go or Othello
///
/// MCST is the text of Monte-Carlo search trees of Chen and Zhang (2012): {0 wins games {+41 wins
/// games ...}}, the points numbered from the top left, + and - for the sides. Each node becomes a
/// line of the book and its move; lines that are images of each other are one line, whose games are
/// added. The book is keyed by line.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import mcst tree.mcst -o go.tabia
  tabia import mcst --game go-19 tree.txt.zst -o large.tabia")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(flatten)]
    game: GameOfPoints,
    /// Read it even if it looks like a tree of a smaller board
    #[arg(long)]
    anyway: bool,
}

/// Reads the file. The paper's trees are of 9x9 boards.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game()?;
    let common = &args.common;
    let mut into = Into::new(common, meter);
    let read = mcst::read(&mut file.reader, &game, |row| into.push(row));
    file.check_whole()?;
    let read = read.map_err(failed(common))?;
    if let Some(doubt) = read.doubt(game.name()).filter(|_| !args.anyway) {
        return Err(failure!(
            "{}: {doubt}: give --game go-{}, or --anyway to read it as {}",
            common.file.display(),
            doubt.size,
            game.name()
        ));
    }
    Ok(Rows {
        facts: Facts::default()
            .with("nodes", read.nodes)
            .with("plies", read.plies as u64)
            .with("games", read.games),
        ..into.rows(game, (Keyed::Line, Results::Known), file, read.games)?
    })
}
