//! Tables that are slow to probe: rows are further from their homes than those of random keys ever
//! are.

use crate::console::Console;
use std::path::Path;
use tabia::TableKind;
use tabia::format::Header;

/// The crowded tables of a book with this header.
pub fn tables(header: &Header) -> Vec<TableKind> {
    let crowded = |kind: &TableKind| {
        header.table(*kind).is_some_and(|table| table.shape.is_crowded(*kind, header.load))
    };
    [TableKind::Positions, TableKind::Moves].into_iter().filter(crowded).collect()
}

/// Warns of a book that was made with such tables, unless notes are off.
pub fn warn(console: &Console, book: &Path, tables: &[TableKind]) {
    // If nobody hears it, the book is as good.
    let warning = warning(book, &names(tables));
    warning.into_iter().for_each(|warning| console.note(&format!("warning: {warning}")));
}

/// What it means that a book has such tables, in one line; none if it has none.
pub fn warning(book: &Path, names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    Some(format!(
        "{}: crowded: its {} are slow to look up, as many of their hashes are close together: either keys were chosen to collide, \
         or these are one share of the hashes built as a whole book: then make it a book of that share (`tabia merge --share`)",
        book.display(),
        names.join(" and ")
    ))
}

pub fn names(tables: &[TableKind]) -> Vec<String> {
    tables.iter().map(ToString::to_string).collect()
}
