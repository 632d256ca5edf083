//! Files of lines, text and JSON Lines: reading them with the line's number in what is said of a
//! wrong one, and writing them.

use super::{
    Checked, Fault, Fields, FileColumn, Form, Metadata, ReadError, ReadRows, Schema, WriteRows,
};
use crate::AnyRow;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::marker::PhantomData;
use tabia::TableKind;

/// A format in which a line is a row, or says something of the rows.
pub(super) trait LineFormat: Default {
    /// The longest line, in bytes: a fact's value of which every byte is escaped, and room to spare.
    const LONGEST: u64;
    /// What a file that promises to be whole ends with.
    const END: &'static str;

    fn take(&mut self, line: &[u8], said: &mut Said) -> Checked<Option<AnyRow>>;

    /// Writes what the book says of itself.
    fn write_metadata(out: &mut impl Write, metadata: &Metadata) -> io::Result<()>;

    /// Writes what comes before the rows of a table.
    fn write_schema(out: &mut impl Write, schema: Schema) -> io::Result<()>;

    /// Writes a row of this table, which has these columns.
    fn write_row(
        out: &mut impl Write,
        kind: TableKind,
        columns: &[FileColumn],
        row: &Fields,
    ) -> io::Result<()>;
}

/// What the lines said so far.
#[derive(Default)]
pub(super) struct Said {
    pub metadata: Metadata,
    /// Whether the file promised to say where it ends.
    pub has_end: bool,
    pub ended: bool,
}

pub(super) struct LineReader<R, F> {
    text: R,
    format: F,
    line: Vec<u8>,
    /// The line that was read last, counted from 1.
    number: u64,
    said: Said,
}

impl<R: BufRead, F: LineFormat> LineReader<R, F> {
    pub fn new(text: R) -> Self {
        Self { text, format: F::default(), line: Vec::new(), number: 0, said: Said::default() }
    }

    /// Reads a line, without its end; whether there was one.
    fn read_line(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        let read = (&mut self.text).take(F::LONGEST).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| ReadError::After(self.number, error))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.line.pop_if(|&mut byte| byte == b'\n').is_some() {
            self.line.pop_if(|&mut byte| byte == b'\r');
        } else if read as u64 == F::LONGEST {
            return Err(self.error(Fault::LongLine));
        }
        Ok(true)
    }

    /// What is wrong with the line that was read last.
    fn error(&self, fault: Fault) -> ReadError {
        ReadError::Line(self.number, fault)
    }
}

impl<R: BufRead, F: LineFormat> ReadRows for LineReader<R, F> {
    fn next(&mut self) -> Result<Option<AnyRow>, ReadError> {
        while self.read_line()? {
            let taken = self.format.take(&self.line, &mut self.said);
            if let Some(row) = taken.map_err(|fault| self.error(fault))? {
                return Ok(Some(row));
            }
        }
        if self.said.has_end && !self.said.ended {
            return Err(self.error(Fault::CutOff(F::END)));
        }
        Ok(None)
    }

    fn into_metadata(self: Box<Self>) -> Metadata {
        self.said.metadata
    }
}

/// Writes the tables of a book, one after another.
pub(super) struct LineWriter<W: Write, F> {
    out: BufWriter<W>,
    metadata: Metadata,
    kind: TableKind,
    columns: Vec<FileColumn>,
    format: PhantomData<F>,
}

impl<W: Write, F: LineFormat> LineWriter<W, F> {
    /// Writes what is said of the rows; they follow.
    pub fn new(out: W, metadata: &Metadata) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        F::write_metadata(&mut out, metadata)?;
        let (metadata, kind) = (metadata.without_lists(), TableKind::Positions);
        Ok(Self { out, metadata, kind, columns: Vec::new(), format: PhantomData })
    }
}

impl<W: Write, F: LineFormat> WriteRows<W> for LineWriter<W, F> {
    fn begin(&mut self, kind: TableKind) -> io::Result<()> {
        let schema = self.metadata.schema(kind);
        (self.kind, self.columns) = (kind, schema.columns());
        F::write_schema(&mut self.out, schema)
    }

    fn row(&mut self, row: &Fields) -> io::Result<()> {
        F::write_row(&mut self.out, self.kind, &self.columns, row)
    }

