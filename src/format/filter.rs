//! The filter: a blocked Bloom filter of the keys of the positions table. Section 5.1 of the format specification.

use crate::key::home;
use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// Bits of the filter for each row.
const BITS_A_ROW: u64 = 10;

/// A block of the filter: one line of the cache. Each key sets one bit in each of its eight words.
///
/// Blocked filters: Putze, Sanders and Singler, *Cache-, Hash- and Space-Efficient Bloom Filters*, 2007.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct FilterBlock([U64; 8]);

impl FilterBlock {
    /// Bytes of a block.
    pub const SIZE: u64 = size_of::<Self>() as u64;

    /// Enters a hash.
    #[inline]
    pub fn insert(&mut self, h: u64) {
        for (word, bit) in self.0.iter_mut().zip(bits(h)) {
            *word |= U64::new(1 << bit);
        }
    }

    /// Whether a hash may have been entered; `false` is certain.
    #[inline(always)]
    #[must_use]
    pub fn may_hold(&self, h: u64) -> bool {
        self.0.iter().zip(bits(h)).fold(1, |all, (word, bit)| all & (word.get() >> bit)) == 1
    }

    /// Enters all that was entered into another.
    pub fn unite(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

/// The bit of a hash in each word of its block. The block takes the hash's upper bits, so these are mixed from all of them.
#[inline(always)]
fn bits(h: u64) -> impl Iterator<Item = u64> {
    let mixed = h.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    (0..8).map(move |word| mixed >> (6 * word) & 63)
}

/// How many blocks the filter of so many rows (at most 2^60) has.
#[must_use]
pub fn filter_blocks(rows: u64) -> u64 {
    (rows * BITS_A_ROW).div_ceil(FilterBlock::SIZE * 8).max(1)
}

/// Which of so many blocks holds a hash; never decreases as the hash grows.
#[inline(always)]
#[must_use]
pub fn filter_block_of(h: u64, blocks: u64) -> u64 {
    home(h, blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::mix;

    /// The filter of the keys 0 to `rows - 1`.
    fn filter(rows: u64) -> Vec<FilterBlock> {
        let mut blocks = vec![FilterBlock::default(); filter_blocks(rows) as usize];
        let count = blocks.len() as u64;
        (0..rows).map(mix).for_each(|h| blocks[filter_block_of(h, count) as usize].insert(h));
        blocks
    }

    fn holds(blocks: &[FilterBlock], h: u64) -> bool {
        blocks[filter_block_of(h, blocks.len() as u64) as usize].may_hold(h)
    }

    #[test]
    fn b21_what_was_entered_is_found() {
        for rows in [1, 2, 51, 52, 10_000] {
            let blocks = filter(rows);
            assert!((0..rows).all(|key| holds(&blocks, mix(key))), "{rows} rows");
        }
    }

    /// What section 5.1 says of false positives.
    #[test]
    fn two_in_a_hundred_others_pass_at_most() {
        let blocks = filter(1_000_000);
        let passed = (1 << 40..(1 << 40) + 1_000_000).filter(|&key| holds(&blocks, mix(key))).count();
        assert!((5_000..15_000).contains(&passed), "{passed} of a million");
    }

    #[test]
    fn the_vectors_of_the_specification() {
        let mut block = FilterBlock::default();
        block.insert(0x5692_161d_100b_05e5);
        assert_eq!(block, FilterBlock([52, 27, 15, 48, 62, 5, 0, 5].map(|bit| U64::new(1 << bit))));
        assert_eq!([1, 51, 52, 100_000_000].map(filter_blocks), [1, 1, 2, 1_953_125]);
    }
}
