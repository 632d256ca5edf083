//! Journals that were left behind when their book was moved.

use super::frame::{HEADER_LEN, JournalHeader};
use super::journal_path;
use crate::error::{Context, Result};
use crate::files::BookFile;
use crate::format::Digest;
use crate::platform::without_suffix;
use crate::storage::folder_of;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The journals in a book's folder that hold additions to this very book, but have the name of
/// another one: as after `mv a.tabia b.tabia`, which leaves `a.tabia-journal` behind. Sorted by
/// name. None if the book has a journal of its own; and none whose own book is there.
///
/// `digest` is the book's, from its header.
///
/// # Errors
/// The system's, if the folder can't be read. Journals that can't be read are none.
///
/// ```
/// # use tabia::{Counts, Env, Existing, NewBook, PositionRow};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("tiny.tabia");
/// # let rows = vec![PositionRow::new(42, Counts { wins: 3, draws: 1, losses: 2 })];
/// let new = NewBook::new("chess".parse()?, "polyglot".parse()?).positions(&rows);
/// let header = new.write(&Env::default(), &path, Existing::Refuse)?;
/// assert!(tabia::stray_journals(&path, header.digest)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stray_journals(book: &Path, digest: Digest) -> Result<Vec<PathBuf>> {
    let folder = folder_of(book);
    if journal_path(book).exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in folder.read_dir().at("read this folder", folder)? {
        let path = book.with_file_name(entry.at("read this folder", folder)?.file_name());
        if let Some(owner) = without_suffix(&path, BookFile::Journal.suffix())
            && !owner.exists()
            && base_of(&path).is_ok_and(|base| base == Some(digest))
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The digest of the book that a journal extends; none if it is no journal.
fn base_of(path: &Path) -> io::Result<Option<Digest>> {
    // Whatever else has such a name might never end.
    if !path.metadata()?.is_file() {
        return Ok(None);
    }
    let mut bytes = [0; HEADER_LEN as usize];
    File::open(path)?.read_exact(&mut bytes)?;
    Ok(JournalHeader::parse(&bytes).ok().map(|header| header.base))
}
