//! The header page: what a book says of itself, its section table, and the rules B-1 to B-11 and B-20 that are checked whenever it is opened.

use super::{BLOCK, Digest, FilterBlock, Keyed, Load, MAGIC, Name, PAGE, PAGE_LEN, Refusal, Results, VERSION, blocks_of, filter_blocks};
use crate::row::{MoveRow, PositionRow, RatedMoveRow, Row, TableKind};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The most sections a header page has room for.
pub const MAX_SECTIONS: usize = 39;
/// The compatible feature of a book with a filter.
pub const HAS_FILTER: u64 = 1;
/// The incompatible feature of a book whose moves have ratings.
pub const RATED_MOVES: u64 = 1;
/// The incompatible feature of a book of counts without results.
pub const WITHOUT_RESULTS: u64 = 1 << 1;
/// All incompatible features that this code knows.
const KNOWN_FEATURES: u64 = RATED_MOVES | WITHOUT_RESULTS;
/// Where the CRC-32 of the page stands.
const CRC_AT: usize = PAGE_LEN - 4;
/// The part of the page that the digest takes as zero: digest, parent, sequence.
const OUTSIDE_DIGEST: std::ops::Range<usize> = 88..128;

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawHeader {
    magic: [u8; 8],
    version: U32,
    page: U32,
    incompatible: U64,
    compatible: U64,
    game: [u8; 16],
    keys: [u8; 16],
    keyed: u8,
    reserved: [u8; 3],
    load: U32,
    block: U32,
    section_count: U32,
    file_length: U64,
    digest: [u8; 16],
    parent: [u8; 16],
    sequence: U64,
    more_reserved: [u8; 128],
    sections: [RawSection; MAX_SECTIONS],
    rest: [u8; CRC_AT - 256 - MAX_SECTIONS * 96],
    crc: U32,
}

const _: () = assert!(size_of::<RawHeader>() == PAGE_LEN && size_of::<RawSection>() == 96);

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned, PartialEq, Eq)]
#[repr(C)]
struct RawSection {
    tag: [u8; 4],
    row_size: U32,
    offset: U64,
    length: U64,
    checksum: U64,
    rows: U64,
    homes: U64,
    reach: U64,
    wins: U64,
    draws: U64,
    losses: U64,
    reserved: [u8; 16],
}

/// The four letters that name a section.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag(pub [u8; 4]);

impl Tag {
    /// The positions table.
    pub const POSITIONS: Self = Self(*b"POSN");
    /// The checksums of its blocks.
    pub const POSITION_SUMS: Self = Self(*b"PSUM");
    /// The moves table.
    pub const MOVES: Self = Self(*b"MOVE");
    /// The checksums of its blocks.
    pub const MOVE_SUMS: Self = Self(*b"MSUM");
    /// The filter of the positions.
    pub const FILTER: Self = Self(*b"FILT");
    /// The sources.
    pub const SOURCES: Self = Self(*b"SRCS");

    /// The known tags in the order in which they stand in a file.
    const ORDER: [Self; 6] = [Self::FILTER, Self::POSITIONS, Self::POSITION_SUMS, Self::MOVES, Self::MOVE_SUMS, Self::SOURCES];

    /// The tag of a table.
    #[must_use]
    pub fn table(kind: TableKind) -> Self {
        match kind {
            TableKind::Positions => Self::POSITIONS,
            TableKind::Moves => Self::MOVES,
        }
    }

    /// The tag of a table's sums.
    #[must_use]
    pub fn sums(kind: TableKind) -> Self {
        match kind {
            TableKind::Positions => Self::POSITION_SUMS,
            TableKind::Moves => Self::MOVE_SUMS,
        }
    }

    /// The table this is the tag of, if of one.
    #[must_use]
    pub fn kind(self) -> Option<TableKind> {
        [TableKind::Positions, TableKind::Moves].into_iter().find(|&kind| Self::table(kind) == self)
    }
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&self.0.escape_ascii(), f)
    }
}

impl std::fmt::Debug for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// What the header says of a table's shape and totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableShape {
    /// Rows in it.
    pub rows: u64,
    /// Homes; a probe starts at one of them.
    pub homes: u64,
    /// The largest displacement of a row.
    pub reach: u64,
    /// The sum of all rows' wins, modulo 2^64.
    pub wins: u64,
    /// The sum of all rows' draws.
    pub draws: u64,
    /// The sum of all rows' losses.
    pub losses: u64,
}

impl TableShape {
    /// The number of slots: those with a home, and the slack behind them.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.homes.saturating_add(self.reach)
    }
}

