//! The mixing of bits that the keys of this crate are made with.

/// 2^64 divided by the golden ratio, made odd: the increment of SplitMix64.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), a bijection on 64 bits.
#[inline(always)]
pub(crate) const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    /// The first three numbers of SplitMix64 from the seed 1234567, as its reference implementation
    /// prints them.
    #[test]
    fn it_is_the_mixing_of_split_mix_64() {
        let numbers = [1u64, 2, 3]
            .map(|step| super::mix(1_234_567u64.wrapping_add(step.wrapping_mul(super::STEP))));
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
