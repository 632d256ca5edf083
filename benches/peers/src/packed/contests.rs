//! Packed books in memory: each contest is about a position, its moves or both, and has its files
//! laid anew, as where in memory a file lies tells more than many a difference between layouts.

use super::books::Books;
use super::duel::{Duel, What, touched};
use super::probes::{BareBoth, BareMoves, BarePosition, Both, Moves, Position};
use crate::args::Args;
use crate::bulk::remove;
use crate::measure::Pace;
use crate::peers::{lmdb, odht};
use crate::raw::{self, RawReads};
use crate::report::{Compared, Report, Rival};
use anyhow::{Context, Result};

/// Runs all contests.
pub fn run(report: &mut Report, args: &Args, books: &Books) -> Result<()> {
    let path = &args.folder.join("packed-peer");
    for what in What::ALL {
        let mut duel = Duel { args, path, packed: &books.packed, report: &mut *report };
        beside_plain(&mut duel, books, what)?;
        beside_tables(&mut duel, books, what)?;
        beside_raw(&mut duel, what)?;
    }
    for run in [odht::run_packed, lmdb::run_packed] {
        remove(path)?;
        run(Duel { args, path, packed: &books.packed, report: &mut *report })?;
        remove(path)?;
    }
    Ok(())
}

/// Against the plain book by the same methods.
fn beside_plain(duel: &mut Duel<'_>, books: &Books, what: What) -> Result<()> {
    duel.lay(&books.plain)?;
    let (packed, plain) = (touched(&books.packed)?, touched(&books.plain)?);
    let rival = |pace| Rival::new("plain, the same method", Compared::Cost(what.budget(pace)));
    match what {
        What::Position => duel.run(what, &packed, rival, &Position(&plain), true)?,
        What::Moves => duel.run(what, &packed, rival, &Moves(&plain), true)?,
        What::Both => duel.run(what, &packed, rival, &Both::new(&plain), true)?,
    }
    let [packed, plain] = [&books.packed, &books.plain].map(|path| raw::residence(path));
    duel.report.note(format!("Packed, {}: {packed}; plain: {plain}.", what.name()));
    Ok(())
}

/// Against the bare tables of the plain book.
fn beside_tables(duel: &mut Duel<'_>, books: &Books, what: What) -> Result<()> {
    duel.lay(&books.plain)?;
    let (packed, plain) = (touched(&books.packed)?, touched(&books.plain)?);
    let bare = BarePosition(plain.position_table().context("no positions")?);
    let moves = plain.move_table().context("no moves")?;
    let rival = |pace| {
        let how = match (what, pace) {
            (What::Position, Pace::Batch) => "Table::get_batch",
            (What::Position, _) => "Table::get",
            (What::Moves, _) => "Table::moves",
            (What::Both, _) => "Table::get and Table::moves",
        };
        Rival::new(format!("plain, {how}"), Compared::Cost(None))
    };
    match what {
        What::Position => duel.run(what, &packed, rival, &bare, true)?,
        What::Moves => duel.run(what, &packed, rival, &BareMoves(moves), true)?,
        What::Both => duel.run(what, &packed, rival, &BareBoth(bare, moves), true)?,
    }
    Ok(())
}

/// Against reads of eight bytes anywhere in the packed file.
fn beside_raw(duel: &mut Duel<'_>, what: What) -> Result<()> {
    raw::lay(duel.packed, duel.args.huge)?;
    let book = touched(duel.packed)?;
    let map = raw::map(duel.packed)?;
    let rival = |pace| {
        let how = match pace {
            Pace::Dependent => "raw dependent read",
            Pace::Alone => "raw read, one after the other",
            Pace::Independent => "raw independent read",
            Pace::Batch => "raw reads prefetched 32 at a time",
        };
        Rival::new(how, Compared::Cost(None))
    };
    duel.run(what, &book, rival, &RawReads::of(&map), false)
}
