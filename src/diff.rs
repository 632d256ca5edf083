//! What changed between two books.

use crate::column::{Columns, WithCells};
use crate::env::{Env, Stage};
use crate::error::Result;
use crate::join::check_compatible;
use crate::journal::Layered;
use crate::read_book::ReadBook;
use crate::row::{MoveRow, PositionRow, TableKind};
use crate::stream::{Converted, Cursor, RowSet};

/// A row that two books don't agree on: what one says and what the other says.
///
/// ```
/// # use tabia::{Book, Counts, Env, Existing, NewBook, PositionRow};
/// # let folder = tempfile::tempdir()?;
/// # let book = |name: &str, wins| -> Result<Book, Box<dyn std::error::Error>> {
/// #     let (path, rows) = (folder.path().join(name), vec![PositionRow::new(42, Counts { wins, draws: 0, losses: 0 })]);
/// #     NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows).write(&Env::default(), &path, Existing::Refuse)?;
/// #     Ok(Book::open(&path)?)
/// # };
/// # let (old, new) = (book("old.tabia", 1)?, book("new.tabia", 2)?);
/// use tabia::{Difference, Row, diff};
///
/// diff(&Env::default(), &old, &new, |difference| match difference {
///     Difference::Position(Some(a), Some(b)) => println!("{} wins became {}", a.counts().wins, b.counts().wins),
///     Difference::Position(..) | Difference::Move(..) => println!("a row that only one of them has"),
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A row of the positions table.
    Position(Option<PositionRow>, Option<PositionRow>),
    /// A row of the moves table, with cells of the columns that one of the books has; those of the
    /// other say nothing.
    Move(Option<WithCells<MoveRow>>, Option<WithCells<MoveRow>>),
}

/// How two tables differ, in rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableDiff {
    /// Rows that are the same in both books.
    pub same: u64,
    /// In both, but not the same.
    pub changed: u64,
    /// Only in the first.
    pub removed: u64,
    /// Only in the second.
    pub added: u64,
}

/// How two books differ.
///
/// ```
/// # use tabia::{Book, diff, Env};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let summary = diff(&Env::default(), &Book::open(&path)?, &Book::open(&path)?, |_| panic!("they are the same"))?;
/// assert!(summary.same_rows());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffSummary {
    /// Their positions tables.
    pub positions: TableDiff,
    /// Their moves tables.
    pub moves: TableDiff,
    /// Whether they were made of the same archives.
    pub same_sources: bool,
    /// Whether the same is known of how they were made.
    pub same_facts: bool,
}

impl DiffSummary {
    /// Whether the books hold the same rows.
    #[must_use]
    pub fn same_rows(&self) -> bool {
        [self.positions, self.moves]
            .iter()
            .all(|table| table.changed + table.removed + table.added == 0)
    }
}

/// Compares the rows of two books, or sets of shares, their journals laid over them; `visit` is
/// called with each difference, in the order of the tables.
///
/// # Errors
/// [`crate::Error::Incompatible`] if they are not of one kind; those of reading them.
pub fn diff(
    env: &Env<'_>,
    first: &dyn ReadBook,
    second: &dyn ReadBook,
    mut visit: impl FnMut(Difference),
) -> Result<DiffSummary> {
    check_compatible(first, second)?;
    let same_sources = first.sources()? == second.sources()?;
    let mut summary = DiffSummary {
        same_sources,
        same_facts: first.facts()? == second.facts()?,
        ..DiffSummary::default()
    };
    if first.has(TableKind::Positions) {
        let row = |row: Option<WithCells<PositionRow>>| row.map(|row| row.row);
        summary.positions = tables::<PositionRow>(env, first, second, |a, b| {
            visit(Difference::Position(row(a), row(b)))
        })?;
    }
    if first.has(TableKind::Moves) {
        summary.moves =
            tables::<MoveRow>(env, first, second, |a, b| visit(Difference::Move(a, b)))?;
    }
    Ok(summary)
}

/// The rows of a book with cells of these columns.
fn cursor<R: Layered>(rows: &dyn RowSet<R>, columns: Columns) -> Result<Cursor<'_, R>> {
    Ok(Cursor::new(Box::new(Converted::new(rows.rows()?, columns))))
}

fn tables<R: Layered>(
    env: &Env<'_>,
    first: &dyn RowSet<R>,
    second: &dyn RowSet<R>,
    mut visit: impl FnMut(Option<WithCells<R>>, Option<WithCells<R>>),
) -> Result<TableDiff> {
    const STEP: u64 = 1 << 16;
    let total = first.at_most().max(second.at_most());
    let columns = first.columns().union(second.columns());
    let (mut a, mut b) = (cursor(first, columns)?, cursor(second, columns)?);
    let mut found = TableDiff::default();
    for done in 1u64.. {
        let (x, y) = (a.first()?, b.first()?);
        // A row that the other book doesn't have comes alone.
        let rank = |row: WithCells<R>| row.row.rank();
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
