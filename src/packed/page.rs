//! Pages: where groups stand, and how one is found. Section 4 of `format-spec/packed.md`.

use super::group::{Found, Group};
use super::params::{Home, Params};
use crate::format::PAGE_LEN;
use xxhash_rust::xxh3::xxh3_64;

const CHECKSUM_AT: usize = PAGE_LEN - 8;
/// Where a page says which one it is.
const PLACE_AT: usize = 4;
/// Bytes before the starts of the groups.
const HEAD: usize = 8;
/// Bytes of the start of a group.
const START: usize = 2;
/// A group stands at most so many pages behind its home.
pub(super) const MOST_BEHIND: u64 = 2;

/// The checksum that stands in a page, and the one it ought to have.
pub(super) fn checksums(page: &[u8; PAGE_LEN]) -> (u64, u64) {
    let stored = page.last_chunk().map_or(0, |chunk: &[u8; 8]| u64::from_le_bytes(*chunk));
    (stored, xxh3_64(&page[..CHECKSUM_AT]))
}

/// What the page of this number says of itself in a book of this salt, so that no other page of the
/// book says it, and those of another book don't, but for one in 2^32.
#[inline(always)]
pub(super) fn place_of(number: u64, salt: u32) -> u32 {
    salt.wrapping_add(number as u32)
}

/// A page, for reading.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    bytes: &'a [u8; PAGE_LEN],
    params: &'a Params,
}

impl<'a> Page<'a> {
    #[inline(always)]
    pub fn new(bytes: &'a [u8; PAGE_LEN], params: &'a Params) -> Self {
        Self { bytes, params }
    }

    /// How many groups stand before the first of its own, how many in all, and what it says of
    /// itself ([`place_of`]).
    #[inline(always)]
    pub fn head<const N: usize>(bytes: &[u8; N]) -> (usize, usize, u32) {
        let half = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        (half(0), half(2), Self::said(bytes))
    }

    /// What it says of itself ([`place_of`]).
    #[inline(always)]
    pub fn said<const N: usize>(bytes: &[u8; N]) -> u32 {
        let said = bytes[PLACE_AT..].first_chunk();
        said.map_or(0, |said: &[u8; 4]| u32::from_le_bytes(*said))
    }

    #[inline(always)]
    fn half(&self, at: usize) -> usize {
        self.bytes
            .get(at..at + 2)
            .map_or(0, |half| usize::from(u16::from_le_bytes([half[0], half[1]])))
    }

    /// How many groups stand before the first of its own.
    #[inline(always)]
    pub fn back(&self) -> usize {
        self.half(0)
    }

    /// How many groups stand in it.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.half(2)
    }

    /// The place in this page of a group whose home is `behind` pages before it; none if it isn't
    /// here.
    #[inline(always)]
    pub fn place(&self, home: Home, behind: u64) -> Option<usize> {
        let place = home.group as usize + self.back();
        let place = place.checked_sub(behind as usize * self.params.groups() as usize)?;
        (place < self.count()).then_some(place)
    }

    /// The group at a place, which has so many buckets; none if it isn't within the page.
    #[inline(always)]
    pub fn group(&self, place: usize, buckets: u32) -> Option<Found<'a>> {
        Group::read(self.bytes, self.start(place), buckets, self.params)
    }

    /// Where in a page the start of the group at a place is said.
    #[inline(always)]
    pub fn start_of(place: usize) -> usize {
        HEAD + START * place
    }

    /// Where the group at a place begins.
    #[inline(always)]
    pub fn start(&self, place: usize) -> usize {
        self.half(Self::start_of(place))
    }

    /// The bytes of a group, up to where the next one starts.
    #[cfg(test)]
    fn bytes_of(&self, place: usize) -> Option<&'a [u8]> {
        let start = self.start(place);
        let end = if place + 1 < self.count() { self.start(place + 1) } else { CHECKSUM_AT };
        self.bytes.get(start..end)
    }
}

/// Puts groups into pages, in the order of their numbers.
pub(super) struct PageWriter<'a> {
    params: &'a Params,
    /// The page at hand, and the number of its first group.
    page: u64,
    first: u64,
    groups: Vec<u8>,
    /// Where each group begins among them.
    starts: Vec<u16>,
    /// The number of the next group.
    next: u64,
}

impl<'a> PageWriter<'a> {
    pub fn new(params: &'a Params) -> Self {
        Self { params, page: 0, first: 0, groups: Vec::new(), starts: Vec::new(), next: 0 }
    }

