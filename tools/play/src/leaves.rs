//! Positions that were reached and from which no move is known.

/// A set of hashes, each with the least of what was said of it: a list, sorted when it has doubled.
#[derive(Debug, Default)]
pub(crate) struct Leaves<T = ()> {
    all: Vec<(u64, T)>,
    /// How many there were when they were sorted last.
    sorted: usize,
}

/// So few are not worth sorting before the end.
const FEW: usize = 1 << 16;

impl<T: Copy + Ord> Leaves<T> {
    /// Puts one in, be it there or not.
    pub fn insert(&mut self, hash: u64, said: T) {
        self.all.push((hash, said));
        if self.all.len() >= 2 * self.sorted.max(FEW) {
            self.settle();
        }
    }

    /// Bytes of memory they take.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.all.as_slice()) as u64
    }

    /// Brings them in order, each once; has to be called before any is asked for.
    pub fn settle(&mut self) {
        self.all.sort_unstable();
        self.all.dedup_by_key(|leaf| leaf.0);
        self.sorted = self.all.len();
    }

    /// What was said of one, if it is in.
    pub fn get(&self, hash: u64) -> Option<T> {
        debug_assert_eq!(
            self.sorted,
            self.all.len(),
            "leaves are asked for before they are settled"
        );
        let place = self.all.binary_search_by_key(&hash, |leaf| leaf.0).ok()?;
        Some(self.all[place].1)
    }

    /// What was said of each.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.all.iter().map(|leaf| leaf.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_a_set_however_often_they_come() {
        let mut leaves = Leaves::default();
        for round in (0..5u16).rev() {
            (0..100_000u64).for_each(|leaf| leaves.insert(2 * (leaf * 7919 % 100_000), round));
        }
        leaves.settle();
        assert_eq!(leaves.iter().count(), 100_000);
        let found = [0, 199_998, 199_999, 200_000].map(|hash| leaves.get(hash));
        assert_eq!(found, [Some(0), Some(0), None, None]);
    }
}
