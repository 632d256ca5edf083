//! How occurrences are divided by the first bits of their hash: into buckets, and into the parts in
//! which rows are made.

use crate::occurrence::Sortable;

/// Bits of the hash that distinguish buckets: a bucket of a large archive still fits in a
/// second-level cache.
pub(super) const PREFIX: u32 = 10;
pub(super) const BUCKETS: usize = 1 << PREFIX;
/// Bits of the hash that distinguish the parts in which rows are made.
pub(super) const PART_PREFIX: u32 = 12;
pub(super) const PARTS: usize = 1 << PART_PREFIX;

#[inline(always)]
pub(super) fn part_of<V: Sortable>(occurrence: V) -> usize {
    (occurrence.occurrence().hash() >> (64 - PART_PREFIX)) as usize
}
