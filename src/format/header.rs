//! The header page: what a book says of itself, and the rules B-1 to B-11 and B-20 that are checked
//! whenever it is opened. Those that concern sections are in [`section`](super::section).

use super::Tag;
use super::section::{RawSection, check_sections, is_unreleased};
use super::{
    BLOCK, Digest, Keyed, Load, MAGIC, Name, PAGE, PAGE_LEN, Refusal, Results, Section, Share,
    VERSION, damaged,
};
use crate::column::Columns;
use crate::format::Rule;
use crate::row::TableKind;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The most sections a header page has room for.
pub const MAX_SECTIONS: usize = 39;
/// The incompatible features of books that were made before the format was final: with rows of 48
/// bytes; packed, with pages that don't say which they are.
const UNRELEASED: u64 = 1 | 1 << 3;
/// The incompatible feature of a book of counts without results.
const WITHOUT_RESULTS: u64 = 1 << 1;
/// The incompatible feature of a book that holds a share of the hashes.
const IS_SHARE: u64 = 1 << 2;
/// The incompatible feature of a packed book.
const IS_PACKED: u64 = 1 << 4;
/// All incompatible features that this code knows.
const KNOWN_FEATURES: u64 = WITHOUT_RESULTS | IS_SHARE | IS_PACKED;
/// Where the CRC-32 of the page is.
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
    share_bits: u8,
    reserved: [u8; 2],
    load: U32,
    block: U32,
    section_count: U32,
    file_length: U64,
    digest: [u8; 16],
    parent: [u8; 16],
    sequence: U64,
    share_number: U32,
    more_reserved: [u8; 124],
    sections: [RawSection; MAX_SECTIONS],
    rest: [u8; CRC_AT - 256 - MAX_SECTIONS * 96],
    crc: U32,
}

const _: () = assert!(size_of::<RawHeader>() == PAGE_LEN);

/// A book's header: its first page.
///
/// ```
/// # use tabia::{Book, TableKind};
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let book = Book::open(&path)?;
/// let header = book.header();
/// assert_eq!((header.game.to_string(), header.table(TableKind::Positions).unwrap().shape.rows), ("chess".to_owned(), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub game: Name,
    /// The key scheme.
    pub keys: Name,
    /// What the keys identify.
    pub keyed: Keyed,
    /// Whether its counts know how games ended.
    pub results: Results,
    /// Which hashes the book holds.
    pub share: Share,
    /// How full the tables' homes are.
    pub load: Load,
    /// Whether its rows are packed into pages.
    pub packed: bool,
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
    /// Reads a book's first page, given the file's length, and checks rules B-1 to B-11.
    ///
    /// # Errors
    /// The rule that is broken.
    pub fn parse(page: &[u8], file_length: u64) -> Result<Self, Refusal> {
        let Ok((raw, _)) = RawHeader::ref_from_prefix(page) else {
            let cut = Refusal::Length { expected: PAGE, got: file_length };
            return Err(if page.starts_with(&MAGIC) { cut } else { Refusal::NotABook });
        };
        raw.check_frame()?;
        let header = raw.header()?;
        if header.file_length != file_length {
            return Err(Refusal::Length { expected: header.file_length, got: file_length });
        }
        if !file_length.is_multiple_of(PAGE) {
            return Err(damaged(Rule::B5, "its length is not a whole number of pages"));
        }
        check_sections(&header, &raw.sections)?;
        if digest_of(raw) != header.digest {
            return Err(damaged(Rule::B11, "its digest is not that of the page"));
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
        raw.incompatible = U64::new(self.incompatible());
        raw.compatible = U64::new(self.compatible);
        raw.game = self.game.to_bytes();
        raw.keys = self.keys.to_bytes();
        raw.keyed = self.keyed.to_byte();
        raw.share_bits = self.share.bits();
        raw.share_number = U32::new(self.share.number());
        raw.load = U32::new(self.load.thousandths());
        raw.block = U32::new(BLOCK as u32);
        raw.section_count = U32::new(self.sections.len() as u32);
        raw.file_length = U64::new(self.file_length);
        for (place, section) in raw.sections[..self.sections.len()].iter_mut().zip(&self.sections) {
            *place = section.to_raw();
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

    /// The features that a reader has to know.
    #[must_use]
    pub fn incompatible(&self) -> u64 {
        let results = if self.results == Results::Known { 0 } else { WITHOUT_RESULTS };
        let share = if self.share.is_whole() { 0 } else { IS_SHARE };
        results | share | if self.packed { IS_PACKED } else { 0 }
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

    /// The sections beside a table, known or not, in their order; TAGS and DICT among them.
    pub fn beside(&self, kind: TableKind) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |section| section.beside == Some(kind))
    }

    /// The columns of a table that this code knows.
    #[must_use]
    pub fn columns(&self, kind: TableKind) -> Columns {
        self.beside(kind).filter_map(Section::column).collect()
    }

    /// The sections that are columns which this code doesn't know: what they say would be lost in
    /// another book.
    pub fn unknown_columns(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| section.is_unknown_column())
    }

    /// Bytes of the cells of a row of a table, of all its columns, known or not.
    #[must_use]
    pub fn cells(&self, kind: TableKind) -> u64 {
        self.beside(kind).filter(|section| section.is_column()).map(|section| section.cell).sum()
    }
}

