//! Occurrences in memory: a fixed number of places, shared out to buckets by the first bits of the
//! hash, behind a few in which those of openings meet.

use super::bucket::BucketSorter;
use crate::occurrence::Sortable;
use tabia::Columns;

/// Bits of the hash that distinguish buckets: a bucket of a large archive still fits in a
/// second-level cache.
pub(super) const PREFIX: u32 = 10;
pub(super) const BUCKETS: usize = 1 << PREFIX;
/// Bits of the hash that distinguish the parts in which rows are made.
pub(super) const PART_PREFIX: u32 = 12;
pub(super) const PARTS: usize = 1 << PART_PREFIX;
/// The fewest occurrences a bucket has room for.
const LEAST: usize = 64;

pub(super) struct Buckets<V> {
    /// The places of all buckets, one after the other. Memory that no occurrence was put in is
    /// never touched, and so costs nothing.
    places: Vec<V>,
    /// Occurrences in each bucket.
    lens: Vec<usize>,
    /// Places of a bucket.
    each: usize,
    /// The columns of which occurrences have cells.
    columns: Columns,
}

impl<V: Sortable> Buckets<V> {
    /// Room for `memory` bytes of occurrences with cells of these columns, or for as many as the
    /// system allows.
    pub fn new(memory: usize, columns: Columns) -> Self {
        let mut each = (memory / size_of::<V>() / BUCKETS).max(LEAST);
        loop {
            match V::new_vec_zeroed(each * BUCKETS) {
                Ok(places) => return Self { places, lens: vec![0; BUCKETS], each, columns },
                Err(_) if each > LEAST => each = (each / 2).max(LEAST),
                Err(_) => panic!("the system refuses a megabyte of memory"),
            }
        }
    }

    /// Takes an occurrence, if its bucket has room.
    #[inline(always)]
    pub fn push(&mut self, occurrence: V) -> bool {
        let bucket = bucket_of(occurrence);
        let len = &mut self.lens[bucket];
        let has_room = *len < self.each;
        if has_room {
            self.places[bucket * self.each + *len] = occurrence;
            *len += 1;
        }
        has_room
    }

    /// Sorts and merges the bucket this occurrence belongs to; whether that made much room is
    /// returned.
    pub fn sort_and_merge_bucket_of(
        &mut self,
        occurrence: V,
        sorter: &mut BucketSorter<V>,
    ) -> bool {
        let bucket = bucket_of(occurrence);
        let start = bucket * self.each;
        let places = &mut self.places[start..start + self.lens[bucket]];
        self.lens[bucket] = sorter.sort_and_merge(&mut [places], PREFIX, self.columns);
        self.lens[bucket] <= self.each / 2
    }

    /// Sorts and merges all buckets.
    pub fn sort_and_merge(&mut self, sorter: &mut BucketSorter<V>) {
        for (places, len) in self.places.chunks_mut(self.each).zip(&mut self.lens) {
            *len = sorter.sort_and_merge(&mut [&mut places[..*len]], PREFIX, self.columns);
        }
    }

    /// Forgets all occurrences.
    pub fn clear(&mut self) {
        self.lens.fill(0);
    }

    /// All buckets, in order, to be sorted.
    pub fn buckets_mut(&mut self) -> impl Iterator<Item = &mut [V]> {
        self.places.chunks_mut(self.each).zip(&self.lens).map(|(places, &len)| &mut places[..len])
    }

    /// Keeps the first `most` occurrences of a bucket, or all if there are fewer; returns how many
    /// there are now.
    pub fn keep(&mut self, bucket: usize, most: usize) -> usize {
        self.lens[bucket] = self.lens[bucket].min(most);
        self.lens[bucket]
    }

    /// The occurrences of a part, once all buckets are sorted.
    pub fn part(&self, part: usize) -> &[V] {
        let bucket = part / (PARTS / BUCKETS);
        let occurrences = &self.places[bucket * self.each..][..self.lens[bucket]];
        let start = occurrences.partition_point(|&occurrence| part_of(occurrence) < part);
        let len = occurrences[start..].partition_point(|&occurrence| part_of(occurrence) == part);
        &occurrences[start..start + len]
    }
}

#[inline(always)]
fn bucket_of<V: Sortable>(occurrence: V) -> usize {
    (occurrence.occurrence().hash() >> (64 - PREFIX)) as usize
}

#[inline(always)]
fn part_of<V: Sortable>(occurrence: V) -> usize {
    (occurrence.occurrence().hash() >> (64 - PART_PREFIX)) as usize
}

/// Occurrences kept, a power of two: they stay in the second-level cache.
const PLACES: usize = 1 << 13;
/// Occurrences of a game that come here; later ones seldom meet any of their like.
pub(super) const PLIES: usize = 16;

/// Occurrences of the first plies, one in each place. Openings repeat: what is the same is merged here
/// before it is collected.
pub(super) struct Combiner<V>(Vec<V>);

impl<V: Sortable> Default for Combiner<V> {
    fn default() -> Self {
        Self(vec![V::default(); PLACES])
    }
}

impl<V: Sortable> Combiner<V> {
    /// Takes an occurrence with cells of these columns. What it displaces is returned.
    #[inline(always)]
    pub fn take(&mut self, occurrence: V, columns: Columns) -> Option<V> {
        let place = &mut self.0[occurrence.occurrence().fingerprint() as usize % PLACES];
        if place.merge(occurrence, columns) {
            return None;
        }
        Some(std::mem::replace(place, occurrence))
            .filter(|displaced| !displaced.occurrence().is_nothing())
    }

    /// All occurrences that are here; none are left.
    pub fn empty(&mut self) -> impl Iterator<Item = V> + use<V> {
        std::mem::take(self)
            .0
            .into_iter()
            .filter(|occurrence| !occurrence.occurrence().is_nothing())
    }
}
