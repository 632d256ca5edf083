//! The bytes of a journal: its header, frame headers and parts. Pure.

use super::deltas::Change;
use super::layout::{Layout, Layouts};
use crate::format::{Digest, Fact, Rule, Source, encode_fact_entries, encode_source_entries};
use crate::row::{MoveRow, PositionRow, Row, TableKind};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The first eight bytes of a journal.
pub(crate) const MAGIC: [u8; 8] = *b"\x89TABJL\r\n";
/// The first four bytes of a frame.
pub(super) const FRAME_MAGIC: [u8; 4] = *b"FRAM";
const VERSION: u32 = 1;
/// Bytes of a journal's header.
pub(super) const HEADER_LEN: u64 = size_of::<RawHeader>() as u64;
pub(super) const FRAME_HEADER_LEN: u64 = size_of::<RawFrame>() as u64;
pub(super) const PART_HEADER_LEN: u64 = size_of::<RawPart>() as u64;
/// The operation that brings sources.
const SOURCES: u8 = 4;
/// The operation that brings facts.
const FACTS: u8 = 5;

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
    salt: U64,
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
    previous: U32,
    reserved: U32,
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

const _: () = assert!(HEADER_LEN == 64 && FRAME_HEADER_LEN == 40 && PART_HEADER_LEN == 16);

