//! The SRCS section: which archives a book was made of (B-19, section 7.1 of the specification).

use super::{Digest, decode_entries};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The longest name of a source, in bytes.
pub const MAX_SOURCE_NAME: usize = 4096;

/// An archive that went into a book.
///
/// ```
/// use tabia::{Batch, Digest, Source};
///
/// let archive = b"1. e4 e5 1-0";
/// let source = Source { digest: Digest::of(archive), games: 1, name: "week.pgn".to_owned() };
/// let mut batch = Batch::new();
/// batch.source(source);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// XXH3-128 of its bytes, after decompression.
    pub digest: Digest,
    /// Games that went into the book from it.
    pub games: u64,
    /// Its file name, without its folder.
    pub name: String,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    digest: [u8; 16],
    games: U64,
    name_len: U32,
    reserved: U32,
}

/// Appends the entries of some sources, without a count, in the order given.
pub(crate) fn encode_source_entries(sources: &[Source], bytes: &mut Vec<u8>) {
    for source in sources {
        let name = &source.name[..source.name.floor_char_boundary(MAX_SOURCE_NAME)];
        let entry = Entry {
            digest: source.digest.0,
            games: U64::new(source.games),
            name_len: U32::new(name.len() as u32),
            reserved: U32::ZERO,
        };
        bytes.extend_from_slice(entry.as_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
}

/// Encodes sources: their count, then their entries.
#[must_use]
pub fn encode_sources(sources: &[Source]) -> Vec<u8> {
    let mut bytes = (sources.len() as u64).to_le_bytes().to_vec();
    encode_source_entries(sources, &mut bytes);
    bytes
}

/// Decodes what [`encode_sources`] wrote.
///
/// # Errors
/// What is wrong with it (B-19), in words.
pub fn decode_sources(bytes: &[u8]) -> Result<Vec<Source>, &'static str> {
    let (count, entries) =
        U64::read_from_prefix(bytes).map_err(|_| "it is too short for a count")?;
    let sources = decode_source_entries(count.get(), entries)?;
    if sources.is_sorted() { Ok(sources) } else { Err("sources are out of order") }
}

/// Decodes `count` entries of sources, in any order; nothing may follow them.
pub(crate) fn decode_source_entries(count: u64, bytes: &[u8]) -> Result<Vec<Source>, &'static str> {
    decode_entries(count, bytes, decode_entry, "bytes follow the last source")
}

/// Decodes one entry; what follows it is returned with it.
fn decode_entry(bytes: &[u8]) -> Result<(Source, &[u8]), &'static str> {
    let (entry, rest) = Entry::read_from_prefix(bytes).map_err(|_| "a source is cut off")?;
    let len = entry.name_len.get() as usize;
    if len > MAX_SOURCE_NAME || entry.reserved != U32::ZERO {
        return Err("a source has a wrong length or a reserved bit");
    }
    let (name, rest) = rest.split_at_checked(len).ok_or("a source's name is cut off")?;
    let padding = len.next_multiple_of(8) - len;
    let (padding, rest) = rest.split_at_checked(padding).ok_or("a source's padding is cut off")?;
    if padding.iter().any(|&byte| byte != 0) {
        return Err("a source's padding is not zero");
    }
    let name = std::str::from_utf8(name).map_err(|_| "a source's name is not UTF-8")?.to_owned();
    Ok((Source { digest: Digest(entry.digest), games: entry.games.get(), name }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(digest: u8, name: &str) -> Source {
        Source { digest: Digest([digest; 16]), games: 3, name: name.to_owned() }
    }

    #[test]
    fn b19_bad_sources_are_refused() {
        let good = encode_sources(&[source(1, "a.pgn"), source(2, "b.pgn")]);
        for len in 0..good.len() {
            assert!(decode_sources(&good[..len]).is_err(), "cut to {len}");
        }
        let mut endless = good.clone();
        endless[..8].fill(0xff);
        assert!(decode_sources(&endless).is_err());
        let unordered = encode_sources(&[source(2, "a"), source(1, "a")]);
        assert_eq!(decode_sources(&unordered), Err("sources are out of order"));
    }
}
