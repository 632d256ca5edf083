//! Sorting one bucket of occurrences: small enough for the cache, and spread evenly, since hashes
//! are.

use crate::occurrence::Sortable;
use tabia::Columns;

/// Occurrences for each bin of the counting pass, about.
const A_BIN: usize = 2;
/// The most bits the counting pass looks at: its counters stay in the cache.
const MOST_BITS: u32 = 14;
/// A bin of more occurrences than this is sorted before it is merged, else by being merged.
const LARGE: usize = 32;

/// Sorts and merges occurrences, in buffers it keeps.
#[derive(Default)]
pub(super) struct BucketSorter<V> {
    ends: Vec<u32>,
    sorted: Vec<V>,
}

impl<V: Sortable> BucketSorter<V> {
    /// Sorts the occurrences of these slices together and merges those that are the same, with
    /// cells of these columns. Their hashes have the first `prefix` bits in common. What is left
    /// fills the slices in order; how many it is is returned.
    pub fn sort_and_merge(
        &mut self,
        slices: &mut [&mut [V]],
        prefix: u32,
        columns: Columns,
    ) -> usize {
        self.scatter(slices, prefix);
        let total = self.merge_bins(columns);
        let mut kept = total;
        let mut rest = self.sorted.as_slice();
        for slice in slices {
            let (now, later) = rest.split_at(slice.len().min(kept));
            slice[..now.len()].copy_from_slice(now);
            kept -= now.len();
            rest = later;
        }
        total
    }

    /// Brings the occurrences to bins, by the bits after the prefix.
    fn scatter(&mut self, slices: &[&mut [V]], prefix: u32) {
        let len: usize = slices.iter().map(|slice| slice.len()).sum();
        let bits = (len / A_BIN).max(2).ilog2().min(MOST_BITS);
        let bin =
            |occurrence: &V| (occurrence.occurrence().hash() << prefix >> (64 - bits)) as usize;
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        for occurrence in slices.iter().flat_map(|slice| slice.iter()) {
            self.ends[bin(occurrence)] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.sorted.resize(len, V::default());
        for occurrence in slices.iter().flat_map(|slice| slice.iter()) {
            let end = &mut self.ends[bin(occurrence)];
            self.sorted[*end as usize] = *occurrence;
            *end += 1;
        }
    }

    /// Sorts and merges bin after bin. Returns how many occurrences are left; they come first now.
    fn merge_bins(&mut self, columns: Columns) -> usize {
        let (mut start, mut kept) = (0, 0);
        for &end in &self.ends {
            let end = end as usize;
            if end - start > LARGE {
                self.sorted[start..end].sort_unstable();
            }
            let first = kept;
            for next in start..end {
                let occurrence = self.sorted[next];
                let before = self.sorted[first..kept]
                    .iter()
                    .rev()
                    .take_while(|other| occurrence.occurrence().comes_before(other.occurrence()))
                    .count();
                let place = kept - before;
                if place == first || !self.sorted[place - 1].merge(occurrence, columns) {
                    self.sorted.copy_within(place..kept, place + 1);
                    self.sorted[place] = occurrence;
                    kept += 1;
                }
            }
            start = end;
        }
        kept
    }
}
