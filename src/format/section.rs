//! Sections: the entries of a header's section table, and the rules that concern them (B-6 to B-8,
//! B-10, B-20, B-23, B-25).

use super::{Header, Load, PAGE, Refusal, Rule, Tag, damaged};
use crate::column::Column;
use crate::row::{Counts, TableKind};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Bytes of a table under one checksum.
pub const BLOCK: u64 = PAGE;

/// The number of blocks in a table of `length` bytes.
#[must_use]
pub const fn blocks_of(length: u64) -> u64 {
    length.div_ceil(BLOCK)
}

/// The checksums of the blocks that these bytes consist of; the last one may be short.
pub(crate) fn block_sums(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(BLOCK as usize).map(xxh3_64)
}

/// Bytes of a table's row.
pub(crate) const ROW: u64 = 24;
/// Bytes of a cell of TAGS.
pub(crate) const TAG_CELL: u64 = 2;
/// Bytes of a game of a packed book's dictionary.
pub(crate) const GAME_CELL: u64 = 16;

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned, PartialEq, Eq)]
#[repr(C)]
pub(super) struct RawSection {
    tag: [u8; 4],
    cell: U32,
    offset: U64,
    length: U64,
    checksum: U64,
    rows: U64,
    homes: U64,
    max_displacement: U64,
    wins: U64,
    draws: U64,
    losses: U64,
    beside: [u8; 4],
    reserved: [u8; 12],
}

const _: () = assert!(size_of::<RawSection>() == 96);

/// A table's shape and totals, from the header.
///
/// ```
/// # let (_folder, path) = tabia_testing::tiny_book();
/// use tabia::{Book, TableKind};
///
/// let book = Book::open(&path)?;
/// let shape = book.header().table(TableKind::Positions).expect("it has a positions table").shape;
/// assert_eq!((shape.rows, shape.homes, shape.wins), (1, 2, 3));
/// assert!(!shape.is_crowded(TableKind::Positions, book.header().load));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableShape {
    /// Rows in it.
    pub rows: u64,
    /// Homes; a probe starts at one of them.
    pub homes: u64,
    /// The largest displacement of a row: its slot minus its home.
    pub max_displacement: u64,
    /// The sum of all rows' wins, modulo 2^64.
    pub wins: u64,
    /// The sum of all rows' draws, modulo 2^64.
    pub draws: u64,
    /// The sum of all rows' losses, modulo 2^64.
    pub losses: u64,
}

impl TableShape {
    /// The number of slots (B-23): those with a home, and the slack after them.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.homes.saturating_add(slack(self.rows, self.max_displacement))
    }

    #[inline(always)]
    pub(crate) fn count(&mut self, counts: Counts) {
        self.rows += 1;
        self.wins = self.wins.wrapping_add(counts.wins.into());
        self.draws = self.draws.wrapping_add(counts.draws.into());
        self.losses = self.losses.wrapping_add(counts.losses.into());
    }

    /// Counts the rows that another one has counted.
    pub(crate) fn join(&mut self, other: &Self) {
        self.rows += other.rows;
        self.max_displacement = self.max_displacement.max(other.max_displacement);
        self.wins = self.wins.wrapping_add(other.wins);
        self.draws = self.draws.wrapping_add(other.draws);
        self.losses = self.losses.wrapping_add(other.losses);
    }

    /// Whether rows are further from their homes than in any table of random keys: then keys were
    /// chosen to collide, or are not those of the whole. Probes of such a table are slow.
    ///
    /// The displacement of random keys has an exponential tail; at load `a` one of more than
    /// `(2 ln rows + 20) / (1 - a)` slots is not met in practice. Moves come in groups, of up to
    /// some dozens at a position.
    #[must_use]
    pub fn is_crowded(&self, kind: TableKind, load: Load) -> bool {
        let free = u64::from(1000 - load.thousandths());
        let usual = 1000 * (2 * u64::from(self.rows.max(1).ilog2()) + 20) / free;
        let group = match kind {
            TableKind::Positions => 1,
            TableKind::Moves => 8,
        };
        self.max_displacement > usual * group
    }
}

/// The number of slots after the last home of a table with `rows` rows and this largest
/// displacement (B-23). It makes the start of each section known before the rows are, unless their
/// keys are chosen to collide.
#[must_use]
pub fn slack(rows: u64, max_displacement: u64) -> u64 {
    const LEAST: u64 = 1024;
    if rows <= LEAST {
        return rows;
    }
    let mut slack = LEAST;
    while slack < max_displacement {
        slack = slack.saturating_mul(4);
    }
    slack
}

