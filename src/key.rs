//! Keys and their hashes: the mixing bijection, and the home of a hash in a table. See section 2 of
//! the format specification.

use std::fmt;

/// A position's key as its game computes it (for chess the Polyglot key).
pub type Key = u64;

/// The hash of a key: what rows hold in its stead and are in the order of.
///
/// It is a type of its own so that it can't be taken for a key: both are 64 bits, and either finds
/// nothing in the place of the other.
///
/// ```
/// # use tabia::Hash;
/// let hash = Hash::of(1);
/// assert_eq!(hash.get(), 0x5692_161d_100b_05e5);
/// assert_eq!(hash.key(), 1);
/// assert_eq!(Hash::from_bits(hash.get()), hash);
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash(u64);

impl Hash {
    /// The least hash.
    pub const MIN: Self = Self(0);
    /// The greatest hash.
    pub const MAX: Self = Self(u64::MAX);

    /// The hash of a key, by [`mix`].
    #[inline(always)]
    #[must_use]
    pub const fn of(key: Key) -> Self {
        Self(mix(key))
    }

    /// The hash that these bits are.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits of the hash.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The key whose hash it is, by [`unmix`].
    #[inline]
    #[must_use]
    pub const fn key(self) -> Key {
        unmix(self.0)
    }
}

impl From<Hash> for u64 {
    fn from(hash: Hash) -> Self {
        hash.0
    }
}

impl fmt::LowerHex for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

/// The finaliser of SplitMix64, a bijection on 64 bits: the bits of a key's
/// [`Hash`](struct@crate::Hash).
#[inline(always)]
#[must_use]
pub const fn mix(key: Key) -> u64 {
    let mut x = key;
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The inverse of [`mix`]: the key of the [`Hash`](struct@crate::Hash) with these bits.
#[inline]
#[must_use]
pub const fn unmix(h: u64) -> Key {
    let mut x = h;
    x ^= (x >> 31) ^ (x >> 62);
    x = x.wrapping_mul(0x3196_42b2_d24d_8ec3);
    x ^= (x >> 27) ^ (x >> 54);
    x = x.wrapping_mul(0x96de_1b17_3f11_9089);
    x ^ (x >> 30) ^ (x >> 60)
}

/// The slot at which the search for `h` starts in a table of `homes` homes; never decreases as `h`
/// grows.
#[inline(always)]
#[must_use]
pub const fn home(h: u64, homes: u64) -> u64 {
    ((h as u128 * homes as u128) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mix_gives_the_vectors_of_the_specification() {
        for (key, h) in [
            (0, 0),
            (1, 0x5692_161d_100b_05e5),
            (2, 0xdbd2_3897_3a2b_148a),
            (0x463b_9618_1691_fc9c, 0x3aa0_f82c_a23c_21ea),
            (1 << 63, 0x25c2_6ea5_79ce_a98a),
            (u64::MAX, 0xb4d0_55fc_f2cb_bd7b),
        ] {
            assert_eq!(mix(key), h);
            assert_eq!(unmix(h), key);
        }
    }

    proptest! {
        #[test]
        fn unmix_undoes_mix(x: u64) {
            prop_assert_eq!(unmix(mix(x)), x);
            prop_assert_eq!(mix(unmix(x)), x);
        }

        #[test]
        fn homes_are_in_range_and_in_order(a: u64, b: u64, homes in 1u64..) {
            let (low, high) = (a.min(b), a.max(b));
            prop_assert!(home(low, homes) <= home(high, homes));
            prop_assert!(home(high, homes) < homes);
        }
    }
}
