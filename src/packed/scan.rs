//! Streaming the rows of a packed book in order, every page verified (B-31).

use super::dictionary::{Dictionary, Games};
use super::group::{Damaged, Found, Unpack};
use super::large::{LargeGroup, large_rows};
use super::page::Page;
use super::probe::Packed;
use super::verify::Verifier;
use crate::bytes::Bytes;
use crate::column::{Column, Columns};
use crate::error::{Context, Error, Result};
use crate::format::{Header, PAGE, PAGE_LEN, Rule};
use crate::key::Hash;
use crate::stream::{CHUNK, Chunk, Rows};
use crate::table::Strips;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Pages that are read at once.
const AT_ONCE: u64 = 16;
/// Rows of large groups that are read at once.
const LARGE_AT_ONCE: u64 = 4096;

/// What becomes of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// It is an error, which ends the stream.
    Ends,
    /// Damaged pages, and rows that can't be where they are, are passed over.
    IsSkipped,
}

/// The rows of a table of a packed book with their cells, in order.
pub(crate) struct PackedRows<'a, R> {
    bytes: &'a dyn Bytes,
    path: &'a Path,
    packed: &'a Packed,
    header: &'a Header,
    strips: Strips<'a>,
    columns: Columns,
    damage: Damage,
    /// The games that cells name, once they were read, but for those of the book.
    games: Option<Arc<Dictionary>>,
    /// The pages that were passed over, and how many cells were lost with games.
    lost: Vec<u64>,
    lost_cells: u64,
    /// The next page to read.
    next: u64,
    /// The pages at hand, and the number of the first one.
    pages: Vec<u8>,
    first: u64,
    /// The page that is taken apart, the number of its first group, and the next one's place in it.
    page: u64,
    group: u64,
    place: usize,
    /// The number that the next group has; not known before the first, and behind a lost page.
    expected: Option<u64>,
    /// Rows of a large group that are still to come.
    large: Range<u64>,
    /// The first rows of POSN and MOVE that no large group had so far, and whether the next one
    /// begins with them: that isn't known behind pages that weren't read.
    next_large: (u64, u64),
    is_next: bool,
    /// Verifies pages of large groups.
    verifier: Option<Box<Verifier<'a>>>,
    last: Option<(Hash, u16)>,
    rows: PhantomData<fn() -> R>,
}

impl<'a, R: Unpack> PackedRows<'a, R> {
    /// The rows of the table of this kind; none if the book has no such table. Those of the home
    /// pages before that of hash `from` are left out.
    pub fn new(
        bytes: &'a dyn Bytes,
        path: &'a Path,
        header: &'a Header,
        packed: &'a Packed,
        from: Hash,
    ) -> Option<Self> {
        let strips = Strips::with_columns(header, R::TABLE)?;
        let next = match from.cmp(header.share.hashes().start()) {
            std::cmp::Ordering::Less | std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater if header.share.holds(from) => packed.home(from).page,
            std::cmp::Ordering::Greater => packed.pages,
        };
        Some(Self {
            bytes,
            path,
            packed,
            header,
            columns: strips.columns(),
            strips,
            damage: Damage::Ends,
            games: None,
            lost: Vec::new(),
            lost_cells: 0,
            next,
            pages: Vec::new(),
            first: next,
            page: next,
            group: 0,
            place: 0,
            expected: (next == 0).then_some(0),
            large: 0..0,
            next_large: (0, 0),
            is_next: next == 0,
            verifier: None,
            last: None,
            rows: PhantomData,
        })
    }

    /// The same rows, of which those are left out that are damaged.
    pub fn with_damage(self, damage: Damage) -> Self {
        Self { damage, ..self }
    }

    /// The pages that were passed over so far.
    pub fn lost(&self) -> &[u64] {
        &self.lost
    }

    /// How many cells were lost so far, while their rows were kept.
    pub fn lost_cells(&self) -> u64 {
        self.lost_cells
    }