/// A section: where it stands, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub tag: Tag,
    /// Where its body starts in the file; a multiple of [`PAGE`].
    pub offset: u64,
    /// Bytes of its body, without padding.
    pub length: u64,
    /// XXH3-64 of its body; 0 for tables, which have sums of their own.
    pub checksum: u64,
    /// The table's shape; all zero if it is none.
    pub shape: TableShape,
}

impl Section {
    /// Where the next section starts: behind the body and its padding.
    #[must_use]
    pub fn end(&self) -> u64 {
        (self.offset + self.length).next_multiple_of(PAGE)
    }

    fn from_raw(raw: &RawSection) -> Self {
        let shape = TableShape {
            rows: raw.rows.get(),
            homes: raw.homes.get(),
            reach: raw.reach.get(),
            wins: raw.wins.get(),
            draws: raw.draws.get(),
            losses: raw.losses.get(),
        };
        Self { tag: Tag(raw.tag), offset: raw.offset.get(), length: raw.length.get(), checksum: raw.checksum.get(), shape }
    }

    fn to_raw(self, row_size: u64) -> RawSection {
        RawSection {
            tag: self.tag.0,
            row_size: U32::new(row_size as u32),
            offset: U64::new(self.offset),
            length: U64::new(self.length),
            checksum: U64::new(self.checksum),
            rows: U64::new(self.shape.rows),
            homes: U64::new(self.shape.homes),
            reach: U64::new(self.shape.reach),
            wins: U64::new(self.shape.wins),
            draws: U64::new(self.shape.draws),
            losses: U64::new(self.shape.losses),
            reserved: [0; 16],
        }
    }
}

/// What a book says of itself: its first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub game: Name,
    /// The key scheme.
    pub keys: Name,
    /// What the keys stand for.
    pub keyed: Keyed,
    /// How full the tables' homes are.
    pub load: Load,
    /// Features that a reader has to know: [`RATED_MOVES`], [`WITHOUT_RESULTS`].
    pub incompatible: u64,
    /// Features an old reader may ignore.
    pub compatible: u64,
    /// The identity of the contents. [`Header::seal`] computes it.
    pub digest: Digest,
    /// The digest of the book this one was compacted from, or [`Digest::NONE`].
    pub parent: Digest,
    /// The sequence of the last journal frame the book holds; 0 if none.
    pub sequence: u64,
    /// Bytes of the whole file.
    pub file_length: u64,
    /// The sections, in the order of the file.
    pub sections: Vec<Section>,
}

impl Header {
    /// Reads a book's first page, given the file's length, and checks rules B-1 to B-11 and B-20.
    ///
    /// # Errors
    /// The rule that is broken.
    pub fn parse(page: &[u8], file_length: u64) -> Result<Self, Refusal> {
        let Ok((raw, _)) = RawHeader::ref_from_prefix(page) else {
            return Err(if page.starts_with(&MAGIC) { Refusal::Length { expected: PAGE, got: file_length } } else { Refusal::NotABook });
        };
        raw.check_frame()?;
        let header = raw.header()?;
        if header.file_length != file_length {
            return Err(Refusal::Length { expected: header.file_length, got: file_length });
        }
        if !file_length.is_multiple_of(PAGE) {
            return Err(damaged("B-5", "its length is not a whole number of pages"));
        }
        header.check_sections(raw)?;
        if digest_of(raw) != header.digest {
            return Err(damaged("B-11", "its digest is not that of the page"));
        }
        Ok(header)
    }

    /// Reads a header page whatever the length of the file it comes from.
    ///
    /// # Errors
    /// As [`Header::parse`].
    pub(crate) fn parse_alone(page: &[u8; PAGE_LEN]) -> Result<Self, Refusal> {
        let raw = RawHeader::ref_from_bytes(page).map_err(|_| Refusal::NotABook)?;
        Self::parse(page, raw.file_length.get())
    }

