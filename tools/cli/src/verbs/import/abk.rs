//! Arena's books to rows.

use super::file::File;
use super::{Common, Into, Rows, failed};
use crate::prelude::*;
use crate::values::KEYED;
use tabia::format::Keyed;
use tabia_build::one_line;
use tabia_games::{Chess, Known};
use tabia_interop::abk::{self, Read};

/// Read an Arena book (.abk), a tree of chess
///
/// Each node becomes a move, and a position behind it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import abk perfect.abk -o perfect.tabia
  tabia import abk --keyed line perfect.abk -o tree.tabia")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
    /// What rows are of
    #[arg(long, value_parser = one_of(KEYED), value_name = "WHAT", default_value = "position")]
    keyed: Keyed,
}

pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let bytes = file.whole(common)?;
    let keyed = args.keyed;
    let mut into = Into::new(common, meter);
    let read = abk::read(&bytes, keyed, |row| into.push(row)).map_err(failed(common))?;
    Ok(Rows {
        facts: facts(&read),
        losses: read.lost,
        ..into.rows(Known::Chess(Chess::start()), (keyed, read.results), file, read.games)?
    })
}

fn facts(read: &Read) -> Facts {
    let header = [&read.header.author, &read.header.comment].map(|text| one_line(text)).join(": ");
    Facts::default()
        .noted("header", 1, header)
        .with("nodes", read.nodes)
        .with("plies", read.plies as u64)
        .with("games", read.games)
}