    /// The games that cells name, if they aren't those of the whole book ([`Packed::all_games`]).
    fn own_games(&mut self) -> Result<Option<Arc<Dictionary>>> {
        let has_games = self.columns.has(Column::GAME);
        if self.games.is_none() && !(has_games && self.damage == Damage::Ends) {
            let read = || Dictionary::read(self.bytes, self.path, self.header, self.damage);
            self.games = Some(Arc::new(if has_games { read()? } else { Dictionary::default() }));
        }
        Ok(self.games.clone())
    }

    fn read_pages(&mut self) -> Result<()> {
        let count = (self.packed.pages - self.next).min(AT_ONCE);
        self.pages.resize((count * PAGE) as usize, 0);
        let place = self.packed.offset(self.next);
        self.bytes.read_exact_at(&mut self.pages, place).at("read", self.path)?;
        (self.first, self.next) = (self.next, self.next + count);
        Ok(())
    }

    /// Takes the groups of the next page apart, or passes over it.
    fn take_page(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        if self.page == self.next {
            self.read_pages()?;
        }
        let (before, own, packed) = (chunk.len(), self.own_games()?, self.packed);
        let dictionary = match &own {
            Some(own) => own,
            None => packed.all_games(self.bytes, self.path, self.header)?,
        };
        let games = match self.damage {
            Damage::Ends => Games::Known(dictionary),
            Damage::IsSkipped => Games::Damaged(dictionary, Cell::default()),
        };
        let taken = self.take_groups(&games, chunk);
        self.lost_cells += if taken.is_ok() { games.lost() } else { 0 };
        match taken {
            Err(error) if error.is_damage() && self.damage == Damage::IsSkipped => {
                chunk.truncate(before);
                self.lost.push(self.page);
                (self.page, self.place) = (self.page + 1, 0);
                (self.expected, self.large, self.is_next) = (None, 0..0, false);
                Ok(())
            }
            taken => taken,
        }
    }

    /// Takes the groups of the page at hand apart; stops behind a large one.
    fn take_groups(&mut self, games: &Games<'_>, chunk: &mut Chunk<R>) -> Result<()> {
        let packed = self.packed;
        let damaged = |page| packed.damaged(self.path, page);
        let at = ((self.page - self.first) * PAGE) as usize;
        let Some(bytes) = self.pages[at..].first_chunk::<PAGE_LEN>() else {
            return Err(damaged(self.page));
        };
        let (page, params) = (Page::new(bytes, &packed.params), &packed.params);
        let groups = u64::from(params.groups());
        if self.place == 0 {
            packed.verify(self.path, self.page, bytes)?;
            let first = (self.page * groups).checked_sub(page.back() as u64);
            self.group = first.ok_or_else(|| damaged(self.page))?;
            if self.expected.is_some_and(|expected| expected != self.group) || page.count() == 0 {
                return Err(damaged(self.page));
            }
        }
        let mut large = None;
        while self.place < page.count() {
            let number = self.group + self.place as u64;
            let (home, in_page) = (number / groups, (number % groups) as u32);
            let starts = match self.place {
                0 => Page::start_of(page.count())..=Page::start_of(page.count()),
                place => page.start(place - 1) + 1..=PAGE_LEN,
            };
            if !starts.contains(&page.start(self.place)) {
                return Err(damaged(self.page));
            }
            self.place += 1;
            let found = page.group(self.place - 1, params.buckets_of(in_page));
            match found.ok_or_else(|| damaged(self.page))? {
                Found::Group(group) if group.len() == 0 => {}
                Found::Group(group) => {
                    let first = params.first_bucket(home, in_page);
                    let push = |row, cells: &[u8]| chunk.push_from(row, cells);
                    let taken = group.each_row(first, games, push);
                    taken.map_err(|Damaged| damaged(self.page))?;
                }
                Found::Large(group) => {
                    large = Some(group);
                    break;
                }
            }
        }
        let is_whole = self.place == page.count();
        if let Some(group) = large {
            self.verify_large(&group)?;
            self.large = group.rows_of(R::TABLE);
        }
        if is_whole {
            self.expected = Some(self.group + self.place as u64);
            (self.page, self.place) = (self.page + 1, 0);
        }
        Ok(())
    }