/// A rule that a journal breaks, and how.
pub(crate) type Fault = (Rule, &'static str);

/// Whether these bytes, a whole file, may be what a crash left of an unfinished journal: the
/// beginning of a header of this version without features, and nothing or zeros after it. A whole
/// header with a right checksum is finished, whatever it says.
pub(super) fn may_be_unfinished(bytes: &[u8]) -> bool {
    let any = JournalHeader::new(Digest::NONE, 0).to_bytes();
    let written = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let fixed = |at: &usize| (0..12).contains(at) || (16..32).contains(at);
    let begins =
        bytes.len() <= any.len() && (0..written).filter(fixed).all(|at| bytes[at] == any[at]);
    let raw = RawHeader::ref_from_bytes(bytes).ok();
    begins
        && raw
            .is_none_or(|raw| raw.magic != MAGIC || raw.crc.get() != crc32fast::hash(&bytes[16..]))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JournalHeader {
    /// The digest of the book it extends.
    pub base: Digest,
    /// The sequence of its first frame.
    pub first: u64,
    /// Features that a reader may know nothing of.
    compatible: u64,
}

impl JournalHeader {
    /// The header of a new journal.
    pub fn new(base: Digest, first: u64) -> Self {
        Self { base, first, compatible: 0 }
    }

    /// Reads the first bytes of a journal (J-1).
    pub fn parse(bytes: &[u8; HEADER_LEN as usize]) -> Result<Self, Fault> {
        let raw = RawHeader::ref_from_bytes(bytes).map_err(|_| (Rule::J1, "it is too short"))?;
        if raw.magic != MAGIC {
            return Err((Rule::J1, "it doesn't begin as a journal does"));
        }
        if raw.crc.get() != crc32fast::hash(&bytes[16..]) {
            return Err((Rule::J1, "the checksum of its header is wrong"));
        }
        if raw.version.get() != VERSION || raw.incompatible.get() != 0 {
            return Err((Rule::J1, "it was written by a newer tabia"));
        }
        let header = Self {
            base: Digest(raw.base),
            first: raw.first.get(),
            compatible: raw.compatible.get(),
        };
        if raw.salt.get() != header.salt().0 {
            return Err((Rule::J1, "its salt is not that of its base and first sequence"));
        }
        if header.first == 0 {
            return Err((Rule::J4, "its first sequence is 0"));
        }
        Ok(header)
    }

    pub fn to_bytes(self) -> [u8; HEADER_LEN as usize] {
        zerocopy::transmute!(self.raw())
    }

    fn raw(self) -> RawHeader {
        let mut raw = RawHeader {
            magic: MAGIC,
            version: U32::new(VERSION),
            crc: U32::ZERO,
            incompatible: U64::ZERO,
            compatible: U64::new(self.compatible),
            base: self.base.0,
            first: U64::new(self.first),
            salt: U64::new(self.salt().0),
        };
        raw.crc = U32::new(crc32fast::hash(&raw.as_bytes()[16..]));
        raw
    }

    /// Its checksum, which the first frame repeats.
    pub fn crc(self) -> u32 {
        self.raw().crc.get()
    }

    /// What binds frames to this journal.
    pub fn salt(&self) -> Salt {
        let mut bytes = [0; 24];
        bytes[..16].copy_from_slice(&self.base.0);
        bytes[16..].copy_from_slice(&self.first.to_le_bytes());
        Salt(xxh3_64(&bytes))
    }
}

/// What binds frames to their journal: a frame header's checksum begins with it, so that no frame
/// of another journal, nor bytes that only look like one, are taken for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Salt(u64);

impl Salt {
    /// The checksum of a frame header whose bytes after the checksum are these.
    fn crc(self, rest: &[u8]) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&self.0.to_le_bytes());
        crc.update(rest);
        crc.finalize()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    /// Bytes of the parts after it.
    pub length: u64,
    pub sequence: u64,
    pub body_crc: u32,
    pub parts: u32,
    /// The header checksum of the frame before; of the first frame: that of the journal's header.
    pub previous: u32,
}

impl FrameHeader {
    /// Reads a frame's header and its checksum; none if these bytes are not an undamaged header of
    /// this journal.
    pub fn parse(bytes: &[u8; FRAME_HEADER_LEN as usize], salt: Salt) -> Option<RightHeader> {
        let raw = RawFrame::ref_from_bytes(bytes).ok()?;
        if raw.magic != FRAME_MAGIC || raw.header_crc.get() != salt.crc(&bytes[8..]) {
            return None;
        }
        let header = Self {
            length: raw.length.get(),
            sequence: raw.sequence.get(),
            body_crc: raw.body_crc.get(),
            parts: raw.parts.get(),
            previous: raw.previous.get(),
        };
        Some(RightHeader { header, crc: raw.header_crc.get(), reserved: raw.reserved.get() })
    }

    /// Its bytes, and the checksum in them.
    pub fn to_bytes(self, salt: Salt) -> ([u8; FRAME_HEADER_LEN as usize], u32) {
        let mut raw = RawFrame {
            magic: FRAME_MAGIC,
            header_crc: U32::ZERO,
            length: U64::new(self.length),
            sequence: U64::new(self.sequence),
            body_crc: U32::new(self.body_crc),
            parts: U32::new(self.parts),
            previous: U32::new(self.previous),
            reserved: U32::ZERO,
        };
        let crc = salt.crc(&raw.as_bytes()[8..]);
        raw.header_crc = U32::new(crc);
        (zerocopy::transmute!(raw), crc)
    }
}

/// A frame's header as it was read, its checksum right: written by this journal's writer, whatever
/// became of the rest of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RightHeader {
    pub header: FrameHeader,
    /// Its checksum, which the next frame repeats.
    pub crc: u32,
    reserved: u32,
}

impl RightHeader {
    /// What is wrong with it though it was written so.
    pub fn invalid_reason(&self) -> Option<Fault> {
        if self.reserved != 0 {
            return Some((Rule::J5, "a reserved byte of a frame's header is not zero"));
        }
        (!self.header.length.is_multiple_of(8))
            .then_some((Rule::J5, "a frame's length is not a multiple of 8"))
    }
}

/// What a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Positions(Change),
    Moves(Change),
    Sources,
    Facts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartHeader {
    pub content: Content,
    /// Bytes of a row with its cells; 0 of what is no row.
    pub row_size: u64,
    /// Rows, sources or facts.
    pub count: u32,
    /// Bytes of the content, without the padding after it.
    pub length: u64,
}

