//! Tags: 16 bits of each slot of the positions table that tell of nearly every absent position that it is absent, and of a present one in which
//! slot it is. Section 5.1 of the format specification.

/// The lowest bit of the home in a tag; below it is what follows the home in the product of hash and homes.
const HOME_SHIFT: u32 = 9;

/// The tag of a row with this hash, without the bits of its share, in a table of so many homes.
#[inline(always)]
#[must_use]
pub const fn tag_of_row(h: u64, homes: u64) -> u16 {
    let product = h as u128 * homes as u128;
    ((product >> 64) as u16) << HOME_SHIFT | (product as u64 >> (64 - HOME_SHIFT)) as u16
}

/// The tag of an empty slot: the least one of the next home.
#[inline(always)]
#[must_use]
pub const fn tag_of_empty(slot: u64) -> u16 {
    (slot.wrapping_add(1) as u16) << HOME_SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::home;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn b21_tags_are_those_of_the_specification(h: u64, homes in 1u64..) {
            let low = (u128::from(h) * u128::from(homes)) as u64;
            let expected = (home(h, homes) & 127) << 9 | low >> 55;
            prop_assert_eq!(u64::from(tag_of_row(h, homes)), expected);
            prop_assert_eq!(u64::from(tag_of_empty(homes)), (homes.wrapping_add(1) & 127) << 9);
        }
    }
}
