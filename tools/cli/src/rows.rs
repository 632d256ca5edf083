//! Rows in files: what `dump` writes and `load` reads, in three formats that say the same.
//!
//! `format-spec/rows.md` says what the columns mean and how each format looks. Here nothing is known of arguments, places or progress.

mod cell;
mod columns;
mod fields;
mod head;
pub mod json;
mod line;
mod lines;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod text;

pub use cell::CellFacts;
pub use columns::{Column, Form, Sheet};
pub use fields::{Entry, Fields};
pub use head::{Head, results_word};

use crate::failure::Done;
use std::io;
use tabia::TableKind;

/// What is wrong with a row or a line, in words; whoever knows the place adds it.
pub type Fault<T> = Result<T, String>;

/// Rows that are read from a file, whatever its format.
pub trait Reading {
    /// The next row; none at the end.
    ///
    /// # Errors
    /// One line with the file and the place in it.
    fn next(&mut self) -> Done<Option<Entry>>;

    /// What the file said of its rows; complete only at the end.
    fn into_head(self: Box<Self>) -> Head;
}

/// Rows that are written to `W`, in one format.
pub trait Writing<W> {
    /// Begins a table, of which the rows that follow are.
    ///
    /// # Errors
    /// Those of `W`.
    fn begin(&mut self, kind: TableKind) -> io::Result<()>;

    /// Writes a row.
    ///
    /// # Errors
    /// Those of `W`.
    fn row(&mut self, row: &Fields) -> io::Result<()>;

    /// Writes what comes last, and hands back what was written to.
    ///
    /// # Errors
    /// Those of `W`.
    fn end(self: Box<Self>) -> io::Result<W>;
}

/// A key, if the text is 16 hexadecimal digits.
#[inline]
pub fn key(text: &[u8]) -> Option<u64> {
    let digits: &[u8; 16] = text.try_into().ok()?;
    digits.iter().try_fold(0, |key, &digit| Some(key << 4 | u64::from(char::from(digit).to_digit(16)?)))
}

/// A key as users give it.
pub fn read_key(text: &str) -> Result<u64, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    key(digits.as_bytes()).ok_or("a key is 16 hexadecimal digits")
}

/// A value as it is shown in a message: not too long.
fn shown(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("`{short}...`") } else { format!("`{short}`") }
}

/// All rows that a reader gives, and what is said of them; or what is wrong.
#[cfg(test)]
fn read_all(mut reader: Box<dyn Reading + '_>) -> Result<(Vec<Entry>, Head), String> {
    let mut entries = Vec::new();
    while let Some(entry) = reader.next().map_err(|failure| failure.to_string())? {
        entries.push(entry);
    }
    Ok((entries, reader.into_head()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sixteen_digits() {
        assert_eq!(key(b"463b96181691fc9c"), Some(0x463b_9618_1691_fc9c));
        assert_eq!(key(b"FFFFFFFFFFFFFFFF"), Some(u64::MAX));
        for bad in [&b""[..], b"1", b"+63b96181691fc9c", b"463b96181691fc9cc", b"g63b96181691fc9c"] {
            assert_eq!(key(bad), None);
        }
    }
}
