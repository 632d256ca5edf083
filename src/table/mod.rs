//! One table in memory: probes, one at a time and in batches. Section 5 of the format
//! specification.

mod blocks;
#[cfg(test)]
mod model;
mod place;
mod prefetch;
mod scan;
mod tags;
mod write;

pub(crate) use blocks::{BadBlock, EXTENT_SLOTS, Extent, Strip, Strips, read_ahead};
pub(crate) use scan::TableRows;
pub(crate) use tags::{Scale, Tags, Wanted, are_of_use, candidates};
pub(crate) use write::{StripOut, TableOptions, write_sums, write_table};

use crate::format::{PAGE_LEN, TableShape};
use crate::key::{Key, home, mix};
use crate::row::{MoveRow, PositionRow, Row};
pub(crate) use prefetch::{prefetch, prefetch_for_now};
use std::ops::Range;
use zerocopy::FromBytes;

/// How many probes of a batch are under way at once.
pub(crate) const BATCH: usize = 32;
/// Slots of a probe that a batch looks at without a branch: enough for 92 % of all keys at a load
/// of 0.80.
const GLANCE: usize = 6;
/// Rows of a probe that are compared one after the other without a loop.
const NEAR: usize = 8;
/// Bytes of a cache line.
const LINE: usize = 64;

/// What a table's shape means for its probes, computed once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProbeShape {
    slots: usize,
    scale: Scale,
    max_displacement: usize,
    shift: u64,
}

impl ProbeShape {
    /// Of a table with this shape in a book that is one of 2^`share_bits` shares; none if it has no
    /// homes.
    pub fn of(shape: &TableShape, share_bits: u32) -> Option<Self> {
        let (scale, max_displacement) = (Scale::of(shape.homes), shape.max_displacement as usize);
        (shape.homes > 0).then_some(Self {
            slots: shape.slots() as usize,
            scale,
            max_displacement,
            shift: 1 << share_bits,
        })
    }
}

/// A table whose slots are in memory.
///
/// ```
/// # use tabia::Book;
/// # let (_folder, path) = tabia_testing::tiny_book();
/// let book = Book::from_bytes(std::fs::read(&path)?)?;
/// let table = book.position_table().unwrap();
/// assert!(table.get(42).is_some() && table.get(43).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table<'a, R> {
    slots: &'a [R],
    tags: Tags<'a>,
    scale: Scale,
    max_displacement: usize,
    /// By how many bits hashes are shifted to find their homes: those of the book's share.
    shift: u64,
}

impl<R> Clone for Table<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Table<'_, R> {}

/// What tags say of a key.
#[derive(Clone, Copy)]
enum TagAnswer {
    /// The table doesn't hold it.
    Absent,
    /// Its row, if there is one, is most likely in this slot.
    Likely(usize),
    /// Nothing: rows have to be looked at.
    Nothing,
}

impl<'a, R: Row> Table<'a, R> {
    /// The table with this shape whose slots are these bytes; none if they are not as many as the
    /// shape says. Tags, if it has any, are used if rows are displaced little enough for them.
    #[inline]
    pub(crate) fn new(bytes: &'a [u8], shape: &ProbeShape, tags: Option<Tags<'a>>) -> Option<Self> {
        let &ProbeShape { slots: expected, scale, max_displacement, shift } = shape;
        let slots = <[R]>::ref_from_bytes(bytes).ok().filter(|slots| slots.len() == expected)?;
        let is_fine = tags::are_of_use(max_displacement as u64);
        let tags = tags.filter(|tags| tags.len() == expected && is_fine).unwrap_or_default();
        Some(Self { slots, tags, scale, max_displacement, shift })
    }

    /// Where the search for a hash begins, and the tag of its row.
    #[inline(always)]
    fn wanted(&self, h: u64) -> Wanted {
        Wanted::of(h.wrapping_mul(self.shift), self.scale)
    }