/// A section: where it is, and what it holds.
///
/// ```
/// # let (_folder, path) = tabia_testing::tiny_book();
/// use tabia::{Book, Tag};
///
/// let book = Book::open(&path)?;
/// let section = book.header().sections.iter().find(|section| section.tag == Tag::POSITIONS).expect("it has a positions table");
/// assert_eq!((section.cell, section.offset % 4096), (24, 0));
/// assert_eq!(section.length, section.shape.slots() * section.cell);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub tag: Tag,
    /// Bytes of a row, or of a cell of a section beside a table; 0 for others.
    pub cell: u64,
    /// Where its body starts in the file; a multiple of [`PAGE`].
    pub offset: u64,
    /// Bytes of its body, without padding.
    pub length: u64,
    /// XXH3-64 of its body; 0 for sections that are followed by sums.
    pub checksum: u64,
    /// The table's shape; all zero if it is none.
    pub shape: TableShape,
    /// The table whose slots it has a cell for, if it is beside one.
    pub beside: Option<TableKind>,
}

impl Section {
    /// Where the next section starts: after the body and its padding.
    #[must_use]
    pub fn end(&self) -> u64 {
        (self.offset + self.length).next_multiple_of(PAGE)
    }

    /// Whether it is a table or beside one, so that its blocks have sums of their own.
    #[must_use]
    pub fn has_sums(&self) -> bool {
        self.tag.kind().is_some() || self.beside.is_some()
    }

    /// Whether it is a column, known or not.
    pub(crate) fn is_column(&self) -> bool {
        self.beside.is_some() && ![Tag::TAGS, Tag::GAMES].contains(&self.tag)
    }

    /// The column it holds, if one that this code knows.
    #[must_use]
    pub fn column(&self) -> Option<&'static Column> {
        Column::of_tag(self.tag).filter(|column| Some(column.table) == self.beside)
    }

    /// Whether it is a column that this code doesn't know.
    #[must_use]
    pub fn is_unknown_column(&self) -> bool {
        self.beside.is_some() && rank(self.tag).is_none()
    }

    pub(super) fn from_raw(raw: &RawSection) -> Self {
        let shape = TableShape {
            rows: raw.rows.get(),
            homes: raw.homes.get(),
            max_displacement: raw.max_displacement.get(),
            wins: raw.wins.get(),
            draws: raw.draws.get(),
            losses: raw.losses.get(),
        };
        Self {
            tag: Tag(raw.tag),
            cell: raw.cell.get().into(),
            offset: raw.offset.get(),
            length: raw.length.get(),
            checksum: raw.checksum.get(),
            shape,
            beside: Tag(raw.beside).kind(),
        }
    }

    pub(super) fn to_raw(self) -> RawSection {
        RawSection {
            tag: self.tag.0,
            cell: U32::new(self.cell as u32),
            offset: U64::new(self.offset),
            length: U64::new(self.length),
            checksum: U64::new(self.checksum),
            rows: U64::new(self.shape.rows),
            homes: U64::new(self.shape.homes),
            max_displacement: U64::new(self.shape.max_displacement),
            wins: U64::new(self.shape.wins),
            draws: U64::new(self.shape.draws),
            losses: U64::new(self.shape.losses),
            beside: self.beside.map_or(Tag::NONE, Tag::table).0,
            reserved: [0; 12],
        }
    }
}

/// Where a section of a known tag is in the order of a file.
fn rank(tag: Tag) -> Option<usize> {
    let columns = Column::ALL.iter().map(|column| column.tag);
    let known = [Tag::PACK, Tag::PAGE, Tag::POSITIONS, Tag::TAGS, Tag::MOVES].into_iter();
    known
        .chain(columns)
        .chain([Tag::GAMES, Tag::SOURCES, Tag::FACTS, Tag::COPY])
        .position(|known| known == tag)
}

