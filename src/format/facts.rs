//! The FACT section: what is known of a book, or of an archive that went into it, as names and
//! values (section 7.2 of the specification).

use super::{Digest, decode_entries};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The longest name of a fact, in bytes.
pub const MAX_FACT_NAME: usize = 64;
/// The longest value of a fact, in bytes.
pub const MAX_FACT_VALUE: usize = 65_536;

/// A fact: something that is known about an archive or the whole book. Facts are ordered by
/// subject, name and value, compared as bytes.
///
/// ```
/// use tabia::format::{Digest, Fact};
///
/// let fact = Fact::new(Digest::NONE, "counts", "learned")?;
/// assert_eq!((fact.subject(), fact.name(), fact.value()), (Digest::NONE, "counts", "learned"));
/// assert!(fact.is_of_book());
/// assert!(Fact::new(Digest::NONE, "Counts", "learned").is_err());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    subject: Digest,
    name: String,
    value: String,
}

impl Fact {
    /// The name of the fact that says what the counts of a book are, if they are not those of
    /// games of an archive: `learned`, `played` where engines played them to find moves, or
    /// `playouts` where chance did.
    pub const COUNTS: &str = "counts";
    /// The name of a fact that says how evals were made: `engine=...; limit=...; unit=...`.
    pub const EVALS: &str = "evals";
    /// The name of the fact that says that an archive's games are in the file of games beside the
    /// book: `kept`.
    pub const GAMES: &str = "games";
    /// The name of the facts that say which slices of an archive a book holds, where it isn't all
    /// of them: `3/7`, a [`Slice`](crate::Slice).
    pub const SLICE: &str = "slice";
    /// The prefix of facts that say how an archive was read: an option of the build follows it.
    pub const PLAN: &str = "plan.";

    /// Whether it speaks of the whole book.
    #[must_use]
    pub fn is_of_book(&self) -> bool {
        self.subject == Digest::NONE
    }

    /// A fact of the archive with this digest, or of the whole book ([`Digest::NONE`]).
    ///
    /// # Errors
    /// In words, if the name is not 1 to 64 of `a-z 0-9 . -`, or the value has more than 65,536
    /// bytes.
    pub fn new(
        subject: Digest,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<Self, &'static str> {
        let (name, value) = (name.into(), value.into());
        if !is_name(name.as_bytes()) {
            return Err("a fact's name is not 1 to 64 of a-z, 0-9, dots and hyphens");
        }
        if value.len() > MAX_FACT_VALUE {
            return Err("a fact's value is too long");
        }
        Ok(Self { subject, name, value })
    }

    /// The digest of the archive that the fact is about, as in the book's sources;
    /// [`Digest::NONE`]: the whole book.
    #[must_use]
    pub fn subject(&self) -> Digest {
        self.subject
    }

    /// Its name: 1 to 64 of `a-z 0-9 . -`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its value, of 65,536 bytes at most.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }
}

fn is_name(name: &[u8]) -> bool {
    (1..=MAX_FACT_NAME).contains(&name.len())
        && name.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    subject: [u8; 16],
    name_len: U32,
    value_len: U32,
}

/// Appends the entries of some facts, without a count, in the order given.
pub(crate) fn encode_fact_entries(facts: &[Fact], bytes: &mut Vec<u8>) {
    for fact in facts {
        let (name_len, value_len) =
            (U32::new(fact.name.len() as u32), U32::new(fact.value.len() as u32));
        bytes.extend_from_slice(Entry { subject: fact.subject.0, name_len, value_len }.as_bytes());
        bytes.extend_from_slice(fact.name.as_bytes());
        bytes.extend_from_slice(fact.value.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
}

/// Encodes a FACT section: the number of facts, then their entries. The facts have to be in
/// strictly ascending order.
#[must_use]
pub fn encode_facts(facts: &[Fact]) -> Vec<u8> {
    let mut bytes = (facts.len() as u64).to_le_bytes().to_vec();
    encode_fact_entries(facts, &mut bytes);
    bytes
}

/// Decodes what [`encode_facts`] wrote.
///
/// # Errors
/// What is wrong with it, in words.
pub fn decode_facts(bytes: &[u8]) -> Result<Vec<Fact>, &'static str> {
    let (count, entries) =
        U64::read_from_prefix(bytes).map_err(|_| "it is too short for a count")?;
    let facts = decode_fact_entries(count.get(), entries)?;
    let ascending = facts.is_sorted_by(|one, next| one < next);
    if ascending { Ok(facts) } else { Err("facts are out of order") }
}

/// Decodes the entries of this many facts, in any order, and nothing else.
pub(crate) fn decode_fact_entries(count: u64, bytes: &[u8]) -> Result<Vec<Fact>, &'static str> {
    decode_entries(count, bytes, decode_entry, "bytes follow the last fact")
}

