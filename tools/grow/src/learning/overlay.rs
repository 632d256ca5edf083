//! The overlay: a book of learned counts that is written to and read at once.

use crate::growing_book::GrowingBook;
use crate::learning::LearnError;
use crate::written_book::WrittenBook;
use std::collections::BTreeMap;
use std::path::Path;
use tabia::{
    Batch, Book, Digest, Env, Existing, Fact, Header, Key, MoveRow, NewBook, PositionRow, Results,
    Row, TableKind, Writer,
};

/// What the fact [`Fact::COUNTS`] of an overlay says.
const LEARNED: &str = "learned";

/// A book of learned counts with its writer. What is put is seen at once, and durable after
/// [`Overlay::commit`].
pub struct Overlay<'a> {
    rows: WrittenBook<'a>,
    /// What the next batch brings.
    new_positions: BTreeMap<Key, PositionRow>,
    new_moves: BTreeMap<Key, Vec<MoveRow>>,
}

impl<'a> Overlay<'a> {
    /// Makes sure that something can be learned over a book: that its counts are games whose results
    /// are known.
    ///
    /// # Errors
    /// [`LearnError::Overlay`], [`LearnError::NoResults`]; those of reading it.
    pub fn check_book(book: &Book) -> Result<(), LearnError> {
        if book.facts()?.iter().any(|fact| fact.name() == Fact::COUNTS) {
            return Err(LearnError::Overlay(book.path().to_owned()));
        }
        if book.header().results == Results::Unknown {
            return Err(LearnError::NoResults(book.path().to_owned()));
        }
        Ok(())
    }

    /// Makes an empty overlay for a book.
    ///
    /// # Errors
    /// [`tabia::Error::Exists`]; those of [`NewBook::write`] and [`Overlay::check_book`].
    pub fn create(env: &Env<'_>, path: &Path, book: &Book) -> Result<(), LearnError> {
        Self::check_book(book)?;
        let header = book.header();
        let (positions, moves) = (Vec::<PositionRow>::new(), Vec::<MoveRow>::new());
        // The name and the value are ones that facts may have.
        let facts = Fact::new(Digest::NONE, Fact::COUNTS, LEARNED).into_iter().collect();
        let mut new = NewBook::new(header.game, header.keys).keyed(header.keyed).facts(facts);
        if book.has(TableKind::Positions) {
            new = new.positions(&positions);
        }
        if book.has(TableKind::Moves) {
            new = new.moves(&moves);
        }
        new.write(env, path, Existing::Refuse)?;
        Ok(())
    }

    /// Makes sure that an overlay is one, and belongs to a book.
    ///
    /// # Errors
    /// [`LearnError::Games`], [`LearnError::OtherKind`]; those of reading them.
    pub fn check(overlay: &Book, book: &Book) -> Result<(), LearnError> {
        Self::check_book(book)?;
        let is_learned = |fact: &Fact| {
            fact.is_of_book() && fact.name() == Fact::COUNTS && fact.value() == LEARNED
        };
        if !overlay.facts()?.iter().any(is_learned) {
            return Err(LearnError::Games(overlay.path().to_owned()));
        }
        let (ours, theirs) = (overlay.header(), book.header());
        let kind = |header: &Header| format!("{} with {} keys", header.game, header.keys);
        let what = if (ours.game, ours.keys) != (theirs.game, theirs.keys) {
            format!("is of {}, and the book of {}", kind(ours), kind(theirs))
        } else if ours.keyed != theirs.keyed {
            "one of overlay and book is keyed by position, the other by line".to_owned()
        } else if let Some(kind) =
            TableKind::ALL.into_iter().find(|&kind| overlay.has(kind) != book.has(kind))
        {
            format!("only one of overlay and book has a table of {kind}")
        } else {
            return Ok(());
        };
        Err(LearnError::OtherKind { overlay: overlay.path().to_owned(), what })
    }

    /// Opens an overlay to learn more.
    ///
    /// # Errors
    /// As [`Overlay::check`]; [`tabia::Error::Locked`] if another process writes to it.
    pub fn open(env: Env<'a>, path: &Path, book: &Book) -> Result<Self, LearnError> {
        Self::check(&Book::open(path)?, book)?;
        let rows = WrittenBook::of(vec![Writer::open(env, path)?], GrowingBook::COMPACT_AT)?;
        Ok(Self { rows, new_positions: BTreeMap::new(), new_moves: BTreeMap::new() })
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        self.rows.writer().header()
    }

    /// The sequence of the last batch: it grows by one with every game that is learned.
    pub fn sequence(&self) -> u64 {
        self.rows.writer().journal().sequence
    }

    /// What it has, with all that was put.
    pub(super) fn rows(&self) -> &WrittenBook<'a> {
        &self.rows
    }

    /// Puts a position.
    pub fn put_position(&mut self, row: PositionRow) {
        self.rows.show_position(row);
        self.new_positions.insert(row.key(), row);
    }

    /// Puts all moves of a position.
    pub fn put_moves(&mut self, key: Key, rows: Vec<MoveRow>) {
        self.rows.show_moves(key, rows.clone());
        self.new_moves.insert(key, rows);
    }

    /// Writes what was put since the last time as one batch, which is durable then.
    ///
    /// # Errors
    /// Those of [`Writer::append`] and [`Writer::compact`].
    pub fn commit(&mut self) -> Result<(), LearnError> {
        let mut batch = Batch::new();
        for row in std::mem::take(&mut self.new_positions).into_values() {
            batch.put_position(row);
        }
        for row in std::mem::take(&mut self.new_moves).into_values().flatten() {
            batch.put_move(row);
        }
        self.rows.append(0, &batch)?;
        Ok(self.rows.compact_if_due()?)
    }
}
