//! Packed books in memory: each contest is about a position, or one with its moves, and has its files
//! laid anew, as where in memory a file lies tells more than many a difference between layouts.

use super::books::Books;
use super::duel::{Duel, What, touched};
use super::probes::{Both, Position};
use crate::args::Args;
use crate::bulk::remove;
use crate::ours::raw_budget;
use crate::peers::{lmdb, odht};
use crate::raw::{self, RawReads};
use crate::report::{Compared, Report, Rival};
use anyhow::Result;

pub fn run(report: &mut Report, args: &Args, books: &Books) -> Result<()> {
    let path = &args.folder.join("packed-peer");
    for what in What::ALL {
        let mut duel = Duel { args, path, packed: &books.packed, report: &mut *report };
        beside_plain(&mut duel, books, what)?;
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
        What::Both => duel.run(what, &packed, rival, &Both::new(&plain), true)?,
    }
    let [packed, plain] = [&books.packed, &books.plain].map(|path| raw::residence(path));
    duel.report.note(format!("Packed, {}: {packed}; plain: {plain}.", what.name()));
    Ok(())
}

/// Against reads of eight bytes anywhere in the packed file.
fn beside_raw(duel: &mut Duel<'_>, what: What) -> Result<()> {
    raw::lay(duel.packed, duel.args.huge)?;
    let book = touched(duel.packed)?;
    let map = raw::map(duel.packed)?;
    let rival = |pace| Rival { compared: Compared::Cost(None), ..raw_budget(pace) };
    duel.run(what, &book, rival, &RawReads::of(&map), false)
}
