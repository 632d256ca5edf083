//! The books of the contests: the same rows twice.

use crate::args::Args;
use crate::bulk::{millions, remove};
use crate::games::rows;
use crate::measure::seconds;
use crate::ours::file_length;
use crate::report::{Compared, Report, Rival, duration};
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::{Book, Env, Existing, NewBook};

/// The same rows twice.
pub struct Books {
    /// As tables.
    pub plain: PathBuf,
    pub packed: PathBuf,
}

impl Books {
    /// Removes both.
    pub fn remove(&self) -> Result<()> {
        remove(&self.plain)?;
        remove(&self.packed)
    }

    /// Writes both.
    pub fn build(report: &mut Report, args: &Args) -> Result<Self> {
        let [plain, packed] =
            ["games.tabia", "games-packed.tabia"].map(|name| args.folder.join(name));
        let books = Self { plain, packed };
        books.remove()?;
        books.write(report, args)?;
        Ok(books)
    }

    fn write(&self, report: &mut Report, args: &Args) -> Result<()> {
        let (plain, moves) = seconds(|| build_plain(args, &self.plain))?;
        let (packing, ()) = seconds(|| {
            let book = Book::open(&self.plain)?;
            let packed = NewBook::like(book.header()).packed(true);
            packed.tables_of(&book).write(&Env::default(), &self.packed, Existing::Replace)?;
            Ok(())
        })?;
        for path in [&self.plain, &self.packed] {
            let book = Book::open(path)?;
            ensure!(book.header().packed == (path == &self.packed), "a book has the wrong layout");
        }
        report.note(format!(
            "Packed: {} positions with {moves} moves as archives have them (73.4 % one game and one move, 22.6 % two and one, 1.1 % one and none). \
             The plain book took {} to make, packing it {}.",
            millions(args.rows),
            duration(plain),
            duration(packing)
        ));
        let rival = Rival::new("plain, both tables", Compared::Cost(None));
        let [packed, plain] = [file_length(&self.packed)?, file_length(&self.plain)?];
        let what = "packed: bytes a position with its moves";
        report.add_bytes(what, args.rows, packed, rival, plain);
        Ok(())
    }
}

/// Writes a book of tables, and says how many moves it has.
fn build_plain(args: &Args, path: &Path) -> Result<u64> {
    let memory = args.memory / 2;
    let mut positions = Sorter::new(&System, &args.folder, memory);
    let mut moves = Sorter::new(&System, &args.folder, memory);
    let mut count = 0;
    for i in 0..args.rows {
        let (position, played) = rows(i);
        positions.push(position)?;
        for row in played {
            moves.push(row)?;
            count += 1;
        }
    }
    let positions = Sorted::join(&Env::default(), vec![positions.finish()])?;
    let moves = Sorted::join(&Env::default(), vec![moves.finish()])?;
    let book = NewBook::new("chess".parse()?, "polyglot".parse()?);
    let book = book.filter(args.filter).positions(&positions).moves(&moves);
    book.write(&Env::default(), path, Existing::Replace)?;
    Ok(count)
}
