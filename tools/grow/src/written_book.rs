//! A book that is written to and read at once: what this process wrote lies over the book as it was
//! when it was opened.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use tabia::stream::{Chunk, RowSet};
use tabia::{Batch, Book, Env, Key, MoveRow, PositionRow, Results, Row, TableKind, Writer};
use tabia_play::choice::RowLookup;

/// Bytes of the journal at which a book is usually compacted.
pub const COMPACT_AT: u64 = 64 << 20;

/// A book with its writer, and rows over it.
pub struct WrittenBook<'a> {
    writer: Writer<'a>,
    book: Book,
    /// Rows that are seen instead of the book's.
    positions: HashMap<Key, PositionRow>,
    moves: HashMap<Key, Vec<MoveRow>>,
    compact_at: u64,
}

impl<'a> WrittenBook<'a> {
    /// Opens a book; its journal is to be written into it when it has so many bytes.
    pub fn open(env: Env<'a>, path: &Path, compact_at: u64) -> tabia::Result<Self> {
        let writer = Writer::open(env, path)?;
        let book = Book::open(path)?;
        Ok(Self { writer, book, positions: HashMap::new(), moves: HashMap::new(), compact_at })
    }

    /// The writer.
    pub fn writer(&self) -> &Writer<'a> {
        &self.writer
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.book.path()
    }

    /// How many positions it has, if nothing was written since it was opened: each is read.
    pub fn positions(&self) -> tabia::Result<u64> {
        let (mut rows, mut chunk) = (RowSet::<PositionRow>::rows(&self.book)?, Chunk::default());
        let mut count = 0;
        loop {
            match rows.skip_chunk(&mut chunk)? {
                0 => return Ok(count),
                more => count += more as u64,
            }
        }
    }

    /// Lets a position be seen as it is in a batch.
    pub fn show_position(&mut self, row: PositionRow) {
        self.positions.insert(row.key(), row);
    }

    /// Lets all moves of a position be seen as they are in a batch, in ascending order of codes.
    pub fn show_moves(&mut self, key: Key, rows: Vec<MoveRow>) {
        self.moves.insert(key, rows);
    }

    /// Writes a batch, which is durable then. What is seen doesn't change.
    pub fn append(&mut self, batch: &Batch) -> tabia::Result<()> {
        self.writer.append(batch).map(|_| ())
    }

    /// Writes the journal into the book if it is large enough for that. All that is seen has to be in
    /// batches that were written.
    pub fn compact_if_due(&mut self) -> tabia::Result<()> {
        if self.writer.journal().bytes >= self.compact_at { self.compact() } else { Ok(()) }
    }

    /// Writes the journal into the book. All that is seen has to be in batches that were written.
    pub fn compact(&mut self) -> tabia::Result<()> {
        self.writer.compact()?;
        self.book = Book::open(self.book.path())?;
        self.positions.clear();
        self.moves.clear();
        Ok(())
    }
}

impl RowLookup for WrittenBook<'_> {
    fn position(&self, key: Key) -> tabia::Result<Option<PositionRow>> {
        match self.positions.get(&key) {
            Some(row) => Ok(Some(*row)),
            None => self.book.position(key),
        }
    }

    fn moves(&self, key: Key) -> tabia::Result<Cow<'_, [MoveRow]>> {
        match self.moves.get(&key) {
            Some(rows) => Ok(Cow::Borrowed(rows)),
            None => self.book.moves(key),
        }
    }

    fn has(&self, kind: TableKind) -> bool {
        RowLookup::has(&self.book, kind)
    }

    fn results(&self) -> Results {
        self.writer.header().results
    }
}
