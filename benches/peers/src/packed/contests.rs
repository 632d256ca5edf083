//! Packed books in memory: each contest is about a position, its moves or both, and has its files
//! laid anew, as where in memory a file lies tells more than many a difference between layouts.

use super::Books;
use super::probes::{BareBoth, BareMoves, BarePosition, Both, Moves, Position};
use crate::args::Args;
use crate::bulk::remove;
use crate::games::{both_answer, moves_answer, position_answer};
use crate::measure::{Line, Pace, Setting, measure};
use crate::ours::{file_length, map_and_touch};
use crate::peers::{lmdb, odht};
use crate::probe::Probe;
use crate::raw::{self, RawReads};
use crate::report::{Compared, Report, Rival};
use crate::workload::Asked;
use anyhow::{Context, Result};
use std::path::Path;
use tabia::bytes::Map;
use tabia::stream::{Chunk, RowSet};
use tabia::{Book, MoveRow, PositionRow};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A position alone.
    Position,
    /// Moves alone.
    Moves,
    /// A position with its moves.
    Both,
}

impl What {
    const ALL: [Self; 3] = [Self::Position, Self::Moves, Self::Both];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Moves => "moves",
            Self::Both => "position and moves",
        }
    }

    fn answer(self) -> fn(u64) -> u64 {
        match self {
            Self::Position => position_answer,
            Self::Moves => moves_answer,
            Self::Both => both_answer,
        }
    }

    /// What a packed book may cost as a multiple of a plain one's time (issue 17).
    fn budget(self, pace: Pace) -> Option<f64> {
        match (self, pace) {
            (Self::Both, Pace::Dependent | Pace::Alone) => Some(1.15),
            (Self::Both, Pace::Batch) => Some(1.0),
            _ => None,
        }
    }
}

/// How they are asked for. There are no batches of moves alone.
const LINES: [Line; 6] = [
    Line { name: "hit, dependent", asked: Asked::Hits, pace: Pace::Dependent },
    Line { name: "miss, one after the other", asked: Asked::Misses, pace: Pace::Alone },
    Line { name: "hit, independent", asked: Asked::Hits, pace: Pace::Independent },
    Line { name: "miss, independent", asked: Asked::Misses, pace: Pace::Independent },
    Line { name: "hit, batch of 32", asked: Asked::Hits, pace: Pace::Batch },
    Line { name: "miss, batch of 32", asked: Asked::Misses, pace: Pace::Batch },
];

/// A contest of a packed book in the making.
pub struct Duel<'a> {
    /// What to measure.
    pub args: &'a Args,
    /// Where a peer's file is to be.
    pub path: &'a Path,
    packed: &'a Path,
    report: &'a mut Report,
}

impl Duel<'_> {
    /// Lays a rival's file and the packed book into the page cache.
    pub fn lay(&self, theirs: &Path) -> Result<()> {
        raw::lay(theirs, self.args.huge)?;
        raw::lay(self.packed, self.args.huge)
    }

    /// Asks the packed book, and a peer with this name that answers too.
    pub fn run_peer(&mut self, what: What, name: &str, theirs: &impl Probe) -> Result<()> {
        let book = touched(self.packed)?;
        self.run(what, &book, |_| Rival::new(name, Compared::Speed(None)), theirs, true)
    }

    /// Says how many bytes a position takes in the packed book with its moves, and in a peer's file.
    pub fn compare_bytes(&mut self, name: &str, theirs: u64) -> Result<()> {
        let a_row = |bytes: u64| bytes as f64 / self.args.rows as f64;
        self.report.add_figures(
            "packed: bytes a position with its moves",
            a_row(file_length(self.packed)?),
            Rival::new(name, Compared::Cost(None)),
            a_row(theirs),
            "B",
        );
        Ok(())
    }

    /// All lines of the packed book, mapped, against a rival.
    fn run(
        &mut self,
        what: What,
        book: &Book<Map>,
        rival: impl Fn(Pace) -> Rival,
        theirs: &impl Probe,
        rival_answers: bool,
    ) -> Result<()> {
        let setting = Setting {
            rows: self.args.rows,
            probes: self.args.probes,
            rounds: self.args.rounds,
            answer: what.answer(),
            rival_answers,
        };
        for line in LINES {
            if what == What::Moves && matches!(line.pace, Pace::Batch) {
                continue;
            }
            let rival = rival(line.pace);
            let name = &rival.name;
            let report = &mut *self.report;
            let times = match what {
                What::Position => measure(report, setting, line, &Position(book), name, theirs)?,
                What::Moves => measure(report, setting, line, &Moves(book), name, theirs)?,
                What::Both => measure(report, setting, line, &Both::new(book), name, theirs)?,
            };
            report.add(format!("packed: {}, {}", what.name(), line.name), rival, times);
        }
        Ok(())
    }
}

/// Maps a book, and touches all pages of both tables through that very map.
fn touched(path: &Path) -> Result<Book<Map>> {
    let book = map_and_touch::<PositionRow>(path)?;
    let mut rows = RowSet::<MoveRow>::rows(&book)?;
    let mut chunk = Chunk::default();
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            break;
        }
    }
    drop(rows);
    Ok(book)
}

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
