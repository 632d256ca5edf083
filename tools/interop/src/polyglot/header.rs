//! The header (2012): a text in leading entries with key 0, eight bytes in each.
//!
//! Its lines are the word `@PG@`, the version `1.0`, how many variants of chess the book is of,
//! their names, a line each, and then a comment, which may have lines of its own. A zero byte ends
//! it; what is left of the last entry is zero.

use super::entry::Entry;

/// The word that a header begins with.
const WORD: &str = "@PG@";
const VERSION: &str = "1.0";
/// What xboard calls chess.
const CHESS: &str = "normal";
/// Bytes of text in an entry.
const IN_ENTRY: usize = 8;

/// The contents of a Polyglot book's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The variants of chess, as xboard calls them: `normal`, `fischerandom` ...
    pub variants: Vec<String>,
    /// Anything.
    pub comment: String,
}

/// A comment that no header can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a comment has at most {} bytes, none of them zero", Header::LONGEST)]
pub struct BadComment;

impl Header {
    /// The most bytes of a comment that is written.
    pub const LONGEST: usize = 1 << 14;
    /// The most bytes of a header that are read.
    pub(super) const MOST: usize = 1 << 16;

    /// The header of a book of chess.
    ///
    /// # Errors
    /// [`BadComment`].
    pub fn of_chess(comment: &str) -> Result<Self, BadComment> {
        if comment.len() > Self::LONGEST || comment.contains('\0') {
            return Err(BadComment);
        }
        Ok(Self { variants: vec![CHESS.to_owned()], comment: comment.to_owned() })
    }

    /// What the text in leading entries says, if it is that of a header. Bytes that are no UTF-8
    /// are replaced.
    pub fn of_text(text: &[u8]) -> Option<Self> {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        let text = String::from_utf8_lossy(text);
        let rest = text.strip_prefix(WORD)?.strip_prefix('\n')?;
        let (_version, rest) = rest.split_once('\n')?;
        let (count, mut rest) = rest.split_once('\n')?;
        let mut variants = Vec::new();
        // However many it says there are, no more are taken than there are lines.
        for _ in 0..count.trim().parse::<usize>().ok()? {
            let (variant, after) = rest.split_once('\n').unwrap_or((rest, ""));
            if variant.is_empty() {
                break;
            }
            variants.push(variant.to_owned());
            rest = after;
        }
        Some(Self { variants, comment: rest.to_owned() })
    }

    /// The entries that say it.
    pub fn entries(&self) -> Vec<Entry> {
        let Self { variants, comment } = self;
        let names: String = variants.iter().map(|name| format!("{name}\n")).collect();
        let text = format!("{WORD}\n{VERSION}\n{}\n{names}{comment}\0", variants.len());
        text.as_bytes().chunks(IN_ENTRY).map(entry).collect()
    }
}

fn entry(text: &[u8]) -> Entry {
    let mut bytes = [0; Entry::SIZE];
    bytes[IN_ENTRY..][..text.len()].copy_from_slice(text);
    Entry::from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(header: &Header) -> Vec<u8> {
        header.entries().iter().flat_map(|entry| entry.to_bytes()[IN_ENTRY..].to_vec()).collect()
    }

    #[test]
    fn a_header_is_text_in_entries_with_key_0() {
        let header = Header::of_chess("My book").unwrap();
        assert_eq!(text(&header), b"@PG@\n1.0\n1\nnormal\nMy book\0\0\0\0\0\0\0");
        assert!(header.entries().iter().all(|entry| entry.key == 0));
        // A text that fills its entries is ended by one more.
        let expected = b"@PG@\n1.0\n1\nnormal\n123456\0\0\0\0\0\0\0\0";
        assert_eq!(text(&Header::of_chess("123456").unwrap()), expected);
        assert_eq!(Header::of_chess("a\0b"), Err(BadComment));
        assert_eq!(Header::of_chess(&"x".repeat(Header::LONGEST + 1)), Err(BadComment));
    }

    #[test]
    fn what_a_header_says_is_read_however_it_is_cut() {
        let two = b"@PG@\n1.0\n2\nnormal\nfischerandom\nof mine\nand yours\0\0\0@@";
        let header = Header::of_text(two).unwrap();
        assert_eq!(header.variants, ["normal", "fischerandom"]);
        assert_eq!(header.comment, "of mine\nand yours");
        let cut = Header::of_text(b"@PG@\n1.0\n99999999999\nnormal").unwrap();
        assert_eq!((cut.variants.len(), cut.comment.as_str()), (1, ""));
        for bad in [
            &b""[..],
            b"@PG@",
            b"@PG@\n1.0\n",
            b"@PG@\n1.0\nmany\nnormal\n",
            b"1.0\n1\nnormal\n",
            b"\0@PG@\n1.0\n1\nnormal\n",
        ] {
            assert_eq!(Header::of_text(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn headers_come_back(comment in "[^\0]{0,60}") {
            let header = Header::of_chess(&comment).unwrap();
            prop_assert_eq!(Header::of_text(&text(&header)), Some(header));
        }
    }
}
