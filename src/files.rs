//! What a book is on disk: its own file and those beside it. This crate reads and writes the book
//! and its journal; of the others it knows the names, so that nothing leaves them behind unasked.

use crate::error::{Error, Result};
use crate::platform::without_suffix;
use crate::remote;
use crate::storage::{beside, resolve};
use std::path::{Path, PathBuf};

/// One of the files of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BookFile {
    /// The book itself.
    Book,
    /// What was changed since the book was made.
    Journal,
    /// The games that its moves name (`format-spec/games.md`).
    Games,
    /// The fingerprints of its games, by which copies are recognized (`format-spec/fingerprints.md`).
    Fingerprints,
    /// What is being expanded, of a book that grows.
    Growing,
    /// Which games and fingerprints are about to take their places, while a writer works or after it
    /// was killed (`format-spec/README.md`, section 10.1).
    Pending,
}

impl BookFile {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Book, Self::Journal, Self::Games, Self::Fingerprints, Self::Growing, Self::Pending];

    /// What its name adds to the book's.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Book => "",
            Self::Journal => "-journal",
            Self::Games => "-games",
            Self::Fingerprints => "-fingerprints",
            Self::Growing => "-growing",
            Self::Pending => "-pending",
        }
    }

    /// Whether it belongs to what the book holds, so that a book made of this one needs one too. A
    /// journal goes into the new book, and what is being expanded is the old one's affair.
    #[must_use]
    pub fn goes_with_content(self) -> bool {
        matches!(self, Self::Games | Self::Fingerprints)
    }

    /// The path of this file of the book with this path, which is taken as it is.
    ///
    /// ```
    /// use std::path::Path;
    /// use tabia::BookFile;
    ///
    /// let games = BookFile::Games.beside(Path::new("books/club.tabia"));
    /// assert_eq!(games, Path::new("books/club.tabia-games"));
    /// ```
    #[must_use]
    pub fn beside(self, book: &Path) -> PathBuf {
        beside(book, self.suffix())
    }
}

/// The files of one book, by name: the book's with a suffix for each.
///
/// ```
/// use tabia::{BookFile, BookFiles};
///
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let files = BookFiles::of(&path);
/// assert_eq!(files.present().map(|(file, _)| file).collect::<Vec<_>>(), [BookFile::Book]);
/// std::fs::write(files.path(BookFile::Games), "")?;
/// assert_eq!(files.of_content().next(), Some(files.path(BookFile::Games)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookFiles {
    book: PathBuf,
}

impl BookFiles {
    /// Those of the book with this path, which need not be there. Of a symbolic link they are where
    /// it leads.
    #[must_use]
    pub fn of(book: &Path) -> Self {
        Self { book: resolve(book) }
    }

    /// The path of one of them.
    #[must_use]
    pub fn path(&self, file: BookFile) -> PathBuf {
        file.beside(&self.book)
    }

    /// Those that are there.
    pub fn present(&self) -> impl Iterator<Item = (BookFile, PathBuf)> + '_ {
        let all = BookFile::ALL.into_iter().map(|file| (file, self.path(file)));
        all.filter(|(_, path)| path.symlink_metadata().is_ok() || remote::is_there(path))
    }

    /// Those that are there and that a book with this one's content needs too: what copying the
    /// rows alone leaves behind.
    pub fn of_content(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.present().filter(|(file, _)| file.goes_with_content()).map(|(_, path)| path)
    }

    /// Makes sure that the rows and what is in the journal are all that the book holds.
    ///
    /// # Errors
    /// [`Error::LeftBehind`].
    pub(crate) fn are_rows_only(&self) -> Result<()> {
        match self.of_content().next() {
            Some(file) => Err(Error::LeftBehind { path: self.book.clone(), file }),
            None => Ok(()),
        }
    }

    /// The book that a file with this path belongs to, if that is there: its mode is the file's.
    pub(crate) fn owner(file: &Path) -> Option<PathBuf> {
        let owner = |one: &BookFile| without_suffix(file, one.suffix());
        BookFile::ALL[1..].iter().filter_map(owner).find(|book| book.is_file())
    }
}

/// What to do about the files beside a book of which only the rows are taken.
///
/// ```
/// # use tabia::Env;
/// # let (folder, path) = tabia_testing::tiny_book();
/// use tabia::{Beside, Book, BookFile, Error, MergeOptions, merge};
///
/// std::fs::write(BookFile::Games.beside(&path), "the games")?;
/// let (env, books, new) = (Env::default(), [Book::open(&path)?], folder.path().join("new.tabia"));
/// let refused = merge(&env, &new, &books, MergeOptions::default());
/// assert!(matches!(refused, Err(Error::LeftBehind { .. })));
/// merge(&env, &new, &books, MergeOptions { beside: Beside::Leave, ..MergeOptions::default() })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// Nothing is made: [`Error::LeftBehind`]. `tabia_build::whole` makes books with all their files.
    #[default]
    Refuse,
    /// They stay where they are, and the new book has none: the caller sees to them. Where all that
    /// belongs to books is taken along (`tabia_build`), what is missing beside them may be missing.
    Leave,
}
