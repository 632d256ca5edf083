//! A book to be shown: one file, the set of its shares, or the sum of several books.

use crate::choice::RowLookup;
use tabia::format::Header;
use tabia::{Book, BookSet, Key, MoveRow, PositionRow, Result, Row, TableKind, WithCells};

/// What can be shown as a book.
pub trait Explorable {
    /// What it says of itself: game, keys, results, columns.
    fn header(&self) -> &Header;

    /// Whether there is this table.
    fn has(&self, kind: TableKind) -> bool;

    /// What is known of a position.
    ///
    /// # Errors
    /// Those of [`Book::position`].
    fn position(&self, key: Key) -> Result<Option<PositionRow>>;

    /// All moves known at a position, with their cells, in ascending order of their codes.
    ///
    /// # Errors
    /// Those of [`Book::moves_with_cells`].
    fn moves(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>>;
}

/// Several books of the same game, keys and columns, shown as one that holds the games of all:
/// what merging them would make, without a file.
pub struct Sum<'a>(Vec<&'a OpenBook>);

impl<'a> Sum<'a> {
    /// The sum of these books; none of none.
    #[must_use]
    pub fn of(books: Vec<&'a OpenBook>) -> Option<Self> {
        (!books.is_empty()).then_some(Self(books))
    }
}

impl Explorable for Sum<'_> {
    fn header(&self) -> &Header {
        self.0[0].header()
    }

    fn has(&self, kind: TableKind) -> bool {
        self.0.iter().all(|book| book.has(kind))
    }

    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        let mut sum: Option<PositionRow> = None;
        for book in &self.0 {
            if let Some(row) = book.position(key)? {
                match &mut sum {
                    Some(sum) => sum.merge(&row),
                    None => sum = Some(row),
                }
            }
        }
        Ok(sum)
    }

    fn moves(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        let mut sum: Vec<WithCells<MoveRow>> = Vec::new();
        for book in &self.0 {
            for row in book.moves(key)? {
                match sum.binary_search_by_key(&row.row.code(), |known| known.row.code()) {
                    Ok(at) => {
                        let known = &mut sum[at];
                        known.row.merge(&row.row);
                        known.cells = known.cells.merged(&row.cells);
                    }
                    Err(at) => sum.insert(at, row),
                }
            }
        }
        Ok(sum)
    }
}

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

    /// The rows, to be asked for.
    #[must_use]
    pub fn rows(&self) -> &dyn RowLookup {
        match self {
            Self::One(book) => &**book,
            Self::Set(set) => set,
        }
    }
}

impl Explorable for OpenBook {
    fn header(&self) -> &Header {
        self.first().header()
    }

    fn has(&self, kind: TableKind) -> bool {
        self.first().has(kind)
    }

    fn position(&self, key: Key) -> Result<Option<PositionRow>> {
        match self {
            Self::One(book) => book.position(key),
            Self::Set(set) => set.position(key),
        }
    }

    fn moves(&self, key: Key) -> Result<Vec<WithCells<MoveRow>>> {
        match self {
            Self::One(book) => book.moves_with_cells(key),
            Self::Set(set) => set.moves_with_cells(key),
        }
    }
}
