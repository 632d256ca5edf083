//! Parquet to rows: a batch of each column at a time, everything checked that the file claims.

use super::super::{Checked, Fault, Fields, FileColumn, Metadata, ReadError, ReadRows, Schema};
use super::column::{BadRow, ColumnRows, damaged};
use super::facts::{self, Checksum};
use super::file::Pages;
use super::{OURS, schema};
use crate::AnyRow;
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use std::cell::Cell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

/// How many rows are read at once.
const BATCH: usize = 8192;

pub struct Reader {
    pages: Arc<Pages>,
    footer: ParquetMetaData,
    metadata: Metadata,
    schema: Schema,
    columns: Vec<FileColumn>,
    /// The next row group.
    group: usize,
    /// The columns of the row group that is being read, and how many of its rows are left.
    open: Vec<ColumnRows>,
    left: u64,
    batch: Vec<Fields>,
    /// How many rows of the batch are done with, and how many rows of the file before it.
    at: usize,
    before: u64,
    /// The checksum of what was read, and the one that the file has to have.
    checksum: Checksum,
    expected: Option<String>,
}

impl Reader {
    pub fn new(file: File) -> Result<Self, ReadError> {
        let pages = Pages::new(file).map_err(ReadError::Io)?;
        let read = || -> Checked<_> {
            let footer = damaged(ParquetMetaDataReader::decode_metadata(&pages.footer()?));
            let footer =
                footer.map_err(|what| Fault::Parquet(format!("its footer is damaged: {what}")))?;
            let of_file = footer.file_metadata();
            let kind = schema::table(of_file.schema_descr());
            let columns = schema::columns(of_file.schema_descr(), kind)?;
            let mut metadata =
                facts::read(of_file.key_value_metadata().map_or(&[], Vec::as_slice), kind)?;
            metadata.columns = FileColumn::cells(&columns);
            check_rows(&footer)?;
            check_compression(&footer)?;
            Ok((footer, metadata.schema(kind), columns, metadata))
        };
        let (footer, schema, columns, metadata) = contain(read).map_err(ReadError::File)?;
        let (checksum, expected) = checksums(&footer);
        let (pages, open, batch) = (Arc::new(pages), Vec::new(), Vec::new());
        Ok(Self {
            pages,
            footer,
            metadata,
            schema,
            columns,
            group: 0,
            open,
            left: 0,
            batch,
            at: 0,
            before: 0,
            checksum,
            expected,
        })
    }

    /// Reads the next batch; it is empty at the end.
    fn next_batch(&mut self) -> Result<(), ReadError> {
        self.before += self.batch.len() as u64;
        self.at = 0;
        self.batch.clear();
        let batch = contain(|| self.read_batch());
        let rows = self.before;
        batch
            .map_err(|fault| ReadError::Damaged(rows, fault))?
            .map_err(|(at, fault)| ReadError::Row(rows + at as u64 + 1, fault))
    }

    fn read_batch(&mut self) -> Checked<Result<(), BadRow>> {
        while self.left == 0 {
            if self.group == self.footer.num_row_groups() {
                return self.check_sum().map(Ok);
            }
            self.open_group()?;
        }
        let rows = self.left.min(BATCH as u64) as usize;
        self.batch.resize(rows, Fields::default());
        for column in &mut self.open {
            match damaged(column.read(rows))? {
                Ok(read) if read == rows => {}
                Ok(_) => return Err(bad("a column has fewer rows than its group")),
                Err(bad) => return Ok(Err(bad)),
            }
            if let Err(bad) = column.fill(&mut self.batch) {
                return Ok(Err(bad));
            }
        }
        self.batch.iter().for_each(|row| self.checksum.add(row));
        self.left -= rows as u64;
        if self.left == 0 { self.close_group().map(Ok) } else { Ok(Ok(())) }
    }

    /// At the end, makes sure that the file holds what was written.
    fn check_sum(&self) -> Checked<()> {
        match &self.expected {
            Some(expected) if *expected != self.checksum.to_string() => Err(Fault::Checksum),
            _ => Ok(()),
        }
    }

