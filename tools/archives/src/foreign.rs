//! Telling what a file that is no game archive looks like, from its first bytes and its name, to
//! say what to do with it.

use std::path::Path;

/// What a file looks like, and what to do with it.
pub(crate) type Looks = (&'static str, &'static str);

const UNPACK: &str = "unpack it first, then give what was in it";
const EXPORT: &str = "export its games as PGN, then give that";

/// First bytes that identify a kind of file.
const MAGIC: [(&[u8], Looks); 18] = [
    (
        b"PK\x03\x04",
        ("a zip archive", "unpack it first, for instance: unzip -p FILE | tabia build -o BOOK -"),
    ),
    (b"PK\x05\x06", ("an empty zip archive", UNPACK)),
    (
        b"7z\xbc\xaf\x27\x1c",
        ("a 7z archive", "unpack it first, for instance: 7z x -so FILE | tabia build -o BOOK -"),
    ),
    (
        b"\xfd7zXZ\x00",
        ("an xz file", "decompress it first, for instance: xz -dc FILE | tabia build -o BOOK -"),
    ),
    (b"Rar!\x1a\x07", ("a rar archive", UNPACK)),
    (
        b"\x04\x22\x4d\x18",
        ("an lz4 file", "decompress it first, for instance: lz4 -dc FILE | tabia build -o BOOK -"),
    ),
    (b"LZIP", ("an lzip file", UNPACK)),
    (b"\x1f\x9d", ("a file compressed by compress", UNPACK)),
    (b"\x89TABIA\r\n", ("a Tabia book", "books are merged: tabia merge -o BOOK BOOK...")),
    (
        b"\x89TABJL\r\n",
        ("the journal of a Tabia book", "give the book it belongs to: tabia merge -o BOOK BOOK..."),
    ),
    (b"Scid.si\x00", ("the index of a Scid database", EXPORT)),
    (
        b"\xff\xfe",
        (
            "text in UTF-16",
            "convert it, for instance: iconv -f UTF-16 -t UTF-8 FILE | tabia build -o BOOK -",
        ),
    ),
    (
        b"\xfe\xff",
        (
            "text in UTF-16",
            "convert it, for instance: iconv -f UTF-16 -t UTF-8 FILE | tabia build -o BOOK -",
        ),
    ),
    (b"SQLite format 3\x00", ("an SQLite database", EXPORT)),
    (b"%PDF-", ("a PDF document", EXPORT)),
    (b"PAR1", ("a Parquet file", EXPORT)),
    (b"<!DOCTYPE", ("a web page", "download the archive itself")),
    (b"<html", ("a web page", "download the archive itself")),
];

/// Endings of names that identify a kind of binary file without a magic.
const ENDINGS: [(&str, Looks); 14] = [
    ("si4", ("a Scid database", EXPORT)),
    ("sg4", ("a Scid database", EXPORT)),
    ("sn4", ("a Scid database", EXPORT)),
    ("si5", ("a Scid database", EXPORT)),
    ("sg5", ("a Scid database", EXPORT)),
    ("sn5", ("a Scid database", EXPORT)),
    ("cbh", ("a ChessBase database", EXPORT)),
    ("cbg", ("a ChessBase database", EXPORT)),
    ("cbv", ("a ChessBase archive", EXPORT)),
    ("bin", ("a Polyglot book", "make a book of it: tabia import polyglot -o BOOK FILE")),
    ("ctg", ("a ChessBase book", "an archive of games is wanted, not a book")),
    (
        "jou",
        ("WTHOR's list of players", "give the .wtb files beside it, which find it by themselves"),
    ),
    (
        "trn",
        (
            "WTHOR's list of tournaments",
            "give the .wtb files beside it, which find it by themselves",
        ),
    ),
    ("wtd", ("WTHOR's games on a board of 10x10", "give those on 8x8, the .wtb files")),
];

/// What the file looks like, if it can't be text: by its first bytes (some thousands of them, or
/// all), then by its name.
pub(crate) fn looks(start: &[u8], path: &Path) -> Option<Looks> {
    if let Some((_, looks)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(*looks);
    }
    if is_tar(start) || !is_binary(start) {
        return None;
    }
    let ending =
        path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    let named = ENDINGS.iter().find(|(name, _)| *name == ending).map(|(_, looks)| *looks);
    Some(named.unwrap_or(("binary data", "give PGN, plain or compressed by zstd, gzip or bzip2")))
}

/// Whether it is a tar archive, whose files are read one by one.
pub(crate) fn is_tar(start: &[u8]) -> bool {
    start.get(257..262) == Some(b"ustar")
}

/// Whether more than one byte in a hundred, and more than a stray few, are control characters that
/// no text holds.
fn is_binary(start: &[u8]) -> bool {
    let control = |byte: &&u8| {
        **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1a | 0x1b)
    };
    let controls = start.iter().filter(control).count();
    controls > 3 && controls * 100 > start.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_magic_are_told_by_their_bytes_and_name() {
        let bytes = [0, 1, 2, 3, b'a', b'b'];
        let what = |name: &str| looks(&bytes, Path::new(name)).map(|(what, _)| what);
        assert_eq!(what("book.bin"), Some("a Polyglot book"));
        assert_eq!(what("GAMES.CBH"), Some("a ChessBase database"));
        assert_eq!(what("-"), Some("binary data"));
        assert_eq!(looks(b"1. e4 e5 1-0\r\n\x1a", Path::new("book.bin")), None);
        assert_eq!(looks("[White \"M\u{fc}ller\"]".as_bytes(), Path::new("a.pgn")), None);
        assert_eq!(looks(b"[White \"M\xfcller\"]", Path::new("a.pgn")), None);
        assert_eq!(looks(b"", Path::new("a.bin")), None);
    }
}
