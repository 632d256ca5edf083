//! A book to be shown: one file, or the set of its shares.

use tabia::format::Header;
use tabia::{Book, BookSet, Key, MoveRow, PositionRow, Result, TableKind, WithCells};
use tabia_play::choice::RowLookup;

/// A book, or the books of all its shares.
#[derive(Debug)]
pub enum OpenBook {
    /// One file, be it a whole book or a share.
    One(Box<Book>),
    /// A share each.
    Set(BookSet),
}

impl OpenBook {
    /// One book, or all shares of one.
    ///
    /// # Errors
    /// Those of [`BookSet::of`] if several books aren't the shares of one.
    pub fn of(books: Vec<Book>) -> Result<Self> {
        match <[Book; 1]>::try_from(books) {
            Ok([only]) => Ok(Self::One(Box::new(only))),
            Err(books) => Ok(Self::Set(BookSet::of(books)?)),
        }
    }

    /// All files.
    #[must_use]
    pub fn books(&self) -> &[Book] {
        match self {
            Self::One(book) => std::slice::from_ref(book),
            Self::Set(set) => set.books(),
        }
    }

    /// One of the files.
    #[must_use]
    pub fn first(&self) -> &Book {
        &self.books()[0]
    }

    /// What all of them say of themselves: game, keys, results, columns.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.first().header()
    }

    /// Whether there is this table.
    #[must_use]
    pub fn has(&self, kind: TableKind) -> bool {
        self.first().has(kind)
    }

    /// The rows, to be asked for.
    #[must_use]
    pub fn rows(&self) -> &dyn RowLookup {
        match self {
            Self::One(book) => &**book,
            Self::Set(set) => set,
        }
    }

    /// What is known of a position.
    ///
    /// # Errors
    /// Those of [`Book::position`].
    pub fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        match self {
            Self::One(book) => book.position(key),
            Self::Set(set) => set.position(key),
        }
    }

    /// All moves known at a position, with their cells.
    ///
    /// # Errors
    /// Those of [`Book::moves_with_cells`].
    pub fn moves(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        match self {
            Self::One(book) => book.moves_with_cells(key),
            Self::Set(set) => set.moves_with_cells(key),
        }
    }
}
