//! Arena's books to rows.

use super::into::Into;
use super::{Args, File, Rows};
use crate::console::Meter;
use crate::failure::{Done, one_line, told};
use crate::foreign::{Facts, Losses};
use tabia::format::Keyed;
use tabia_games::Known;
use tabia_interop::abk::{self, Read};

/// What is made of a tree.
#[derive(clap::Args)]
#[command(next_help_heading = "Arena")]
pub(super) struct Options {
    /// What rows are of: positions, where the games of transpositions are added, or lines, as in the tree [default: position]
    #[arg(long, value_enum, value_name = "WHAT")]
    key: Option<Key>,
}

/// What rows are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Key {
    Position,
    Line,
}

impl Options {
    /// An option that was given, if one was.
    pub fn given(&self) -> Option<&'static str> {
        self.key.map(|_| "--key")
    }
}

/// Reads the file.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game_or(|| Ok("chess"))?;
    if !matches!(game, Known::Chess(_)) {
        return Err(told!("an Arena book is of chess, not of {}", game.name()));
    }
    let bytes = file.whole(args)?;
    let keyed = if args.abk.key == Some(Key::Line) { Keyed::Line } else { Keyed::Position };
    let mut into = Into::new(args, meter);
    let read = abk::read(&bytes, keyed, |row| into.push(row)).map_err(|stopped| stopped.failure(args))?;
    let losses = Losses::default().all(&read.lost.each());
    Ok(Rows { facts: facts(&read), losses, ..into.rows(game, (keyed, read.results), file, read.games)? })
}

fn facts(read: &Read) -> Facts {
    let header = [&read.header.author, &read.header.comment].map(|text| one_line(text)).join(": ");
    Facts::default().noted("header", 1, header).with("nodes", read.nodes).with("plies", read.plies as u64).with("games", read.games)
}
