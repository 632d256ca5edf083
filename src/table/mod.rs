//! One table in memory: probes, one at a time and in batches. Section 5 of the format specification.

mod blocks;
mod place;
mod prefetch;
mod scan;
mod write;

pub(crate) use blocks::{BadBlock, PIECE, Piece, Strip, Strips, read_ahead};
pub(crate) use scan::TableRows;
pub(crate) use write::{TableOptions, write_table};

use crate::format::{PAGE_LEN, Share, TableShape};
use crate::key::{Key, mix};
use crate::row::{MoveRow, PositionRow, Row};
use prefetch::prefetch;
use std::ops::Range;
use zerocopy::{FromBytes, IntoBytes};

/// How many probes of a batch are under way at once.
const GROUP: usize = 32;
/// Slots of a probe that a batch looks at without a branch: enough for 92 % of all keys at a load of 0.80.
const GLANCE: usize = 6;
/// Bytes of a cache line.
const LINE: usize = 64;

/// A table whose slots are in memory.
#[derive(Debug)]
pub struct Table<'a, R> {
    slots: &'a [R],
    homes: u64,
    reach: u64,
    share: Share,
}

impl<R> Clone for Table<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Table<'_, R> {}

impl<'a, R: Row> Table<'a, R> {
    /// The table with this shape whose slots are these bytes; none if they are not as many as the shape says.
    pub(crate) fn new(bytes: &'a [u8], shape: &TableShape, share: Share, _tags: Option<&'a [u8]>) -> Option<Self> {
        let slots = <[R]>::ref_from_bytes(bytes).ok()?;
        (slots.len() as u64 == shape.slots() && shape.homes > 0).then_some(Self { slots, homes: shape.homes, reach: shape.reach, share })
    }

    /// The slots where rows of this hash can stand.
    #[inline(always)]
    fn window(&self, h: u64) -> &'a [R] {
        let window = window(h, self.share, self.homes, self.reach);
        &self.slots[window.start as usize..window.end as usize]
    }

    /// The rows of a key, side by side: none, one, or in a moves table all its moves. A borrowed slice of the table.
    #[inline]
    #[must_use]
    pub fn rows(&self, key: Key) -> &'a [R] {
        self.rows_of(mix(key))
    }

    /// The rows of a hash.
    #[inline]
    pub(crate) fn rows_of(&self, h: u64) -> &'a [R] {
        rows_of(self.window(h), h)
    }

    /// The first row of a key.
    #[inline(always)]
    fn first(&self, h: u64) -> Option<&'a R> {
        let window = self.window(h);
        let row = window.iter().find(|row| row.hash() >= h)?;
        (row.hash() == h && !row.is_empty()).then_some(row)
    }

    /// Looks up many keys at once, each answered by what `answer` is called with: the key's place in `keys`, and its first row.
    ///
    /// The probes of a group wait for memory together, so that each costs a fraction of one alone.
    #[inline]
    pub(crate) fn each_first(&self, keys: &[Key], mut answer: impl FnMut(usize, Option<&'a R>)) {
        let mut hashes = [0; GROUP];
        for (group, keys) in keys.chunks(GROUP).enumerate() {
            let hashes = &mut hashes[..keys.len()];
            for (h, &key) in hashes.iter_mut().zip(keys) {
                *h = mix(key);
                self.prefetch(*h);
            }
            for (place, &h) in hashes.iter().enumerate() {
                answer(group * GROUP + place, self.first_at_a_glance(h));
            }
        }
    }

    /// The page of the table in which the probe of a hash begins, and most often ends; none if the filter doesn't let it pass.
    pub(crate) fn page_of(&self, h: u64) -> Option<Range<usize>> {
        let start = self.share.home(h, self.homes) as usize * size_of::<R>() / PAGE_LEN * PAGE_LEN;
        Some(start..(start + PAGE_LEN).min(size_of_val(self.slots)))
    }

    /// Starts loading all lines that [`Table::first_at_a_glance`] looks at.
    #[inline(always)]
    fn prefetch(&self, h: u64) {
        let glance = self.slots[self.share.home(h, self.homes) as usize..].as_bytes();
        for offset in (0..GLANCE * size_of::<R>()).step_by(LINE) {
            if let Some(byte) = glance.get(offset) {
                prefetch(byte);
            }
        }
    }

    /// The first row of a key, as [`Table::first`], for probes that overlap: where the search ends can't be predicted, and a wrong
    /// prediction would throw away what the processor has begun of the next probes. So the rows before it are counted instead.
    #[inline(always)]
    fn first_at_a_glance(&self, h: u64) -> Option<&'a R> {
        let start = self.share.home(h, self.homes) as usize;
        // The next page is not touched without need: in a book larger than memory it may have to be read.
        let in_page = start * size_of::<R>() % PAGE_LEN <= PAGE_LEN - GLANCE * size_of::<R>();
        let Some(glance) = self.slots[start..].first_chunk::<GLANCE>().filter(|_| in_page) else { return self.first(h) };
        let before = glance.iter().fold(0, |before, row| before + usize::from(row.hash() < h));
        let Some(row) = glance.get(before) else { return self.first(h) };
        (row.hash() == h && !row.is_empty()).then_some(row)
    }
}

impl<'a> Table<'a, PositionRow> {
    /// The row of a position.
    #[inline]
    #[must_use]
    pub fn get(&self, key: Key) -> Option<&'a PositionRow> {
        self.first(mix(key))
    }

    /// The rows of many positions at once, such as all children of a node: `out[i]` becomes that of `keys[i]`.
    ///
    /// # Panics
    /// If `keys` and `out` are not of the same length.
    pub fn get_batch(&self, keys: &[Key], out: &mut [Option<&'a PositionRow>]) {
        assert_eq!(keys.len(), out.len(), "a batch has one place for each key");
        self.each_first(keys, |place, row| out[place] = row);
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

/// The slots where rows of this hash can stand, in a table of this shape.
#[inline(always)]
pub(crate) fn window(h: u64, share: Share, homes: u64, reach: u64) -> Range<u64> {
    let start = share.home(h, homes);
    start..start + reach + 1
}

/// The rows of this hash among slots that begin at its home.
#[inline]
pub(crate) fn rows_of<R: Row>(window: &[R], h: u64) -> &[R] {
    let Some(start) = window.iter().position(|row| row.hash() >= h) else { return &[] };
    let found = &window[start..];
    let end = found.iter().position(|row| row.hash() != h || row.is_empty()).unwrap_or(found.len());
    &found[..end]
}
