//! A batch: changes that are made together or not at all.

use super::deltas::{Change, Delta};
use crate::column::{Cells, Columns};
use crate::format::{Fact, Source};
use crate::key::Hash;
use crate::row::{Counts, MoveRow, PositionRow, Row};
use std::collections::BTreeMap;

/// Changes that [`crate::Writer::append`] makes together or not at all. Later changes of a row go
/// on top of earlier ones.
///
/// ```
/// use tabia::{Batch, Counts, MoveRow, PositionRow};
///
/// let won = Counts { wins: 1, draws: 0, losses: 0 };
/// let mut batch = Batch::new();
/// batch.add_position(PositionRow::new(42, won)).add_move(MoveRow::new(42, 796, won)).delete_move(42, 405);
/// assert!(batch.changes_positions() && batch.changes_moves());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(super) positions: Changes<PositionRow>,
    pub(super) moves: Changes<MoveRow>,
    /// The columns of which moves were given cells.
    columns: Columns,
    pub(super) sources: Vec<Source>,
    pub(super) facts: Vec<Fact>,
}

/// Changes of a table, one a row, with the cells that were given.
pub(super) type Changes<R> = BTreeMap<(Hash, u16), (Delta<R>, Cells)>;

impl Batch {
    /// A batch that changes nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the batch changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
            && self.moves.is_empty()
            && self.sources.is_empty()
            && self.facts.is_empty()
    }

    /// Whether it changes a row of the positions table.
    #[must_use]
    pub fn changes_positions(&self) -> bool {
        !self.positions.is_empty()
    }

    /// Whether it changes a row of the moves table.
    #[must_use]
    pub fn changes_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// The columns of which it brings cells of moves: only a book that has all of them can take it.
    #[must_use]
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The hash and the counts of all its rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (Hash, Counts)> {
        let positions =
            self.positions.values().map(|(delta, _)| (delta.row.hash(), delta.row.counts()));
        positions
            .chain(self.moves.values().map(|(delta, _)| (delta.row.hash(), delta.row.counts())))
    }

    /// Merges a row into that of the same position.
    pub fn add_position(&mut self, row: PositionRow) -> &mut Self {
        change(&mut self.positions, Change::Add, row, Cells::NONE);
        self
    }

    /// Puts a row in the place of that of the same position.
    pub fn put_position(&mut self, row: PositionRow) -> &mut Self {
        change(&mut self.positions, Change::Put, row, Cells::NONE);
        self
    }

    /// Deletes a position's row.
    pub fn delete_position(&mut self, key: crate::Key) -> &mut Self {
        let row = PositionRow::new(key, Counts::default()).key_only();
        change(&mut self.positions, Change::Delete, row, Cells::NONE);
        self
    }

    /// Merges a row into that of the same move; its cells, if the book has columns, stay.
    pub fn add_move(&mut self, row: MoveRow) -> &mut Self {
        self.add_move_with(row, Cells::NONE)
    }

    /// Puts a row in the place of that of the same move; its cells, if the book has columns, then
    /// say nothing.
    pub fn put_move(&mut self, row: MoveRow) -> &mut Self {
        self.put_move_with(row, Cells::NONE)
    }

    /// Merges a row and its cells into that of the same move.
    pub fn add_move_with(&mut self, row: MoveRow, cells: Cells) -> &mut Self {
        self.columns = self.columns.union(cells.columns());
        change(&mut self.moves, Change::Add, row, cells);
        self
    }

    /// Puts a row and its cells in the place of that of the same move.
    pub fn put_move_with(&mut self, row: MoveRow, cells: Cells) -> &mut Self {
        self.columns = self.columns.union(cells.columns());
        change(&mut self.moves, Change::Put, row, cells);
        self
    }

    /// Deletes a move's row.
    pub fn delete_move(&mut self, key: crate::Key, code: u16) -> &mut Self {
        let row = MoveRow::new(key, code, Counts::default()).key_only();
        change(&mut self.moves, Change::Delete, row, Cells::NONE);
        self
    }

    /// Records an archive as one that went into the book.
    pub fn source(&mut self, source: Source) -> &mut Self {
        self.sources.push(source);
        self
    }

    /// Records a fact of how the book, or an archive of it, was made.
    pub fn fact(&mut self, fact: Fact) -> &mut Self {
        self.facts.push(fact);
        self
    }
}

fn change<R: Row>(changes: &mut Changes<R>, change: Change, row: R, cells: Cells) {
    let (later, later_cells) = (Delta { change, row }, cells);
    let follow = |(delta, cells): &mut (Delta<R>, Cells)| {
        let columns = cells.columns().union(later_cells.columns());
        let (mut mine, later_cells) =
            (cells.to(columns).as_bytes().to_vec(), later_cells.to(columns));
        delta.follow(&mut mine, &later, later_cells.as_bytes(), columns);
        *cells = Cells::of_bytes(columns, &mine);
    };
    changes.entry(row.rank()).and_modify(follow).or_insert((later, cells));
}
