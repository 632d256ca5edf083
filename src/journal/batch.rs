//! A batch: changes that are made together or not at all.

use crate::format::{Fact, Source};
use crate::row::{Counts, MoveRow, PositionRow, RatedMoveRow, Row};
use std::collections::BTreeMap;

/// What a journal does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Change {
    /// Merges it into the row that is there.
    Add = 1,
    /// Puts it in the place of the row that is there.
    Put = 2,
    /// Takes the row away that is there.
    Delete = 3,
}

impl Change {
    /// All of them, in the order in which a frame holds them.
    pub const ALL: [Self; 3] = [Self::Add, Self::Put, Self::Delete];

    pub fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&change| change as u8 == byte)
    }
}

/// Changes that [`crate::Writer::append`] makes together or not at all. Later changes of a row go on top of earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(super) positions: Changes<PositionRow>,
    /// With ratings; without rated games where none were given.
    pub(super) moves: Changes<RatedMoveRow>,
    /// Whether rows with ratings were given.
    rated: bool,
    pub(super) sources: Vec<Source>,
    pub(super) facts: Vec<Fact>,
}

/// Changes of a table, one a row.
pub(super) type Changes<R> = BTreeMap<(u64, u16), super::Delta<R>>;

impl Batch {
    /// A batch that changes nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty() && self.moves.is_empty() && self.sources.is_empty() && self.facts.is_empty()
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

    /// Whether it brings moves with ratings, which only a book of such moves can take.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.rated
    }

    /// The counts of all its rows.
    pub(crate) fn counts(&self) -> impl Iterator<Item = Counts> {
        let positions = self.positions.values().map(|delta| delta.row.counts());
        positions.chain(self.moves.values().map(|delta| delta.row.counts()))
    }

    /// Merges a row into that of the same position.
    pub fn add_position(&mut self, row: PositionRow) -> &mut Self {
        change(&mut self.positions, Change::Add, row);
        self
    }

    /// Puts a row in the place of that of the same position.
    pub fn put_position(&mut self, row: PositionRow) -> &mut Self {
        change(&mut self.positions, Change::Put, row);
        self
    }

    /// Takes a position away.
    pub fn delete_position(&mut self, key: crate::Key) -> &mut Self {
        change(&mut self.positions, Change::Delete, PositionRow::new(key, Counts::default()).bare());
        self
    }

    /// Merges a row into that of the same move; where moves have ratings, as one of unrated games.
    pub fn add_move(&mut self, row: MoveRow) -> &mut Self {
        change(&mut self.moves, Change::Add, row.into());
        self
    }

    /// Puts a row in the place of that of the same move; where moves have ratings, as one of unrated games.
    pub fn put_move(&mut self, row: MoveRow) -> &mut Self {
        change(&mut self.moves, Change::Put, row.into());
        self
    }

    /// Merges a row with ratings into that of the same move.
    pub fn add_rated_move(&mut self, row: RatedMoveRow) -> &mut Self {
        change(&mut self.moves, Change::Add, row);
        self.rated = true;
        self
    }

    /// Puts a row with ratings in the place of that of the same move.
    pub fn put_rated_move(&mut self, row: RatedMoveRow) -> &mut Self {
        change(&mut self.moves, Change::Put, row);
        self.rated = true;
        self
    }

    /// Takes a move away.
    pub fn delete_move(&mut self, key: crate::Key, code: u16) -> &mut Self {
        change(&mut self.moves, Change::Delete, RatedMoveRow::new(key, code, Counts::default()).bare());
        self
    }

    /// Records an archive as one that went into the book.
    pub fn source(&mut self, source: Source) -> &mut Self {
        self.sources.push(source);
        self
    }

    /// Records a fact of an archive or of the book.
    pub fn fact(&mut self, fact: Fact) -> &mut Self {
        self.facts.push(fact);
        self
    }
}

fn change<R: Row>(changes: &mut Changes<R>, change: Change, row: R) {
    let delta = super::Delta { change, row };
    changes.entry(row.rank()).and_modify(|before| before.follow(&delta)).or_insert(delta);
}
