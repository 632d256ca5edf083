//! ChessBase's books to rows.

use super::into::Into;
use super::{Args, File, Rows};
use crate::console::Meter;
use crate::failure::{Done, Failure, told};
use crate::foreign::{Facts, Losses};
use std::io;
use std::path::Path;
use tabia::format::Keyed;
use tabia_games::Known;
use tabia_interop::ctg::{self, Files};

/// Reads the file, and the two beside it if they are there.
pub(super) fn read(args: &Args, file: &mut File, meter: &Meter) -> Done<Rows> {
    let game = args.game.game_or(|| Ok("chess"))?;
    if !matches!(game, Known::Chess(_)) {
        return Err(told!("a ChessBase book is of chess, not of {}", game.name()));
    }
    let bytes = file.whole(args)?;
    let (cto, ctb) = (beside(&args.file, ["cto", "CTO"], args)?, beside(&args.file, ["ctb", "CTB"], args)?);
    let files = Files { ctg: &bytes, cto: cto.as_deref(), ctb: ctb.as_deref() };
    let mut into = Into::new(args, meter);
    let read = ctg::read(files, |row| into.push(row)).map_err(|stopped| stopped.failure(args))?;
    let facts = Facts::default().with("entries", read.positions).with("games", read.games);
    let losses = Losses::default().all(&read.lost.each());
    Ok(Rows { facts, losses, ..into.rows(game, (Keyed::Position, read.results), file, read.games)? })
}

/// The bytes of a file that has the book's name and another ending.
fn beside(book: &Path, endings: [&str; 2], args: &Args) -> Done<Option<Vec<u8>>> {
    for ending in endings {
        let path = book.with_extension(ending);
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > args.file_limit() => return Err(told!("{}: it is too large", path.display())),
            Ok(_) => return std::fs::read(&path).map(Some).map_err(|error| Failure::system(&path, "read", &error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::system(&path, "read", &error)),
        }
    }
    Ok(None)
}