impl PartHeader {
    /// Reads a part's header, with this many bytes of the frame after it.
    pub fn parse(bytes: &[u8; PART_HEADER_LEN as usize], left: u64) -> Result<Self, Fault> {
        let raw = RawPart::ref_from_bytes(bytes).map_err(|_| (Rule::J5, "a part is cut off"))?;
        let (count, length) = (raw.count.get(), raw.length.get());
        if length.checked_next_multiple_of(8).is_none_or(|padded| padded > left) {
            return Err((Rule::J5, "a part is longer than its frame"));
        }
        let row_size = u64::from(raw.row_size.get());
        let content = match raw.operation {
            SOURCES | FACTS if raw.table != 0 || row_size != 0 => {
                return Err((Rule::J5, "a part with sources or facts speaks of a table"));
            }
            SOURCES => Content::Sources,
            FACTS => Content::Facts,
            operation => rows_content(operation, raw.table)?,
        };
        Ok(Self { content, row_size, count, length })
    }

    /// Whether its rows are those of a book with these columns, and as many as it says.
    pub fn check(&self, layouts: &Layouts) -> Result<(), Fault> {
        let Some(table) = self.content.table() else { return Ok(()) };
        if self.row_size != layouts.table(table).row_size() {
            return Err((Rule::J8, "its rows have other columns than the book's"));
        }
        if self.length != self.row_size * u64::from(self.count) {
            return Err((Rule::J5, "a part's length is not that of its rows"));
        }
        Ok(())
    }

    fn to_bytes(self) -> [u8; PART_HEADER_LEN as usize] {
        let (operation, table) = match self.content {
            Content::Positions(change) => (change as u8, table_byte(TableKind::Positions)),
            Content::Moves(change) => (change as u8, table_byte(TableKind::Moves)),
            Content::Sources => (SOURCES, 0),
            Content::Facts => (FACTS, 0),
        };
        let row_size = U16::new(self.row_size as u16);
        zerocopy::transmute!(RawPart {
            operation,
            table,
            row_size,
            count: U32::new(self.count),
            length: U64::new(self.length)
        })
    }

    /// Bytes of zeros after the content.
    pub fn padding(&self) -> u64 {
        self.length.next_multiple_of(8) - self.length
    }
}

impl Content {
    /// The table whose rows it holds, if rows.
    pub fn table(self) -> Option<TableKind> {
        match self {
            Self::Positions(_) => Some(TableKind::Positions),
            Self::Moves(_) => Some(TableKind::Moves),
            Self::Sources | Self::Facts => None,
        }
    }

    /// The content of a part with such rows.
    fn of_rows<R: Row>(change: Change) -> Self {
        match R::TABLE {
            TableKind::Positions => Self::Positions(change),
            TableKind::Moves => Self::Moves(change),
        }
    }
}

fn rows_content(operation: u8, table: u8) -> Result<Content, Fault> {
    let change = Change::from_byte(operation).ok_or((Rule::J5, "an unknown operation"))?;
    match table {
        1 => Ok(Content::Positions(change)),
        2 => Ok(Content::Moves(change)),
        _ => Err((Rule::J5, "an unknown table")),
    }
}

fn table_byte(table: TableKind) -> u8 {
    match table {
        TableKind::Positions => 1,
        TableKind::Moves => 2,
    }
}

/// A part of a frame, or some of its rows: a large part comes in pieces. Beside rows are their
/// cells, those of a row after those of the one before it.
#[derive(Debug)]
pub(crate) enum Part {
    Positions(Change, Vec<PositionRow>, Vec<u8>),
    Moves(Change, Vec<MoveRow>, Vec<u8>),
    Sources(Vec<Source>),
    Facts(Vec<Fact>),
}

/// Appends a part: its header, its content, its padding.
fn encode_part(
    content: Content,
    row_size: u64,
    count: usize,
    bytes: &mut Vec<u8>,
    encode: impl FnOnce(&mut Vec<u8>),
) {
    let header_at = bytes.len();
    bytes.resize(header_at + PART_HEADER_LEN as usize, 0);
    encode(bytes);
    let length = bytes.len() - header_at - PART_HEADER_LEN as usize;
    let header = PartHeader { content, row_size, count: count as u32, length: length as u64 };
    bytes[header_at..header_at + PART_HEADER_LEN as usize].copy_from_slice(&header.to_bytes());
    bytes.resize(bytes.len() + header.padding() as usize, 0);
}