    fn end(mut self: Box<Self>) -> io::Result<W> {
        writeln!(self.out, "{}", F::END)?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// Room for nearly all rows of any format.
const ROOM: usize = 512;

/// A line while it is written: rows are written by the million, and a general formatter takes most of
/// the time.
pub(super) struct Line(Vec<u8>);

impl Default for Line {
    fn default() -> Self {
        Self(Vec::with_capacity(ROOM))
    }
}

impl Line {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Puts the value of a column into it: `around` is put before and after a value that is no
    /// number, `none` in place of a missing eval.
    #[inline]
    pub fn value(&mut self, row: &Fields, column: FileColumn, around: &[u8], none: &[u8]) {
        let Some(number) = row.number(column) else { return self.push(none) };
        match column.form() {
            Form::Number => self.number(number),
            Form::Long => self.number(number.cast_unsigned()),
            Form::Word => {
                self.push(around);
                self.key(number.cast_unsigned());
                self.push(around);
            }
        }
    }

    /// Puts a key into it: 16 hexadecimal digits.
    #[inline]
    pub fn key(&mut self, key: u64) {
        let mut digits = [0; 16];
        for (place, digit) in digits.iter_mut().enumerate() {
            *digit = b"0123456789abcdef"[(key >> (60 - 4 * place)) as usize & 15];
        }
        self.push(&digits);
    }

    /// Puts a number into it, in decimal.
    #[inline]
    fn number(&mut self, number: impl itoa::Integer) {
        self.push(itoa::Buffer::new().format(number).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::json::Jsonl;
    use crate::rows::read_all;
    use crate::rows::text::Text;
    use proptest::prelude::*;
    use tabia::{
        BestGame, Cells, Column, Columns, Counts, Digest, Fact, Flags, Keyed, Marks, MoveRow,
        PositionRow, Ratings, Results, Source, WithCells, Years,
    };

    /// What is read of these rows, once they are written.
    fn written<F: LineFormat>(
        metadata: &Metadata,
        rows: &[(TableKind, Fields)],
    ) -> (Vec<AnyRow>, Metadata) {
        let mut writer = Box::new(LineWriter::<_, F>::new(Vec::new(), metadata).unwrap());
        for kind in TableKind::ALL {
            if metadata.has(kind) {
                writer.begin(kind).unwrap();
            }
            let rows = rows.iter().filter(|(of, _)| *of == kind);
            rows.for_each(|(_, row)| writer.row(row).unwrap());
        }
        let text = writer.end().unwrap();
        read_all(Box::new(LineReader::<_, F>::new(&text[..]))).unwrap()
    }

    proptest! {
        #[test]
        fn keys_and_numbers_are_as_a_formatter_writes_them(key: u64, number: i64) {
            let mut line = Line::default();
            line.key(key);
            line.push(b" ");
            line.number(number);
            prop_assert_eq!(line.bytes().to_vec(), format!("{key:016x} {number}").into_bytes());
        }

        #[test]
        fn rows_come_back(key: u64, wins: u32, draws: u32, losses: u32, eval: i16, depth: u8, flags in 0u8..32, code: u16, marks: u8) {
            let counts = Counts::new(wins, draws, losses);
            let position = PositionRow::new(key, counts).with_eval(eval, depth).with_flags(Flags::from_bits_retain(flags));
            let row = MoveRow::new(key, code, counts).with_marks(Marks::from_bits_retain(marks));
            let years = Cells::NONE.with(Years { first: Some(1851), last: None });
            let ratings = Ratings { mover_sum: key >> 16, opponent_sum: 7, games: wins, score: key };
            let all = years.with(ratings).with(BestGame { rank: code, digest: key >> 16 });
            for cells in [Cells::NONE, years, all] {
                let metadata = Metadata { positions: true, moves: true, columns: cells.columns(), ..Metadata::default() };
                let played = WithCells { row, cells };
                let rows = [(TableKind::Positions, (&position).into()), (TableKind::Moves, (&played).into())];
                let expected = [AnyRow::Position(position), AnyRow::Move(played)];
                prop_assert_eq!(written::<Text>(&metadata, &rows).0, expected);
                prop_assert_eq!(written::<Jsonl>(&metadata, &rows).0, expected);
            }
        }

        #[test]
        fn heads_come_back(name: String, games: u64, digest: [u8; 16], filter: bool, positions: bool, moves: bool, line: bool, fact in "[a-z0-9.-]{1,64}", value: String) {
            let metadata = Metadata {
                game: Some("go".parse().unwrap()),
                keys: Some("z-1".parse().unwrap()),
                keyed: Some(if line { Keyed::Line } else { Keyed::Position }),
                results: Some(if line { Results::Unknown } else { Results::Known }),
                share: Some(if line { "3/8" } else { "1/1" }.parse().unwrap()),
                load: Some("0.933".parse().unwrap()),
                filter,
                sources: vec![Source { digest: Digest(digest), games, name }],
                facts: vec![Fact::new(Digest::NONE, "a", value.clone()).unwrap(), Fact::new(Digest(digest), fact, value).unwrap()],
                positions,
                moves,
                columns: if filter && moves { Columns::NONE.with(Column::GAME).with(Column::YEARS) } else { Columns::NONE },
            };
            prop_assert_eq!(written::<Jsonl>(&metadata, &[]), (vec![], metadata.clone()));
            // Text leaves out what is so without being said.
            let (rows, mut said) = written::<Text>(&metadata, &[]);
            said.results.get_or_insert_default();
            said.share.get_or_insert_default();
            prop_assert_eq!((rows, said), (vec![], metadata));
        }
    }
}
