//! Verifying the pages of a packed book: that they say what their entries say, and say it as they
//! would be written (B-31, B-32). Each group is taken apart and written again.

use super::census::Census;
use super::dictionary::{Dictionary, Games};
use super::entry::{Entries, Entry};
use super::gather::Review;
use super::group::{Damaged, Found};
use super::group_writer::{GroupBuffer, GroupWriter};
use super::large::{LARGE_BYTES, LargeGroup, LargeGroupRows, large_rows};
use super::page::{Page, PageWriter, checksums};
use super::params::Params;
use super::probe::Packed;
use crate::bytes::Bytes;
use crate::error::{Context, Error, Result};
use crate::format::{Header, PAGE, PAGE_LEN, Rule, TableShape, Tag};
use crate::key::Hash;
use crate::row::{Row, TableKind};
use crate::table::Strips;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

/// Pages that are read at once.
const AT_ONCE: u64 = 64;

/// What is wrong with a page, or with a row in it.
pub(crate) struct PageFault {
    pub page: u64,
    pub rule: Rule,
    pub what: String,
}

/// What a book's pages hold.
#[derive(Default)]
pub(crate) struct Verified {
    pub positions: TableShape,
    pub moves: TableShape,
    pub entries: u64,
    /// Positions flagged `EXPANDED`.
    pub expanded: u64,
}

/// Who hears of what is verified.
pub(crate) trait Observer {
    /// Something is wrong.
    fn found(&mut self, fault: PageFault);

    /// So many more bytes were read; an error ends the work.
    fn step(&mut self, bytes: u64) -> Result<()>;
}

/// Hears of the first thing that is wrong with the layout of a page.
struct OfPage {
    number: u64,
    fault: Option<PageFault>,
}

impl Observer for OfPage {
    fn found(&mut self, fault: PageFault) {
        if fault.page == self.number && [Rule::B31, Rule::B32].contains(&fault.rule) {
            self.fault.get_or_insert(fault);
        }
    }

    fn step(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}

/// Verifies all pages of a book.
///
/// # Errors
/// The system's, and those of the observer.
pub(crate) fn verify_pages(
    bytes: &dyn Bytes,
    path: &Path,
    header: &Header,
    packed: &Packed,
    games: &Dictionary,
    observer: &mut impl Observer,
) -> Result<Verified> {
    let census = Some(Census::new(packed.params.form, games));
    let mut verifier = Verifier { census, ..Verifier::new(bytes, path, header, packed, games) };
    let mut hash = Xxh3Default::new();
    let mut buffer = Vec::new();
    let mut first = 0;
    while first < packed.pages {
        let count = (packed.pages - first).min(AT_ONCE);
        buffer.resize((count * PAGE) as usize, 0);
        bytes.read_exact_at(&mut buffer, packed.offset(first)).at("read", path)?;
        for (number, page) in (first..).zip(buffer.as_chunks::<PAGE_LEN>().0) {
            hash.update(&checksums(page).0.to_le_bytes());
            verifier.page(number, page, observer)?;
        }
        first += count;
        observer.step(count * PAGE)?;
    }
    verifier.end(observer);
    let checksum = header.section(Tag::PAGE).map_or(0, |pages| pages.checksum);
    if verifier.is_whole && hash.digest() != checksum {
        let what = "the checksum of all pages is wrong".to_owned();
        observer.found(PageFault { page: 0, rule: Rule::B14, what });
    }
    let entries = verifier.census.map_or(0, |census| census.entries());
    Ok(Verified { entries, ..verifier.verified })
}

/// A fault of the page at hand.
type Fault = (Rule, String);

/// What is seen of the pages so far.
pub(super) struct Verifier<'a> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    header: &'a Header,
    packed: &'a Packed,
    params: &'a Params,
    games: &'a Dictionary,
    review: Review<'a>,
    groups: GroupWriter<'a>,
    /// The pages as they would be written; none behind a damaged one.
    pages: Option<PageWriter<'a>>,
    /// The page before, which has yet to be compared.
    before: [u8; PAGE_LEN],
    /// The number of the next group; not known behind a damaged page.
    expected: Option<u64>,
    /// The next rows of the bodies of POSN and MOVE.
    next: Option<(u64, u64)>,
    last: Option<Hash>,
    entries: GroupBuffer,
    /// What PACK follows from, if all pages are looked at.
    census: Option<Census<'a>>,
    /// The sum of all entries ([`Entry::sum`]).
    sum: u64,
    is_whole: bool,
    verified: Verified,
    /// The page that was looked at last by [`Verifier::verify_page`].
    alone: Option<u64>,
}

