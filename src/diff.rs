//! What changed between two books.

use crate::book::{Asked, Book};
use crate::bytes::Pread;
use crate::env::{Env, Stage};
use crate::error::Result;
use crate::merge::check_compatible;
use crate::row::{MoveRow, PositionRow, RatedMoveRow, TableKind};
use crate::stream::{Cursor, RowSet};

/// A row that two books don't agree on: what one says and what the other says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A row of the positions table.
    Position(Option<PositionRow>, Option<PositionRow>),
    /// A row of the moves table.
    Move(Option<MoveRow>, Option<MoveRow>),
    /// A row of the moves table, if one of the books has ratings; the rows of the other have no rated games.
    RatedMove(Option<RatedMoveRow>, Option<RatedMoveRow>),
}

/// How two tables differ, in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableDiff {
    /// The same in both.
    pub same: u64,
    /// In both, but not the same.
    pub changed: u64,
    /// Only in the first.
    pub removed: u64,
    /// Only in the second.
    pub added: u64,
}

/// How two books differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiffSummary {
    /// Their positions tables.
    pub positions: TableDiff,
    /// Their moves tables.
    pub moves: TableDiff,
    /// Whether they were made of the same archives.
    pub same_sources: bool,
}

impl DiffSummary {
    /// Whether the books hold the same rows.
    #[must_use]
    pub fn same_rows(&self) -> bool {
        [self.positions, self.moves].iter().all(|table| table.changed + table.removed + table.added == 0)
    }
}

/// Compares the rows of two books, their journals laid over them; `visit` is called with each difference, in the order of the tables.
///
/// # Errors
/// [`crate::Error::Incompatible`] if they are not of one kind; those of reading them.
pub fn diff(env: &Env<'_>, first: &Book<Pread>, second: &Book<Pread>, mut visit: impl FnMut(Difference)) -> Result<DiffSummary> {
    check_compatible(first, second)?;
    let mut summary = DiffSummary { same_sources: first.sources()? == second.sources()?, ..DiffSummary::default() };
    if first.has(TableKind::Positions) {
        summary.positions = tables(env, first, second, |a, b| visit(Difference::Position(a, b)))?;
    }
    if first.header().is_rated() || second.header().is_rated() {
        summary.moves = tables(env, first, second, |a, b| visit(Difference::RatedMove(a, b)))?;
    } else if first.has(TableKind::Moves) {
        summary.moves = tables(env, first, second, |a, b| visit(Difference::Move(a, b)))?;
    }
    Ok(summary)
}

fn tables<R: Asked>(
    env: &Env<'_>,
    first: &Book<Pread>,
    second: &Book<Pread>,
    mut visit: impl FnMut(Option<R>, Option<R>),
) -> Result<TableDiff> {
    const STEP: u64 = 1 << 16;
    let total = RowSet::<R>::at_most(first).max(RowSet::<R>::at_most(second));
    let (mut a, mut b) = (Cursor::new(first.rows()?), Cursor::new(second.rows()?));
    let mut found = TableDiff::default();
    for done in 1u64.. {
        let (x, y) = (a.first()?, b.first()?);
        // A row that the other book doesn't have comes alone.
        let rank = |row: R| row.rank();
        let pair = match (x.map(rank), y.map(rank)) {
            (None, None) => break,
            (Some(left), Some(right)) if left == right => (x, y),
            (Some(left), right) if right.is_none_or(|right| left < right) => (x, None),
            _ => (None, y),
        };
        match pair {
            (Some(x), Some(y)) if x == y => found.same += 1,
            (Some(_), Some(_)) => found.changed += 1,
            (Some(_), None) => found.removed += 1,
            (None, _) => found.added += 1,
        }
        if pair.0 != pair.1 {
            visit(pair.0, pair.1);
        }
        a.pass(usize::from(pair.0.is_some()));
        b.pass(usize::from(pair.1.is_some()));
        if done % STEP == 0 {
            env.step(Stage::Checking, done, total)?;
        }
    }
    Ok(found)
}