/// Rules that concern sections, of a header whose other values are right.
pub(super) fn check_sections(header: &Header, raw: &[RawSection]) -> Result<(), Refusal> {
    let &Header { ref sections, file_length, .. } = header;
    let mut at = PAGE;
    let mut last = None;
    for (index, section) in sections.iter().enumerate() {
        let tag = section.tag;
        if !tag.0.iter().all(u8::is_ascii_uppercase) && !tag.is_sums() {
            return Err(damaged(Rule::B6, format!("section {index} has no name")));
        }
        if sections[..index].iter().any(|before| before.tag == tag) {
            return Err(damaged(Rule::B6, format!("there are two sections {tag}")));
        }
        if let Some(mine) = rank(tag) {
            if Some(mine) < last {
                return Err(damaged(Rule::B6, format!("section {tag} is out of order")));
            }
            last = Some(mine);
        }
        let end = section.offset.checked_add(section.length);
        let end = end.and_then(|end| end.checked_next_multiple_of(PAGE));
        if section.offset != at || end.is_none_or(|end| end > file_length) {
            return Err(damaged(Rule::B6, format!("section {tag} is not where it has to be")));
        }
        at = section.end();
        check_section(&raw[index], section, header, &sections[..index])?;
        let before = index.checked_sub(1).map(|before| &sections[before]);
        check_sums(section, sections.get(index + 1), before)?;
    }
    let has = |tag| sections.iter().any(|section| section.tag == tag);
    if at.checked_add(PAGE) != Some(file_length) {
        return Err(damaged(Rule::B6, "the sections don't end at the last page"));
    }
    if !is_packed_as_it_says(header) {
        return Err(damaged(Rule::B30, "it has pages or says so, but not as packed books do"));
    }
    let missing =
        !has(Tag::SOURCES) || !has(Tag::FACTS) || !(has(Tag::POSITIONS) || has(Tag::MOVES));
    if missing { Err(damaged(Rule::B6, "a section is missing")) } else { Ok(()) }
}

/// B-30: a packed book begins with PACK and PAGE, and ends with the copy of PACK; no other book has
/// one of them.
fn is_packed_as_it_says(header: &Header) -> bool {
    let tags = [Tag::PACK, Tag::PAGE, Tag::GAMES, Tag::COPY];
    if !header.packed {
        return !header.sections.iter().any(|section| tags.contains(&section.tag));
    }
    let (Some(pack), Some(copy)) = (header.section(Tag::PACK), header.section(Tag::COPY)) else {
        return false;
    };
    let first = header.sections.iter().map(|section| section.tag).take(2);
    first.eq([Tag::PACK, Tag::PAGE])
        && header.section(Tag::GAMES).is_some() == header.section(Column::GAME.tag).is_some()
        && header.sections.last().is_some_and(|last| last.tag == Tag::COPY)
        && (pack.length, pack.checksum) == (copy.length, copy.checksum)
}

/// B-20: whether this is the entry of a section that only books have which were made before the
/// format was final.
pub(super) fn is_unreleased(section: &RawSection) -> bool {
    [*b"PSUM", *b"MSUM", *b"FILT"].contains(&section.tag)
}

/// Sums directly follow their section, and are nowhere else (B-6), one for each of its blocks
/// (B-7).
fn check_sums(
    section: &Section,
    next: Option<&Section>,
    before: Option<&Section>,
) -> Result<(), Refusal> {
    let tag = section.tag;
    if tag.is_sums() && before.is_none_or(|before| before.tag.sums() != tag || !before.has_sums()) {
        let what = format!("section {tag} is not behind what it has the sums of");
        return Err(damaged(Rule::B6, what));
    }
    if !section.has_sums() {
        return Ok(());
    }
    let sums = next.filter(|next| next.tag == tag.sums());
    let sums = sums
        .ok_or_else(|| damaged(Rule::B6, format!("section {tag} is not followed by its sums")))?;
    if sums.length != 8 * blocks_of(section.length) {
        return Err(damaged(Rule::B7, format!("the sums of {tag} have a wrong length")));
    }
    Ok(())
}