    fn open_group(&mut self) -> Checked<()> {
        let group = self.footer.row_group(self.group);
        self.group += 1;
        let columns = self.columns.iter().enumerate();
        self.open = columns
            .map(|(index, &column)| damaged(ColumnRows::open(&self.pages, group, index, column)))
            .collect::<Checked<_>>()?;
        self.left = group.num_rows().cast_unsigned();
        Ok(())
    }

    /// Makes sure that no column has more rows than its group.
    fn close_group(&mut self) -> Checked<()> {
        for mut column in self.open.drain(..) {
            if !matches!(damaged(column.read(1))?, Ok(0)) {
                return Err(bad("a column has more rows than its group"));
            }
        }
        Ok(())
    }
}

/// What is wrong, in words.
fn bad(what: &str) -> Fault {
    Fault::Parquet(what.to_owned())
}

/// The checksum of what a file says of itself, and, if it is ours, the one it says that all of it
/// has.
fn checksums(metadata: &ParquetMetaData) -> (Checksum, Option<String>) {
    let said = metadata.file_metadata().key_value_metadata().map_or(&[][..], Vec::as_slice);
    let is_ours =
        metadata.file_metadata().created_by().is_some_and(|writer| writer.starts_with(OURS));
    let sum = said
        .iter()
        .find(|said| said.key == facts::CHECKSUM)
        .and_then(|said| said.value.clone())
        .unwrap_or_default();
    (facts::checksum(said), is_ours.then_some(sum))
}

/// Whether the numbers of rows that a file claims agree.
fn check_rows(metadata: &ParquetMetaData) -> Checked<()> {
    let mut sum = 0i64;
    for group in metadata.row_groups() {
        if group.num_rows() < 0
            || group.columns().iter().any(|column| column.num_values() != group.num_rows())
        {
            return Err(bad("a row group has another number of rows than its columns"));
        }
        sum = sum
            .checked_add(group.num_rows())
            .ok_or_else(|| bad("it says that it has more rows than there can be"))?;
    }
    if sum == metadata.file_metadata().num_rows() {
        Ok(())
    } else {
        Err(bad("its row groups have another number of rows than it says"))
    }
}

/// Whether the pages are packed in a way that is unpacked in bounded memory.
fn check_compression(metadata: &ParquetMetaData) -> Checked<()> {
    let fine = |codec: &Compression| {
        matches!(codec, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_))
    };
    let mut codecs = metadata
        .row_groups()
        .iter()
        .flat_map(|group| group.columns())
        .map(|column| column.compression());
    match codecs.find(|codec| !fine(codec)) {
        Some(codec) => Err(Fault::Compression(codec.to_string())),
        None => Ok(()),
    }
}

impl ReadRows for Reader {
    fn next(&mut self) -> Result<Option<AnyRow>, ReadError> {
        if self.at == self.batch.len() {
            self.next_batch()?;
        }
        let Some(fields) = self.batch.get(self.at) else { return Ok(None) };
        self.at += 1;
        let entry = fields.entry(self.schema);
        entry.map(Some).map_err(|fault| ReadError::Row(self.before + self.at as u64, fault))
    }

    fn into_metadata(self: Box<Self>) -> Metadata {
        self.metadata
    }
}

thread_local! {
    static CONTAINED: Cell<bool> = const { Cell::new(false) };
}
static HOOKED: Once = Once::new();

/// Does this work; a panic of the crate `parquet` is an error, of which nothing is printed.
///
/// That crate asserts what damaged files don't keep (a chunk that starts before its file, for one), and
/// promises nothing else. What panicked is not used again, so that no broken state can be seen; memory
/// is safe whatever happens.
fn contain<T>(work: impl FnOnce() -> Checked<T>) -> Checked<T> {
    HOOKED.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !CONTAINED.get() {
                others(panic);
            }
        }));
    });
    CONTAINED.set(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    CONTAINED.set(false);
    done.unwrap_or_else(|_| Err(Fault::Parquet("it is damaged".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let contained = contain::<()>(|| panic!("of theirs"));
        assert_eq!(contained, Err(Fault::Parquet("it is damaged".to_owned())));
        assert_eq!(contain(|| Ok(1)), Ok(1));
        assert!(!CONTAINED.get());
    }
}
