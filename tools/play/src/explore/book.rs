//! A book to be shown: one file, or the set of its shares.

use crate::choice::RowLookup;
use std::path::{Path, PathBuf};
use tabia::{Book, BookSet, Error, Fact, Header, ReadBook, Result, Share};

/// What can be shown as a book.
pub trait Explorable {
    /// What it says of itself: game, keys, results, columns.
    fn header(&self) -> &Header;

    /// Which share of all hashes it has.
    fn share(&self) -> Share {
        self.header().share
    }

    /// The rows, to be asked for.
    fn rows(&self) -> &dyn RowLookup;

    /// What is known of it.
    ///
    /// # Errors
    /// Those of reading the book.
    fn facts(&self) -> Result<Vec<Fact>>;
}

/// A book, or the books of all its shares.
#[derive(Debug)]
pub enum OpenBook {
    /// One file, be it a whole book or a share.
    One(Box<Book>),
    /// A share each.
    Set(BookSet),
}

impl From<Book> for OpenBook {
    fn from(book: Book) -> Self {
        Self::One(Box::new(book))
    }
}

impl OpenBook {
    /// One book, or all shares of one.
    ///
    /// # Errors
    /// Those of [`BookSet::of`] if several books aren't the shares of one.
    pub fn of(books: Vec<Book>) -> Result<Self> {
        match <[Book; 1]>::try_from(books) {
            Ok([only]) => Ok(only.into()),
            Err(books) => Ok(Self::Set(BookSet::of(books)?)),
        }
    }

    /// The book at this path, or of the shares in this folder: the files whose names end in `.tabia`.
    ///
    /// # Errors
    /// The system's; those of [`Book::open`] and of [`BookSet::of`], also of a folder with one share alone.
    pub fn at(path: &Path) -> Result<Self> {
        if !path.is_dir() {
            return Ok(Book::open(path)?.into());
        }
        Ok(Self::Set(BookSet::open(&Self::files(path)?)?))
    }

    /// The files in a folder whose names end in `.tabia`.
    ///
    /// # Errors
    /// The system's.
    pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
        let read =
            || folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>();
        let failed = |source| Error::Io { action: "look into it", path: folder.to_owned(), source };
        let mut files: Vec<PathBuf> = read().map_err(failed)?;
        let is_book = |file: &Path| {
            file.extension().is_some_and(|ending| ending == "tabia") && !file.is_dir()
        };
        files.retain(|file| is_book(file));
        Ok(files)
    }

    /// All files.
    pub fn books(&self) -> &[Book] {
        match self {
            Self::One(book) => std::slice::from_ref(book),
            Self::Set(set) => set.books(),
        }
    }

    /// The same, for code that reads any book.
    pub fn read(&self) -> &dyn ReadBook {
        match self {
            Self::One(book) => &**book,
            Self::Set(set) => set,
        }
    }

    /// One of the files.
    pub fn first(&self) -> &Book {
        &self.books()[0]
    }
}

impl Explorable for OpenBook {
    fn header(&self) -> &Header {
        self.first().header()
    }

    fn share(&self) -> Share {
        self.read().share()
    }

    fn rows(&self) -> &dyn RowLookup {
        match self {
            Self::One(book) => &**book,
            Self::Set(set) => set,
        }
    }

    fn facts(&self) -> Result<Vec<Fact>> {
        self.read().facts()
    }
}
