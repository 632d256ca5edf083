//! Bits in a string of bytes, from the lowest bit of each byte on; a number of several bits has its
//! lowest bit first.

use std::ops::Range;

/// The number of bits of a value: 0 for 0.
#[inline(always)]
pub(super) const fn bits(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// A value with this many ones from the lowest bit on.
#[inline(always)]
pub(super) const fn ones(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

/// The number of `width` bits, at most 64, from bit `at` on; bits beyond the end are zero.
#[inline(always)]
pub(super) fn get(bytes: &[u8], at: usize, width: u32) -> u64 {
    let (byte, shift) = (at / 8, (at % 8) as u32);
    let Some(word) = bytes.get(byte..).and_then(|rest| rest.first_chunk::<8>()) else {
        return get_at_end(bytes, at, width);
    };
    let low = u64::from_le_bytes(*word) >> shift;
    if shift + width <= 64 {
        return low & ones(width);
    }
    let high = u64::from(bytes.get(byte + 8).copied().unwrap_or_default());
    (low | high << (64 - shift)) & ones(width)
}

/// As [`get`], where fewer than eight bytes are left.
#[cold]
#[inline(never)]
fn get_at_end(bytes: &[u8], at: usize, width: u32) -> u64 {
    let mut word = [0; 16];
    let rest = bytes.get(at / 8..).unwrap_or_default();
    let len = rest.len().min(word.len());
    word[..len].copy_from_slice(&rest[..len]);
    (u128::from_le_bytes(word) >> (at % 8)) as u64 & ones(width)
}

/// Bits that are read one number after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> BitReader<'a> {
    /// Reads the bits of these bytes among others, if they are all there.
    #[inline]
    pub fn new(bytes: &'a [u8], range: Range<usize>) -> Option<Self> {
        let is_there = range.start <= range.end && range.end <= bytes.len();
        is_there.then_some(Self { bytes, at: 8 * range.start, end: 8 * range.end })
    }

    /// Whether nothing was read beyond the end.
    #[inline]
    pub fn is_within(&self) -> bool {
        self.at <= self.end
    }

    /// A number of so many bits, at most 64.
    #[inline]
    pub fn take(&mut self, width: u32) -> u64 {
        let value = get(self.bytes, self.at, width);
        self.at += width as usize;
        value
    }

    /// A number of at least 1 in Elias's gamma code; 0 if there is none.
    #[inline]
    pub fn gamma(&mut self) -> u64 {
        let zeros = get(self.bytes, self.at, 64).trailing_zeros();
        self.at += zeros as usize + 1;
        if zeros == 64 { 0 } else { self.take(zeros) | 1 << zeros }
    }
}

/// What takes numbers of some bits: a string of bits, or a count of them.
pub(super) trait BitSink {
    /// Takes a number of so many bits, at most 64; it has no more.
    fn put(&mut self, value: u64, width: u32);

    /// Takes a number of at least 1 in Elias's gamma code.
    #[inline]
    fn put_gamma(&mut self, value: u64) {
        let below = bits(value) - 1;
        self.put(0, below);
        self.put(1, 1);
        self.put(value & ones(below), below);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitCount(pub u64);

impl BitSink for BitCount {
    #[inline]
    fn put(&mut self, _: u64, width: u32) {
        self.0 += u64::from(width);
    }
}

/// A string of bits in the making.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that don't fill a word yet, and how many they are.
    word: u64,
    used: u32,
}

impl BitWriter {
    /// Takes all bits away.
    pub fn clear(&mut self) {
        self.bytes.clear();
        (self.word, self.used) = (0, 0);
    }

    /// Fills up the last byte with zeros, and gives all bytes.
    pub fn finish(&mut self) -> &[u8] {
        self.fill_byte();
        &self.bytes
    }

    /// Fills up the last byte with zeros; how many bytes there are then.
    pub fn fill_byte(&mut self) -> usize {
        let bytes = self.used.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.word.to_le_bytes()[..bytes]);
        (self.word, self.used) = (0, 0);
        self.bytes.len()
    }
}

impl BitSink for BitWriter {
    #[inline]
    fn put(&mut self, value: u64, width: u32) {
        debug_assert!(value <= ones(width), "{value} has more than {width} bits");
        self.word |= value << (self.used % 64);
        let used = self.used + width;
        if used < 64 {
            self.used = used;
            return;
        }
        self.bytes.extend_from_slice(&self.word.to_le_bytes());
        let taken = 64 - self.used;
        self.word = if taken == 64 { 0 } else { value >> taken };
        self.used = used - 64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let mut writer = BitWriter::default();
        let mut counted = BitCount::default();
        let numbers: Vec<(u64, u32)> = (0..=64).map(|width| (ones(width) / 3, width)).collect();
        for round in 0..3 {
            for &(value, width) in &numbers {
                writer.put(value, width);
                counted.put(value, width);
            }
            writer.put(round, 3);
            for value in [1, 2, 3, 4, u64::MAX, 1 << 63] {
                writer.put_gamma(value);
                counted.put_gamma(value);
            }
        }
        let bytes = writer.finish().to_vec();
        let mut reader = BitReader::new(&bytes, 0..bytes.len()).unwrap();
        for round in 0..3 {
            for &(value, width) in &numbers {
                assert_eq!(reader.take(width), value, "{width} bits");
            }
            assert_eq!(reader.take(3), round);
            for value in [1, 2, 3, 4, u64::MAX, 1 << 63] {
                assert_eq!(reader.gamma(), value);
            }
        }
        assert_eq!(reader.at as u64, counted.0 + 9);
        assert!(reader.is_within());
    }

    #[test]
    fn beyond_the_end_there_are_zeros() {
        let bytes = [0xff; 3];
        assert_eq!(get(&bytes, 20, 64), 0xf);
        assert_eq!(get(&bytes, 24, 64), 0);
        assert_eq!(get(&bytes, 1 << 40, 64), 0);
        let mut reader = BitReader::new(&[0; 30], 0..30).unwrap();
        assert_eq!(reader.gamma(), 0);
        assert!(BitReader::new(&bytes, 1..4).is_none() && BitReader::new(&bytes, 0..1).is_some());
    }
}
