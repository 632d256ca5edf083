//! What goes into all shares of a set, one share after the other: so what was interrupted has to be
//! told from what was never begun.

use crate::archive_list::ArchiveList;
use crate::error::{BuildError, Result};
use crate::whole::set_finding;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tabia::format::Share;
use tabia::storage::Storage;
use tabia::{Book, BookFiles, Error, Source, Writer};

/// Makes sure that sound books, if one of them is a share, are all shares of one book (S-1, S-2).
///
/// # Errors
/// [`BuildError::NotASet`]; those of reading the books.
pub fn check(books: Vec<Book>) -> Result<()> {
    set_finding(books)?.map_or(Ok(()), |what| Err(BuildError::NotASet(what)))
}

/// How many times books have each of their archives, by its digest.
type Times = BTreeMap<[u8; 16], usize>;

fn times(books: &[Book]) -> Result<Times> {
    let mut times = Times::new();
    for book in books {
        for source in book.sources()? {
            *times.entry(source.digest.0).or_default() += 1;
        }
    }
    Ok(times)
}

/// The shares of a set into which these books are still to be merged: all of them or, where just that
/// was interrupted, those that don't have the books yet. Until then the shares are none of one whole.
///
/// # Errors
/// [`BuildError::NotASet`] if they are not for another reason; those of reading the books.
pub fn shares_without(set: Vec<Book>, books: &[Book]) -> Result<Vec<PathBuf>> {
    let new = times(books)?;
    let each = set.chunks(1).map(|share| Ok((share[0].path().to_owned(), times(share)?)));
    let each = each.collect::<Result<Vec<_>>>()?;
    // What all have had before, and will have: archives of the books may be among those, too.
    let mut before = each.first().map(|(_, have)| have.clone()).unwrap_or_default();
    for (_, have) in &each {
        before.retain(|archive, times| {
            *times = (*times).min(have.get(archive).copied().unwrap_or_default());
            *times > 0
        });
    }
    let mut after = before.clone();
    for (archive, times) in &new {
        *after.entry(*archive).or_default() += times;
    }
    let is_done = |have: &Times| !new.is_empty() && *have == after;
    let is_begun = each.iter().any(|(_, have)| is_done(have));
    let is_alike = each.iter().all(|(_, have)| *have == before || is_done(have));
    let is_whole = are_all(set.iter().map(|book| book.header().share));
    let is_interrupted = is_begun && is_alike && is_whole;
    if let Some(what) = set_finding(set)?.filter(|_| !is_interrupted) {
        return Err(BuildError::NotASet(what));
    }
    let left = each.into_iter().filter(|(_, have)| !(is_begun && is_done(have)));
    Ok(left.map(|(path, _)| path).collect())
}

