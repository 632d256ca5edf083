//! Edax's books to rows.

use super::into::Into;
use super::{Args, File, Rows};
use crate::console::Meter;
use crate::failure::{Done, told};
use crate::foreign::{Facts, Losses};
use tabia::format::{Keyed, Results};
use tabia_games::Known;
use tabia_interop::edax::{self, Read};

/// Reads the file.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game_or(|| Ok("othello"))?;
    let Known::Othello(start) = &game else {
        return Err(told!("an Edax book is of Othello, not of {}", game.name()));
    };
    let bytes = file.whole(args)?;
    let mut into = Into::new(args, meter);
    let read = edax::read(&bytes, start, |row| into.push(row)).map_err(|stopped| stopped.failure(args))?;
    let losses = Losses::default().all(&read.lost.each());
    Ok(Rows { facts: facts(&read), losses, ..into.rows(game, (Keyed::Position, Results::Known), file, 0)? })
}

fn facts(read: &Read) -> Facts {
    Facts::default().with("records", read.positions).with("links", read.links).with("leaves", read.leaves).with_any(
        "passes",
        read.passes,
        "records in which the side to move passes",
    )
}
