//! Opening files of rows, whose format is recognized by how they begin.

use super::json::Jsonl;
use super::lines::LineReader;
use super::text::Text;
use super::{Fault, ReadError, ReadRows};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// How a book begins.
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
    Ok(Box::new(super::parquet::Reader::new(file)?))
}

#[cfg(not(feature = "parquet"))]
fn of_parquet(_: File) -> Result<Box<dyn ReadRows>, ReadError> {
    Err(ReadError::File(Fault::NoParquet))
}
