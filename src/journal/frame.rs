//! The bytes of a journal: its header, frame headers and parts. Pure.

use super::batch::Change;
use crate::format::{Digest, Rule, Source, decode_source_entries};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row, TableKind};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The first eight bytes of a journal.
pub(crate) const MAGIC: [u8; 8] = *b"\x89TABJL\r\n";
const FRAME_MAGIC: [u8; 4] = *b"FRAM";
const VERSION: u32 = 1;
/// Bytes of a journal's header.
pub(super) const HEADER_LEN: u64 = size_of::<RawHeader>() as u64;
/// Bytes of a frame's header.
pub(super) const FRAME_HEADER_LEN: u64 = size_of::<RawFrame>() as u64;
/// The operation that brings sources.
const SOURCES: u8 = 4;

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawHeader {
    magic: [u8; 8],
    version: U32,
    crc: U32,
    incompatible: U64,
    compatible: U64,
    base: [u8; 16],
    first: U64,
    reserved: U64,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawFrame {
    magic: [u8; 4],
    header_crc: U32,
    length: U64,
    sequence: U64,
    body_crc: U32,
    parts: U32,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawPart {
    operation: u8,
    table: u8,
    row_size: U16,
    count: U32,
    length: U64,
}

const _: () = assert!(size_of::<RawHeader>() == 64 && size_of::<RawFrame>() == 32 && size_of::<RawPart>() == 16);

/// A rule that a journal breaks, and how.
pub(crate) type Fault = (Rule, &'static str);

const NOT_BEGUN: Fault = ("J-1", "it doesn't begin as a journal does");
const DAMAGED: Fault = ("J-1", "the checksum of its header is wrong");

/// Whether a header with this fault may be one that was never wholly written.
pub(super) fn may_be_unfinished(fault: Fault) -> bool {
    fault == NOT_BEGUN || fault == DAMAGED
}

/// A journal's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JournalHeader {
    /// The digest of the book it extends.
    pub base: Digest,
    /// The sequence of its first frame.
    pub first: u64,
}

impl JournalHeader {
    /// Reads the first bytes of a journal (J-1).
    pub fn parse(bytes: &[u8; HEADER_LEN as usize]) -> Result<Self, Fault> {
        let raw = RawHeader::ref_from_bytes(bytes).map_err(|_| ("J-1", "it is too short"))?;
        if raw.magic != MAGIC {
            return Err(NOT_BEGUN);
        }
        if raw.crc.get() != crc32fast::hash(&bytes[16..]) {
            return Err(DAMAGED);
        }
        if raw.version.get() != VERSION || raw.incompatible.get() != 0 {
            return Err(("J-1", "it was written by a newer tabia"));
        }
        if raw.reserved.get() != 0 {
            return Err(("J-1", "a reserved byte is not zero"));
        }
        if raw.first.get() == 0 {
            return Err(("J-4", "its first sequence is 0"));
        }
        Ok(Self { base: Digest(raw.base), first: raw.first.get() })
    }

    pub fn to_bytes(self) -> [u8; HEADER_LEN as usize] {
        let mut raw = RawHeader {
            magic: MAGIC,
            version: U32::new(VERSION),
            crc: U32::ZERO,
            incompatible: U64::ZERO,
            compatible: U64::ZERO,
            base: self.base.0,
            first: U64::new(self.first),
            reserved: U64::ZERO,
        };
        raw.crc = U32::new(crc32fast::hash(&raw.as_bytes()[16..]));
        zerocopy::transmute!(raw)
    }
}

/// A frame's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    /// Bytes of the parts behind it.
    pub length: u64,
    pub sequence: u64,
    pub body_crc: u32,
    pub parts: u32,
}

impl FrameHeader {
    /// Reads a frame's header; none if these bytes are not an undamaged one.
    pub fn parse(bytes: &[u8; FRAME_HEADER_LEN as usize]) -> Option<Self> {
        let raw = RawFrame::ref_from_bytes(bytes).ok()?;
        let good = raw.magic == FRAME_MAGIC && raw.header_crc.get() == crc32fast::hash(&bytes[8..]) && raw.length.get() % 8 == 0;
        good.then(|| Self { length: raw.length.get(), sequence: raw.sequence.get(), body_crc: raw.body_crc.get(), parts: raw.parts.get() })
    }

    pub fn to_bytes(self) -> [u8; FRAME_HEADER_LEN as usize] {
        let mut raw = RawFrame {
            magic: FRAME_MAGIC,
            header_crc: U32::ZERO,
            length: U64::new(self.length),
            sequence: U64::new(self.sequence),
            body_crc: U32::new(self.body_crc),
            parts: U32::new(self.parts),
        };
        raw.header_crc = U32::new(crc32fast::hash(&raw.as_bytes()[8..]));
        zerocopy::transmute!(raw)
    }
}

/// A part of a frame.
pub(crate) enum Part<'a> {
    Positions(Change, &'a [PositionRow]),
    Moves(Change, &'a [MoveRow]),
    RatedMoves(Change, &'a [RatedMoveRow]),
    Sources(Vec<Source>),
}

/// The bytes of a part with these rows.
pub(super) fn encode_rows<R: Row>(change: Change, rows: &[R], bytes: &mut Vec<u8>) {
    let header = RawPart {
        operation: change as u8,
        table: table_byte(R::TABLE),
        row_size: U16::new(R::SIZE as u16),
        count: U32::new(rows.len() as u32),
        length: U64::new(rows.as_bytes().len() as u64),
    };
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(rows.as_bytes());
}

/// The bytes of a part with these sources.
pub(super) fn encode_sources(sources: &[Source], bytes: &mut Vec<u8>) {
    let mut entries = Vec::new();
    crate::format::encode_source_entries(sources, &mut entries);
    let header = RawPart {
        operation: SOURCES,
        table: 0,
        row_size: U16::ZERO,
        count: U32::new(sources.len() as u32),
        length: U64::new(entries.len() as u64),
    };
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(&entries);
}

/// Reads the next part of a frame's body; what follows it is returned with it.
pub(super) fn decode_part(body: &[u8]) -> Result<(Part<'_>, &[u8]), Fault> {
    let (header, rest) = RawPart::ref_from_prefix(body).map_err(|_| ("J-5", "a part is cut off"))?;
    let length = usize::try_from(header.length.get()).unwrap_or(usize::MAX);
    let (content, rest) = rest.split_at_checked(length).ok_or(("J-5", "a part is longer than its frame"))?;
    if header.operation == SOURCES {
        if header.table != 0 || header.row_size.get() != 0 {
            return Err(("J-5", "a part with sources speaks of a table"));
        }
        let sources = decode_source_entries(header.count.get().into(), content).map_err(|what| ("J-5", what))?;
        return Ok((Part::Sources(sources), rest));
    }
    let change = Change::from_byte(header.operation).ok_or(("J-5", "an unknown operation"))?;
    let part = match header.table {
        1 => Part::Positions(change, decode_rows(header, change, content)?),
        2 if u64::from(header.row_size.get()) == RatedMoveRow::SIZE => Part::RatedMoves(change, decode_rows(header, change, content)?),
        2 => Part::Moves(change, decode_rows(header, change, content)?),
        _ => return Err(("J-5", "an unknown table")),
    };
    Ok((part, rest))
}

fn decode_rows<'a, R: Row>(header: &RawPart, change: Change, content: &'a [u8]) -> Result<&'a [R], Fault> {
    let rows = <[R]>::ref_from_bytes(content).ok();
    let fits = |rows: &&[R]| u64::from(header.row_size.get()) == R::SIZE && rows.len() == header.count.get() as usize;
    let rows = rows.filter(fits).ok_or(("J-5", "a part's length is not that of its rows"))?;
    let valid = |row: &R| !row.is_empty() && row.fault().is_none() && (change != Change::Delete || *row == row.bare());
    if rows.iter().all(valid) { Ok(rows) } else { Err(("J-5", "a row is not valid")) }
}

fn table_byte(table: TableKind) -> u8 {
    match table {
        TableKind::Positions => 1,
        TableKind::Moves => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j1_headers_come_back_and_every_flipped_bit_is_found() {
        let header = JournalHeader { base: Digest([5; 16]), first: 7 };
        let bytes = header.to_bytes();
        assert_eq!(JournalHeader::parse(&bytes), Ok(header));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(JournalHeader::parse(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn j5_frame_headers_come_back_and_every_flipped_bit_is_found() {
        let header = FrameHeader { length: 48, sequence: 3, body_crc: 0xdead_beef, parts: 1 };
        let bytes = header.to_bytes();
        assert_eq!(FrameHeader::parse(&bytes), Some(header));
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(FrameHeader::parse(&flipped), None, "bit {bit}");
        }
    }

    #[test]
    fn j4_a_journal_that_begins_with_sequence_0_is_refused() {
        assert_eq!(JournalHeader::parse(&JournalHeader { base: Digest([5; 16]), first: 0 }.to_bytes()).unwrap_err().0, "J-4");
    }

    #[test]
    fn j5_parts_that_say_what_cannot_be_are_refused() {
        let mut rows = Vec::new();
        encode_rows(Change::Add, &[PositionRow::new(5, crate::Counts::default())], &mut rows);
        let mut rated = Vec::new();
        encode_rows(Change::Add, &[RatedMoveRow::new(5, 7, crate::Counts::default())], &mut rated);
        let mut sources = Vec::new();
        encode_sources(&[Source { digest: Digest([1; 16]), games: 1, name: "a.pgn".to_owned() }], &mut sources);
        assert!(decode_part(&rows).is_ok() && decode_part(&sources).is_ok());
        assert!(matches!(decode_part(&rated), Ok((Part::RatedMoves(Change::Add, [_]), []))));
        for part in [&rows, &rated] {
            for len in 0..part.len() {
                assert!(decode_part(&part[..len]).is_err(), "cut to {len}");
            }
        }
        // Operation, table, size of a row, count: none may say anything else.
        let of_positions = [(&rows, 0, 0), (&rows, 0, 5), (&rows, 1, 0), (&rows, 1, 3), (&rows, 2, 25), (&rows, 2, 48), (&rows, 4, 2)];
        let of_moves = [(&rated, 0, 6), (&rated, 1, 1), (&rated, 2, 24), (&rated, 2, 40), (&rated, 4, 0), (&rated, 16 + 23, 1)];
        for (part, at, value) in of_positions.into_iter().chain(of_moves) {
            let mut wrong = part.clone();
            wrong[at] = value;
            assert_eq!(decode_part(&wrong).err().map(|fault| fault.0), Some("J-5"), "byte {at} is {value}");
        }
        for (at, value) in [(1, 1), (2, 24), (4, 2), (4, 0)] {
            let mut wrong = sources.clone();
            wrong[at] = value;
            assert_eq!(decode_part(&wrong).err().map(|fault| fault.0), Some("J-5"), "sources: byte {at} is {value}");
        }
    }
}