impl<'a> Verifier<'a> {
    pub fn new(
        bytes: &'a dyn Bytes,
        path: &'a Path,
        header: &'a Header,
        packed: &'a Packed,
        games: &'a Dictionary,
    ) -> Self {
        let params = &packed.params;
        Self {
            bytes,
            path,
            header,
            packed,
            params,
            games,
            review: Review::new(games),
            groups: GroupWriter::new(params, games),
            pages: Some(PageWriter::new(params)),
            before: [0; PAGE_LEN],
            expected: Some(0),
            next: Some((0, 0)),
            last: None,
            entries: GroupBuffer::default(),
            census: None,
            sum: 0,
            is_whole: true,
            verified: Verified::default(),
            alone: None,
        }
    }

    /// Verifies one page alone, with all rows of large groups in it, and whether its groups have to
    /// stand there: for that it looks at the page before, too. Pages have to ascend. Damaged blocks
    /// of these rows are left to who reads them.
    pub fn verify_page(&mut self, number: u64) -> Result<()> {
        let first = match self.alone.replace(number) {
            Some(last) if last == number => return Ok(()),
            Some(last) if last + 1 == number => number,
            _ => {
                self.lose();
                self.last = None;
                number.saturating_sub(1)
            }
        };
        let mut found = OfPage { number, fault: None };
        let mut page = [0; PAGE_LEN];
        for number in first..=number {
            let offset = self.packed.offset(number);
            self.bytes.read_exact_at(&mut page, offset).at("read", self.path)?;
            self.page(number, &page, &mut found)?;
        }
        found.fault.map_or(Ok(()), |PageFault { rule, what, .. }| {
            let (path, offset) = (self.path.to_owned(), self.packed.offset(number));
            let what = format!("{what} (page {number} of PAGE)");
            Err(Error::Damaged { path, rule, offset, what })
        })
    }

