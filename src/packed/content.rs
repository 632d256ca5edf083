//! The rows of a book that is to be packed, as entries, and what is seen of them whenever they are
//! streamed.

use super::entry::{Entries, Entry};
use super::params::Form;
use crate::column::Columns;
use crate::env::{Env, Stage};
use crate::error::{Error, Result};
use crate::format::{Results, Share, TableShape};
use crate::key::Hash;
use crate::partitions::Partitions;
use crate::row::{MoveRow, PositionRow, Row};
use crate::stream::{RowSet, Rows};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many entries are looked at between two signs of life.
const A_STEP: u64 = 1 << 14;

/// The rows of a book that is to be packed.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    pub share: Share,
    pub results: Results,
    /// Whether the plain book has tags.
    pub tags: bool,
    pub positions: Option<&'a dyn RowSet<PositionRow>>,
    pub moves: Option<&'a dyn RowSet<MoveRow>>,
}

impl<'a> Content<'a> {
    pub(super) fn form(&self) -> Form {
        Form {
            share: self.share,
            positions: self.positions.is_some(),
            moves: self.moves.is_some(),
            columns: self.moves.map_or(Columns::NONE, RowSet::columns),
        }
    }

    /// Rows of both tables, about.
    fn about(&self) -> u64 {
        let positions = self.positions.map_or(0, RowSet::about);
        positions.saturating_add(self.moves.map_or(0, RowSet::about))
    }

    /// Whether entries can be read from any hash on.
    pub(super) fn is_seekable(&self) -> bool {
        self.positions.is_none_or(RowSet::is_seekable) && self.moves.is_none_or(RowSet::is_seekable)
    }

    /// The hashes of all rows, cut into partitions; one if there are few rows, or if they can't be
    /// read from any hash on.
    pub(super) fn partitions(&self) -> Partitions {
        let of_positions = self.positions.map(RowSet::hashes);
        let of_moves = self.moves.map(RowSet::hashes);
        let all = of_positions.into_iter().chain(of_moves);
        let all = all.reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()));
        let rows = if self.is_seekable() { self.about() } else { 0 };
        Partitions::new(all.unwrap_or(Hash::MIN..=Hash::MAX), rows)
    }

    pub(super) fn entries(&self, hashes: &RangeInclusive<Hash>) -> Result<Entries<'a>> {
        fn between<'a, R: Row>(
            rows: &'a dyn RowSet<R>,
            hashes: &RangeInclusive<Hash>,
        ) -> Result<Box<dyn Rows<R> + 'a>> {
            let all = *hashes == (Hash::MIN..=Hash::MAX);
            if all { rows.rows() } else { rows.rows_between(hashes.clone()) }
        }
        let positions = self.positions.map(|rows| between(rows, hashes)).transpose()?;
        let moves = self.moves.map(|rows| between(rows, hashes)).transpose()?;
        Ok(Entries::new(positions, moves))
    }
}

/// One of the times that all entries are streamed.
pub(super) struct Pass<'a> {
    env: &'a Env<'a>,
    stage: Stage,
    /// The book that is to be, for errors.
    path: &'a Path,
    share: Share,
    about: u64,
    /// Rows that were looked at, by all threads.
    done: AtomicU64,
}

impl<'a> Pass<'a> {
    pub fn new(env: &'a Env<'a>, stage: Stage, path: &'a Path, content: &Content<'_>) -> Self {
        let (share, about) = (content.share, content.about());
        Self { env, stage, path, share, about, done: AtomicU64::new(0) }
    }

    /// Looks at the entries of these hashes.
    pub fn over(&self, hashes: RangeInclusive<Hash>) -> PartOfPass<'_> {
        PartOfPass { pass: self, hashes, last: None, tally: Tally::default(), reported: 0 }
    }

    /// The error of rows that are not the same, or not in order, when they are streamed again.
    pub fn changed(&self) -> Error {
        Error::Changed { path: self.path.to_owned() }
    }
}

/// What a thread sees of the entries of some hashes: whether they are in order, and their totals.
pub(super) struct PartOfPass<'a> {
    pass: &'a Pass<'a>,
    hashes: RangeInclusive<Hash>,
    last: Option<Hash>,
    tally: Tally,
    /// Rows that were reported.
    reported: u64,
}

/// The totals of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub positions: TableShape,
    pub moves: TableShape,
    /// The sum of all entries ([`Entry::sum`]), by which two passes are compared.
    pub sum: u64,
}

impl Tally {
    /// Adds the totals of other rows.
    pub fn join(&mut self, other: &Self) {
        self.positions.join(&other.positions);
        self.moves.join(&other.moves);
        self.sum = self.sum.wrapping_add(other.sum);
    }

    /// Whether these are rows as a book with such results has them: sums over less than 2^32 rows
    /// don't wrap; of more, not all have the most wins there can be.
    pub fn check(&self, results: Results, path: &Path) -> Result<()> {
        let decided =
            [&self.positions, &self.moves].iter().any(|shape| (shape.wins, shape.losses) != (0, 0));
        if results == Results::Unknown && decided {
            return Err(Error::Results { path: path.to_owned() });
        }
        Ok(())
    }
}

impl PartOfPass<'_> {
    /// Looks at the next entry.
    #[inline]
    pub fn take(&mut self, entry: &Entry<'_>) -> Result<()> {
        let in_order = entry.moves.is_sorted_by(|a, b| a.code() < b.code());
        let follows = self.last.is_none_or(|last| last < entry.h) && self.hashes.contains(&entry.h);
        if !follows || !in_order {
            return Err(self.pass.changed());
        }
        if !self.pass.share.holds(entry.h) {
            let path = self.pass.path.to_owned();
            return Err(Error::Share { path, share: self.pass.share });
        }
        self.last = Some(entry.h);
        let tally = &mut self.tally;
        if let Some(row) = entry.position {
            tally.positions.count(row.counts());
        }
        for row in entry.moves {
            tally.moves.count(row.counts());
        }
        tally.sum = tally.sum.wrapping_add(entry.sum());
        if tally.positions.rows + tally.moves.rows >= self.reported + A_STEP {
            self.report()?;
        }
        Ok(())
    }

    fn report(&mut self) -> Result<()> {
        let rows = self.tally.positions.rows + self.tally.moves.rows;
        let more = rows - self.reported;
        let done = self.pass.done.fetch_add(more, Ordering::Relaxed) + more;
        self.reported = rows;
        self.pass.env.step(self.pass.stage, done, self.pass.about)
    }

    /// The totals of what was looked at.
    pub fn end(mut self) -> Result<Tally> {
        self.report()?;
        Ok(self.tally)
    }
}
