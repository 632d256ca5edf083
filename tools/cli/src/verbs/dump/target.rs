//! Where a dump or an export goes: standard output, or files in the making.

use crate::newfile::NewFile;
use crate::place;
use crate::prelude::*;
use std::io::{self, IsTerminal, Write};
use tabia::{TableKind, journal_path};
use tabia_interop::WriteError;
use tabia_interop::rows::RowFormat;

/// What rows are written to.
pub enum Target {
    Output(io::Stdout),
    File(NewFile),
}

impl Target {
    /// Standard output, where it can take this format.
    pub fn output(format: RowFormat, tables: &[TableKind]) -> Done<Self> {
        let output = io::stdout();
        if format == RowFormat::Parquet && tables.len() > 1 {
            return Err(failure!(
                "a Parquet file holds one table: give -o NAME for a file a table, or --table"
            ));
        }
        let target = Self::Output(output);
        if format == RowFormat::Parquet {
            target.check_no_terminal("Parquet")?;
        }
        Ok(target)
    }

    /// Makes sure that this, which isn't for people, doesn't go to a terminal.
    pub fn check_no_terminal(&self, what: &str) -> Done<()> {
        match self {
            Self::Output(output) if output.is_terminal() => Err(failure!(
                "standard output is a terminal, and {what} is not for reading: give -o NAME"
            )),
            _ => Ok(()),
        }
    }

    /// The file's path, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Output(_) => None,
            Self::File(file) => Some(file.path()),
        }
    }

    /// Makes sure that all is written, and where it belongs; how many bytes a file has.
    pub fn publish(self) -> Done<u64> {
        match self {
            Self::Output(mut output) => {
                output.flush()?;
                Ok(0)
            }
            Self::File(file) => file.publish(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Output(output) => output.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Output(output) => output.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// Why nothing was written to a target, a file with this path or standard output.
pub fn refused(path: Option<&Path>) -> impl Fn(WriteError) -> Failure {
    move |error| match error {
        WriteError::Book(error) => error.into(),
        WriteError::Io(error) => failure(path, error),
        error => Failure::Message(error.to_string()),
    }
}

/// A failure to write to a target: to a file with this path, or to standard output.
pub fn failure(path: Option<&Path>, error: io::Error) -> Failure {
    match path {
        Some(path) => Failure::system(path, "write", &error),
        None => Failure::from(error),
    }
}

/// Creates a file that is none of the books and none of their journals.
pub fn create<'a>(
    path: &Path,
    books: impl IntoIterator<Item = &'a Path>,
    replace: bool,
) -> Done<Target> {
    for book in books {
        place::check_distinct(path, [book, journal_path(book).as_path()])?;
    }
    NewFile::create(path, replace).map(Target::File)
}