/// The shares, by their places in this list, whose last batches came together with archives that none
/// had before: all of them or, where adding to the set or taking back was interrupted, those that have the
/// archives.
///
/// # Errors
/// [`BuildError::NotASet`] if they are not all shares of one book; [`BuildError::Alone`] if what came last
/// didn't come together; those of reading the journals.
pub fn added_last(shares: &[Writer<'_>]) -> Result<Vec<usize>> {
    if !are_all(shares.iter().map(|share| share.header().share)) {
        let first = shares.first().map_or(Path::new(""), Writer::path).display();
        let what = "it and the others are not all shares of one book, each of them once";
        return Err(BuildError::NotASet(format!("{first}: {what}")));
    }
    let digests = |sources: &[Source]| {
        let mut digests: Vec<_> = sources.iter().map(|source| source.digest).collect();
        digests.sort_unstable();
        digests
    };
    let mut each = Vec::new();
    for share in shares {
        let (all, last) = (digests(share.sources()), digests(&share.last_sources()?));
        let mut before = all.clone();
        before.retain(|archive| last.binary_search(archive).is_err());
        each.push((all, before, last));
    }
    let Some((_, before, last)) = each.iter().max_by_key(|(all, ..)| all.len()) else {
        return Ok(Vec::new());
    };
    let mut added = Vec::new();
    for (place, (all, own, own_last)) in each.iter().enumerate() {
        match !last.is_empty() && own == before && own_last == last {
            true => added.push(place),
            false if all == before && !last.is_empty() => {}
            false => return Err(BuildError::Alone(shares[place].path().to_owned())),
        }
    }
    Ok(added)
}

/// Whether these are all shares of one whole, each of them once.
fn are_all(shares: impl ExactSizeIterator<Item = Share>) -> bool {
    let count = shares.len();
    let shares: BTreeSet<Share> = shares.collect();
    shares.len() == count && shares.iter().all(|share| share.count() == count as u64)
}

/// What the book of new games is called until it has gone into all shares: this, and how many archives the
/// set had before, which tells whether it has. That is no name of a book in a folder.
const NEW: &str = "adding-";

/// Games of archives on their way into a set: they are built to a book of their own in its folder, which
/// is then merged into each share, and removed.
#[derive(Debug)]
pub struct GamesForSet {
    /// The set's folder.
    folder: PathBuf,
    /// The book of new games.
    pub path: PathBuf,
    /// Whether it is there already, as adding was interrupted.
    pub is_begun: bool,
    /// The archives that all shares have: where adding was interrupted, some have more.
    pub known: Vec<Source>,
    /// Those of them that came by what was interrupted before it removed its books.
    pub added: Vec<Source>,
    /// These books, which are in all shares.
    done: Vec<PathBuf>,
}

impl GamesForSet {
    /// What is on its way into these shares, all that are in a folder.
    ///
    /// # Errors
    /// [`BuildError::AddedOrNot`]; those of reading the folder and the books.
    pub fn of(folder: &Path, shares: &[Book]) -> Result<Self> {
        let all = shares.iter().map(Book::sources).collect::<tabia::Result<Vec<_>>>()?;
        let is_in_all = |source: &Source| all.iter().all(|others| is_among(others, source));
        let first = all.first().map(Vec::as_slice).unwrap_or_default();
        let mut games = Self {
            folder: folder.to_owned(),
            path: folder.join(format!("{NEW}{}", first.len())),
            is_begun: false,
            known: first.iter().filter(|source| is_in_all(source)).cloned().collect(),
            added: Vec::new(),
            done: Vec::new(),
        };
        for (path, before) in interrupted(folder)? {
            let new = Book::open(&path)?.sources()?;
            if is_in(&path, before, new.len(), shares)? {
                games.done.push(path);
                games.added.extend(new);
            } else {
                (games.path, games.is_begun) = (path, true);
            }
        }
        Ok(games)
    }

    /// Makes sure that the book of new games that is there has games of these archives alone; those that
    /// it has none of.
    ///
    /// # Errors
    /// [`BuildError::AddingOthers`]; those of reading the book.
    pub fn unread(&self, mut archives: ArchiveList) -> Result<Vec<PathBuf>> {
        let (there, asked) = (Book::open(&self.path)?.sources()?, archives.paths.len());
        archives.leave_out_known(&there)?;
        if asked - archives.paths.len() == there.len() {
            return Ok(archives.paths);
        }
        let (new, folder) = (self.path.clone(), self.folder.clone());
        let names = there.into_iter().map(|source| source.name).collect();
        Err(BuildError::AddingOthers { new, names, folder })
    }

    /// Removes the books that are in all shares: nothing else may be wrong then.
    ///
    /// # Errors
    /// The system's.
    pub fn remove_done(&self, storage: &dyn Storage) -> Result<()> {
        self.done.iter().try_for_each(|book| remove(book, storage))
    }

    /// Removes the book of new games, once it is in all shares, or where it is in none.
    ///
    /// # Errors
    /// The system's.
    pub fn remove(&self, storage: &dyn Storage) -> Result<()> {
        remove(&self.path, storage)
    }
}

/// The books of new games on their way into a set that have games of just these archives: where those
/// are taken back, nobody is to go on with the books.
///
/// # Errors
/// The system's; those of reading the books.
pub fn books_of_new(folder: &Path, archives: &[Source]) -> Result<Vec<PathBuf>> {
    let mut books = Vec::new();
    for (book, _) in interrupted(folder)? {
        let sources = Book::open(&book)?.sources()?;
        if !sources.is_empty() && sources.iter().all(|source| is_among(archives, source)) {
            books.push(book);
        }
    }
    Ok(books)
}

/// Removes a book with what belongs to it, itself last.
///
/// # Errors
/// The system's.
pub fn remove(book: &Path, storage: &dyn Storage) -> Result<()> {
    let mut files: Vec<_> = BookFiles::of(book).present().collect();
    files.sort();
    for (_, path) in files.into_iter().rev() {
        let removed = storage.remove(&path);
        removed.map_err(|source| Error::Io { action: "remove", path, source })?;
    }
    Ok(())
}

/// The books of new games in a folder, and how many archives the set had before each.
fn interrupted(folder: &Path) -> Result<Vec<(PathBuf, usize)>> {
    let failed = |source| Error::Io { action: "read", path: folder.to_owned(), source };
    let mut books = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let before = name.to_str().and_then(|name| name.strip_prefix(NEW)?.parse().ok());
        books.extend(before.map(|before| (folder.join(&name), before)));
    }
    Ok(books)
}

/// Whether the book of so many new archives has gone into all shares, which had some before.
fn is_in(new: &Path, before: usize, archives: usize, shares: &[Book]) -> Result<bool> {
    let mut all = true;
    for share in shares {
        let now = share.sources()?.len();
        if now != before && now != before + archives {
            let (share, new) = (share.path().to_owned(), new.to_owned());
            return Err(BuildError::AddedOrNot { share, now, before, new });
        }
        all &= now == before + archives;
    }
    Ok(all)
}

fn is_among(sources: &[Source], source: &Source) -> bool {
    sources.iter().any(|other| other.digest == source.digest)
}
