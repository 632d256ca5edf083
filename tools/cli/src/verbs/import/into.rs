//! What rows go into as another book is read: both tables, sorted in bounded memory.

use super::file::File;
use super::{Common, Rows};
use crate::console::Meter;
use crate::failure::{Done, Failure, failure};
use crate::foreign::Facts;
use tabia::format::{Keyed, Results};
use tabia::storage::folder_of;
use tabia_games::Known;
use tabia_interop::{AnyRow, Losses, RowSorter, SortedRows};

/// The tables.
pub(super) struct Into<'a> {
    meter: &'a Meter,
    rows: RowSorter<'a>,
}

/// Why a book wasn't read: what its format's reader says, or the engine.
pub(super) type Stopped = Box<dyn std::error::Error>;

/// The failure to read the file.
pub(super) fn failed(common: &Common) -> impl Fn(Stopped) -> Failure {
    move |stopped| match stopped.downcast::<tabia::Error>() {
        Ok(error) => (*error).into(),
        Err(error) => failure!("{}: {error}", common.file.display()),
    }
}

impl<'a> Into<'a> {
    pub fn new(common: &Common, meter: &'a Meter) -> Self {
        Self {
            meter,
            rows: RowSorter::new(meter.env(), folder_of(&common.output), common.memory.share(2)),
        }
    }

    /// One row more.
    pub fn push(&mut self, row: AnyRow) -> Result<(), Stopped> {
        self.rows.push(row)?;
        if self.rows.count().is_multiple_of(1 << 16) {
            self.meter.loading(self.rows.count())?;
        }
        Ok(())
    }

    /// All rows, of a file that was read to its end.
    pub fn rows(
        self,
        game: Known,
        (keyed, results): (Keyed, Results),
        file: &File,
        games: u64,
    ) -> Done<Rows> {
        let SortedRows { positions, moves } = self.rows.finish()?;
        Ok(Rows {
            game,
            keyed,
            results,
            positions: Some(positions),
            moves,
            source: file.source(games),
            facts: Facts::default(),
            losses: Losses::default(),
            of_book: Vec::new(),
        })
    }
}
