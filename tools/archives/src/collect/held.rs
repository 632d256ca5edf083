//! Visits in memory: a fixed number of places, shared out to buckets by the first bits of the hash.

use super::bucket::BucketSorter;
use super::{BUCKETS, PARTS, PREFIX, part_of};
use crate::visit::Collectable;
use tabia::Columns;

/// The fewest visits a bucket has room for.
const LEAST: usize = 64;

/// Buckets of visits.
pub(super) struct Held<V> {
    /// The places of all buckets, one after the other. Memory that no visit was put in is never touched, and so costs nothing.
    places: Vec<V>,
    /// Visits in each bucket.
    lens: Vec<usize>,
    /// Places of a bucket.
    each: usize,
    /// The columns of which visits have cells.
    columns: Columns,
}

impl<V: Collectable> Held<V> {
    /// Room for so many bytes of visits with cells of these columns, or for as many as the system allows.
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

    /// Takes a visit, if its bucket has room.
    #[inline(always)]
    pub fn push(&mut self, visit: V) -> bool {
        let bucket = bucket_of(visit);
        let len = &mut self.lens[bucket];
        let has_room = *len < self.each;
        if has_room {
            self.places[bucket * self.each + *len] = visit;
            *len += 1;
        }
        has_room
    }

    /// Sorts and merges the bucket this visit belongs to; whether that made much room is returned.
    pub fn settle_bucket_of(&mut self, visit: V, sorter: &mut BucketSorter<V>) -> bool {
        let bucket = bucket_of(visit);
        let start = bucket * self.each;
        self.lens[bucket] = sorter.settle(&mut [&mut self.places[start..start + self.lens[bucket]]], PREFIX, self.columns);
        self.lens[bucket] <= self.each / 2
    }

    /// Sorts and merges all buckets.
    pub fn settle(&mut self, sorter: &mut BucketSorter<V>) {
        for (places, len) in self.places.chunks_mut(self.each).zip(&mut self.lens) {
            *len = sorter.settle(&mut [&mut places[..*len]], PREFIX, self.columns);
        }
    }

    /// Whether there are no visits.
    pub fn is_empty(&self) -> bool {
        self.lens.iter().all(|&len| len == 0)
    }

    /// Forgets all visits.
    pub fn clear(&mut self) {
        self.lens.fill(0);
    }

    /// All buckets, in order, to be sorted.
    pub fn buckets_mut(&mut self) -> impl Iterator<Item = &mut [V]> {
        self.places.chunks_mut(self.each).zip(&self.lens).map(|(places, &len)| &mut places[..len])
    }

    /// Keeps so many of the first visits of a bucket, if there are as many; how many there are now is returned.
    pub fn keep(&mut self, bucket: usize, most: usize) -> usize {
        self.lens[bucket] = self.lens[bucket].min(most);
        self.lens[bucket]
    }

    /// The visits of a part, once all buckets are sorted.
    pub fn part(&self, part: usize) -> &[V] {
        let bucket = part / (PARTS / BUCKETS);
        let visits = &self.places[bucket * self.each..][..self.lens[bucket]];
        let start = visits.partition_point(|&visit| part_of(visit) < part);
        let len = visits[start..].partition_point(|&visit| part_of(visit) == part);
        &visits[start..start + len]
    }
}

#[inline(always)]
fn bucket_of<V: Collectable>(visit: V) -> usize {
    (visit.visit().hash() >> (64 - PREFIX)) as usize
}
