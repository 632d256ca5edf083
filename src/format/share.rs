//! A share of the hashes: which part of all positions a book holds.

use crate::key::{Hash, home};
use std::ops::RangeInclusive;

/// A share of the hashes: those whose first bits are a number. A whole book holds the only share of
/// no bits.
///
/// Many machines build one book share by share; K books of one share each are opened as one
/// [`BookSet`](crate::BookSet).
///
/// ```
/// use tabia::{Hash, Share};
///
/// let third: Share = "3/8".parse()?;
/// assert_eq!((third.bits(), third.number(), third.count()), (3, 2, 8));
/// assert!(third.holds(Hash::from_bits(0b010 << 61)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Share {
    bits: u8,
    number: u32,
}

impl Share {
    /// All hashes.
    pub const WHOLE: Self = Self { bits: 0, number: 0 };

    /// The most bits: 2^32 shares.
    pub const MOST_BITS: u8 = 32;

    /// The share of all hashes whose first `bits` bits are `number`; none if there is no such
    /// share.
    #[must_use]
    pub fn new(bits: u8, number: u32) -> Option<Self> {
        let there = bits <= Self::MOST_BITS && u64::from(number) < 1 << bits;
        there.then_some(Self { bits, number })
    }

    /// The number of leading bits of a hash that decide whether it is in this share; 0 for the
    /// whole.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.bits
    }

    /// The first bits of all its hashes.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// The number of such shares in a whole.
    #[must_use]
    pub fn count(self) -> u64 {
        1 << self.bits
    }

    /// Whether this is the share of all hashes.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.bits == 0
    }

    /// Whether a hash belongs to this share.
    #[inline]
    #[must_use]
    pub fn holds(self, hash: Hash) -> bool {
        // Without bits all hashes have number 0.
        hash.get().checked_shr(64 - u32::from(self.bits)).unwrap_or(0) == u64::from(self.number)
    }

    /// Whether all hashes of another share are in this one.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.bits <= other.bits && self.holds(*other.hashes().start())
    }

    /// The hashes of this share.
    #[inline]
    #[must_use]
    pub fn hashes(self) -> RangeInclusive<Hash> {
        if self.bits == 0 {
            return Hash::MIN..=Hash::MAX;
        }
        let first = u64::from(self.number) << (64 - self.bits);
        Hash::from_bits(first)..=Hash::from_bits(first | u64::MAX >> self.bits)
    }

    /// Where the search for one of its hashes starts in a table of `homes` homes; never decreases
    /// as hashes grow.
    #[inline(always)]
    #[must_use]
    pub fn home(self, hash: Hash, homes: u64) -> u64 {
        home(hash.get() << self.bits, homes)
    }
}

/// As people count: share 3 of 8.
impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", u64::from(self.number) + 1, self.count())
    }
}

/// A text that is no share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a share: 3/8 is the third of eight; how many there are is a power of two")]
pub struct BadShare(String);

impl std::str::FromStr for Share {
    type Err = BadShare;

    /// Reads what is displayed: `3/8`.
    fn from_str(text: &str) -> Result<Self, BadShare> {
        let parse = || {
            let (share, count) = text.split_once('/')?;
            let (share, count): (u64, u64) = (share.parse().ok()?, count.parse().ok()?);
            let bits = u8::try_from(count.checked_ilog2()?).ok()?;
            let number = u32::try_from(share.checked_sub(1)?).ok()?;
            Self::new(bits, number).filter(|_| count.is_power_of_two())
        };
        parse().ok_or_else(|| BadShare(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_read_as_they_are_shown() {
        for good in ["1/1", "1/2", "3/8", "8/8", "4294967296/4294967296"] {
            assert_eq!(good.parse::<Share>().unwrap().to_string(), good);
        }
        for bad in ["", "3", "0/8", "9/8", "1/3", "1/0", "-1/8", "1/8589934592", "1/8/8"] {
            assert!(bad.parse::<Share>().is_err(), "{bad}");
        }
        assert_eq!("1/1".parse(), Ok(Share::WHOLE));
    }

    proptest! {
        #[test]
        fn every_hash_is_in_one_share(h: u64, bits in 0u8..=32) {
            let number = if bits == 0 { 0 } else { (h >> (64 - bits)) as u32 };
            let share = Share::new(bits, number).unwrap();
            prop_assert!(share.holds(Hash::from_bits(h)));
            for other in [number.wrapping_add(1), number.wrapping_sub(1)] {
                prop_assert!(Share::new(bits, other).is_none_or(|other| !other.holds(Hash::from_bits(h))));
            }
        }

        #[test]
        fn homes_ascend_within_a_share(a: u64, b: u64, bits in 0u8..=32, homes in 1u64..) {
            let share = Share::new(bits, ((1u64 << bits) - 1) as u32).unwrap();
            let within = |h: u64| Hash::from_bits(share.hashes().start().get() | h & (u64::MAX >> bits));
            let (low, high) = (within(a.min(b) & u64::MAX >> bits), within(a.max(b) & u64::MAX >> bits));
            prop_assert!(low > high || share.home(low, homes) <= share.home(high, homes));
            prop_assert!(share.home(high, homes) < homes);
        }
    }
}