    /// The header page for these values, with digest and CRC computed, and the digest.
    ///
    /// # Panics
    /// With more than [`MAX_SECTIONS`] sections.
    #[must_use]
    pub fn seal(&self) -> ([u8; PAGE_LEN], Digest) {
        let mut raw = RawHeader::new_zeroed();
        raw.magic = MAGIC;
        raw.version = U32::new(VERSION);
        raw.page = U32::new(PAGE as u32);
        raw.incompatible = U64::new(self.incompatible);
        raw.compatible = U64::new(self.compatible);
        raw.game = self.game.to_bytes();
        raw.keys = self.keys.to_bytes();
        raw.keyed = self.keyed.to_byte();
        raw.load = U32::new(self.load.thousandths());
        raw.block = U32::new(BLOCK as u32);
        raw.section_count = U32::new(self.sections.len() as u32);
        raw.file_length = U64::new(self.file_length);
        for (place, section) in raw.sections[..self.sections.len()].iter_mut().zip(&self.sections) {
            *place = section.to_raw(section.tag.kind().map_or(0, |kind| self.row_size(kind)));
        }
        let digest = digest_of(&raw);
        raw.digest = digest.0;
        raw.parent = self.parent.0;
        raw.sequence = U64::new(self.sequence);
        raw.crc = U32::new(crc32fast::hash(&raw.as_bytes()[..CRC_AT]));
        let mut page = [0; PAGE_LEN];
        page.copy_from_slice(raw.as_bytes());
        (page, digest)
    }

    /// The section with this tag.
    #[must_use]
    pub fn section(&self, tag: Tag) -> Option<&Section> {
        self.sections.iter().find(|section| section.tag == tag)
    }

    /// The section of a table.
    #[must_use]
    pub fn table(&self, kind: TableKind) -> Option<&Section> {
        self.section(Tag::table(kind))
    }

    /// The section of a table, if its rows are these.
    pub(crate) fn table_of<R: Row>(&self) -> Option<&Section> {
        self.table(R::TABLE).filter(|_| self.row_size(R::TABLE) == R::SIZE)
    }

    /// Whether its moves have ratings.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.incompatible & RATED_MOVES != 0
    }

    /// Whether its counts know how games ended.
    #[must_use]
    pub fn results(&self) -> Results {
        if self.incompatible & WITHOUT_RESULTS == 0 { Results::Known } else { Results::Unknown }
    }

    /// Bytes of a table's row.
    #[must_use]
    pub fn row_size(&self, kind: TableKind) -> u64 {
        match kind {
            TableKind::Positions => PositionRow::SIZE,
            TableKind::Moves if self.is_rated() => RatedMoveRow::SIZE,
            TableKind::Moves => MoveRow::SIZE,
        }
    }

    /// B-6 to B-8 and B-10, as far as they concern sections.
    fn check_sections(&self, raw: &RawHeader) -> Result<(), Refusal> {
        let mut at = PAGE;
        let mut rank = 0;
        for (index, section) in self.sections.iter().enumerate() {
            let tag = section.tag;
            if !tag.0.iter().all(u8::is_ascii_uppercase) {
                return Err(damaged("B-6", format!("section {index} has no name")));
            }
            if self.sections[..index].iter().any(|before| before.tag == tag) {
                return Err(damaged("B-6", format!("there are two sections {tag}")));
            }
            if let Some(place) = Tag::ORDER.iter().position(|&known| known == tag) {
                if place < rank {
                    return Err(damaged("B-6", format!("section {tag} is out of order")));
                }
                rank = place + 1;
            }
            let end = section.offset.checked_add(section.length).and_then(|end| end.checked_next_multiple_of(PAGE));
            if section.offset != at || end.is_none_or(|end| end > self.file_length) {
                return Err(damaged("B-6", format!("section {tag} is not where it has to be")));
            }
            at = section.end();
            check_section(&raw.sections[index], section, self)?;
            if let Some(kind) = tag.kind() {
                let sums = self.sections.get(index + 1).filter(|next| next.tag == Tag::sums(kind));
                let sums = sums.ok_or_else(|| damaged("B-6", format!("table {tag} is not followed by its sums")))?;
                if sums.length != 8 * blocks_of(section.length) {
                    return Err(damaged("B-7", format!("the sums of {tag} have a wrong length")));
                }
            }
        }
        let has = |tag| self.section(tag).is_some();
        if at.checked_add(PAGE) != Some(self.file_length) {
            return Err(damaged("B-6", "the sections don't end at the last page"));
        }
        if !has(Tag::SOURCES) || !(has(Tag::POSITIONS) || has(Tag::MOVES)) {
            return Err(damaged("B-6", "a section is missing"));
        }
        for kind in [TableKind::Positions, TableKind::Moves] {
            if has(Tag::table(kind)) != has(Tag::sums(kind)) {
                return Err(damaged("B-6", format!("section {} has no table", Tag::sums(kind))));
            }
        }
        if self.is_rated() && !has(Tag::MOVES) {
            return Err(damaged("B-7", "it has ratings of moves, but no moves"));
        }
        self.check_filter()
    }

    /// B-20.
    fn check_filter(&self) -> Result<(), Refusal> {
        let Some(filter) = self.section(Tag::FILTER) else { return Ok(()) };
        let table = self.table(TableKind::Positions).ok_or_else(|| damaged("B-20", "there is a filter of positions, but no positions"))?;
        // A file has room for less than 2^60 rows, so nothing overflows.
        if filter.length != filter_blocks(table.shape.rows) * FilterBlock::SIZE {
            return Err(damaged("B-20", "the filter's length is not that of its rows"));
        }
        Ok(())
    }
}

