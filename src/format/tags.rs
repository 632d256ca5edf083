//! Tags: 16 bits for each slot of the positions table. They identify nearly every absent position
//! as absent, and give the slot of a present one. Section 5.2 of the format specification.

use crate::key::home;

/// Bits of a tag that are not of the home.
pub(crate) const TAG_LOW_BITS: u32 = 9;

/// The tag of a row in a table of `homes` homes, fewer than 2^55: the last 16 bits of its home and
/// of how far it is from there to the next one in 512 steps. `h` is shifted by the bits of the
/// book's share.
#[inline(always)]
#[must_use]
pub const fn tag_of_row(h: u64, homes: u64) -> u16 {
    home(h, homes << TAG_LOW_BITS) as u16
}

/// The tag of an empty slot: the least one of the next home.
#[inline(always)]
#[must_use]
pub const fn tag_of_empty(slot: u64) -> u16 {
    (slot.wrapping_add(1) << TAG_LOW_BITS) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_tags_of_the_specification() {
        // Homes 0 and 1 of two, and a home beyond 127.
        assert_eq!([0, 1 << 63, u64::MAX].map(|h| tag_of_row(h, 2)), [0, 1 << 9, (1 << 9) + 511]);
        assert_eq!(tag_of_row(0x8140_0000_0000_0000, 256), (129 & 127) << 9 | 128);
        assert_eq!([0, 126, 127, 128].map(tag_of_empty), [1 << 9, 127 << 9, 0, 1 << 9]);
    }

    proptest! {
        #[test]
        fn b21_tags_are_a_part_of_the_product_of_hash_and_homes(h: u64, homes in 1u64..1 << 55) {
            let low = (u128::from(h) * u128::from(homes)) as u64;
            let expected = (home(h, homes) & 127) << 9 | low >> 55;
            prop_assert_eq!(u64::from(tag_of_row(h, homes)), expected);
            prop_assert_eq!(u64::from(tag_of_empty(homes)), (homes.wrapping_add(1) & 127) << 9);
        }
    }
}
