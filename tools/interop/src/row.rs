//! Rows of either table, as files give them one after the other, and sorting them; what all formats
//! ask of rows and of books.

use std::path::{Path, PathBuf};
use tabia::sort::{Sorted, Sorter};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    Cells, Columns, Counts, Env, Error, MoveRow, PositionRow, Ratings, ReadBook, Row, TableKind,
    WithCells,
};
use tabia_games::Side;

/// A row of either table, to be sorted and merged with the others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyRow {
    /// What a position is worth.
    Position(PositionRow),
    /// What was played at a position, with the cells that its source knows.
    Move(WithCells<MoveRow>),
}

impl From<PositionRow> for AnyRow {
    fn from(row: PositionRow) -> Self {
        Self::Position(row)
    }
}

/// A move whose cells say nothing.
impl From<MoveRow> for AnyRow {
    fn from(row: MoveRow) -> Self {
        Self::Move(row.into())
    }
}

/// Whether a move has rated games.
pub(crate) fn is_rated(cells: &Cells) -> bool {
    cells.get().is_some_and(|ratings: Ratings| ratings.games > 0)
}

/// Whether a position has more than games: an eval, a depth or flags.
pub(crate) fn is_judged(row: &PositionRow) -> bool {
    row.eval().is_some() || row.depth() != 0 || !row.flags().is_empty()
}

/// Counts of one side as another sees them, or the same.
pub(crate) fn seen_from(side: Side, counts: Counts, of: Side) -> Counts {
    let Counts { wins, draws, losses } = counts;
    if side == of { counts } else { Counts::new(losses, draws, wins) }
}

/// Counts together, none more than 32 bits hold.
pub(crate) fn sum(one: Counts, other: Counts) -> Counts {
    Counts::new(
        one.wins.saturating_add(other.wins),
        one.draws.saturating_add(other.draws),
        one.losses.saturating_add(other.losses),
    )
}

pub(crate) fn needs_moves(book: &dyn ReadBook) -> tabia::Result<()> {
    let table = TableKind::Moves;
    let missing = || Error::NoTable { path: book.path().to_owned(), table };
    book.has(table).then_some(()).ok_or_else(missing)
}

/// Hands on the moves of each position, in the order of the rows. `watch` receives the number of
/// rows read from time to time.
pub(crate) fn each_position<E: From<Error>>(
    moves: &dyn RowSet<MoveRow>,
    mut take: impl FnMut(&Chunk<MoveRow>) -> Result<(), E>,
    mut watch: impl FnMut(u64) -> tabia::Result<()>,
) -> Result<(), E> {
    let columns = moves.columns();
    let (mut position, mut read) = (Chunk::new(columns), 0);
    watch(read)?;
    moves.rows()?.each_chunk(|chunk| -> Result<(), E> {
        for played in chunk.iter() {
            if position.rows().last().is_some_and(|last: &MoveRow| last.hash() != played.row.hash())
            {
                take(&position)?;
                position.clear(columns);
            }
            position.push(played.row, &played.cells);
        }
        read += chunk.len() as u64;
        Ok(watch(read)?)
    })?;
    take(&position)
}

/// Takes rows of both tables in any order, and uses a bounded amount of memory.
///
/// Moves have cells of the columns that those before them brought, and of more as soon as one
/// brings more.
///
/// ```
/// use tabia::{Counts, Env, Existing, NewBook, PositionRow};
/// use tabia_interop::RowSorter;
///
/// let folder = std::env::temp_dir();
/// let mut sorter = RowSorter::new(Env::default(), &folder, 1 << 20);
/// sorter.push(PositionRow::new(7, Counts { wins: 1, draws: 0, losses: 0 }).into())?;
/// let rows = sorter.finish()?;
/// let book = NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows.positions).moves(&rows.moves);
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// book.write(&Env::default(), &folder.join("seven.tabia"), Existing::Refuse)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowSorter<'a> {
    env: Env<'a>,
    folder: PathBuf,
    memory: usize,
    count: u64,
    positions: Sorter<'a, PositionRow>,
    moves: Sorter<'a, MoveRow>,
}

/// The rows that a [`RowSorter`] took, sorted and merged: the tables of a [`tabia::NewBook`].
#[derive(Debug)]
pub struct SortedRows {
    /// Those of positions.
    pub positions: Sorted<PositionRow>,
    /// Those of moves.
    pub moves: Sorted<MoveRow>,
}

impl<'a> RowSorter<'a> {
    /// A sorter that holds `memory` bytes of the rows of either table, and spills into files
    /// without a name in this folder.
    pub fn new(env: Env<'a>, folder: &Path, memory: usize) -> Self {
        let (positions, moves) =
            (Sorter::new(env.storage, folder, memory), Sorter::new(env.storage, folder, memory));
        Self { env, folder: folder.to_owned(), memory, count: 0, positions, moves }
    }

    /// Takes a row.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push(&mut self, row: AnyRow) -> tabia::Result<()> {
        self.count += 1;
        match row {
            AnyRow::Position(row) => self.positions.push(row),
            AnyRow::Move(played) => {
                if !played.cells.columns().without(self.moves.columns()).is_empty() {
                    self.widen(played.cells.columns())?;
                }
                self.moves.push_with(played.row, &played.cells)
            }
        }
    }

    /// How many rows were taken.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// From now on moves have cells of these columns too; those of the moves that were taken say
    /// nothing.
    ///
    /// # Errors
    /// The system's, from spilling.
    pub fn widen(&mut self, columns: Columns) -> tabia::Result<()> {
        let all = self.moves.columns().union(columns);
        if all == self.moves.columns() {
            return Ok(());
        }
        let before =
            std::mem::replace(&mut self.moves, Sorter::new(self.env.storage, &self.folder, 0))
                .finish();
        // While both are held they share the memory.
        let memory = if before.at_most() == 0 { self.memory } else { self.memory / 2 };
        self.moves = Sorter::with_columns(self.env.storage, &self.folder, memory, all);
        let before = Sorted::join(&self.env, vec![before])?;
        before.rows()?.each_chunk(|chunk| {
            chunk.iter().try_for_each(|played| self.moves.push_with(played.row, &played.cells))
        })
    }

    /// Ends sorting and returns all rows that were taken.
    ///
    /// # Errors
    /// The system's; [`tabia::Error::Interrupted`] if the work is to stop.
    pub fn finish(self) -> tabia::Result<SortedRows> {
        let positions = Sorted::join(&self.env, vec![self.positions.finish()])?;
        Ok(SortedRows { positions, moves: Sorted::join(&self.env, vec![self.moves.finish()])? })
    }
}