/// Appends a part with these rows and their cells.
pub(super) fn encode_rows<R: Row>(
    change: Change,
    rows: &[R],
    cells: &[u8],
    layout: &Layout,
    bytes: &mut Vec<u8>,
) {
    encode_part(Content::of_rows::<R>(change), layout.row_size(), rows.len(), bytes, |bytes| {
        bytes.extend_from_slice(rows.as_bytes());
        layout.encode(cells, rows.len(), bytes);
    });
}

/// Appends a part with these sources.
pub(super) fn encode_sources(sources: &[Source], bytes: &mut Vec<u8>) {
    encode_part(Content::Sources, 0, sources.len(), bytes, |bytes| {
        encode_source_entries(sources, bytes)
    });
}

/// Appends a part with these facts.
pub(super) fn encode_facts(facts: &[Fact], bytes: &mut Vec<u8>) {
    encode_part(Content::Facts, 0, facts.len(), bytes, |bytes| encode_fact_entries(facts, bytes));
}

/// The rows that these bytes are, if each is one that a part with this change may hold.
pub(super) fn decode_rows<R: Row>(change: Change, bytes: &[u8]) -> Result<Vec<R>, Fault> {
    let rows = <[R]>::ref_from_bytes(bytes)
        .map_err(|_| (Rule::J5, "a part's length is not that of its rows"))?;
    let valid = |row: &R| {
        !row.is_empty()
            && row.invalid_reason().is_none()
            && (change != Change::Delete || *row == row.key_only())
    };
    if rows.iter().all(valid) { Ok(rows.to_vec()) } else { Err((Rule::J5, "a row is not valid")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Key;

    const SALT: Salt = Salt(0x0123_4567_89ab_cdef);
    const FRAME: FrameHeader =
        FrameHeader { length: 48, sequence: 3, body_crc: 0xdead_beef, parts: 1, previous: 77 };

    fn every_flip<const LEN: usize>(bytes: [u8; LEN]) -> impl Iterator<Item = (usize, [u8; LEN])> {
        (0..LEN * 8).map(move |bit| {
            let mut flipped = bytes;
            flipped[bit / 8] ^= 1 << (bit % 8);
            (bit, flipped)
        })
    }

    /// The header with a field changed, and a right checksum.
    fn sealed(mut bytes: [u8; 64], at: usize, value: &[u8]) -> [u8; 64] {
        bytes[at..at + value.len()].copy_from_slice(value);
        let crc = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    #[test]
    fn j1_headers_come_back_and_every_flipped_bit_is_found() {
        let header = JournalHeader::new(Digest([5; 16]), 7);
        let bytes = header.to_bytes();
        assert_eq!(JournalHeader::parse(&bytes), Ok(header));
        for (bit, flipped) in every_flip(bytes) {
            assert!(JournalHeader::parse(&flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn j1_a_salt_that_is_not_of_base_and_first_is_refused() {
        let header = JournalHeader::new(Digest([5; 16]), 7);
        let bytes = header.to_bytes();
        let of_bytes = xxh3_64(&[&[5; 16][..], &7u64.to_le_bytes()].concat());
        assert_eq!(bytes[56..], of_bytes.to_le_bytes());
        assert_eq!(JournalHeader::parse(&sealed(bytes, 56, &of_bytes.to_le_bytes())), Ok(header));
        let salts = [0, of_bytes ^ 1, of_bytes.swap_bytes()].map(|salt| (56, salt.to_le_bytes()));
        // The base of another journal, and its first sequence.
        for (at, value) in salts.into_iter().chain([(32, [6; 8]), (48, 8u64.to_le_bytes())]) {
            let refused = JournalHeader::parse(&sealed(bytes, at, &value)).unwrap_err();
            assert_eq!(refused.0, Rule::J1, "{value:?} at {at}");
        }
    }

    #[test]
    fn j4_a_journal_that_begins_with_sequence_0_is_refused() {
        let bytes = JournalHeader::new(Digest([5; 16]), 0).to_bytes();
        assert_eq!(JournalHeader::parse(&bytes).unwrap_err().0, Rule::J4);
    }

    #[test]
    fn d8_only_the_beginning_of_a_header_or_zeros_may_be_unfinished() {
        let bytes = JournalHeader::new(Digest([5; 16]), 7).to_bytes();
        for len in 0..=64 {
            assert!(may_be_unfinished(&vec![0; len]), "{len}");
            for written in 0..=len.min(63) {
                let torn: Vec<u8> =
                    (0..len).map(|at| if at < written { bytes[at] } else { 0 }).collect();
                assert!(may_be_unfinished(&torn), "{written} of {len}");
            }
        }
        let feature = sealed(bytes, 16, &[1]);
        let mut damaged_feature = feature;
        damaged_feature[12] ^= 1;
        let mut zeros_then_more = [0; 64];
        zeros_then_more[63] = 1;
        let others: [(&str, &[u8]); 11] = [
            ("longer than a header", &[0; 65]),
            ("a whole header", &bytes),
            ("a newer feature", &feature),
            ("the beginning of a newer feature", &feature[..20]),
            ("a newer feature, damaged", &damaged_feature),
            ("zeros and more", &zeros_then_more),
            ("a newer version", &sealed(bytes, 8, &[2])),
            ("notes", b"my notes"),
            ("sevens", &[7; 64]),
            ("no version", b"\x89TABJL\r\nx"),
            ("a book", b"\x89TABIA\r\n"),
        ];
        for (what, other) in others {
            assert!(!may_be_unfinished(other), "{what}");
        }
    }

    #[test]
    fn j5_frame_headers_come_back_and_every_flipped_bit_is_found() {
        let header = FRAME;
        let (bytes, crc) = header.to_bytes(SALT);
        let right = RightHeader { header, crc, reserved: 0 };
        assert_eq!(FrameHeader::parse(&bytes, SALT), Some(right));
        for (bit, flipped) in every_flip(bytes) {
            assert_eq!(FrameHeader::parse(&flipped, SALT), None, "bit {bit}");
        }
    }

    #[test]
    fn j5_frame_headers_are_bound_to_their_journal() {
        let header = FRAME;
        let (bytes, crc) = header.to_bytes(SALT);
        let salted = [&SALT.0.to_le_bytes()[..], &bytes[8..]].concat();
        assert_eq!(crc, crc32fast::hash(&salted));
        assert_eq!(bytes[4..8], crc.to_le_bytes());
        for bit in 0..64 {
            let other = Salt(SALT.0 ^ 1 << bit);
            assert_eq!(FrameHeader::parse(&bytes, other), None, "bit {bit} of the salt");
        }
    }

    #[test]
    fn j5_a_frame_header_that_was_written_wrong_is_told() {
        let is_told = |bytes| FrameHeader::parse(&bytes, SALT).unwrap().invalid_reason().is_some();
        assert!(!is_told(FRAME.to_bytes(SALT).0));
        assert!(is_told(FrameHeader { length: 44, ..FRAME }.to_bytes(SALT).0));
        let mut reserved = FRAME.to_bytes(SALT).0;
        reserved[36] = 1;
        let crc = SALT.crc(&reserved[8..]);
        reserved[4..8].copy_from_slice(&crc.to_le_bytes());
        assert!(is_told(reserved));
    }

    /// A part's header and the bytes after it.
    fn split(part: &[u8]) -> ([u8; 16], &[u8]) {
        (*part.first_chunk().unwrap(), &part[16..])
    }

    #[test]
    fn j5_part_headers_that_say_what_cannot_be_are_refused() {
        let (mut rows, mut rated, mut sources, mut facts) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (key, none) = (5 as Key, crate::Counts::default());
        let layout = Layout::with(&[(24, Some(0)), (4, None), (8, Some(24))]);
        let layouts = Layouts::with(Layout::default(), layout.clone());
        let row = PositionRow::new(key, none);
        encode_rows(Change::Add, &[row], &[], &Layout::default(), &mut rows);
        encode_rows(Change::Put, &[MoveRow::new(key, 7, none)], &[1; 32], &layout, &mut rated);
        // Cells, an unknown one, padding.
        assert_eq!(rated[16 + 24..], [&[1; 24][..], &[0; 4], &[1; 8], &[0; 4]].concat());
        let source = Source { digest: Digest([1; 16]), games: 1, name: "a.pgn".to_owned() };
        encode_sources(&[source], &mut sources);
        encode_facts(&[Fact::new(Digest([1; 16]), "plan.max-ply", "40").unwrap()], &mut facts);
        let contents = [
            Content::Positions(Change::Add),
            Content::Moves(Change::Put),
            Content::Sources,
            Content::Facts,
        ];
        for (part, content) in [&rows, &rated, &sources, &facts].into_iter().zip(contents) {
            let (header, body) = split(part);
            let row_size =
                [24, 60, 0, 0][contents.iter().position(|other| *other == content).unwrap()];
            let padded = body.len() as u64;
            let length = if row_size == 60 { 60 } else { padded };
            let expected = PartHeader { content, row_size, count: 1, length };
            assert_eq!(PartHeader::parse(&header, padded), Ok(expected));
            let length = padded;
            assert!(PartHeader::parse(&header, length - 1).is_err(), "longer than its frame");
        }
        // Operation, table, size of a row, count, length: none may say anything else.
        let of_positions = [
            (0, 0, Rule::J5),
            (0, 6, Rule::J5),
            (1, 0, Rule::J5),
            (1, 3, Rule::J5),
            (2, 25, Rule::J8),
            (2, 48, Rule::J8),
            (4, 2, Rule::J5),
        ];
        let of_moves = [
            (0, 6, Rule::J5),
            (1, 1, Rule::J8),
            (2, 24, Rule::J8),
            (2, 40, Rule::J8),
            (4, 0, Rule::J5),
            (8, 24, Rule::J5),
        ];
        let of_entries = [(1, 1, Rule::J5), (2, 24, Rule::J5), (15, 0xff, Rule::J5)];
        for (part, changes) in [
            (&rows, &of_positions[..]),
            (&rated, &of_moves),
            (&sources, &of_entries),
            (&facts, &of_entries),
        ] {
            for &(at, value, rule) in changes {
                let (mut header, body) = split(part);
                header[at] = value;
                let parsed = PartHeader::parse(&header, body.len() as u64)
                    .and_then(|header| header.check(&layouts));
                assert_eq!(parsed.err().map(|fault| fault.0), Some(rule), "byte {at} is {value}");
            }
        }
    }

    #[test]
    fn j5_parts_are_padded_to_a_multiple_of_eight() {
        for (length, padding) in [(0, 0), (1, 7), (4, 4), (8, 0), (20, 4)] {
            let header = PartHeader { content: Content::Facts, row_size: 0, count: 1, length };
            assert_eq!(header.padding(), padding);
            assert!(PartHeader::parse(&header.to_bytes(), length + padding).is_ok());
            let cut = PartHeader::parse(&header.to_bytes(), (length + padding).saturating_sub(1));
            assert!(padding == 0 || cut.is_err());
            let mut bytes = vec![1; 8];
            encode_part(Content::Facts, 0, 1, &mut bytes, |bytes| {
                bytes.resize(bytes.len() + length as usize, 1)
            });
            assert_eq!(bytes.len() as u64, 8 + 16 + length + padding);
            assert!(bytes.ends_with(&vec![0; padding as usize]));
        }
        let content = Content::Facts;
        let endless = PartHeader { content, row_size: 0, count: 1, length: u64::MAX };
        assert!(PartHeader::parse(&endless.to_bytes(), u64::MAX).is_err());
    }

    #[test]
    fn j5_rows_that_are_not_valid_are_refused() {
        let row = PositionRow::new(5, crate::Counts::new(1, 0, 0));
        assert_eq!(decode_rows(Change::Add, row.as_bytes()), Ok(vec![row]));
        assert!(decode_rows::<PositionRow>(Change::Delete, row.as_bytes()).is_err());
        let key = row.key_only();
        assert_eq!(decode_rows(Change::Delete, key.as_bytes()), Ok(vec![key]));
        assert!(decode_rows::<PositionRow>(Change::Add, PositionRow::EMPTY.as_bytes()).is_err());
        assert!(decode_rows::<PositionRow>(Change::Add, &row.as_bytes()[1..]).is_err());
    }
}
