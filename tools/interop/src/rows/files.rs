//! Files of which each has a table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tabia::TableKind;

/// The files in which a book's tables are put by Parquet: with one table asked for, the output as
/// it is named; else its name and the table's; in a folder the book's name and the table's.
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