/// B-7, B-8, B-10, B-23 and B-25 for one section, given those before it.
fn check_section(
    raw: &RawSection,
    section: &Section,
    header: &Header,
    before: &[Section],
) -> Result<(), Refusal> {
    let tag = section.tag;
    let wrong = |rule: Rule, what: &str| Err(damaged(rule, format!("{what} of section {tag}")));
    if raw.reserved != [0; 12] || (section.has_sums() && section.checksum != 0) {
        return wrong(Rule::B10, "there is something in a reserved byte");
    }
    let beside = Tag(raw.beside);
    if beside != Tag::NONE && (beside.kind().is_none() || tag.is_sums()) {
        let rule = if tag.is_sums() { Rule::B10 } else { Rule::B25 };
        return wrong(rule, "there is no such table to be beside");
    }
    if tag.kind().is_some() {
        return match beside {
            Tag::NONE if header.packed => check_large_rows(section),
            Tag::NONE => check_table(section, header.load),
            _ => wrong(Rule::B10, "the table of another section"),
        };
    }
    if tag == Tag::PAGE {
        return check_pages(section);
    }
    if section.shape != TableShape::default() {
        return wrong(Rule::B10, "the shape of a table is in the entry");
    }
    let cell = match tag {
        Tag::TAGS => Some((TableKind::Positions, Some(TAG_CELL))),
        Tag::GAMES => Some((TableKind::Moves, Some(GAME_CELL))),
        _ => match Column::of_tag(tag) {
            Some(column) => Some((column.table, Some(column.size() as u64))),
            None => section.beside.map(|table| (table, None)),
        },
    };
    let Some((table, cell)) = cell else {
        return if section.cell == 0 {
            Ok(())
        } else {
            wrong(Rule::B10, "there is a cell size in the entry")
        };
    };
    let rule = if header.packed { Rule::B30 } else { Rule::B25 };
    if section.beside != Some(table)
        || cell.is_some_and(|cell| cell != section.cell)
        || section.cell == 0
    {
        return wrong(rule, "the table or cell size is wrong");
    }
    let table = before.iter().find(|section| section.tag == Tag::table(table));
    let slots = table.map(|table| match header.packed {
        true if tag == Tag::TAGS => 0,
        true => table.length / ROW,
        false => table.shape.slots(),
    });
    if header.packed && section.is_unknown_column() {
        return wrong(rule, "a packed book can't have the column");
    }
    let fits = match tag {
        Tag::GAMES => section.length.is_multiple_of(GAME_CELL),
        _ => slots.and_then(|slots| slots.checked_mul(section.cell)) == Some(section.length),
    };
    if fits { Ok(()) } else { wrong(rule, "the length is not that of a cell for each slot") }
}

/// B-30 for a table of a packed book, which has only the rows of large groups.
fn check_large_rows(section: &Section) -> Result<(), Refusal> {
    let shape = section.shape;
    let fits = section.cell == ROW
        && section.length.is_multiple_of(ROW)
        && section.length / ROW <= shape.rows
        && (shape.homes, shape.max_displacement) == (0, 0);
    if fits {
        return Ok(());
    }
    Err(damaged(Rule::B30, format!("the size of table {} is not that of its rows", section.tag)))
}

/// B-30 for the pages of a packed book.
fn check_pages(section: &Section) -> Result<(), Refusal> {
    /// A group stands at most so many pages behind its home.
    const MOST_BEHIND: u64 = 2;
    let (shape, pages) = (section.shape, section.length / PAGE);
    let others = TableShape { rows: 0, homes: 0, ..shape };
    let fits = section.cell == PAGE
        && section.length.is_multiple_of(PAGE)
        && shape.homes > 0
        && (0..=MOST_BEHIND).contains(&pages.wrapping_sub(shape.homes))
        && others == TableShape::default();
    if fits {
        return Ok(());
    }
    Err(damaged(Rule::B30, format!("the size of section {} is not that of its pages", section.tag)))
}

/// B-7, B-8 and B-23 for a table.
fn check_table(section: &Section, load: Load) -> Result<(), Refusal> {
    let (tag, shape) = (section.tag, section.shape);
    let slots = section.length / ROW;
    if section.cell != ROW
        || !section.length.is_multiple_of(ROW)
        || shape.homes == 0
        || shape.homes > slots
        || shape.rows > slots
    {
        return Err(damaged(Rule::B7, format!("the size of table {tag} is not that of its slots")));
    }
    if shape.homes != load.homes(shape.rows) {
        let what = format!("the homes of table {tag} don't follow from its rows and load");
        return Err(damaged(Rule::B8, what));
    }
    if shape.max_displacement > slots - shape.homes
        || slots - shape.homes != slack(shape.rows, shape.max_displacement)
    {
        let what = format!("the slack of table {tag} doesn't follow from its rows");
        return Err(damaged(Rule::B23, what));
    }
    Ok(())
}

/// The blocks that contain `len` bytes of a section from byte `at` on.
pub(crate) fn blocks_at(at: u64, len: u64) -> std::ops::RangeInclusive<u64> {
    at / BLOCK..=(at + len.max(1) - 1) / BLOCK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b23_slack_follows_from_rows_and_displacement() {
        let cases = [
            ((0, 0), 0),
            ((1, 0), 1),
            ((1024, 1023), 1024),
            ((1025, 0), 1024),
            ((1 << 40, 1024), 1024),
        ];
        for ((rows, max_displacement), expected) in
            cases.into_iter().chain([((2000, 1025), 4096), ((1 << 20, 4097), 16384)])
        {
            assert_eq!(slack(rows, max_displacement), expected, "{rows} rows, {max_displacement}");
        }
        assert_eq!(slack(u64::MAX, u64::MAX), u64::MAX);
    }
}
