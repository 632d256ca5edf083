//! A book that is written to and read at once: what this process wrote lies over the book as it was
//! when it was opened. It may be a set of shares, each with a journal of its own.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use tabia::stream::{RowSet, Rows};
use tabia::{Batch, Hash, Key, MoveRow, PositionRow, Results, Row, TableKind, Writer};
use tabia_play::choice::RowLookup;
use tabia_play::explore::{Explorable, OpenBook};

/// A book with its writer, or writers of all its shares, and rows over it.
pub struct WrittenBook<'a> {
    /// In the order of the shares.
    writers: Vec<Writer<'a>>,
    book: OpenBook,
    /// Rows that are seen instead of the book's.
    positions: HashMap<Key, PositionRow>,
    moves: HashMap<Key, Vec<MoveRow>>,
    compact_at: u64,
}

impl<'a> WrittenBook<'a> {
    /// Opens what these write to; a journal is to be written into its book when it has so many bytes.
    pub fn of(writers: Vec<Writer<'a>>, compact_at: u64) -> tabia::Result<Self> {
        let book = read(&writers)?;
        Ok(Self { writers, book, positions: HashMap::new(), moves: HashMap::new(), compact_at })
    }

    /// The writer of the book, or of its first share.
    pub fn writer(&self) -> &Writer<'a> {
        &self.writers[0]
    }

    /// The writers of all shares, in their order.
    pub fn writers(&self) -> &[Writer<'a>] {
        &self.writers
    }

    /// Which of them writes what is said of this position.
    pub fn share_of(&self, key: Key) -> usize {
        let holds = |writer: &Writer<'_>| writer.header().share.holds(Hash::of(key));
        // A share that is opened by itself refuses what belongs to others.
        self.writers.iter().position(holds).unwrap_or(0)
    }

    /// Where it is; of a set, where its first share is.
    pub fn path(&self) -> &Path {
        self.book.first().path()
    }

    /// How many positions it has, if nothing was written since it was opened: each is read.
    pub fn positions(&self) -> tabia::Result<u64> {
        RowSet::<PositionRow>::rows(self.book.read())?.count()
    }

    /// Lets a position be seen as it is in a batch.
    pub fn show_position(&mut self, row: PositionRow) {
        self.positions.insert(row.key(), row);
    }

    /// Lets all moves of a position be seen as they are in a batch, in ascending order of codes.
    pub fn show_moves(&mut self, key: Key, rows: Vec<MoveRow>) {
        self.moves.insert(key, rows);
    }

    /// Writes a batch by one of the writers, which is durable then. What is seen doesn't change.
    pub fn append(&mut self, share: usize, batch: &Batch) -> tabia::Result<()> {
        self.writers[share].append(batch).map(drop)
    }

    /// Writes the journals that are large enough for that into their books. All that is seen has to
    /// be in batches that were written.
    pub fn compact_if_due(&mut self) -> tabia::Result<()> {
        let mut is_changed = false;
        for writer in &mut self.writers {
            if writer.journal().bytes >= self.compact_at {
                is_changed |= writer.compact()?;
            }
        }
        if is_changed {
            self.book = read(&self.writers)?;
            self.positions.clear();
            self.moves.clear();
        }
        Ok(())
    }
}

/// What these write to, to be read.
fn read(writers: &[Writer<'_>]) -> tabia::Result<OpenBook> {
    OpenBook::of(writers.iter().map(Writer::book).collect::<Result<_, _>>()?)
}

impl RowLookup for WrittenBook<'_> {
    fn position(&self, key: Key) -> tabia::Result<Option<PositionRow>> {
        match self.positions.get(&key) {
            Some(row) => Ok(Some(*row)),
            None => self.book.rows().position(key),
        }
    }

    fn moves(&self, key: Key) -> tabia::Result<Cow<'_, [MoveRow]>> {
        match self.moves.get(&key) {
            Some(rows) => Ok(Cow::Borrowed(rows)),
            None => self.book.rows().moves(key),
        }
    }

    fn has(&self, kind: TableKind) -> bool {
        self.book.rows().has(kind)
    }

    fn results(&self) -> Results {
        self.writer().header().results
    }
}
