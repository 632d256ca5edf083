//! A packed book against one rival: all lines of one question.

use super::probes::{Both, Position};
use crate::args::Args;
use crate::games::{both_answer, position_answer};
use crate::measure::{Pace, Probe, Setting, measure};
use crate::ours::{LINES, file_length, map_and_touch, setting, touch};
use crate::raw;
use crate::report::{Compared, Report, Rival};
use anyhow::Result;
use std::path::Path;
use tabia::bytes::Map;
use tabia::{Book, MoveRow, PositionRow};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum What {
    Position,
    /// A position with its moves.
    Both,
}

impl What {
    pub const ALL: [Self; 2] = [Self::Position, Self::Both];

    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Both => "position and moves",
        }
    }

    pub fn answer(self) -> fn(u64) -> u64 {
        match self {
            Self::Position => position_answer,
            Self::Both => both_answer,
        }
    }

    /// What a packed book may cost as a multiple of a plain one's time (issue 17).
    pub fn budget(self, pace: Pace) -> Option<f64> {
        match (self, pace) {
            (Self::Both, Pace::Dependent | Pace::Alone) => Some(1.15),
            (Self::Both, Pace::Batch) => Some(1.0),
            _ => None,
        }
    }
}

/// A contest of a packed book in the making.
pub struct Duel<'a> {
    /// What to measure.
    pub args: &'a Args,
    /// Where a peer's file is to be.
    pub path: &'a Path,
    pub packed: &'a Path,
    /// Where what is measured goes.
    pub report: &'a mut Report,
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
        let (ours, rival) = (file_length(self.packed)?, Rival::new(name, Compared::Cost(None)));
        let what = "packed: bytes a position with its moves";
        self.report.add_bytes(what, self.args.rows, ours, rival, theirs);
        Ok(())
    }

    /// All lines of the packed book, mapped, against a rival.
    pub fn run(
        &mut self,
        what: What,
        book: &Book<Map>,
        rival: impl Fn(Pace) -> Rival,
        theirs: &impl Probe,
        rival_answers: bool,
    ) -> Result<()> {
        let setting = Setting { answer: what.answer(), ..setting(self.args, rival_answers) };
        for (_, line) in LINES {
            let rival = rival(line.pace);
            let name = &rival.name;
            let report = &mut *self.report;
            let times = match what {
                What::Position => measure(report, setting, line, &Position(book), name, theirs)?,
                What::Both => measure(report, setting, line, &Both::new(book), name, theirs)?,
            };
            report.add(format!("packed: {}, {}", what.name(), line.name), rival, times);
        }
        Ok(())
    }
}

/// Maps a book, and touches all pages of both tables through that very map.
pub fn touched(path: &Path) -> Result<Book<Map>> {
    let book = map_and_touch::<PositionRow>(path)?;
    touch::<MoveRow>(&book)?;
    Ok(book)
}
