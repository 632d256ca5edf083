//! What can be wrong with a file of rows.

use super::{FileColumn, Form, Schema};
use std::io;
use tabia::TableKind;
use tabia::format::MAX_SOURCE_NAME;

/// Why rows can't be read from a file. Nothing here names the file: who opened it knows it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system's word: the file can't be opened.
    #[error("cannot open: {0}")]
    Open(io::Error),
    /// The system's word: the file can't be read.
    #[error("cannot read: {0}")]
    Io(io::Error),
    /// The system's error: a text can't be read after this line, counted from 1.
    #[error("cannot read after line {0}: {1}")]
    After(u64, #[source] io::Error),
    /// This line of a text, counted from 1, is wrong.
    #[error("line {0}: {1}")]
    Line(u64, Fault),
    /// This row of a Parquet file, counted from 1, is wrong.
    #[error("row {0}: {1}")]
    Row(u64, Fault),
    /// A Parquet file is damaged after so many rows.
    #[error("damaged after row {0}: {1}")]
    Damaged(u64, Fault),
    /// The file as a whole is wrong.
    #[error("{0}")]
    File(Fault),
}

impl ReadError {
    /// What is wrong with what the file says, if it is that, and not the system.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Line(_, fault)
            | Self::Row(_, fault)
            | Self::Damaged(_, fault)
            | Self::File(fault) => Some(fault),
            Self::Open(_) | Self::Io(_) | Self::After(..) => None,
        }
    }
}

/// What is wrong with a file, a line or a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It is a folder.
    #[error("this is a folder")]
    Folder,
    /// It is a Tabia book.
    #[error("this is a book")]
    Book,
    /// It is a Parquet file, and those are read from their end.
    #[error("this is a Parquet file, which can't be read as a stream")]
    Stream,
    /// It is a Parquet file that is no regular file.
    #[error("this is no regular file")]
    NotRegular,
    /// It is a Parquet file, and this crate was built without its feature `parquet`.
    #[error("it is a Parquet file, and this program was built without the feature `parquet`")]
    NoParquet,
    /// The rows are of another version of these formats.
    #[error("the rows are of another version than {0}")]
    Version(u64),
    /// The file doesn't end as it promised to.
    #[error("the rows end without {0}: they were cut off")]
    CutOff(&'static str),
    /// There is something after the end.
    #[error("something follows {0}")]
    AfterEnd(&'static str),
    /// A line is longer than any that says something.
    #[error("the line is too long: rows are expected")]
    LongLine,
    /// A line that says something of the rows is no text.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// A line of text begins with `#` and an unknown word, or a known one with so many values.
    #[error("`#{0}` with {1} values means nothing here; a comment begins with `# `")]
    Unknown(String, usize),
    /// A row of text comes before a line that names its columns.
    #[error(
        "a row before its columns are named: put a line such as `#positions<tab>key<tab>wins<tab>draws<tab>losses` above it"
    )]
    NoColumns,
    /// A row of text has another number of values than there are columns.
    #[error("{expected} columns are expected, separated by tabs; {found} found")]
    Values {
        /// The columns.
        expected: usize,
        /// The values.
        found: usize,
    },
    /// It is not a JSON object on one line: what the parser says, and at which column, from 1.
    #[error("this is no JSON object on one line: {0} at column {1}")]
    NotJson(String, usize),
    /// It is no object of these formats, in the parser's words.
    #[error("{0}")]
    Object(String),
    /// There is no table of this name.
    #[error("there is no table `{0}`: it is positions or moves")]
    Table(String),
    /// This table has no such column.
    #[error("`{}` is no column of a {} table; it has {}", .0, .1, names(*.1))]
    Column(String, TableKind),
    /// A column is there twice.
    #[error("the column {} is named twice", .0.name())]
    Twice(FileColumn),
    /// There is no row without this column.
    #[error("a column is missing: {}", .0.name())]
    Missing(FileColumn),
    /// A book has no such column of moves beside those that all books have.
    #[error("there is no column `{}` of moves: there are {}", .0, book_columns())]
    BookColumn(String),
    /// A column can't hold this value.
    #[error("{}", refused(*column, none, found))]
    Value {
        /// The column.
        column: FileColumn,
        /// How the format writes that there is no eval.
        none: &'static str,
        /// The value.
        found: String,
    },
    /// A depth without an eval.
    #[error("the depth is {0} although there is no eval: write 0")]
    Depth(u8),
    /// Something was said before, and differently.
    #[error("{0} was said before, and differently")]
    Contradiction(&'static str),
    /// A name, a load or a share is invalid, in the engine's words.
    #[error("{0}")]
    Parse(String),
    /// Keys identify something other than positions or lines.
    #[error("books are keyed by position or line, not by `{0}`")]
    Keyed(String),
    /// Results are neither known nor unknown.
    #[error("results are known or unknown, not `{0}`")]
    Results(String),
    /// A digest is invalid.
    #[error("a digest is 32 hexadecimal digits, not `{0}`")]
    Digest(String),
    /// A fact of this name is invalid, in the engine's words.
    #[error("{1}: `{0}`")]
    Fact(String, &'static str),
    /// The games of a source are no number.
    #[error("the games of a source are a whole number, not `{0}`")]
    Games(String),
    /// The name of a source is too long.
    #[error("the name of a source has more than {MAX_SOURCE_NAME} bytes")]
    SourceName,
    /// A backslash means nothing.
    #[error(r"a name or a value has \ without \, t, n or r after it")]
    Escape,
    /// A Parquet file ends as none does.
    #[error("it doesn't end as a Parquet file: it was cut off")]
    NoFooter,
    /// A column of a Parquet file isn't flat.
    #[error("the column {0} is nested: write flat columns")]
    Nested(String),
    /// The values of a column of a Parquet file are of a type that the column's can't be made of.
    #[error("the column {} is of a wrong type: {}", .0.name(), cast(*.0))]
    Type(FileColumn),
    /// The pages of a Parquet file are compressed in a way that isn't read.
    #[error("its pages are compressed by {0}: write them with zstd, snappy or without compression")]
    Compression(String),
    /// A Parquet file of ours holds something else than was written.
    #[error("what is in it is not what was written")]
    Checksum,
    /// A Parquet file is damaged, or claims sizes that no table has; in words.
    #[error("{0}")]
    Parquet(String),
}

fn names(table: TableKind) -> String {
    Schema::of_all(table).columns().iter().map(|column| column.name()).collect::<Vec<_>>().join(" ")
}

fn book_columns() -> String {
    tabia::Column::ALL.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
}

/// What is to be done with the values of a column of a Parquet file.
fn cast(column: FileColumn) -> &'static str {
    if column.form() == Form::Word {
        "cast it to an integer of 64 bits, or to 16 hexadecimal digits"
    } else {
        "cast it to an integer"
    }
}

/// What is said where something else is in the place of a column's value; `none` is how the format
/// writes that there is no eval.
fn refused(column: FileColumn, none: &str, found: &str) -> String {
    let (name, range) = (column.name(), column.range());
    let expected = match (column, column.form()) {
        (FileColumn::Key, _) => return format!("a key is 16 hexadecimal digits, not {found}"),
        (_, Form::Word) => "16 hexadecimal digits".to_owned(),
        (_, Form::Long) => format!("a whole number from 0 to {}", u64::MAX),
        _ => format!("a whole number from {} to {}", range.start(), range.end()),
    };
    let or_none =
        if column == FileColumn::Eval { format!(", or {none} for none") } else { String::new() };
    format!("{name} is {expected}{or_none}, not {found}")
}