    /// Looks at the next page.
    fn page(
        &mut self,
        number: u64,
        bytes: &[u8; PAGE_LEN],
        observer: &mut impl Observer,
    ) -> Result<()> {
        let looked = match self.packed.fault_of(number, bytes) {
            None if self.games.is_sound() => self.groups_of(number, bytes, observer),
            None => Err(Stop::Known),
            Some(what) => Err(Stop::Fault((Rule::B31, what))),
        };
        self.before = *bytes;
        match looked {
            Ok(()) => Ok(()),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Fault((rule, what))) => {
                observer.found(PageFault { page: number, rule, what });
                self.lose();
                Ok(())
            }
            // The block is reported as such, or the dictionary.
            Err(Stop::Known) => {
                self.lose();
                Ok(())
            }
        }
    }

    /// What comes behind can't be compared with what was before.
    fn lose(&mut self) {
        (self.pages, self.expected, self.next, self.is_whole) = (None, None, None, false);
    }

    fn groups_of(
        &mut self,
        number: u64,
        bytes: &[u8; PAGE_LEN],
        observer: &mut impl Observer,
    ) -> std::result::Result<(), Stop> {
        let (params, page) = (self.params, Page::new(bytes, self.params));
        let of_page = u64::from(params.groups());
        let first = (number * of_page).checked_sub(page.back() as u64);
        let first = first.filter(|first| self.expected.is_none_or(|expected| expected == *first));
        let Some(first) = first.filter(|_| page.count() > 0) else {
            return Err(b32("its groups are not those that follow on the page before"));
        };
        if self.pages.is_none() {
            self.pages = Some(PageWriter::starting_at(params, number, first));
        }
        for place in 0..page.count() {
            let group = first + place as u64;
            let (home, in_page) = (group / of_page, (group % of_page) as u32);
            if home >= params.home_pages() {
                return Err(b32("it has more groups than there are"));
            }
            let damaged = || b32(format!("group {place} is damaged"));
            let buckets = params.buckets_of(in_page);
            self.entries.clear();
            let large = match page.group(place, buckets).ok_or_else(damaged)? {
                Found::Group(group) => {
                    let first = params.first_bucket(home, in_page);
                    let games = Games::Known(self.games);
                    let taken = group.each_entry(first, &games, |entry| {
                        self.take_entry(entry, number, observer)
                    });
                    taken.map_err(|Damaged| damaged())?;
                    None
                }
                Found::Large(large) => {
                    self.take_large(&large, (home, in_page), number, observer)?;
                    large.encode()
                }
            };
            self.write_again(large, home, in_page)?;
        }
        self.expected = Some(first + page.count() as u64);
        Ok(())
    }

    /// Counts the rows of an entry, and keeps it to write it again.
    fn take_entry(
        &mut self,
        entry: &Entry<'_>,
        page: u64,
        observer: &mut impl Observer,
    ) -> std::result::Result<(), Damaged> {
        let ascending = entry.moves.is_sorted_by(|a, b| a.code() < b.code());
        let is_there = entry.position.is_some() || !entry.moves.is_empty();
        if self.last.is_some_and(|last| last >= entry.h) || !ascending || !is_there {
            return Err(Damaged);
        }
        self.last = Some(entry.h);
        if let Some(census) = &mut self.census {
            census.add(entry);
            self.review.add(entry, &self.params.cells, self.params.form.columns);
            self.sum = self.sum.wrapping_add(entry.sum());
        }
        let mut say = |h: Hash, rule: Rule, what: &str| {
            observer.found(PageFault { page, rule, what: format!("key {:016x}: {what}", h.key()) });
        };
        if let Some(row) = entry.position {
            self.verified.positions.count(row.counts());
            self.verified.expanded += u64::from(row.is_expanded());
            look_at(row, self.header, &mut say);
        }
        for row in entry.moves {
            self.verified.moves.count(row.counts());
            look_at(row, self.header, &mut say);
        }
        // What is large for sure isn't written again.
        if !self.entries.is_large() {
            self.entries.push(entry);
        }
        Ok(())
    }

    /// Takes the rows of a large group; what of it there is has to be too much for a page.
    fn take_large(
        &mut self,
        large: &LargeGroup,
        home: (u64, u32),
        page: u64,
        observer: &mut impl Observer,
    ) -> std::result::Result<(), Stop> {
        let starts = (large.positions.start, large.moves.start);
        if self.next.is_some_and(|next| next != starts) {
            return Err(b32("a large group doesn't have the rows that follow"));
        }
        self.next = Some((large.positions.end, large.moves.end));
        let positions = self.large_rows(TableKind::Positions, large)?;
        let moves = self.large_rows(TableKind::Moves, large)?;
        let (positions, moves) =
            (positions.map(|rows| Box::new(rows) as _), moves.map(|rows| Box::new(rows) as _));
        let mut entries = Entries::new(positions, moves);
        loop {
            let next = entries.next();
            let known = |error: Error| {
                if error.is_damage() { Stop::Known } else { Stop::Error(error) }
            };
            let Some(entry) = next.map_err(known)? else { return Ok(()) };
            let mine = self.params.home(self.params.bucket(entry.h));
            let valid =
                entry.position.is_none_or(Row::is_valid) && entry.moves.iter().all(Row::is_valid);
            if (mine.page, mine.group) != home || !self.header.share.holds(entry.h) || !valid {
                return Err(b32("a row of a large group belongs elsewhere, or is none"));
            }
            self.take_entry(&entry, page, observer)
                .map_err(|Damaged| b32("rows of a large group are out of order"))?;
        }
    }

    /// The rows of a large group in a table; none if the book doesn't have it.
    fn large_rows(
        &self,
        kind: TableKind,
        large: &LargeGroup,
    ) -> std::result::Result<Option<LargeGroupRows<'a>>, Stop> {
        let rows = large.rows_of(kind);
        match Strips::with_columns(self.header, kind) {
            Some(strips) => LargeGroupRows::new(self.bytes, self.path, strips, rows)
                .map(Some)
                .ok_or_else(|| b32("a large group has rows beyond all rows")),
            None if rows.is_empty() => Ok(None),
            None => Err(b32("a large group has rows of a table that isn't there")),
        }
    }

    /// Writes the group at hand as it would be written: `large` are its bytes if it is one.
    fn write_again(
        &mut self,
        large: Option<[u8; LARGE_BYTES]>,
        home: u64,
        group: u32,
    ) -> std::result::Result<(), Stop> {
        let Some(pages) = &mut self.pages else { return Ok(()) };
        let first = self.params.first_bucket(home, group);
        let small = self.groups.write(&self.entries, first, self.params.buckets_of(group));
        let small = small.filter(|bytes| self.entries.is_empty() || pages.is_near(bytes.len()));
        let bytes: &[u8] = match (&small, &large) {
            (Some(bytes), None) => bytes,
            (None, Some(bytes)) => bytes,
            (Some(_), Some(_)) => return Err(b32("a group is large without need")),
            (None, None) => return Err(b32("a group isn't large, and has to be")),
        };
        let before = &self.before;
        pages.push(bytes, |page| {
            if page == before { Ok(()) } else { Err(b32("the page before isn't as it is written")) }
        })
    }

    /// Compares the last page, and looks whether anything is missing.
    fn end(&mut self, observer: &mut impl Observer) {
        let page = self.packed.pages - 1;
        let all = self.params.home_pages() * u64::from(self.params.groups());
        let mut say =
            |what: &str| observer.found(PageFault { page, rule: Rule::B32, what: what.to_owned() });
        if self.expected.is_some_and(|expected| expected != all) {
            say("groups are missing behind the last page");
        } else if let Some(pages) = self.pages.take() {
            let before = &self.before;
            if pages.finish(|page| if page == before { Ok(()) } else { Err(()) }).is_err() {
                say("the last page isn't as it is written");
            }
        }
        if self.next.is_some_and(|next| next != large_rows(self.header)) {
            say("there are rows of large groups that no page speaks of");
        }
        let is_counted = self.is_whole && self.census.is_some();
        if is_counted && !self.review.agrees() {
            say("the games (section DICT) are not those that these entries name");
        }
        let params = self.census.as_ref().map(|census| census.params(self.sum));
        if is_counted && params.is_some_and(|params| params != *self.params) {
            say("the parameters (section PACK) are not those of these entries");
        }
    }
}

/// Why a page is not looked at further.
enum Stop {
    Fault(Fault),
    /// What is wrong is said elsewhere.
    Known,
    Error(Error),
}

fn b32(what: impl Into<String>) -> Stop {
    Stop::Fault((Rule::B32, what.into()))
}

/// B-22 and M-3 for a row.
fn look_at<R: Row>(row: &R, header: &Header, say: &mut impl FnMut(Hash, Rule, &str)) {
    if !header.results.allow(row.counts()) {
        let what = "it has wins or losses, and the book counts games without results";
        say(row.hash(), Rule::B22, what);
    }
    if row.conflict() {
        say(row.hash(), Rule::M3, "its proofs contradict each other");
    }
}