/// Decodes one entry; what follows it is returned with it.
fn decode_entry(bytes: &[u8]) -> Result<(Fact, &[u8]), &'static str> {
    let (entry, rest) = Entry::read_from_prefix(bytes).map_err(|_| "a fact is cut off")?;
    let (name_len, value_len) = (entry.name_len.get() as usize, entry.value_len.get() as usize);
    if name_len > MAX_FACT_NAME || value_len > MAX_FACT_VALUE {
        return Err("a fact's name or value is too long");
    }
    let (name, rest) = rest.split_at_checked(name_len).ok_or("a fact's name is cut off")?;
    let (value, rest) = rest.split_at_checked(value_len).ok_or("a fact's value is cut off")?;
    let text = name_len + value_len;
    let padding = text.next_multiple_of(8) - text;
    let (padding, rest) = rest.split_at_checked(padding).ok_or("a fact's padding is cut off")?;
    if padding.iter().any(|&byte| byte != 0) {
        return Err("a fact's padding is not zero");
    }
    let name = str::from_utf8(name).map_err(|_| "a fact's name is not valid")?;
    let value = str::from_utf8(value).map_err(|_| "a fact's value is not UTF-8")?;
    Ok((Fact::new(Digest(entry.subject), name, value)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(subject: u8, name: &str, value: &str) -> Fact {
        Fact::new(Digest([subject; 16]), name, value).unwrap()
    }

    fn sample() -> Vec<Fact> {
        let long = "ü".repeat(MAX_FACT_VALUE / 2);
        vec![
            fact(0, "counts", "learned"),
            fact(0, "evals", "engine=E; limit=L; unit=U"),
            fact(0, "evals", "engine=F; limit=L; unit=U"),
            fact(1, &"a".repeat(MAX_FACT_NAME), ""),
            fact(1, "plan.min-rating", "2600"),
            fact(2, "a", &long),
        ]
    }

    /// The bytes of one entry as they are said to be, right or wrong.
    fn entry(name: &[u8], value: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 16];
        bytes.extend_from_slice(&(name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(value.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(value);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    #[test]
    fn facts_that_are_cut_off_or_followed_by_more_are_refused() {
        let good = encode_facts(&sample()[..5]);
        for len in 0..good.len() {
            assert!(decode_facts(&good[..len]).is_err(), "cut to {len}");
        }
        let mut longer = good.clone();
        longer.extend_from_slice(&[0; 8]);
        assert_eq!(decode_facts(&longer), Err("bytes follow the last fact"));
        let mut endless = good;
        endless[..8].fill(0xff);
        assert_eq!(decode_facts(&endless), Err("a fact is cut off"));
    }

    #[test]
    fn facts_out_of_order_or_there_twice_are_refused() {
        let mut facts = sample();
        for at in 1..facts.len() {
            facts.swap(at - 1, at);
            assert_eq!(decode_facts(&encode_facts(&facts)), Err("facts are out of order"), "{at}");
            facts.swap(at - 1, at);
        }
        let twice = [fact(1, "a", "b"), fact(1, "a", "b")];
        assert_eq!(decode_facts(&encode_facts(&twice)), Err("facts are out of order"));
        // In a journal any order will do.
        let entries = &encode_facts(&twice)[8..];
        assert_eq!(decode_fact_entries(2, entries), Ok(twice.to_vec()));
    }

    #[test]
    fn names_and_values_that_cannot_be_are_refused() {
        let long = vec![b'a'; MAX_FACT_VALUE + 1];
        for (name, value) in [
            (&b""[..], &b"x"[..]),
            (&long[..MAX_FACT_NAME + 1], b""),
            (b"A", b""),
            (b"a b", b""),
            (b"a_b", b""),
            (b"\xc3\xa9", b""),
            (b"\xff", b""),
            (b"a", b"\xff"),
            (b"a", &long),
        ] {
            let bytes = [&1u64.to_le_bytes()[..], &entry(name, value)].concat();
            assert!(decode_facts(&bytes).is_err(), "{name:?}");
            if let (Ok(name), Ok(value)) = (str::from_utf8(name), str::from_utf8(value)) {
                assert!(Fact::new(Digest::NONE, name, value).is_err(), "{name:?}");
            }
        }
        assert!(decode_facts(&[&1u64.to_le_bytes()[..], &entry(b"a", b"x")].concat()).is_ok());
        let mut padded = entry(b"a", b"x");
        *padded.last_mut().unwrap() = 1;
        assert_eq!(decode_fact_entries(1, &padded), Err("a fact's padding is not zero"));
    }

    #[test]
    fn an_entry_of_endless_length_is_refused_without_being_read() {
        for at in [16, 20] {
            let mut bytes = entry(b"a", b"x");
            bytes[at..at + 4].fill(0xff);
            assert_eq!(decode_fact_entries(1, &bytes), Err("a fact's name or value is too long"));
        }
    }
}
