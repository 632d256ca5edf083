//! A book's header, and its records one after the other.

use super::{Fault, ReadError};

const HEADER: usize = 42;
/// Bytes of a record before its links.
const FIXED: usize = 40;

/// A move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// Discs, for the side that moves.
    pub score: i8,
    /// The square: 0 is a1, 63 is h8; 64 is a pass, 65 no move.
    pub square: u8,
}

/// A position as a book has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record<'a> {
    /// The discs of the side to move, and those of the other one.
    pub player: u64,
    pub opponent: u64,
    /// Lines to the end that are won, drawn and lost.
    pub lines: [u32; 3],
    pub all_lines: u32,
    /// The value for the side to move, in discs.
    pub value: i16,
    /// What the value is at least and at most, by Edax's margins.
    pub bounds: [i16; 2],
    /// The level of the search.
    pub level: u8,
    links: &'a [u8],
    /// The best of the moves that are no links.
    pub leaf: Link,
}

impl<'a> Record<'a> {
    /// The moves to positions of the book.
    pub fn links(&self) -> impl ExactSizeIterator<Item = Link> + use<'a> {
        self.links.as_chunks().0.iter().map(Link::read)
    }
}

impl Link {
    fn read(&[score, square]: &[u8; 2]) -> Self {
        Self { score: score.cast_signed(), square }
    }
}

/// The records of a book's bytes, in their order. After an error there are no more.
#[derive(Clone, Debug)]
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    read: u64,
}

impl<'a> Records<'a> {
    /// Reads the header; the records follow. How many it says there are, which Edax itself doesn't
    /// look at, is returned too.
    pub fn new(bytes: &'a [u8]) -> Result<(i32, Self), ReadError> {
        if !bytes.starts_with(b"XADEKOOB") {
            return Err(ReadError::Magic(bytes[..bytes.len().min(8)].to_vec()));
        }
        if bytes.len() < HEADER {
            return Err(ReadError::Header(bytes.len()));
        }
        if bytes[8] != 4 {
            return Err(ReadError::Version(bytes[8]));
        }
        let positions = i32::from_le_bytes(array(bytes, 38));
        Ok((positions, Self { bytes, at: HEADER, read: 0 }))
    }

    fn record(&mut self) -> Result<Record<'a>, Fault> {
        let (fixed, rest) = self.bytes[self.at..].split_at_checked(FIXED).ok_or(Fault::Cut)?;
        let (links, rest) = rest.split_at_checked(2 * usize::from(fixed[38])).ok_or(Fault::Cut)?;
        let leaf = Link::read(rest.first_chunk().ok_or(Fault::Cut)?);
        let [player, opponent] = [0, 8].map(|at| u64::from_le_bytes(array(fixed, at)));
        if player & opponent != 0 {
            return Err(Fault::Discs);
        }
        let lines = [16, 20, 24].map(|at| u32::from_le_bytes(array(fixed, at)));
        let [value, lower, upper] = [32, 34, 36].map(|at| i16::from_le_bytes(array(fixed, at)));
        let (all_lines, bounds) = (u32::from_le_bytes(array(fixed, 28)), [lower, upper]);
        self.at += FIXED + links.len() + 2;
        Ok(Record {
            player,
            opponent,
            lines,
            all_lines,
            value,
            bounds,
            level: fixed[39],
            links,
            leaf,
        })
    }
}

/// Bytes at an offset, which must be there.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|byte| bytes[at + byte])
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.bytes.len() {
            return None;
        }
        let offset = self.at;
        self.read += 1;
        let record = self.record();
        if record.is_err() {
            self.at = self.bytes.len();
        }
        Some(record.map_err(|fault| ReadError::Fault { record: self.read, offset, fault }))
    }
}