    /// Goes on with this page, whose first group has this number.
    pub fn starting_at(params: &'a Params, page: u64, first: u64) -> Self {
        Self { page, first, next: first, ..Self::new(params) }
    }

    fn has_room(&self, len: usize) -> bool {
        HEAD + START * (self.starts.len() + 1) + self.groups.len() + len <= CHECKSUM_AT
    }

    /// Whether the next group can stand in its home page or the one after it, with so many bytes.
    pub fn is_near(&self, len: usize) -> bool {
        let home = self.next / u64::from(self.params.groups());
        self.page <= home || (self.page == home + 1 && self.has_room(len))
    }

    /// The number of the next group.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Takes the next group, and hands on the pages that are full.
    pub fn push<E>(
        &mut self,
        group: &[u8],
        mut full: impl FnMut(&[u8; PAGE_LEN]) -> Result<(), E>,
    ) -> Result<(), E> {
        let home = self.next / u64::from(self.params.groups());
        while self.page < home || !self.has_room(group.len()) {
            self.finish_page(&mut full)?;
        }
        self.starts.push(self.groups.len() as u16);
        self.groups.extend_from_slice(group);
        self.next += 1;
        Ok(())
    }

    /// Hands on the last page, and says how many there were.
    pub fn finish<E>(
        mut self,
        full: impl FnMut(&[u8; PAGE_LEN]) -> Result<(), E>,
    ) -> Result<u64, E> {
        self.finish_page(full)?;
        Ok(self.page)
    }

    fn finish_page<E>(
        &mut self,
        mut full: impl FnMut(&[u8; PAGE_LEN]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut bytes = [0; PAGE_LEN];
        let back = (self.page * u64::from(self.params.groups())).saturating_sub(self.first);
        let begin = HEAD + START * self.starts.len();
        bytes[..2].copy_from_slice(&(back as u16).to_le_bytes());
        bytes[2..PLACE_AT].copy_from_slice(&(self.starts.len() as u16).to_le_bytes());
        let place = place_of(self.page, self.params.salt);
        bytes[PLACE_AT..HEAD].copy_from_slice(&place.to_le_bytes());
        for (start, place) in self.starts.iter().zip(bytes[HEAD..begin].chunks_exact_mut(START)) {
            place.copy_from_slice(&(start + begin as u16).to_le_bytes());
        }
        bytes[begin..begin + self.groups.len()].copy_from_slice(&self.groups);
        let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        self.groups.clear();
        self.starts.clear();
        self.page += 1;
        self.first = self.next;
        full(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::tests::params;
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn groups_stand_in_their_home_or_behind_it_and_are_found() {
        let params = params();
        let groups = params.groups() as usize;
        // Groups of a first byte that names them, so many bytes long.
        let sizes: Vec<usize> =
            (0..2 * groups).map(|number| if number < 15 { 400 } else { 20 }).collect();
        let mut writer = PageWriter::new(&params);
        let mut pages = Vec::new();
        let mut keep = |page: &[u8; PAGE_LEN]| {
            pages.push(*page);
            Ok::<(), Infallible>(())
        };
        for (number, &size) in (0..).zip(&sizes) {
            assert!(writer.is_near(size), "{number}");
            writer.push(&vec![number; size], &mut keep).unwrap();
        }
        assert_eq!(writer.finish(&mut keep), Ok(2));
        for (number, &size) in sizes.iter().enumerate() {
            let home =
                Home { page: (number / groups) as u64, group: (number % groups) as u32, bucket: 0 };
            let mut found = Vec::new();
            for behind in 0..=MOST_BEHIND {
                let Some(bytes) = pages.get((home.page + behind) as usize) else { continue };
                let (stored, expected) = checksums(bytes);
                assert_eq!(stored, expected);
                let number = home.page + behind;
                assert_eq!(Page::said(bytes), place_of(number, params.salt));
                let page = Page::new(bytes, &params);
                if let Some(place) = page.place(home, behind) {
                    found.push(page.bytes_of(place).unwrap()[..size].to_vec());
                }
            }
            assert_eq!(found, [vec![number as u8; size]]);
        }
    }

    #[test]
    fn what_is_too_far_from_home_is_said_before() {
        let params = params();
        let mut writer = PageWriter::new(&params);
        for number in 0..20 {
            assert!(writer.is_near(4000) == (number < 2), "{number}");
            writer.push(&[0; 4000], |_| Ok::<(), Infallible>(())).unwrap();
        }
    }
}