impl RawHeader {
    /// B-1 to B-4 and B-20: is this a header page, undamaged, that we know how to read?
    fn check_frame(&self) -> Result<(), Refusal> {
        let crc = {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&MAGIC);
            hasher.update(&self.as_bytes()[MAGIC.len()..CRC_AT]);
            hasher.finalize()
        };
        let whole = crc == self.crc.get();
        if self.magic != MAGIC {
            return Err(if whole {
                damaged(Rule::B1, "its first eight bytes are wrong")
            } else {
                Refusal::NotABook
            });
        }
        if !whole {
            return Err(damaged(Rule::B2, "its checksum is wrong"));
        }
        if self.version.get() != VERSION
            || self.page.get() != PAGE as u32
            || self.block.get() != BLOCK as u32
        {
            return Err(Refusal::Version { got: self.version.get() });
        }
        let sections = self.sections.iter().take(self.section_count.get() as usize);
        match self.incompatible.get() & !KNOWN_FEATURES & !UNRELEASED {
            0 if self.incompatible.get() & UNRELEASED != 0
                || sections.into_iter().any(is_unreleased) =>
            {
                Err(Refusal::Unreleased)
            }
            0 => Ok(()),
            unknown => Err(Refusal::Features { unknown }),
        }
    }

    /// B-9 and B-10: the values, each of them checked by itself.
    fn header(&self) -> Result<Header, Refusal> {
        let count = self.section_count.get() as usize;
        if count == 0 || count > MAX_SECTIONS {
            return Err(damaged(Rule::B6, format!("it speaks of {count} sections")));
        }
        let (used, unused) = self.sections.split_at(count);
        let reserved = [&self.reserved[..], &self.more_reserved, &self.rest, unused.as_bytes()];
        if reserved.iter().any(|bytes| bytes.iter().any(|&byte| byte != 0)) {
            return Err(damaged(Rule::B10, "a reserved byte is not zero"));
        }
        let features = self.incompatible.get();
        let results =
            if features & WITHOUT_RESULTS == 0 { Results::Known } else { Results::Unknown };
        let share = Share::new(self.share_bits, self.share_number.get());
        let share = share.filter(|share| share.is_whole() == (features & IS_SHARE == 0));
        Ok(Header {
            game: Name::from_bytes(self.game)
                .ok_or_else(|| damaged(Rule::B9, "the game has no proper name"))?,
            keys: Name::from_bytes(self.keys)
                .ok_or_else(|| damaged(Rule::B9, "the key scheme has no proper name"))?,
            keyed: Keyed::from_byte(self.keyed)
                .ok_or_else(|| damaged(Rule::B9, format!("keyed is {}", self.keyed)))?,
            results,
            share: share.ok_or_else(|| damaged(Rule::B9, "there is no such share"))?,
            load: Load::from_thousandths(self.load.get())
                .ok_or_else(|| damaged(Rule::B9, format!("load is {}", self.load)))?,
            packed: features & IS_PACKED != 0,
            compatible: self.compatible.get(),
            digest: Digest(self.digest),
            parent: Digest(self.parent),
            sequence: self.sequence.get(),
            file_length: self.file_length.get(),
            sections: used.iter().map(Section::from_raw).collect(),
        })
    }
}

