//! Rows to Parquet: a row group at a time, its columns one after another.

use super::super::{Fields, FileColumn, Metadata, WriteRows};
use super::facts::{self, Checksum};
use super::{OURS, schema};
use crate::WriteError;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::ColumnPath;
use std::io::{self, Write};
use std::sync::Arc;
use tabia::TableKind;

/// How many rows a row group has.
const GROUP: usize = 1 << 20;
/// How many values are handed to the encoder at once.
const BATCH: usize = 8192;

/// Writes rows of one table to a Parquet file.
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<FileColumn>,
    /// The rows of the group that is being gathered.
    rows: Vec<Fields>,
    checksum: Checksum,
}

impl<W: Write + Send> Writer<W> {
    /// Writes rows of the one table of which this is said.
    pub fn new(out: W, metadata: &Metadata) -> std::result::Result<Self, WriteError> {
        let kind = match (metadata.positions, metadata.moves) {
            (true, false) => TableKind::Positions,
            (false, true) => TableKind::Moves,
            _ => return Err(WriteError::OneTable),
        };
        let schema = metadata.schema(kind);
        let said = facts::write(metadata, kind);
        let checksum = facts::checksum(&said);
        let open = || {
            let properties = Arc::new(properties(said, kind));
            SerializedFileWriter::new(out, schema::schema(schema)?, properties)
        };
        Ok(Self {
            file: open().map_err(cause)?,
            columns: schema.columns(),
            rows: Vec::new(),
            checksum,
        })
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.file.next_row_group()?;
        for &column in &self.columns {
            let Some(mut writer) = group.next_column()? else {
                return Err(ParquetError::General("a column is missing".to_owned()));
            };
            if schema::is_wide(column) {
                write_column::<Int64Type>(&mut writer, column, &self.rows, |number| number)?
            } else {
                write_column::<Int32Type>(&mut writer, column, &self.rows, |number| number as i32)?
            }
            writer.close()?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

impl<W: Write + Send> WriteRows<W> for Writer<W> {
    /// The table is known from the start: there is only one.
    fn begin(&mut self, _: TableKind) -> io::Result<()> {
        Ok(())
    }

    fn row(&mut self, row: &Fields) -> io::Result<()> {
        if self.rows.len() == GROUP {
            self.write_group().map_err(cause)?;
        }
        self.checksum.add(row);
        self.rows.push(*row);
        Ok(())
    }

    fn end(mut self: Box<Self>) -> io::Result<W> {
        if !self.rows.is_empty() {
            self.write_group().map_err(cause)?;
        }
        let (key, value) = (facts::CHECKSUM.to_owned(), self.checksum.to_string());
        self.file.append_key_value_metadata(KeyValue::new(key, value));
        self.file.into_inner().map_err(cause)
    }
}

fn write_column<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    column: FileColumn,
    rows: &[Fields],
    narrowed: fn(i64) -> T::T,
) -> Result<()> {
    let (writer, is_optional) = (writer.typed::<T>(), column == FileColumn::Eval);
    let (mut numbers, mut levels) = (Vec::with_capacity(BATCH), Vec::with_capacity(BATCH));
    for rows in rows.chunks(BATCH) {
        numbers.clear();
        numbers.extend(rows.iter().filter_map(|row| row.number(column)).map(narrowed));
        levels.clear();
        if is_optional {
            levels.extend(rows.iter().map(|row| i16::from(row.number(column).is_some())));
        }
        writer.write_batch(&numbers, is_optional.then_some(&levels), None)?;
    }
    Ok(())
}

/// Keys look random: neither a dictionary nor zstd makes those of positions shorter. Those of moves
/// repeat.
fn properties(said: Vec<KeyValue>, kind: TableKind) -> WriterProperties {
    let key = ColumnPath::from(FileColumn::Key.name());
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("{OURS}{}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_column_dictionary_enabled(key.clone(), false)
        .set_column_encoding(key.clone(), Encoding::PLAIN)
        .set_key_value_metadata(Some(said));
    if kind == TableKind::Positions {
        properties = properties.set_column_compression(key, Compression::UNCOMPRESSED);
    }
    properties.build()
}

/// The system's error behind one of the crate `parquet`, if there is one.
fn cause(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
