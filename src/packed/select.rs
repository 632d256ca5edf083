//! Where the nth one of a word is.

/// The lowest and the highest bit of each byte.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * LOW;

/// The place of the one of a word before which there are `rank` others, `rank` being at most 63; 64
/// if there are not so many. Without a branch: what it depends on can't be predicted.
///
/// Ones are counted in all bytes at once (Vigna, Broadword Implementation of Rank/Select Queries,
/// 2008), then in the byte that has the one that is looked for.
#[inline(always)]
pub(super) fn select(word: u64, rank: u32) -> u32 {
    let pairs = word - (word >> 1 & (0x55 * LOW));
    let fours = (pairs & (0x33 * LOW)) + (pairs >> 2 & (0x33 * LOW));
    let bytes = (fours + (fours >> 4)) & (0x0f * LOW);
    // How many ones there are in each byte and those below it.
    let sums = bytes.wrapping_mul(LOW);
    let byte = 8 * lanes_up_to(sums, rank.into());
    if byte == 64 {
        return 64;
    }
    let rest = u64::from(rank) - (sums << 8 >> byte & 0xff);
    // A byte for each bit of that byte.
    let each = (word >> byte & 0xff).wrapping_mul(LOW) & 0x8040_2010_0804_0201;
    let each = (each + 0x7f * LOW) >> 7 & LOW;
    byte + lanes_up_to(each.wrapping_mul(LOW), rest)
}

/// How many bytes of a word of ascending bytes are at most `most`; all of them, and it, below 128.
#[inline(always)]
fn lanes_up_to(sums: u64, most: u64) -> u32 {
    let reached = (((most * LOW) | HIGH) - sums) & HIGH;
    ((reached >> 7).wrapping_mul(LOW) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_found_where_they_are() {
        let of_step = |step: u64| crate::key::mix(step);
        let sparse =
            (0..200).map(|step| of_step(step) & of_step(step + 1000) & of_step(step + 2000));
        let words = (0..200).map(of_step).chain(sparse).chain([0, 1, u64::MAX, 1 << 63, HIGH, LOW]);
        for word in words {
            let places: Vec<u32> = (0..64).filter(|place| word >> place & 1 != 0).collect();
            for rank in 0..64 {
                let expected = places.get(rank as usize).copied().unwrap_or(64);
                assert_eq!(select(word, rank), expected, "{word:x} {rank}");
            }
        }
    }
}