    /// Verifies a large group of the page at hand (B-32): that its rows follow on those before it,
    /// and, with all that is in the page, that they belong there and are too much for it. There are
    /// few of these groups, so that this takes no time to speak of.
    fn verify_large(&mut self, group: &LargeGroup) -> Result<()> {
        let (starts, next) = ((group.positions.start, group.moves.start), self.next_large);
        let follows = match self.is_next {
            true => starts == next,
            false => starts.0 >= next.0 && starts.1 >= next.1,
        };
        if !follows || group.rows_of(R::TABLE).end > self.strips.slots() {
            return Err(self.packed.damaged(self.path, self.page));
        }
        (self.next_large, self.is_next) = ((group.positions.end, group.moves.end), true);
        let (bytes, path, header, packed) = (self.bytes, self.path, self.header, self.packed);
        let games = match packed.all_games(bytes, path, header) {
            // Without its games nobody can tell how the page was to be written.
            Err(error) if error.is_damage() && self.damage == Damage::IsSkipped => return Ok(()),
            games => games?,
        };
        let new = || Box::new(Verifier::new(bytes, path, header, packed, games));
        let verifier = self.verifier.get_or_insert_with(new);
        verifier.verify_page(self.page)
    }

    /// Whether all groups were there, and all rows of large ones were theirs (B-32).
    fn check_end(&self) -> Result<()> {
        let params = &self.packed.params;
        let all = params.home_pages() * u64::from(params.groups());
        let missing = self.expected.is_some_and(|expected| expected != all);
        if missing || (self.is_next && self.next_large != large_rows(self.header)) {
            return Err(self.packed.damaged(self.path, self.packed.pages - 1));
        }
        Ok(())
    }

    /// Reads the next rows of a large group.
    fn take_large(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        let end = self.large.end.min(self.large.start + LARGE_AT_ONCE);
        let range = self.large.start..end;
        self.large.start = end;
        match self.strips.read_rows(self.bytes, self.path, range.clone(), chunk) {
            Err(error) if error.is_damage() && self.damage == Damage::IsSkipped => {
                for row in range {
                    let read = self.strips.read_rows(self.bytes, self.path, row..row + 1, chunk);
                    read.or_else(|error| if error.is_damage() { Ok(()) } else { Err(error) })?;
                }
                Ok(())
            }
            read => read,
        }
    }

    /// Leaves out the rows that can't be where they are, given those before them.
    fn keep_sound(&mut self, chunk: &mut Chunk<R>) {
        let (header, mut last) = (self.header, self.last);
        chunk.retain(|row| {
            let is_sound = last.is_none_or(|last| last < row.rank())
                && row.invalid_reason().is_none()
                && !row.is_empty()
                && header.results.allow(row.counts())
                && header.share.holds(row.hash());
            if is_sound {
                last = Some(row.rank());
            }
            is_sound
        });
        self.last = last;
    }

    /// Whether rows follow on each other. Those of a chunk follow on those before it: the groups of
    /// pages have numbers, entries have the bucket in which they stand, and large groups were
    /// verified before their rows.
    fn check_order(&self, chunk: &Chunk<R>, page: u64) -> Result<()> {
        if chunk.rows().is_sorted_by(|a, b| a.rank() < b.rank()) {
            return Ok(());
        }
        let offset = self.packed.offset(page);
        let what = format!("entries are out of order (from page {page} of PAGE on)");
        Err(Error::Damaged { path: self.path.to_owned(), rule: Rule::B32, offset, what })
    }
}

impl<R: Unpack> Rows<R> for PackedRows<'_, R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.columns);
        let page = self.page.min(self.packed.pages.saturating_sub(1));
        while chunk.len() < CHUNK {
            if !self.large.is_empty() {
                self.take_large(chunk)?;
            } else if self.page < self.packed.pages {
                self.take_page(chunk)?;
            } else {
                if self.damage == Damage::Ends {
                    self.check_end()?;
                }
                break;
            }
        }
        if self.damage == Damage::IsSkipped {
            let read = chunk.len();
            self.keep_sound(chunk);
            if chunk.is_empty() && read > 0 {
                return self.next_chunk(chunk);
            }
        }
        self.check_order(chunk, page)
    }
}
