//! Rows in files: as text, as JSON Lines, and with the feature `parquet` as Apache Parquet, three
//! formats that say the same.
//!
//! `format-spec/rows.md` says what the columns mean and how each format looks. [`write`] writes a
//! book's rows, [`Loader`] makes a book of files:
//!
//! ```
//! use std::path::Path;
//! use tabia::format::Name;
//! use tabia::{Book, Env, Existing};
//! use tabia_interop::rows::{self, RowFormat, Given, Loader};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("two.tabia");
//! let text = "#positions\tkey\twins\tlosses\n463b96181691fc9c\t2\t1\n823c9b50fd114196\t1\t2\n";
//! let given = Given { game: Some("chess".parse::<Name>()?), keys: Some("polyglot".parse::<Name>()?), ..Given::default() };
//! let mut loader = Loader::new(Env::default(), &std::env::temp_dir(), 1 << 24, given);
//! loader.read(Path::new("rows.tsv"), rows::of_stream(text.as_bytes())?, |_| Ok(()))?;
//! loader.write(&path, Existing::Refuse)?;
//!
//! let book = Book::open(&path)?;
//! assert_eq!(book.position(0x463b_9618_1691_fc9c)?.map(|row| tabia::Row::counts(&row).wins), Some(2));
//! let written = rows::write(&book, &rows::tables(&book), RowFormat::Jsonl, Vec::new(), &())?;
//! assert_eq!(written.rows, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod columns;
mod copy;
mod error;
mod fields;
mod files;
mod json;
mod lines;
mod load;
mod metadata;
#[cfg(feature = "parquet")]
mod parquet;
pub mod text;

pub use cell::CellFacts;
pub use columns::{FileColumn, Form, Schema};
pub use copy::{RowFormat, Written, tables, write, write_tables};
pub use error::{Fault, ReadError};
pub use fields::Fields;
pub use files::table_files;
pub use load::{Given, LoadError, Loader};
pub use metadata::Metadata;

use crate::AnyRow;
use json::Jsonl;
use lines::LineReader;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use tabia::TableKind;
use text::Text;

/// A result, or what is wrong; callers that know the place add it.
pub(crate) type Checked<T> = Result<T, Fault>;

/// Rows that are read from a file, whatever its format.
pub trait ReadRows {
    /// The next row; none at the end.
    ///
    /// # Errors
    /// [`ReadError`], with the place in the file.
    fn next(&mut self) -> Result<Option<AnyRow>, ReadError>;

    /// What the file said of its rows; complete only at the end.
    fn into_metadata(self: Box<Self>) -> Metadata;
}

/// Rows that are written to `W`, in one format.
trait WriteRows<W> {
    /// Begins a table, of which the rows that follow are.
    fn begin(&mut self, kind: TableKind) -> io::Result<()>;

    fn row(&mut self, row: &Fields) -> io::Result<()>;

    /// Writes what comes last, and hands back what was written to.
    fn end(self: Box<Self>) -> io::Result<W>;
}

const BOOK: &[u8] = b"\x89TABIA";
/// How a Parquet file begins.
const PARQUET: &[u8] = b"PAR1";

/// Opens a file of rows. Its format is recognized by how it begins, not by its name.
///
/// # Errors
/// [`ReadError`], of a file that can't be opened, is of no known format, or is Parquet and damaged.
pub fn open(path: &Path) -> Result<Box<dyn ReadRows>, ReadError> {
    if path.is_dir() {
        return Err(ReadError::File(Fault::Folder));
    }
    let file = File::open(path).map_err(ReadError::Open)?;
    let mut text = BufReader::with_capacity(1 << 16, file);
    let is_parquet = text.fill_buf().map_err(ReadError::Io)?.starts_with(PARQUET);
    if is_parquet { of_parquet(text.into_inner()) } else { of_stream(text) }
}

/// Rows from a stream: as text, or as JSON Lines if it begins with `{`. Parquet is read from its
/// end and so can't be streamed.
///
/// # Errors
/// [`ReadError`], of a stream that can't be read, or is neither.
pub fn of_stream<'a>(mut text: impl BufRead + 'a) -> Result<Box<dyn ReadRows + 'a>, ReadError> {
    let start = text.fill_buf().map_err(ReadError::Io)?;
    if start.starts_with(BOOK) {
        return Err(ReadError::File(Fault::Book));
    }
    if start.starts_with(PARQUET) {
        return Err(ReadError::File(Fault::Stream));
    }
    Ok(if start.starts_with(b"{") {
        Box::new(LineReader::<_, Jsonl>::new(text))
    } else {
        Box::new(LineReader::<_, Text>::new(text))
    })
}

#[cfg(feature = "parquet")]
fn of_parquet(file: File) -> Result<Box<dyn ReadRows>, ReadError> {
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(ReadError::File(Fault::NotRegular));
    }
    Ok(Box::new(parquet::Reader::new(file)?))
}

#[cfg(not(feature = "parquet"))]
fn of_parquet(_: File) -> Result<Box<dyn ReadRows>, ReadError> {
    Err(ReadError::File(Fault::NoParquet))
}

/// A key, if the text is 16 hexadecimal digits.
#[inline]
pub fn key(text: &[u8]) -> Option<u64> {
    let digits: &[u8; 16] = text.try_into().ok()?;
    digits
        .iter()
        .try_fold(0, |key, &digit| Some(key << 4 | u64::from(char::from(digit).to_digit(16)?)))
}

/// A value as it is shown in a message: not too long.
fn shown(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("`{short}...`") } else { format!("`{short}`") }
}

/// All rows that a reader gives, and what is said of them; or what is wrong.
#[cfg(test)]
fn read_all(mut reader: Box<dyn ReadRows + '_>) -> Result<(Vec<AnyRow>, Metadata), String> {
    let mut entries = Vec::new();
    while let Some(entry) = reader.next().map_err(|error| error.to_string())? {
        entries.push(entry);
    }
    Ok((entries, reader.into_metadata()))
}

/// Makes sure that each of these texts is refused, with the line and what is said of it.
#[cfg(test)]
fn are_refused<T: std::fmt::Debug>(read: impl Fn(&[u8]) -> Result<T, String>, table: &str) {
    for [text, line, what] in tabia_testing::rows(table) {
        let error = read(text.as_bytes()).unwrap_err();
        let place = format!("line {line}: ");
        assert!(error.starts_with(&place) && error.contains(&what), "{text:?}: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sixteen_digits() {
        assert_eq!(key(b"463b96181691fc9c"), Some(0x463b_9618_1691_fc9c));
        assert_eq!(key(b"FFFFFFFFFFFFFFFF"), Some(u64::MAX));
        for bad in [&b""[..], b"1", b"+63b96181691fc9c", b"463b96181691fc9cc", b"g63b96181691fc9c"]
        {
            assert_eq!(key(bad), None);
        }
    }
}
