//! How the rows of a book lie in its file, in tables or packed into pages, how many bytes that takes,
//! and whether they are slow to probe: further from their homes than those of random keys ever are.

use super::numbers::{bytes, counted, grouped};
use tabia::format::{Header, PAGE, Share, Tag};
use tabia::{Column, Columns, TableKind};

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

/// Books smaller than this are small enough.
const WORTH_TRIMMING: u64 = 64 << 20;

/// How to get a smaller book, if one is large beside the archives that it was made of, of so many bytes.
pub fn advice(header: &Header, archives: u64) -> Option<String> {
    let columns = header.columns(TableKind::Moves);
    advice_of(header.file_length, header.packed, columns, archives)
}

fn advice_of(book: u64, is_packed: bool, columns: Columns, archives: u64) -> Option<String> {
    let pack = if is_packed {
        String::new()
    } else {
        let share = if columns.has(Column::GAME) { "a tenth" } else { "an eighth" };
        format!("`tabia pack` packs it into about {share} of them; ")
    };
    (archives > 0 && book >= WORTH_TRIMMING && book >= archives.saturating_mul(2)).then(|| {
        format!(
            "The book has {:.1} times the bytes of its archives: {pack}--min-games 2, --max-ply 40 or `tabia trim` make a smaller one.",
            book as f64 / archives as f64
        )
    })
}

/// What room a build takes, by the bytes that are needed at most and free in their place: for the book, and
/// for what is sorted.
pub fn room_said(book: (u64, u64), sorted: (u64, u64)) -> String {
    let room = |(most, free)| match free < most {
        true => format!("; {} are free there", bytes(free)),
        false => String::new(),
    };
    let sorting = match sorted.0 {
        0 => String::new(),
        most => format!("; sorting takes up to {} of disk{}", bytes(most), room(sorted)),
    };
    format!(
        "the book will have {} at most, and less the more games share positions{}{sorting}",
        bytes(book.0),
        room(book)
    )
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

    #[test]
    fn a_book_much_larger_than_its_archives_comes_with_advice() {
        let advice = |book, archives| advice_of(book, false, Columns::NONE, archives);
        let said = advice(1_270_000_000, 277_000_000).unwrap_or_default();
        let expected = "The book has 4.6 times the bytes of its archives: `tabia pack` packs";
        assert!(said.starts_with(expected), "{said}");
        for (book, archives) in [
            (553_999_999, 277_000_000),
            (WORTH_TRIMMING - 1, 1),
            (u64::MAX, 0),
            (100 << 20, u64::MAX),
        ] {
            assert_eq!(advice(book, archives), None, "{book} bytes of {archives}");
        }
    }

    #[test]
    fn too_little_room_is_said() {
        assert_eq!(
            room_said((3_000_000_000, 1_000_000_000), (0, 0)),
            "the book will have 3.0 GB at most, and less the more games share positions; 1.0 GB are free there"
        );
        assert_eq!(
            room_said((3_000_000_000, 4_000_000_000), (8_000_000_000, 4_000_000_000)),
            "the book will have 3.0 GB at most, and less the more games share positions; sorting takes up to 8.0 GB of disk; 4.0 GB are free there"
        );
    }
}
