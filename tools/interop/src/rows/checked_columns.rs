//! Whether what a file gives for its columns can be had from it.

use super::Checked;
use super::columns::{FileColumn, Schema};
use super::error::Fault;
use tabia::TableKind;

impl FileColumn {
    /// An error: something else is where its value is expected; `none` is how the format writes
    /// that there is no eval.
    pub(super) fn refuses(self, none: &'static str, value: &str) -> Fault {
        Fault::Value { column: self, none, found: value.to_owned() }
    }

    /// The columns that a file names for its rows, checked to be enough to make rows.
    pub(super) fn named<'a>(
        kind: TableKind,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Checked<Vec<Self>> {
        let known = Schema::of_all(kind).columns();
        let mut columns = Vec::new();
        for name in names {
            let column = known.iter().find(|column| column.name() == name);
            let column =
                *column.ok_or_else(|| Fault::Column { name: name.to_owned(), table: kind })?;
            if columns.contains(&column) {
                return Err(Fault::Twice(column));
            }
            columns.push(column);
        }
        match Self::needed(kind).iter().find(|column| !columns.contains(column)) {
            Some(&missing) => Err(Fault::Missing(missing)),
            None => Ok(columns),
        }
    }
}
