//! Which figures are shown.

use super::{Args, against, follow, survey};
use crate::books;
use crate::console::Console;
use crate::failure::Done;
use crate::games;
use std::path::Path;
use tabia::{Book, Error, TableKind};

/// Shows it.
pub fn run(args: &Args, console: &Console) -> Done {
    args.check_report()?;
    let book = open(&args.book, args, console)?;
    let game = games::of(book.header(), book.path())?;
    if let Some(other) = &args.against {
        let other = open(other, args, console)?;
        return against::run(args, console, &game, [&book, &other]);
    }
    if args.archives.is_empty() {
        return survey::run(args, console, &game, &book);
    }
    follow::run(args, console, &game, &book)
}

/// Opens a book that has moves.
fn open(path: &Path, args: &Args, console: &Console) -> Done<Book> {
    let book = books::open(path, args.journal.view(), console)?;
    if book.has(TableKind::Moves) {
        Ok(book)
    } else {
        Err(Error::NoTable { path: path.to_owned(), table: TableKind::Moves }.into())
    }
}
