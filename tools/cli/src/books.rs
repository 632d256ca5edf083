//! Books as users name them: a file each, or a folder for the books in it; and a book that may be
//! the set of its shares.

use crate::prelude::*;
use tabia::{BookSet, Error, ReadBook};
use tabia_build::set;

/// How the names of books in a folder end.
const ENDING: &str = "tabia";

/// The books that these paths name: a folder means the files in it whose names end in `.tabia`, in
/// the order of their names.
pub fn named(paths: &[PathBuf]) -> Done<Vec<PathBuf>> {
    let mut books = Vec::new();
    for path in paths {
        let found = match address_of_folder(path) {
            #[cfg(feature = "remote")]
            Some(address) => tabia_remote::files_in(address, &format!(".{ENDING}"))
                .map_err(|error| failure!("{address}: cannot list it: {error}"))?,
            _ if path.is_dir() => files_in(path, &[ENDING])?,
            _ => {
                books.push(path.clone());
                continue;
            }
        };
        if found.is_empty() {
            return Err(failure!(
                "{}: there is no book in this folder: their names end in .{ENDING}",
                path.display()
            ));
        }
        books.extend(found);
    }
    Ok(books)
}

/// The address that a path is, if it is that of a folder.
fn address_of_folder(path: &Path) -> Option<&str> {
    tabia::remote::address(path).filter(|address| address.ends_with('/'))
}

/// The files in a folder whose names end so, in the order of their names.
pub fn files_in(folder: &Path, endings: &[&str]) -> Done<Vec<PathBuf>> {
    let failed = |error| Failure::system(folder, "look into it", &error);
    let mut files = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| endings.contains(&ending)) && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The shares of the set in a folder: all of them, of one book, with the same archives and facts.
pub fn shares(folder: &Path) -> Done<Vec<PathBuf>> {
    let paths = named(&[folder.to_owned()])?;
    set::check(paths.iter().map(Book::open).collect::<Result<_, _>>()?)?;
    Ok(paths)
}

/// Does the same with shares of a set in turn: what there is to say of each. If one fails, a note tells
/// of how many it was done before.
pub fn each(
    shares: &[PathBuf],
    console: &Console,
    done: &str,
    mut of: impl FnMut(&Path) -> Done<Facts>,
) -> Done<Facts> {
    let mut all = Vec::new();
    for share in shares {
        let facts = of(share).inspect_err(|_| {
            if !all.is_empty() {
                console.note(&format!("{} of the set: {done}", counted(all.len() as u64, "share")));
            }
        })?;
        let name = share.display().to_string();
        all.push(Facts::default().json("book", &name).line(format!("{name}:")).and(facts));
    }
    Ok(Facts::default().json("shares", &all).lines_of(&all))
}

/// Makes sure that a path is none of a folder, where one file is asked for.
pub fn check_file(path: &Path) -> Done<()> {
    if !path.is_dir() {
        return Ok(());
    }
    Err(failure!(
        "{0}: this is a folder, and one file is asked for: name a book in it; if it holds the shares of one, `tabia merge -o BOOK {0}` makes that, and `tabia merge --into {0} BOOK` adds to it",
        path.display()
    ))
}

/// Opens a book to be shown: with its journal there is a warning if that was left behind when the
/// book was moved.
pub fn open(path: &Path, view: View, console: &Console) -> Done<Book> {
    check_file(path)?;
    let book = Book::open_view(path, view)?;
    if view == View::Whole {
        stray::warn(console, &book);
    }
    Ok(book)
}

/// Makes sure that a book has this table.
pub fn check_table(book: &dyn ReadBook, table: TableKind) -> Done<()> {
    if book.has(table) {
        return Ok(());
    }
    Err(Error::NoTable { path: book.path().to_owned(), table }.into())
}

/// A verb's option to leave journals out.
#[derive(Clone, clap::Args)]
pub struct ViewChoice {
    /// Leave the journal out
    #[arg(long)]
    bare: bool,
}

impl ViewChoice {
    /// What is to be read.
    pub fn view(&self) -> View {
        if self.bare { View::Bare } else { View::Whole }
    }
}

/// Opens what these paths name, as [`open`] does: one book, or all shares of one. A share alone is a
/// book only if it is named itself: in a folder the others are missing.
pub fn open_any(paths: &[PathBuf], view: View, console: &Console) -> Done<OpenBook> {
    let books =
        named(paths)?.iter().map(|path| open(path, view, console)).collect::<Done<Vec<_>>>()?;
    let is_folder = |path: &PathBuf| path.is_dir() || address_of_folder(path).is_some();
    one(books, paths.iter().any(is_folder))
}

/// The same for what looks positions up, of which a share alone has a part: a note says so.
pub fn open_one(paths: &[PathBuf], view: View, console: &Console) -> Done<OpenBook> {
    let opened = open_any(paths, view, console)?;
    if let OpenBook::One(book) = &opened
        && !book.header().share.is_whole()
    {
        let (path, share) = (book.path().display(), book.header().share);
        console.note(&format!("{path}: it is share {share} of a book: the rest is not looked at"));
    }
    Ok(opened)
}

/// One book, or all shares of one; in a folder a share is never alone.
pub fn one(books: Vec<Book>, in_folder: bool) -> Done<OpenBook> {
    let is_set = in_folder && books.iter().any(|book| !book.header().share.is_whole());
    Ok(if is_set { OpenBook::Set(BookSet::of(books)?) } else { OpenBook::of(books)? })
}
