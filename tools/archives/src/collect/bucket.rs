//! Sorting one bucket of visits: small enough for the cache, and spread evenly, since hashes are.

use crate::visit::Visit;

/// Visits for each bin of the counting pass, about.
const A_BIN: usize = 2;
/// The most bits the counting pass looks at: its counters stay in the first-level cache.
const MOST_BITS: u32 = 14;

/// Sorts and merges visits, in buffers it keeps.
#[derive(Default)]
pub(super) struct BucketSorter {
    ends: Vec<u32>,
    sorted: Vec<Visit>,
}

impl BucketSorter {
    /// Sorts the visits of these slices together and merges those that are the same. Their hashes have the first `prefix` bits in common.
    /// What is left fills the slices in order; how many it is is returned.
    pub fn settle(&mut self, slices: &mut [&mut [Visit]], prefix: u32) -> usize {
        self.scatter(slices, prefix);
        let mut kept = merge_sorted(&mut self.sorted);
        let total = kept;
        let mut rest = self.sorted.as_slice();
        for slice in slices {
            let (now, later) = rest.split_at(slice.len().min(kept));
            slice[..now.len()].copy_from_slice(now);
            kept -= now.len();
            rest = later;
        }
        total
    }

    /// Brings all visits in order: by the bits behind the prefix to a bin, then bin by bin.
    fn scatter(&mut self, slices: &[&mut [Visit]], prefix: u32) {
        let len: usize = slices.iter().map(|slice| slice.len()).sum();
        let bits = (len / A_BIN).max(2).ilog2().min(MOST_BITS);
        let bin = |visit: &Visit| (visit.hash() << prefix >> (64 - bits)) as usize;
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        for visit in slices.iter().flat_map(|slice| slice.iter()) {
            self.ends[bin(visit)] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.sorted.resize(len, Visit::default());
        for visit in slices.iter().flat_map(|slice| slice.iter()) {
            let end = &mut self.ends[bin(visit)];
            self.sorted[*end as usize] = *visit;
            *end += 1;
        }
        let mut start = 0;
        for &end in &self.ends {
            let bin = &mut self.sorted[start..end as usize];
            if bin.len() > 1 {
                bin.sort_unstable();
            }
            start = end as usize;
        }
    }
}

/// Merges visits that are the same, in place; how many are left is returned.
pub(super) fn merge_sorted(visits: &mut [Visit]) -> usize {
    let mut kept = 0;
    for next in 0..visits.len() {
        let visit = visits[next];
        if kept == 0 || !visits[kept - 1].absorb(visit) {
            visits[kept] = visit;
            kept += 1;
        }
    }
    kept
}
