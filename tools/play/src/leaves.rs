//! Positions that were reached and from which no move is known.

/// A set of hashes that grows: a list, sorted whenever it has doubled.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    hashes: Vec<u64>,
    /// How many there were when they were sorted last.
    sorted: usize,
}

/// So few are not worth sorting before the end.
const FEW: usize = 1 << 16;

impl Leaves {
    /// Puts one in, be it there or not.
    pub fn insert(&mut self, hash: u64) {
        self.hashes.push(hash);
        if self.hashes.len() >= 2 * self.sorted.max(FEW) {
            self.settle();
        }
    }

    /// Bytes of memory they take.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.hashes.as_slice()) as u64
    }

    /// Brings them in order; has to be called before any is asked for.
    pub fn settle(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.sorted = self.hashes.len();
    }

    /// Whether it is in.
    pub fn contains(&self, hash: u64) -> bool {
        debug_assert_eq!(
            self.sorted,
            self.hashes.len(),
            "leaves are asked for before they are settled"
        );
        self.hashes.binary_search(&hash).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_a_set_however_often_they_come() {
        let mut leaves = Leaves::default();
        for _ in 0..5 {
            (0..100_000u64).for_each(|leaf| leaves.insert(2 * (leaf * 7919 % 100_000)));
        }
        leaves.settle();
        assert_eq!(leaves.hashes.len(), 100_000);
        assert!(
            leaves.contains(0)
                && leaves.contains(199_998)
                && !leaves.contains(199_999)
                && !leaves.contains(200_000)
        );
    }
}
