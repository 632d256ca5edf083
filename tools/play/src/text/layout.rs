//! How the rows of a book lie in its file, in tables or packed into pages, how many bytes that takes,
//! and whether they are slow to probe: further from their homes than those of random keys ever are.

use super::numbers::{bytes, counted, grouped};
use tabia::TableKind;
use tabia::format::{Header, PAGE, Share, Tag};

/// How the rows of a book lie, as users read it: in hash tables of rows, or packed into pages, all
/// rows of a position together.
pub fn name(header: &Header) -> &'static str {
    if header.packed { "packed" } else { "tables" }
}

/// The bytes of a book, all of the file, for each of its positions, to the tenth: by its moves if it
/// has no positions; none if it is empty.
fn density(header: &Header) -> Option<(TableKind, f64)> {
    let kind = TableKind::ALL.into_iter().find(|&kind| header.table(kind).is_some())?;
    let rows = rows(header, kind);
    let tenths = (header.file_length as f64 * 10.0 / rows as f64).round();
    (rows > 0).then_some((kind, tenths / 10.0))
}

/// The same as programs read it, if it is by positions.
pub fn bytes_per_position(header: &Header) -> Option<f64> {
    density(header).filter(|(kind, _)| *kind == TableKind::Positions).map(|(_, bytes)| bytes)
}

/// In words: `7.8 bytes a position`.
fn each((kind, bytes): (TableKind, f64)) -> String {
    let what = match kind {
        TableKind::Positions => "position",
        TableKind::Moves => "move",
    };
    if bytes < 100.0 {
        format!("{bytes:.1} bytes a {what}")
    } else {
        format!("{} bytes a {what}", grouped(bytes.round() as u64))
    }
}

/// How many rows this table of a book has; 0 if there is no such table.
pub fn rows(header: &Header, kind: TableKind) -> u64 {
    header.table(kind).map_or(0, |table| table.shape.rows)
}

/// How many pages the rows of a packed book are in.
pub fn pages(header: &Header) -> Option<u64> {
    let pages = header.section(Tag::PAGE).filter(|_| header.packed)?;
    Some(pages.length / PAGE)
}

/// The layout of a book in words: `packed, 4,123 pages, 7.8 bytes a position`.
pub fn said(header: &Header) -> String {
    let pages = pages(header).map(|pages| counted(pages, "page"));
    let parts = [Some(name(header).to_owned()), pages, density(header).map(each)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The bytes of a book in words: `1.3 GB in tables, 60.4 bytes a position`.
pub fn size(header: &Header) -> String {
    let layout = if header.packed { "packed" } else { "in tables" };
    let each = density(header).map(|density| format!(", {}", each(density)));
    format!("{} {layout}{}", bytes(header.file_length), each.unwrap_or_default())
}

/// Pairs of positions that are to be expected to have one key by chance, and so are one position to the
/// book: of n random keys of 64 bits n^2 / 2^65. None if there are fewer than one in a hundred such books.
pub fn same_keys(header: &Header) -> Option<f64> {
    let pairs = pairs(rows(header, TableKind::Positions), header.share);
    (pairs >= 0.01).then_some((pairs * 100.0).round() / 100.0)
}

/// Of so many positions of a share of the hashes.
fn pairs(positions: u64, share: Share) -> f64 {
    let positions = positions as f64;
    positions * positions / f64::from(65 - share.bits()).exp2()
}

/// The same in words.
pub fn same_keys_said(pairs: f64) -> String {
    format!("64 bits: {pairs} pairs of positions with one key are to be expected by chance")
}

/// The crowded tables of a book with this header, by name.
pub fn crowded(header: &Header) -> Vec<String> {
    let is_crowded = |kind: &TableKind| {
        header.table(*kind).is_some_and(|table| table.shape.is_crowded(*kind, header.load))
    };
    TableKind::ALL.iter().filter(|kind| is_crowded(kind)).map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_one_key_are_expected_from_hundreds_of_millions_on() {
        let close = |pairs: f64, expected: f64| (pairs - expected).abs() < expected / 100.0;
        assert!(close(pairs(1_000_000_000, Share::WHOLE), 0.0271));
        assert!(close(pairs(6_000_000_000, Share::WHOLE), 0.976));
        let share = Share::new(2, 1).unwrap_or_default();
        assert!(close(4.0 * pairs(1_500_000_000, share), 0.976), "as many in all shares");
    }

    #[test]
    fn the_bytes_of_a_position_are_told_as_far_as_they_matter() {
        for (bytes, said) in [
            (7.8, "7.8 bytes a position"),
            (60.0, "60.0 bytes a position"),
            (481.9, "482 bytes a position"),
            (32768.0, "32,768 bytes a position"),
        ] {
            assert_eq!(each((TableKind::Positions, bytes)), said);
        }
        assert_eq!(each((TableKind::Moves, 9.0)), "9.0 bytes a move");
    }
}
