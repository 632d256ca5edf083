//! Random choices that are the same every time.

/// A linear congruential generator (Knuth's MMIX), of which the high bits are used.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn next(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// A number below this one, which isn't 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    /// So many of these, or all if there are fewer.
    pub fn some<'a, T>(&mut self, of: &'a [T], count: usize) -> Vec<&'a T> {
        if of.len() <= count {
            of.iter().collect()
        } else {
            (0..count).filter_map(|_| self.choose(of)).collect()
        }
    }

    /// One of these, if there are any.
    pub fn choose<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() { None } else { of.get(self.below(of.len())) }
    }
}