/// The digest of a header page (section 3.3 of the specification).
fn digest_of(raw: &RawHeader) -> Digest {
    let mut page = [0; PAGE_LEN];
    page[..CRC_AT].copy_from_slice(&raw.as_bytes()[..CRC_AT]);
    page[OUTSIDE_DIGEST].fill(0);
    Digest::of(&page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{TableShape, Tag};
    use crate::row::TableKind;

    /// A header of an empty book with both tables, and the file length it speaks of.
    fn header() -> Header {
        let mut sections = Vec::new();
        let mut at = PAGE;
        let mut add = |tag, cell, length, shape| {
            sections.push(Section {
                tag,
                cell,
                offset: at,
                length,
                checksum: 0,
                shape,
                beside: None,
            });
            at += PAGE;
        };
        let shape = TableShape { homes: 1, ..TableShape::default() };
        for kind in TableKind::ALL {
            add(Tag::table(kind), 24, 24, shape);
            add(Tag::table(kind).sums(), 0, 8, TableShape::default());
        }
        add(Tag::SOURCES, 0, 8, TableShape::default());
        add(Tag::FACTS, 0, 8, TableShape::default());
        Header {
            game: "chess".parse().unwrap(),
            keys: "polyglot".parse().unwrap(),
            keyed: Keyed::Position,
            load: Load::default(),
            results: Results::Known,
            share: Share::WHOLE,
            packed: false,
            compatible: 0,
            digest: Digest::NONE,
            parent: Digest::NONE,
            sequence: 0,
            file_length: at + PAGE,
            sections,
        }
    }

    /// A header's page with other bytes at an offset, and digest and crc made anew.
    fn patched(header: &Header, at: usize, bytes: &[u8]) -> Result<Header, Refusal> {
        let (mut page, _) = header.seal();
        page[at..at + bytes.len()].copy_from_slice(bytes);
        let mut raw = RawHeader::read_from_bytes(&page).unwrap();
        raw.digest = digest_of(&raw).0;
        raw.crc = U32::new(crc32fast::hash(&raw.as_bytes()[..CRC_AT]));
        Header::parse(raw.as_bytes(), header.file_length)
    }

    #[test]
    fn b9_shares_and_results_come_back() {
        let share = Share::new(3, 5).unwrap();
        let header = Header { share, results: Results::Unknown, ..header() };
        let (page, digest) = header.seal();
        let expected = Header { digest, ..header.clone() };
        assert_eq!(Header::parse(&page, header.file_length), Ok(expected));
        for (at, bytes) in [(128, 8u32), (65, 0), (65, 33), (16, 0)] {
            let len = if at == 128 { 4 } else { 1 };
            let refusal = patched(&header, at, &bytes.to_le_bytes()[..len]).unwrap_err();
            let Refusal::Damaged { rule, .. } = refusal else { panic!("{at}: {refusal}") };
            assert!([Rule::B9, Rule::B10].contains(&rule), "{at}: {rule}");
        }
    }

    #[test]
    fn b2_every_flipped_bit_of_the_page_is_refused() {
        let header = header();
        let (page, _) = header.seal();
        for bit in 0..PAGE_LEN * 8 {
            let mut flipped = page;
            flipped[bit / 8] ^= 1 << (bit % 8);
            let refusal = Header::parse(&flipped, header.file_length).unwrap_err();
            let rule = if bit < 64 { Rule::B1 } else { Rule::B2 };
            let Refusal::Damaged { rule: got, .. } = refusal else { panic!("{bit}: {refusal}") };
            assert_eq!(got, rule, "bit {bit}");
        }
    }
}
