//! A book's rows to a file, in any format.

use super::json::Jsonl;
use super::lines::LineWriter;
use super::text::Text;
use super::{Fields, Metadata, WriteRows};
use crate::WriteError;
use std::io::Write;
use std::path::Path;
use tabia::bytes::Bytes;
use tabia::stream::{RowSet, Rows};
use tabia::{Book, Error, MoveRow, PositionRow, Progress, Row, Stage, TableKind, WithCells};

/// How rows are written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// Text, a row a line, its values between tabs.
    Tsv,
    /// JSON Lines, an object a row.
    Jsonl,
    /// Apache Parquet, a file a table. Written and read with the feature `parquet`.
    Parquet,
}

impl RowFormat {
    /// The format that a file of this name has: JSON Lines if it ends in `.jsonl`, `.ndjson` or
    /// `.json`, Parquet if in `.parquet`, else text.
    ///
    /// ```
    /// use tabia_interop::rows::RowFormat;
    ///
    /// let of_name = |name: &str| RowFormat::of_name(name.as_ref());
    /// assert_eq!(["a.tsv", "a"].map(of_name), [RowFormat::Tsv; 2]);
    /// assert_eq!(["a.jsonl", "a.ndjson"].map(of_name), [RowFormat::Jsonl; 2]);
    /// assert_eq!(of_name("rows/a.parquet"), RowFormat::Parquet);
    /// ```
    pub fn of_name(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("jsonl" | "ndjson" | "json") => Self::Jsonl,
            Some("parquet") => Self::Parquet,
            _ => Self::Tsv,
        }
    }
}

/// What was written.
#[derive(Debug)]
pub struct Written<W> {
    /// What it was written to.
    pub out: W,
    /// How many rows.
    pub rows: u64,
}

/// The tables that a book has, in the order in which they are written.
pub fn tables<S: Bytes>(book: &Book<S>) -> Vec<TableKind> {
    TableKind::ALL.into_iter().filter(|&kind| book.has(kind)).collect()
}

/// Writes the rows of these tables of a book, in the order of its tables and with its journal laid
/// over them, and all that it says of itself before them. [`super::Loader`] makes the same book of
/// it.
///
/// `progress` receives [`Stage::Writing`] for each table. Memory: a chunk of rows, and in Parquet
/// those of a group, 1,048,576.
///
/// # Errors
/// [`WriteError`].
pub fn write<S: Bytes, W: Write + Send>(
    book: &Book<S>,
    tables: &[TableKind],
    format: RowFormat,
    out: W,
    progress: &dyn Progress,
) -> Result<Written<W>, WriteError> {
    write_tables(&Metadata::of_book(book, tables)?, (book, book), format, out, progress)
}

/// Likewise rows of which this is said, of the tables that it speaks of: those of a set of shares, too.
///
/// # Errors
/// [`WriteError`].
pub fn write_tables<W: Write + Send>(
    metadata: &Metadata,
    (positions, moves): (&dyn RowSet<PositionRow>, &dyn RowSet<MoveRow>),
    format: RowFormat,
    out: W,
    progress: &dyn Progress,
) -> Result<Written<W>, WriteError> {
    let mut out: Box<dyn WriteRows<W> + '_> = match format {
        RowFormat::Tsv => Box::new(LineWriter::<_, Text>::new(out, metadata)?),
        RowFormat::Jsonl => Box::new(LineWriter::<_, Jsonl>::new(out, metadata)?),
        #[cfg(feature = "parquet")]
        RowFormat::Parquet => Box::new(super::parquet::Writer::new(out, metadata)?),
        #[cfg(not(feature = "parquet"))]
        RowFormat::Parquet => return Err(WriteError::NoParquet),
    };
    let mut rows = 0;
    if metadata.positions {
        out.begin(TableKind::Positions)?;
        rows += copy(positions, |row| (&row.row).into(), out.as_mut(), progress)?;
    }
    if metadata.moves {
        out.begin(TableKind::Moves)?;
        rows += copy(moves, |row| row.into(), out.as_mut(), progress)?;
    }
    Ok(Written { out: out.end()?, rows })
}

/// Writes the rows of a table; how many there are.
fn copy<R: Row, W>(
    book: &dyn RowSet<R>,
    fields: impl Fn(&WithCells<R>) -> Fields,
    out: &mut dyn WriteRows<W>,
    progress: &dyn Progress,
) -> Result<u64, WriteError> {
    let (mut done, total) = (0, book.at_most());
    let step = |done| {
        let goes_on = progress.step(Stage::Writing, done, total);
        goes_on.then_some(()).ok_or_else(|| WriteError::from(Error::Interrupted))
    };
    step(done)?;
    book.rows()?.each_chunk(|chunk| {
        chunk.iter().try_for_each(|row| out.row(&fields(&row)))?;
        done += chunk.len() as u64;
        step(done)
    })?;
    Ok(done)
}
