//! The rows of a book that closures want to keep, to be asked for by key.

use crate::choice::RowLookup;
use std::borrow::Cow;
use tabia::format::Results;
use tabia::row::TableKind;
use tabia::{Book, Key, MoveRow, PositionRow, Result};

/// A book as if it had only the rows that are kept.
pub(crate) struct KeptLookup<'a> {
    pub book: &'a Book,
    pub keep_position: &'a (dyn Fn(&PositionRow) -> bool + Sync),
    pub keep_move: &'a (dyn Fn(&MoveRow) -> bool + Sync),
}

impl RowLookup for KeptLookup<'_> {
    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        Ok(self.book.position(key)?.filter(|row| (self.keep_position)(row)))
    }

    fn moves(&self, key: Key) -> Result<Cow<'_, [MoveRow]>> {
        let mut rows = self.book.moves(key)?.into_owned();
        rows.retain(|row| (self.keep_move)(row));
        Ok(Cow::Owned(rows))
    }

    fn has(&self, kind: TableKind) -> bool {
        self.book.has(kind)
    }

    fn results(&self) -> Results {
        self.book.header().results
    }
}