    /// The slots that can hold rows of this hash.
    #[inline(always)]
    fn window(&self, wanted: Wanted) -> &'a [R] {
        &self.slots[wanted.home()..wanted.home() + self.max_displacement + 1]
    }

    /// The rows of a key, side by side: none, one, or in a moves table all its moves. A borrowed
    /// slice of the table.
    #[inline]
    #[must_use]
    pub fn rows(&self, key: Key) -> &'a [R] {
        self.rows_of(mix(key))
    }

    #[inline(always)]
    pub(crate) fn rows_of(&self, h: u64) -> &'a [R] {
        if !self.tags.is_empty() {
            // Only positions have tags, and of each there is one row.
            return self.first(h).map_or(&[], std::slice::from_ref);
        }
        rows_of(self.window(self.wanted(h)), h)
    }

    /// The first row of a hash.
    ///
    /// If tags give a slot, the home's row and the next cache line are loaded at once, which most
    /// likely hold that slot; the processor predicts from the probes before whether tags will. So
    /// in a run of hits rows are loaded without waiting for tags, and in a run of misses no row is
    /// loaded. The fewer instructions this takes, the more probes are under way at once.
    #[inline(always)]
    pub(crate) fn first(&self, h: u64) -> Option<&'a R> {
        let wanted = self.wanted(h);
        match ask_tags(self.tags, wanted) {
            TagAnswer::Likely(slot) => {
                let home = self.slots.as_ptr().wrapping_add(wanted.home()).cast::<u8>();
                prefetch_for_now(home);
                prefetch_for_now(home.wrapping_add(LINE));
                // The tag is not that of an empty slot.
                self.slots
                    .get(slot)
                    .filter(|row| row.h() == h)
                    .or_else(|| self.first_by_rows_at_last(h))
            }
            TagAnswer::Absent => None,
            TagAnswer::Nothing => self.first_by_rows(wanted, h),
        }
    }

    /// The first row of a hash, by the rows alone.
    ///
    /// Where the search ends can't be predicted but for its beginning: the first rows are compared
    /// each by instructions of its own, which the processor learns apart.
    #[inline(always)]
    fn first_by_rows(&self, wanted: Wanted, h: u64) -> Option<&'a R> {
        let window = self.window(wanted);
        let is_reached = |row: &&R| row.h() >= h;
        let row = match window.split_first_chunk::<NEAR>() {
            Some((near, far)) => {
                near.iter().find(is_reached).or_else(|| far.iter().find(is_reached))?
            }
            None => window.iter().find(is_reached)?,
        };
        holds(row, h).then_some(row)
    }

    /// The first row of this hash by rows alone, kept out of the common path.
    #[cold]
    #[inline(never)]
    fn first_by_rows_at_last(&self, h: u64) -> Option<&'a R> {
        self.first_by_rows(self.wanted(h), h)
    }

    /// Looks up many keys at once, each answered by what `answer` is called with: the key's place
    /// in `keys`, and its first row.
    #[inline]
    pub(crate) fn each_first(&self, keys: &[Key], mut answer: impl FnMut(usize, Option<&'a R>)) {
        let mut found = [None; BATCH];
        for (group, keys) in keys.chunks(BATCH).enumerate() {
            let found = &mut found[..keys.len()];
            self.group_first(keys, found);
            found.iter().enumerate().for_each(|(place, row)| answer(group * BATCH + place, *row));
        }
    }

    /// Starts loading what [`Table::rows`] of these keys looks at.
    #[inline]
    pub(crate) fn prefetch(&self, keys: &[Key]) {
        keys.iter().for_each(|&key| self.prefetch_glance(self.wanted(mix(key)).home()));
    }

    /// Looks up as many keys as a group has at most. Their probes wait for memory together, so that
    /// each costs a fraction of one alone.
    #[inline]
    fn group_first(&self, keys: &[Key], found: &mut [Option<&'a R>]) {
        let mut hashes = [0; BATCH];
        if !self.tags.is_empty() {
            return self.group_by_tags(keys, &mut hashes, found);
        }
        let mut homes = [0; BATCH];
        for ((h, home), &key) in hashes.iter_mut().zip(&mut homes).zip(keys) {
            *h = mix(key);
            *home = self.wanted(*h).home();
            self.prefetch_glance(*home);
        }
        for ((found, &h), &home) in found.iter_mut().zip(&hashes).zip(&homes) {
            *found = self.first_at_a_glance(h, home);
        }
    }

    /// Probes a group of keys in a table with tags: all tags are prefetched, then the rows that
    /// they point to, then those are compared.
    #[inline]
    fn group_by_tags(&self, keys: &[Key], hashes: &mut [u64; BATCH], found: &mut [Option<&'a R>]) {
        let mut wanted = [Wanted::default(); BATCH];
        for ((h, wanted), &key) in hashes.iter_mut().zip(&mut wanted).zip(keys) {
            *h = mix(key);
            *wanted = self.wanted(*h);
            self.tags.prefetch(wanted.home());
        }
        for (found, &wanted) in found.iter_mut().zip(&wanted) {
            let slot = match ask_tags(self.tags, wanted) {
                TagAnswer::Absent => {
                    *found = None;
                    continue;
                }
                TagAnswer::Likely(slot) => slot,
                TagAnswer::Nothing => wanted.home(),
            };
            let row = self.slots.as_ptr().wrapping_add(slot);
            prefetch(row);
            prefetch(row.cast::<u8>().wrapping_add(size_of::<R>() - 1));
            *found = self.slots.get(slot);
        }
        for (found, &h) in found.iter_mut().zip(&*hashes) {
            if found.is_some_and(|row| !holds(row, h)) {
                *found = self.first_by_rows_at_last(h);
            }
        }
    }

    /// The page of the table in which the probe of a hash ends most often, and without tags begins;
    /// none if tags show that the hash is absent.
    pub(crate) fn page_of(&self, h: u64) -> Option<Range<usize>> {
        let wanted = self.wanted(h);
        let slot = match ask_tags(self.tags, wanted) {
            TagAnswer::Absent => return None,
            TagAnswer::Likely(slot) => slot,
            TagAnswer::Nothing => wanted.home(),
        };
        let start = slot * size_of::<R>() / PAGE_LEN * PAGE_LEN;
        Some(start..(start + PAGE_LEN).min(size_of_val(self.slots)))
    }

    /// Starts loading all lines that [`Table::first_at_a_glance`] looks at.
    #[inline(always)]
    fn prefetch_glance(&self, home: usize) {
        let first = self.slots.as_ptr().wrapping_add(home).cast::<u8>();
        for offset in (0..GLANCE * size_of::<R>()).step_by(LINE) {
            prefetch(first.wrapping_add(offset));
        }
    }

    /// The first row of a hash by the rows alone, for probes that overlap: where the search ends
    /// can't be predicted, and a wrong prediction would throw away what the processor has begun of
    /// the next probes. So the rows before it are counted instead.
    #[inline(always)]
    fn first_at_a_glance(&self, h: u64, start: usize) -> Option<&'a R> {
        // The next page is not touched without need: in a book larger than memory it may have to be
        // read.
        let in_page = start * size_of::<R>() % PAGE_LEN <= PAGE_LEN - GLANCE * size_of::<R>();
        let Some(glance) = self.slots[start..].first_chunk::<GLANCE>().filter(|_| in_page) else {
            return self.first_by_rows_at_last(h);
        };
        let before = glance.iter().fold(0, |before, row| before + usize::from(row.h() < h));
        let Some(row) = glance.get(before) else { return self.first_by_rows_at_last(h) };
        holds(row, h).then_some(row)
    }
}

/// What tags say of a key.
#[inline(always)]
fn ask_tags(tags: Tags<'_>, wanted: Wanted) -> TagAnswer {
    let Some(lanes) = tags.lanes(wanted.home()) else { return TagAnswer::Nothing };
    let equal = lanes.equal(wanted.tag());
    if equal != 0 {
        TagAnswer::Likely(wanted.home() + equal.trailing_zeros() as usize)
    } else if lanes.end(wanted.tag()) {
        TagAnswer::Absent
    } else {
        TagAnswer::Nothing
    }
}

/// Whether a slot holds a row of this hash. All ones is the hash of empty slots too.
#[inline(always)]
fn holds<R: Row>(slot: &R, h: u64) -> bool {
    slot.h() == h && (h != u64::MAX || !slot.is_empty())
}

impl<'a> Table<'a, PositionRow> {
    /// The row of a position.
    #[inline]
    #[must_use]
    pub fn get(&self, key: Key) -> Option<&'a PositionRow> {
        self.first(mix(key))
    }

    /// The rows of many positions at once, such as all children of a node: `out[i]` becomes that of
    /// `keys[i]`.
    ///
    /// # Panics
    /// If `keys` and `out` are not of the same length.
    pub fn get_batch(&self, keys: &[Key], out: &mut [Option<&'a PositionRow>]) {
        assert_eq!(keys.len(), out.len(), "a batch has one place for each key");
        keys.chunks(BATCH)
            .zip(out.chunks_mut(BATCH))
            .for_each(|(keys, out)| self.group_first(keys, out));
    }
}

impl<'a> Table<'a, MoveRow> {
    /// All moves played at a position, in ascending order of their codes.
    #[inline]
    #[must_use]
    pub fn moves(&self, key: Key) -> &'a [MoveRow] {
        self.rows(key)
    }
}

/// The slots that can hold rows of this hash, in a table of this shape.
#[inline(always)]
pub(crate) fn window(h: u64, homes: u64, max_displacement: u64) -> Range<u64> {
    let start = home(h, homes);
    start..start + max_displacement + 1
}

/// The rows of this hash among slots that begin at its home.
#[inline]
pub(crate) fn rows_of<R: Row>(window: &[R], h: u64) -> &[R] {
    let Some(start) = window.iter().position(|row| row.h() >= h) else { return &[] };
    let found = &window[start..];
    let end = found.iter().position(|row| row.h() != h || row.is_empty()).unwrap_or(found.len());
    &found[..end]
}
