//! Parquet to rows: a batch of each column at a time, everything checked that the file claims.

use super::super::{Column, Entry, Fault, Fields, Head, Reading, Sheet};
use super::checksum::Checksum;
use super::column::{ColumnRows, damaged};
use super::contain::contain;
use super::file::Pages;
use super::{OURS, facts, schema};
use crate::failure::{Done, told};
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use std::fmt::Display;
use std::fs::File;
use std::sync::Arc;

/// How many rows are read at once.
const BATCH: usize = 8192;

/// Reads rows from a Parquet file.
pub struct Reader {
    pages: Arc<Pages>,
    /// What the file is called in messages.
    name: String,
    metadata: ParquetMetaData,
    head: Head,
    sheet: Sheet,
    columns: Vec<Column>,
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
    /// Reads this file, which messages call by this name.
    pub fn new(file: File, name: impl Display) -> Done<Self> {
        let name = name.to_string();
        let pages = Pages::new(file).map_err(|error| told!("{name}: cannot read: {error}"))?;
        let read = || -> Fault<_> {
            let metadata = damaged(ParquetMetaDataReader::decode_metadata(&pages.footer()?));
            let metadata = metadata.map_err(|what| format!("its footer is damaged: {what}"))?;
            let of_file = metadata.file_metadata();
            let kind = schema::table(of_file.schema_descr());
            let columns = schema::columns(of_file.schema_descr(), kind)?;
            let mut head = facts::read(of_file.key_value_metadata().map_or(&[], Vec::as_slice), kind)?;
            head.columns = Column::cells(&columns);
            check_rows(&metadata)?;
            check_compression(&metadata)?;
            Ok((metadata, head.sheet(kind), columns, head))
        };
        let (metadata, sheet, columns, head) = contain(read).map_err(|what| told!("{name}: {what}"))?;
        let (checksum, expected) = checksums(&metadata);
        let (pages, open, batch) = (Arc::new(pages), Vec::new(), Vec::new());
        Ok(Self { pages, name, metadata, head, sheet, columns, group: 0, open, left: 0, batch, at: 0, before: 0, checksum, expected })
    }

    /// Reads the next batch; it is empty at the end.
    fn next_batch(&mut self) -> Done<()> {
        self.before += self.batch.len() as u64;
        self.at = 0;
        self.batch.clear();
        let batch = contain(|| self.read_batch());
        let before = self.before;
        batch
            .map_err(|what| told!("{}: damaged after row {before}: {what}", self.name))?
            .map_err(|(at, what)| told!("{}: row {}: {what}", self.name, before + at as u64 + 1))
    }

    fn read_batch(&mut self) -> Fault<Result<(), (usize, String)>> {
        while self.left == 0 {
            if self.group == self.metadata.num_row_groups() {
                return self.check_sum().map(Ok);
            }
            self.open_group()?;
        }
        let rows = self.left.min(BATCH as u64) as usize;
        self.batch.resize(rows, Fields::default());
        for column in &mut self.open {
            match damaged(column.read(rows))? {
                Ok(read) if read == rows => {}
                Ok(_) => return Err("a column has fewer rows than its group".to_owned()),
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
    fn check_sum(&self) -> Fault<()> {
        match &self.expected {
            Some(expected) if *expected != self.checksum.to_string() => Err("what is in it is not what was written".to_owned()),
            _ => Ok(()),
        }
    }

    fn open_group(&mut self) -> Fault<()> {
        let group = self.metadata.row_group(self.group);
        self.group += 1;
        let columns = self.columns.iter().enumerate();
        self.open = columns.map(|(index, &column)| damaged(ColumnRows::open(&self.pages, group, index, column))).collect::<Fault<_>>()?;
        self.left = group.num_rows().cast_unsigned();
        Ok(())
    }

    /// Makes sure that no column has more rows than its group.
    fn close_group(&mut self) -> Fault<()> {
        for mut column in self.open.drain(..) {
            if !matches!(damaged(column.read(1))?, Ok(0)) {
                return Err("a column has more rows than its group".to_owned());
            }
        }
        Ok(())
    }
}

/// The checksum of what a file says of itself, and, if it is ours, the one it says that all of it has.
fn checksums(metadata: &ParquetMetaData) -> (Checksum, Option<String>) {
    let said = metadata.file_metadata().key_value_metadata().map_or(&[][..], Vec::as_slice);
    let is_ours = metadata.file_metadata().created_by().is_some_and(|writer| writer.starts_with(OURS));
    let sum = said.iter().find(|said| said.key == facts::CHECKSUM).and_then(|said| said.value.clone()).unwrap_or_default();
    (facts::checksum(said), is_ours.then_some(sum))
}

/// Whether the numbers of rows that a file claims agree.
fn check_rows(metadata: &ParquetMetaData) -> Fault<()> {
    let mut sum = 0i64;
    for group in metadata.row_groups() {
        if group.num_rows() < 0 || group.columns().iter().any(|column| column.num_values() != group.num_rows()) {
            return Err("a row group has another number of rows than its columns".to_owned());
        }
        sum = sum.checked_add(group.num_rows()).ok_or("it says that it has more rows than there can be")?;
    }
    if sum == metadata.file_metadata().num_rows() {
        Ok(())
    } else {
        Err("its row groups have another number of rows than it says".to_owned())
    }
}

/// Whether the pages are packed in a way that is unpacked in bounded memory.
fn check_compression(metadata: &ParquetMetaData) -> Fault<()> {
    let fine = |codec: &Compression| matches!(codec, Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_));
    let mut codecs = metadata.row_groups().iter().flat_map(|group| group.columns()).map(|column| column.compression());
    match codecs.find(|codec| !fine(codec)) {
        Some(codec) => Err(format!("its pages are compressed by {codec}: write them with zstd, snappy or without compression")),
        None => Ok(()),
    }
}

impl Reading for Reader {
    fn next(&mut self) -> Done<Option<Entry>> {
        if self.at == self.batch.len() {
            self.next_batch()?;
        }
        let Some(fields) = self.batch.get(self.at) else { return Ok(None) };
        self.at += 1;
        let entry = fields.entry(self.sheet);
        entry.map(Some).map_err(|what| told!("{}: row {}: {what}", self.name, self.before + self.at as u64))
    }

    fn into_head(self: Box<Self>) -> Head {
        self.head
    }
}
