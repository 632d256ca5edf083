//! What is measured.

/// Something that answers for a key.
pub trait Probe {
    /// The answer, 0 for none.
    fn get(&self, key: u64) -> u64;

    /// The wrapping sum of the answers for a batch of keys. Who has no better way asks one at a
    /// time.
    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        keys.iter().fold(0, |sum, &key| sum.wrapping_add(self.get(key)))
    }
}
