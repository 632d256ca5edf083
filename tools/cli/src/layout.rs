//! How the rows of a book lie in its file, in tables or packed into pages, and how many bytes that
//! takes.

use crate::numbers::{bytes, counted, grouped};
use tabia::TableKind;
use tabia::format::{Header, PAGE, Tag};

/// How rows lie in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In hash tables of rows: a plain book.
    Tables,
    /// In pages, all rows of a position together.
    Packed,
}

impl Layout {
    /// That of a book with this header.
    pub fn of(header: &Header) -> Self {
        if header.packed { Self::Packed } else { Self::Tables }
    }

    /// As users read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Packed => "packed",
        }
    }
}

/// The bytes of a book, all of the file, for each of its positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// What they are counted by.
    pub kind: TableKind,
    /// How many, to the tenth.
    pub bytes: f64,
}

impl Density {
    /// That of a book with this header: by its moves if it has no positions; none if it is empty.
    pub fn of(header: &Header) -> Option<Self> {
        let rows = |kind| header.table(kind).map(|table| (kind, table.shape.rows));
        let (kind, rows) = rows(TableKind::Positions).or_else(|| rows(TableKind::Moves))?;
        let tenths = (header.file_length as f64 * 10.0 / rows as f64).round();
        (rows > 0).then_some(Self { kind, bytes: tenths / 10.0 })
    }

    /// In words: `7.8 bytes a position`.
    pub fn said(self) -> String {
        let what = match self.kind {
            TableKind::Positions => "position",
            TableKind::Moves => "move",
        };
        if self.bytes < 100.0 {
            format!("{:.1} bytes a {what}", self.bytes)
        } else {
            format!("{} bytes a {what}", grouped(self.bytes.round() as u64))
        }
    }

    /// As programs read it, if it is by positions.
    pub fn by_positions(self) -> Option<f64> {
        (self.kind == TableKind::Positions).then_some(self.bytes)
    }
}

/// How many pages the rows of a packed book are in.
pub fn pages(header: &Header) -> Option<u64> {
    let pages = header.section(Tag::PAGE).filter(|_| header.packed)?;
    Some(pages.length / PAGE)
}

/// The layout of a book in words: `packed, 4,123 pages, 7.8 bytes a position`.
pub fn said(header: &Header) -> String {
    let pages = pages(header).map(|pages| counted(pages, "page"));
    let parts = [Some(Layout::of(header).name().to_owned()), pages];
    let density = Density::of(header).map(Density::said);
    parts.into_iter().flatten().chain(density).collect::<Vec<_>>().join(", ")
}

/// The bytes of a book in words: `1.3 GB in tables, 60.4 bytes a position`.
pub fn size(header: &Header) -> String {
    let layout = match Layout::of(header) {
        Layout::Tables => "in tables",
        Layout::Packed => "packed",
    };
    let density = Density::of(header).map(|density| format!(", {}", density.said()));
    format!("{} {layout}{}", bytes(header.file_length), density.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_position_are_told_as_far_as_they_matter() {
        for (bytes, said) in [
            (7.8, "7.8 bytes a position"),
            (60.0, "60.0 bytes a position"),
            (481.9, "482 bytes a position"),
            (32768.0, "32,768 bytes a position"),
        ] {
            assert_eq!(Density { kind: TableKind::Positions, bytes }.said(), said);
        }
        let by_moves = Density { kind: TableKind::Moves, bytes: 9.0 };
        assert_eq!((by_moves.said().as_str(), by_moves.by_positions()), ("9.0 bytes a move", None));
    }
}
