//! Bytes on disk: the only place that knows offsets. Pure: no files, no allocation that a hostile
//! file could grow.
//!
//! The rules are those of `format-spec/README.md`; each [`Refusal`] names the one that was broken.

mod facts;
mod header;
mod name;
mod rule;
mod section;
mod share;
mod slice;
mod sources;
mod tag;
mod tags;

pub use facts::{Fact, MAX_FACT_NAME, MAX_FACT_VALUE, decode_facts, encode_facts};
pub(crate) use facts::{decode_fact_entries, encode_fact_entries};
pub use header::{Header, MAX_SECTIONS};
pub use name::{BadLoad, BadName, Keyed, Load, Name, Results};
pub use rule::Rule;
pub use section::{BLOCK, Section, TableShape, blocks_of, slack};
pub(crate) use section::{GAME_CELL, ROW, TAG_CELL, block_sums, blocks_at};
pub use share::{BadShare, Share};
pub use slice::Slice;
pub use sources::{MAX_SOURCE_NAME, Source, decode_sources, encode_sources};
pub(crate) use sources::{decode_source_entries, encode_source_entries};
pub use tag::Tag;
pub(crate) use tags::TAG_LOW_BITS;
pub use tags::{tag_of_empty, tag_of_row};

use std::fmt;

/// Bytes of a page: the header's size, and what every section's offset is a multiple of.
pub const PAGE: u64 = 4096;
/// [`PAGE`] as a length in memory.
pub const PAGE_LEN: usize = PAGE as usize;
/// The first eight bytes of a book.
pub const MAGIC: [u8; 8] = *b"\x89TABIA\r\n";
/// The version of the format this code reads and writes.
pub const VERSION: u32 = 1;

/// An XXH3-128 in its canonical form: the identity of a book's contents, or of an archive's bytes.
///
/// ```
/// use tabia::Digest;
///
/// let digest = Digest::of(b"1. e4 e5");
/// assert_eq!(digest.to_string().len(), 32);
/// assert_ne!(digest, Digest::of(b"1. d4 d5"));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl Digest {
    /// No digest: what a book without a parent has for one.
    pub const NONE: Self = Self([0; 16]);

    /// The digest of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxhash_rust::xxh3::xxh3_128(bytes).to_be_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a file is not opened as a book.
///
/// ```
/// use tabia::{Book, Error, Refusal};
///
/// match Book::from_bytes(b"[Event \"no book\"]") {
///     Err(Error::Refused { refusal: Refusal::NotABook, .. }) => println!("build a book of this archive first"),
///     Err(Error::Refused { refusal, .. }) => panic!("another reason: {refusal}"),
///     _ => panic!("not refused"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It doesn't begin as a book does (B-1).
    #[error("not a Tabia book")]
    NotABook,
    /// It is shorter than a header page, or than its header says, or longer (B-5).
    #[error(
        "the file has {got} bytes where a whole book has {expected} (B-5): it was cut off or added to"
    )]
    Length {
        /// Bytes the header speaks of.
        expected: u64,
        /// Bytes the file has.
        got: u64,
    },
    /// A damaged header: the rule that is broken, and what was found.
    #[error("damaged header: {what} ({rule})")]
    Damaged {
        /// The broken rule.
        rule: Rule,
        /// What was found.
        what: String,
    },
    /// Written in a format this code doesn't know (B-3).
    #[error("the book has format version {got}, this program reads version {VERSION} (B-3)")]
    Version {
        /// The book's version.
        got: u32,
    },
    /// It needs features this code doesn't know (B-4).
    #[error("the book uses features this program doesn't know (bits {unknown:#x}, B-4)")]
    Features {
        /// The unknown bits.
        unknown: u64,
    },
    /// It was made before the format was final, by a version of tabia that was never released
    /// (B-20).
    #[error("the book was made by an unreleased version of Tabia (B-20)")]
    Unreleased,
}

/// Decodes this many entries of a list, each of which gives what follows it, too; nothing may follow
/// the last one.
fn decode_entries<T>(
    count: u64,
    mut bytes: &[u8],
    entry: impl Fn(&[u8]) -> Result<(T, &[u8]), &'static str>,
    more: &'static str,
) -> Result<Vec<T>, &'static str> {
    let mut entries = Vec::new();
    for _ in 0..count {
        let (entry, rest) = entry(bytes)?;
        entries.push(entry);
        bytes = rest;
    }
    if bytes.is_empty() { Ok(entries) } else { Err(more) }
}

/// A damaged header.
fn damaged(rule: Rule, what: impl Into<String>) -> Refusal {
    Refusal::Damaged { rule, what: what.into() }
}
