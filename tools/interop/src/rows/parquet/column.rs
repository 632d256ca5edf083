//! A column of a row group, read a batch at a time.

use super::super::{Checked, Fault, Fields, FileColumn, Form, key, shown};
use super::file::Pages;
use super::schema::is_unsigned;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use std::sync::Arc;

pub struct ColumnRows {
    column: FileColumn,
    reader: ColumnReader,
    unsigned: bool,
    nullable: bool,
    /// For each row of the batch, whether there is a value: 1 or 0. Not used if there always is.
    levels: Vec<i16>,
    /// The values that there are, as numbers; those of keys and of unsigned 64 bits as their bits.
    numbers: Vec<i64>,
    narrow: Vec<i32>,
    floats: Vec<f64>,
}

/// What is wrong with a row of a batch: which, and what.
pub type BadRow = (usize, Fault);

impl ColumnRows {
    /// The column with this index of a row group.
    pub fn open(
        pages: &Arc<Pages>,
        group: &RowGroupMetaData,
        index: usize,
        column: FileColumn,
    ) -> Result<Self, ParquetError> {
        let chunk = group.column(index);
        let described = chunk.column_descr_ptr();
        let rows = usize::try_from(group.num_rows())?;
        let pages = SerializedPageReader::new(Arc::clone(pages), chunk, rows, None)?;
        Ok(Self {
            column,
            unsigned: is_unsigned(&described),
            nullable: described.max_def_level() == 1,
            reader: get_column_reader(described, Box::new(pages)),
            levels: Vec::new(),
            numbers: Vec::new(),
            narrow: Vec::new(),
            floats: Vec::new(),
        })
    }

    /// Reads up to `rows` values of the column; returns how many there were.
    pub fn read(&mut self, rows: usize) -> Result<Result<usize, BadRow>, ParquetError> {
        self.levels.clear();
        self.numbers.clear();
        let levels = Some(&mut self.levels);
        let read = match &mut self.reader {
            ColumnReader::Int64ColumnReader(reader) => {
                reader.read_records(rows, levels, None, &mut self.numbers)?.0
            }
            ColumnReader::Int32ColumnReader(reader) => {
                self.narrow.clear();
                let read = reader.read_records(rows, levels, None, &mut self.narrow)?.0;
                let unsigned = self.unsigned;
                let wide = |&number: &i32| {
                    if unsigned { i64::from(number.cast_unsigned()) } else { i64::from(number) }
                };
                self.numbers.extend(self.narrow.iter().map(wide));
                read
            }
            ColumnReader::DoubleColumnReader(reader) => {
                self.floats.clear();
                let read = reader.read_records(rows, levels, None, &mut self.floats)?.0;
                if let Err((at, float)) = whole(&self.floats, &mut self.numbers) {
                    return Ok(Err((
                        self.row_of(at),
                        self.column.refuses("null", &float.to_string()),
                    )));
                }
                read
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                let mut texts = Vec::new();
                let read = reader.read_records(rows, levels, None, &mut texts)?.0;
                for (at, text) in texts.iter().enumerate() {
                    let Some(key) = key(text.data()) else {
                        return Ok(Err((
                            self.row_of(at),
                            self.column.refuses("null", &shown(text.data())),
                        )));
                    };
                    self.numbers.push(key.cast_signed());
                }
                read
            }
            _ => return Err(ParquetError::General("a column is of a wrong type".to_owned())),
        };
        Ok(Ok(read))
    }

    /// Puts what was read into the rows.
    pub fn fill(&self, rows: &mut [Fields]) -> Result<(), BadRow> {
        if !self.nullable {
            let mut numbered = rows.iter_mut().zip(&self.numbers).enumerate();
            return numbered.try_for_each(|(at, (row, &number))| self.put(row, number, at));
        }
        let mut numbers = self.numbers.iter();
        for (at, (row, &level)) in rows.iter_mut().zip(&self.levels).enumerate() {
            match (level, self.column) {
                (1, _) => numbers.next().map_or(Ok(()), |&number| self.put(row, number, at))?,
                (_, FileColumn::Eval) => {}
                _ => return Err((at, self.column.refuses("null", "null"))),
            }
        }
        Ok(())
    }

    #[inline]
    fn put(&self, row: &mut Fields, number: i64, at: usize) -> Result<(), BadRow> {
        // A word is its bits, whatever sign a file gives them.
        let fits = match self.column.form() {
            Form::Long if self.unsigned => row.set_unsigned(self.column, number.cast_unsigned()),
            Form::Long => {
                u64::try_from(number).is_ok_and(|number| row.set_unsigned(self.column, number))
            }
            _ => row.set(self.column, number),
        };
        if fits {
            return Ok(());
        }
        let number =
            if self.unsigned { number.cast_unsigned().to_string() } else { number.to_string() };
        Err((at, self.column.refuses("null", &number)))
    }

    /// The row of the batch that has the value with this index.
    fn row_of(&self, value: usize) -> usize {
        let present = self.levels.iter().enumerate().filter(|&(_, &level)| level == 1);
        present.map(|(row, _)| row).nth(value).unwrap_or(value)
    }
}

/// Floats as whole numbers, which tools write for sums; an error is the first that isn't whole, and
/// its place.
fn whole(floats: &[f64], numbers: &mut Vec<i64>) -> Result<(), (usize, f64)> {
    /// Beyond, floats have gaps.
    const MOST: f64 = (1u64 << 53) as f64;
    for (at, &float) in floats.iter().enumerate() {
        if float.trunc() != float || float.abs() > MOST {
            return Err((at, float));
        }
        numbers.push(float as i64);
    }
    Ok(())
}

/// An error of the crate `parquet`, in its words.
fn message_of(error: &ParquetError) -> String {
    match error {
        ParquetError::General(what) | ParquetError::EOF(what) => what.clone(),
        ParquetError::External(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// What was done, or the error of the crate `parquet` in its words.
pub fn damaged<T>(done: Result<T, ParquetError>) -> Checked<T> {
    done.map_err(|error| Fault::Parquet(message_of(&error)))
}
