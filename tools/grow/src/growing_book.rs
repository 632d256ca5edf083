//! A book that grows: rows are merged with those that it has, as one batch.

use crate::error::Error;
use crate::written_book::WrittenBook;
use std::path::Path;
use tabia::{Batch, Env, Fact, Header, Key, MoveRow, PositionRow, Row, Source, TableKind};
use tabia_games::Game;
use tabia_play::choice::RowLookup;
use tabia_play::min_games;

/// A book with its writer: what was added is seen at once.
pub struct GrowingBook<'a> {
    rows: WrittenBook<'a>,
    sources: Vec<Source>,
}

/// Rows that are added to a book together: they are merged with those that it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// Of positions.
    pub positions: Vec<PositionRow>,
    /// Of moves.
    pub moves: Vec<MoveRow>,
    /// What is known of the book.
    pub facts: Vec<Fact>,
    /// Where its games come from.
    pub sources: Vec<Source>,
}

impl Addition {
    /// The keys of all its rows, each once.
    pub fn keys(&self) -> Vec<Key> {
        let positions = self.positions.iter().map(Row::key);
        let mut keys: Vec<Key> = positions.chain(self.moves.iter().map(Row::key)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Whether it adds no row.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty() && self.moves.is_empty()
    }
}

impl<'a> GrowingBook<'a> {
    /// Bytes of the journal at which a book is usually compacted.
    pub const COMPACT_AT: u64 = crate::written_book::COMPACT_AT;

    /// Opens a book to be grown, and compacts it whenever its journal has so many bytes.
    ///
    /// # Errors
    /// [`Error::NoTable`]; [`tabia::Error::Locked`] if another process writes to it; those of
    /// [`Writer::open`].
    pub fn open(env: Env<'a>, path: &Path, compact_at: u64) -> Result<Self, Error> {
        let rows = WrittenBook::open(env, path, compact_at)?;
        for table in [TableKind::Positions, TableKind::Moves] {
            if rows.writer().header().table(table).is_none() {
                return Err(Error::NoTable { path: path.to_owned(), table });
            }
        }
        let sources = rows.writer().sources().to_vec();
        Ok(Self { rows, sources })
    }

    /// Makes sure that it is a book of this game.
    ///
    /// # Errors
    /// [`Error::OtherGame`].
    pub fn check_game<G: Game>(&self, start: &G) -> Result<(), Error> {
        let (path, header) = (self.path().to_owned(), self.header());
        let (game, keys) = (header.game.to_string(), header.keys.to_string());
        if (game.as_str(), keys.as_str()) == (start.name(), start.keys()) {
            Ok(())
        } else {
            Err(Error::OtherGame { path, game, keys })
        }
    }

    /// Makes sure that so many games, if a number is asked for, are enough for a move to count: a
    /// deviation of the book may have fewer games than it says.
    ///
    /// # Errors
    /// [`Error::MinGames`].
    pub fn check_min_games(&self, asked: Option<u64>) -> Result<(), Error> {
        let known = min_games(self.facts());
        match asked.map(|asked| asked.max(1)) {
            Some(asked) if asked < known => {
                Err(Error::MinGames { path: self.path().to_owned(), known, asked })
            }
            _ => Ok(()),
        }
    }

    /// The book's header.
    pub fn header(&self) -> &Header {
        self.rows.writer().header()
    }

    /// All that it knows by now.
    pub fn rows(&self) -> &dyn RowLookup {
        &self.rows
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.rows.path()
    }

    /// The sequence of the last batch: it grows by one with every addition.
    pub fn sequence(&self) -> u64 {
        self.rows.writer().journal().sequence
    }

    /// How many positions it has, each of which is read.
    ///
    /// # Errors
    /// Those of reading the book.
    pub fn positions(&self) -> Result<u64, Error> {
        Ok(self.rows.positions()?)
    }

    /// What was known of the book when it was opened.
    pub fn facts(&self) -> &[Fact] {
        self.rows.writer().facts()
    }

    /// Where the games of the book come from.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Adds rows as one batch, which is durable then; how many positions the book didn't have.
    ///
    /// # Errors
    /// Those of [`Writer::append`] and [`Writer::compact`].
    pub fn add(&mut self, addition: &Addition) -> Result<u64, Error> {
        let mut batch = Batch::new();
        for row in &addition.positions {
            batch.add_position(*row);
        }
        for row in &addition.moves {
            batch.add_move(*row);
        }
        for fact in &addition.facts {
            batch.fact(fact.clone());
        }
        for source in &addition.sources {
            batch.source(source.clone());
        }
        self.rows.append(&batch)?;
        self.sources.extend_from_slice(&addition.sources);
        let mut added = 0;
        for row in &addition.positions {
            let before = self.rows.position(row.key())?;
            added += u64::from(before.is_none());
            self.rows.show_position(merged(before, row));
        }
        for row in &addition.moves {
            let mut rows = self.rows.moves(row.key())?.into_owned();
            match rows.binary_search_by_key(&row.code(), MoveRow::code) {
                Ok(place) => rows[place].merge(row),
                Err(place) => rows.insert(place, *row),
            }
            self.rows.show_moves(row.key(), rows);
        }
        self.rows.compact_if_due()?;
        Ok(added)
    }
}

fn merged<R: Row>(before: Option<R>, row: &R) -> R {
    before.map_or(*row, |mut before| {
        before.merge(row);
        before
    })
}
