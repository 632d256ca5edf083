//! Journals that were left behind when their book got another name: what they hold is missing.

use crate::books::check_file;
use crate::prelude::*;
use tabia::{Writer, journal_path, stray_journals};

/// Warns if additions to a book stand in a journal of another name, unless notes are off.
pub fn warn(console: &Console, book: &Book) {
    // If nobody hears it, what is shown is still what the book has.
    let what = found(book.path(), book.header().digest);
    what.into_iter().for_each(|what| console.note(&format!("warning: {what}")));
}

/// Opens a book to be changed, unless earlier additions are left behind.
pub fn open_writer<'a>(meter: &'a Meter, book: &Path) -> Done<Writer<'a>> {
    check_file(book)?;
    let writer = Writer::open(meter.env(), book)?;
    refuse(book, writer.header().digest)?;
    Ok(writer)
}

/// Makes sure that all shares of a set can be changed now, before the first of them is.
pub fn check_all<'a>(shares: impl IntoIterator<Item = &'a Path>, console: &Console) -> Done<()> {
    let meter = console.meter();
    shares.into_iter().try_for_each(|share| open_writer(&meter, share).map(drop))
}

/// Makes sure, before anything is written to a book's journal, that no earlier additions are left behind.
pub fn refuse(book: &Path, digest: Digest) -> Done<()> {
    match found(book, digest) {
        Some(what) => Err(failure!("{what}; or remove that file")),
        None => Ok(()),
    }
}

/// Which journal it is, and what to do; none if there is none, or none can be seen.
fn found(book: &Path, digest: Digest) -> Option<String> {
    let stray = stray_journals(book, digest).ok()?;
    let [first, ..] = &stray[..] else { return None };
    Some(format!(
        "{0}: {1} holds additions to this book and is not read, because the book has another name now: rename it to {2}",
        book.display(),
        first.display(),
        journal_path(book).display()
    ))
}
