//! What a file looks like that is no game archive, by its first bytes and its name.

use std::borrow::Cow;
use std::path::Path;

/// What a file looks like, and what to do with it.
type Looks = (&'static str, &'static str);

const UNPACK: &str = "unpack it first, then give what was in it";
const EXPORT: &str = "export its games as PGN, then give that";
const UNZIP: &str = "unpack it first, for instance: unzip -p FILE | tabia build -o BOOK -";
const UN7Z: &str = "unpack it first, for instance: 7z x -so FILE | tabia build -o BOOK -";
const UNXZ: &str = "decompress it first, for instance: xz -dc FILE | tabia build -o BOOK -";
const UNLZ4: &str = "decompress it first, for instance: lz4 -dc FILE | tabia build -o BOOK -";
const MERGE: &str = "books are merged: tabia merge -o BOOK BOOK...";
const OF_BOOK: &str = "give the book it belongs to: tabia merge -o BOOK BOOK...";
const ICONV: &str =
    "convert it, for instance: iconv -f UTF-16 -t UTF-8 FILE | tabia build -o BOOK -";
const DOWNLOAD: &str = "download the archive itself";
const WTB: &str = "give the .wtb files beside it, which find it by themselves";

const MAGIC: [(&[u8], Looks); 18] = [
    (b"PK\x03\x04", ("a zip archive", UNZIP)),
    (b"PK\x05\x06", ("an empty zip archive", UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", ("a 7z archive", UN7Z)),
    (b"\xfd7zXZ\x00", ("an xz file", UNXZ)),
    (b"Rar!\x1a\x07", ("a rar archive", UNPACK)),
    (b"\x04\x22\x4d\x18", ("an lz4 file", UNLZ4)),
    (b"LZIP", ("an lzip file", UNPACK)),
    (b"\x1f\x9d", ("a file compressed by compress", UNPACK)),
    (b"\x89TABIA\r\n", ("a Tabia book", MERGE)),
    (b"\x89TABJL\r\n", ("the journal of a Tabia book", OF_BOOK)),
    (b"Scid.si\x00", ("the index of a Scid database", EXPORT)),
    (b"\xff\xfe", ("text in UTF-16", ICONV)),
    (b"\xfe\xff", ("text in UTF-16", ICONV)),
    (b"SQLite format 3\x00", ("an SQLite database", EXPORT)),
    (b"%PDF-", ("a PDF document", EXPORT)),
    (b"PAR1", ("a Parquet file", EXPORT)),
    (b"<!DOCTYPE", ("a web page", DOWNLOAD)),
    (b"<html", ("a web page", DOWNLOAD)),
];

/// Endings of names that identify a kind of binary file without a magic.
const ENDINGS: [(&str, Looks); 9] = [
    ("si4 sg4 sn4 si5 sg5 sn5", ("a Scid database", EXPORT)),
    ("cbh cbg", ("a ChessBase database", EXPORT)),
    ("cbv", ("a ChessBase archive", EXPORT)),
    ("bin", ("a Polyglot book", "make a book of it: tabia import polyglot -o BOOK FILE")),
    ("ctg", ("a ChessBase book", "make a book of it: tabia import ctg -o BOOK FILE")),
    ("abk", ("an Arena book", "make a book of it: tabia import abk -o BOOK FILE")),
    ("jou", ("WTHOR's list of players", WTB)),
    ("trn", ("WTHOR's list of tournaments", WTB)),
    ("wtd", ("WTHOR's games on a board of 10x10", "give those on 8x8, the .wtb files")),
];

/// What the file looks like, if it can't be text: by its first bytes, or else by its name.
pub(crate) fn looks(start: &[u8], path: &Path) -> Option<(&'static str, Cow<'static, str>)> {
    let known = |(what, advice): Looks| Some((what, Cow::Borrowed(advice)));
    if let Some((_, looks)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return known(*looks);
    }
    if is_tar(start) || !is_binary(start) {
        return None;
    }
    let ending =
        path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_ascii_lowercase();
    if let Some(advice) = unread_book(path) {
        return Some((UNREAD, Cow::Owned(advice)));
    }
    let is_named = |names: &str| names.split(' ').any(|name| name == ending);
    let named = ENDINGS.iter().find(|(names, _)| is_named(names)).map(|(_, looks)| *looks);
    known(named.unwrap_or(("binary data", "give PGN, plain or compressed by zstd, gzip or bzip2")))
}

const UNREAD: &str = "a book of chess in a format that can't be read (.bkt)";

/// What to do with a book of chess in a format that nothing here reads, told by its name: a book of
/// the same name beside it that can be read, if there is one. None if the name is no such book's.
///
/// ```
/// let advice = tabia_archives::unread_book("books/sharp.bkt".as_ref()).unwrap();
/// assert!(advice.contains(".ctg or .bin"), "{advice}");
/// assert_eq!(tabia_archives::unread_book("books/sharp.ctg".as_ref()), None);
/// ```
pub fn unread_book(path: &Path) -> Option<String> {
    if !path.extension()?.eq_ignore_ascii_case("bkt") {
        return None;
    }
    let formats = [("ctg", "ctg"), ("CTG", "ctg"), ("bin", "polyglot"), ("BIN", "polyglot")];
    let beside = formats
        .map(|(ending, format)| (path.with_extension(ending), format))
        .into_iter()
        .find(|(other, _)| other.is_file());
    Some(match beside {
        Some((other, format)) => {
            let other = other.display();
            format!("{other} is beside it: tabia import {format} -o BOOK {other}")
        }
        None => "no book of that name as .ctg or .bin is beside it: have the program that made it \
                 write one of these, or the games as PGN"
            .to_owned(),
    })
}

pub(crate) fn is_tar(start: &[u8]) -> bool {
    start.get(257..262) == Some(b"ustar")
}

/// Whether more than a stray few bytes, and one in a hundred, are control characters of no text.
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
        assert_eq!(what("Sharp.BKT"), Some(UNREAD));
        assert_eq!(what("book.bin"), Some("a Polyglot book"));
        assert_eq!(what("GAMES.CBH"), Some("a ChessBase database"));
        assert_eq!(what("-"), Some("binary data"));
        assert_eq!(looks(b"1. e4 e5 1-0\r\n\x1a", Path::new("book.bin")), None);
        assert_eq!(looks("[White \"M\u{fc}ller\"]".as_bytes(), Path::new("a.pgn")), None);
        assert_eq!(looks(b"[White \"M\xfcller\"]", Path::new("a.pgn")), None);
        assert_eq!(looks(b"", Path::new("a.bin")), None);
    }

    #[test]
    fn i5_a_bkt_names_the_book_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let [book, ctg, bin] = ["a.bkt", "a.ctg", "a.bin"].map(|name| folder.path().join(name));
        let advice = || looks(&[0, 1, 2, 3, b'a', b'b'], &book).unwrap().1.into_owned();
        assert!(advice().contains("no book of that name"), "{}", advice());
        std::fs::write(&bin, b"").unwrap();
        assert!(advice().ends_with(&format!("tabia import polyglot -o BOOK {}", bin.display())));
        std::fs::write(&ctg, b"").unwrap();
        assert!(advice().ends_with(&format!("tabia import ctg -o BOOK {}", ctg.display())));
    }
}