impl RawHeader {
    /// B-1 to B-4: is this a header page, undamaged, that we know how to read?
    fn check_frame(&self) -> Result<(), Refusal> {
        let crc = {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&MAGIC);
            hasher.update(&self.as_bytes()[MAGIC.len()..CRC_AT]);
            hasher.finalize()
        };
        let whole = crc == self.crc.get();
        if self.magic != MAGIC {
            return Err(if whole { damaged("B-1", "its first eight bytes are wrong") } else { Refusal::NotABook });
        }
        if !whole {
            return Err(damaged("B-2", "its checksum is wrong"));
        }
        if self.version.get() != VERSION || self.page.get() != PAGE as u32 || self.block.get() != BLOCK as u32 {
            return Err(Refusal::Version { got: self.version.get() });
        }
        match self.incompatible.get() & !KNOWN_FEATURES {
            0 => Ok(()),
            unknown => Err(Refusal::Features { unknown }),
        }
    }

    /// B-9 and B-10: the values, each of them checked by itself.
    fn header(&self) -> Result<Header, Refusal> {
        let count = self.section_count.get() as usize;
        if count == 0 || count > MAX_SECTIONS {
            return Err(damaged("B-6", format!("it speaks of {count} sections")));
        }
        let (used, unused) = self.sections.split_at(count);
        let reserved = [&self.reserved[..], &self.more_reserved, &self.rest, unused.as_bytes()];
        if reserved.iter().any(|bytes| bytes.iter().any(|&byte| byte != 0)) {
            return Err(damaged("B-10", "a reserved byte is not zero"));
        }
        Ok(Header {
            game: Name::from_bytes(self.game).ok_or_else(|| damaged("B-9", "the game has no proper name"))?,
            keys: Name::from_bytes(self.keys).ok_or_else(|| damaged("B-9", "the key scheme has no proper name"))?,
            keyed: Keyed::from_byte(self.keyed).ok_or_else(|| damaged("B-9", format!("keyed is {}", self.keyed)))?,
            load: Load::from_thousandths(self.load.get()).ok_or_else(|| damaged("B-9", format!("load is {}", self.load)))?,
            incompatible: self.incompatible.get(),
            compatible: self.compatible.get(),
            digest: Digest(self.digest),
            parent: Digest(self.parent),
            sequence: self.sequence.get(),
            file_length: self.file_length.get(),
            sections: used.iter().map(Section::from_raw).collect(),
        })
    }
}

/// B-7, B-8 and B-10 for one section.
fn check_section(raw: &RawSection, section: &Section, header: &Header) -> Result<(), Refusal> {
    let tag = section.tag;
    if raw.reserved != [0; 16] || (tag.kind().is_some() && section.checksum != 0) {
        return Err(damaged("B-10", format!("a reserved byte of section {tag} is not zero")));
    }
    let shape = section.shape;
    let Some(row_size) = tag.kind().map(|kind| header.row_size(kind)) else {
        let plain = raw.row_size.get() == 0 && shape == TableShape::default();
        return if plain { Ok(()) } else { Err(damaged("B-10", format!("section {tag} has the shape of a table"))) };
    };
    let length = shape.homes.checked_add(shape.reach).and_then(|slots| slots.checked_mul(row_size));
    if u64::from(raw.row_size.get()) != row_size || length != Some(section.length) {
        return Err(damaged("B-7", format!("the size of table {tag} is not that of its slots")));
    }
    if shape.homes == 0 || shape.rows > shape.slots() {
        return Err(damaged("B-7", format!("table {tag} has more rows than slots, or no slot")));
    }
    if shape.homes != header.load.homes(shape.rows) {
        return Err(damaged("B-8", format!("the homes of table {tag} don't follow from its rows and load")));
    }
    Ok(())
}

/// The digest of a header page (section 3.2).
fn digest_of(raw: &RawHeader) -> Digest {
    let mut page = [0; PAGE_LEN];
    page[..CRC_AT].copy_from_slice(&raw.as_bytes()[..CRC_AT]);
    page[OUTSIDE_DIGEST].fill(0);
    Digest::of(&page)
}

