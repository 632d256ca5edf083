//! Where a dump or an export goes: standard output, or files in the making.

use crate::failure::{Done, Failure, failure};
use crate::newfile::NewFile;
use crate::place;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
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

/// The files in which a book's tables are put by Parquet: with one table asked for, the output as
/// it is named; else its name and the table's.
pub fn table_files(output: &Path, book: &Path, tables: &[TableKind], asked: bool) -> Vec<PathBuf> {
    let named = |kind: &TableKind| {
        let (folder, mut name) = if output.is_dir() {
            (output, book.file_stem().map(OsString::from).unwrap_or_default())
        } else if asked {
            return output.to_owned();
        } else {
            let stem = if output.extension().is_some_and(|extension| extension == "parquet") {
                output.file_stem()
            } else {
                output.file_name()
            };
            (output.parent().unwrap_or(Path::new("")), stem.map(OsString::from).unwrap_or_default())
        };
        name.push(format!(".{kind}.parquet"));
        folder.join(name)
    };
    tables.iter().map(named).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use TableKind::{Moves, Positions};

    #[test]
    fn a_table_has_a_file_of_its_own() {
        let files = |output: &str, tables: &[TableKind], asked| {
            table_files(Path::new(output), Path::new("x/club.tabia"), tables, asked)
        };
        let found = files("no/a.parquet", &[Positions, Moves], false);
        assert_eq!(found, [Path::new("no/a.positions.parquet"), Path::new("no/a.moves.parquet")]);
        assert_eq!(files("a.b", &[Moves], false), [Path::new("a.b.moves.parquet")]);
        assert_eq!(files("a.parquet", &[Moves], true), [Path::new("a.parquet")]);
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().to_str().unwrap();
        assert_eq!(files(output, &[Moves], false), [folder.path().join("club.moves.parquet")]);
    }
}
