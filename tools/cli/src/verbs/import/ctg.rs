//! ChessBase's books to rows.

use super::file::File;
use super::{Common, Into, Rows, failed};
use crate::prelude::*;
use std::io;
use tabia::format::Keyed;
use tabia_games::{Chess, Known};
use tabia_interop::ctg::{self, Files};

/// Read a ChessBase book (.ctg, with .cto and .ctb beside it)
///
/// It is walked from the start of chess: positions that its moves lead to get their rows.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia import ctg powerbook.ctg -o powerbook.tabia
  tabia import ctg powerbook.ctg -o powerbook.tabia --force --json")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) common: Common,
}

/// Reads the file, and the two beside it if they are there.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let common = &args.common;
    let bytes = file.whole(common)?;
    let (cto, ctb) = (beside(common, ["cto", "CTO"])?, beside(common, ["ctb", "CTB"])?);
    let files = Files { ctg: &bytes, cto: cto.as_deref(), ctb: ctb.as_deref() };
    let mut into = Into::new(common, meter);
    let read = ctg::read(files, |row| into.push(row)).map_err(failed(common))?;
    let facts = Facts::default().with("entries", read.positions).with("games", read.games);
    Ok(Rows {
        facts,
        losses: read.lost,
        ..into.rows(
            Known::Chess(Chess::start()),
            (Keyed::Position, read.results),
            file,
            read.games,
        )?
    })
}

/// The bytes of a file that has the book's name and another ending.
fn beside(common: &Common, endings: [&str; 2]) -> Done<Option<Vec<u8>>> {
    for ending in endings {
        let path = common.file.with_extension(ending);
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > common.file_limit() => {
                return Err(failure!("{}: it is too large", path.display()));
            }
            Ok(_) => {
                return std::fs::read(&path)
                    .map(Some)
                    .map_err(|error| Failure::system(&path, "read", &error));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::system(&path, "read", &error)),
        }
    }
    Ok(None)
}