fn damaged(rule: super::Rule, what: impl Into<String>) -> Refusal {
    Refusal::Damaged { rule, what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header of an empty book with both tables, and the file length it speaks of.
    fn header() -> Header {
        let mut sections = Vec::new();
        let mut at = PAGE;
        let mut add = |tag, length, shape| {
            sections.push(Section { tag, offset: at, length, checksum: 0, shape });
            at += PAGE;
        };
        let shape = TableShape { homes: 1, ..TableShape::default() };
        for kind in [TableKind::Positions, TableKind::Moves] {
            add(Tag::table(kind), 24, shape);
            add(Tag::sums(kind), 8, TableShape::default());
        }
        add(Tag::SOURCES, 8, TableShape::default());
        Header {
            game: "chess".parse().unwrap(),
            keys: "polyglot".parse().unwrap(),
            keyed: Keyed::Position,
            load: Load::default(),
            incompatible: 0,
            compatible: 0,
            digest: Digest::NONE,
            parent: Digest::NONE,
            sequence: 0,
            file_length: at + PAGE,
            sections,
        }
    }

    #[test]
    fn a_header_comes_back() {
        let header = header();
        let (page, digest) = header.seal();
        assert_eq!(Header::parse(&page, header.file_length), Ok(Header { digest, ..header }));
    }

    #[test]
    fn b7_the_size_of_moves_rows_follows_from_the_feature_of_ratings() {
        let plain = header();
        let mut rated = Header { incompatible: RATED_MOVES | WITHOUT_RESULTS, ..plain.clone() };
        rated.sections[2].length = 48;
        let (page, digest) = rated.seal();
        assert_eq!(Header::parse(&page, rated.file_length), Ok(Header { digest, ..rated.clone() }));
        assert!(rated.is_rated() && rated.results() == Results::Unknown && rated.row_size(TableKind::Moves) == 48);
        assert!(!plain.is_rated() && plain.results() == Results::Known && plain.row_size(TableKind::Moves) == 24);
        let mut narrow = rated.clone();
        narrow.sections[2].length = 24;
        let mut without_moves = Header { sections: [&plain.sections[..2], &plain.sections[4..]].concat(), ..rated.clone() };
        without_moves.sections[2].offset = 3 * PAGE;
        without_moves.file_length = 5 * PAGE;
        for wrong in [Header { incompatible: 0, ..rated.clone() }, narrow, without_moves] {
            let (page, _) = wrong.seal();
            let refusal = Header::parse(&page, wrong.file_length).unwrap_err();
            assert!(matches!(refusal, Refusal::Damaged { rule: "B-7", .. }), "{refusal}");
        }
    }

    #[test]
    fn b4_unknown_features_are_refused() {
        for bit in 2..64 {
            let header = Header { incompatible: 1 << bit | WITHOUT_RESULTS, ..header() };
            assert_eq!(Header::parse(&header.seal().0, header.file_length), Err(Refusal::Features { unknown: 1 << bit }));
        }
    }

    #[test]
    fn lineage_is_no_part_of_the_identity() {
        let header = header();
        let child = Header { parent: Digest([7; 16]), sequence: 9, ..header.clone() };
        let ((page, digest), (other, same)) = (header.seal(), child.seal());
        assert_eq!(digest, same);
        assert_ne!(page, other);
    }

    #[test]
    fn b2_every_flipped_bit_of_the_page_is_refused() {
        let header = header();
        let (page, _) = header.seal();
        for bit in 0..PAGE_LEN * 8 {
            let mut flipped = page;
            flipped[bit / 8] ^= 1 << (bit % 8);
            let refusal = Header::parse(&flipped, header.file_length).unwrap_err();
            let rule = if bit < 64 { "B-1" } else { "B-2" };
            assert!(matches!(refusal, Refusal::Damaged { rule: got, .. } if got == rule), "bit {bit}: {refusal}");
        }
    }

    #[test]
    fn b5_every_other_length_is_refused() {
        let header = header();
        let (page, _) = header.seal();
        for len in 0..PAGE_LEN {
            let refusal = Header::parse(&page[..len], len as u64).unwrap_err();
            let expected = if len < 8 { Refusal::NotABook } else { Refusal::Length { expected: PAGE, got: len as u64 } };
            assert_eq!(refusal, expected);
        }
        for got in [PAGE, header.file_length - 1, header.file_length + 1] {
            assert_eq!(Header::parse(&page, got), Err(Refusal::Length { expected: header.file_length, got }));
        }
    }
}
