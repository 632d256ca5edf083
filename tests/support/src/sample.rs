//! Samples of proofs that take long when they are whole.

use crate::Rng;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Whether long proofs are wanted whole: with `TABIA_WHOLE=1`, or a larger number, by which the
/// cases of random proofs are multiplied.
pub fn whole() -> bool {
    times() > 0
}

fn times() -> u64 {
    std::env::var("TABIA_WHOLE").ok().and_then(|times| times.parse().ok()).unwrap_or(0)
}

/// Chooses about one in so many cases of a proof that takes long, all of them when [`whole`].
/// `TABIA_SEED` says which; `./test.sh` takes it from the commit, so that each commit tries others.
#[derive(Debug, Clone)]
pub struct Sample {
    seed: u64,
    rng: Rng,
    one_in: u64,
    /// The kinds of which there was a case.
    kinds: HashSet<u64>,
}

impl Sample {
    /// A sample of one case in `one_in`; prints its seed.
    pub fn one_in(one_in: u64) -> Self {
        let seed = std::env::var("TABIA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
        let one_in = if whole() { 1 } else { one_in };
        println!("one case in {one_in}, TABIA_SEED={seed}");
        Self { seed, rng: Rng::new(seed), one_in, kinds: HashSet::new() }
    }

    /// The sample of one of several parts of a proof, which don't choose alike and may run at the
    /// same time.
    pub fn part(&self, part: impl Hash) -> Self {
        let rng = Rng::new(self.seed ^ hash_of(part));
        Self { rng, kinds: HashSet::new(), ..*self }
    }

    /// Whether the next case is tried.
    pub fn takes(&mut self) -> bool {
        self.rng.below(self.one_in) == 0
    }

    /// Whether the next case, which is of this kind, is tried: the first of each kind always is.
    pub fn takes_of(&mut self, kind: impl Hash) -> bool {
        self.kinds.insert(hash_of(kind)) | self.takes()
    }

    /// How many of `all` cases of a random proof are tried: all of them when [`whole`], or
    /// `TABIA_WHOLE` times as many.
    pub fn count(&self, all: u64) -> u64 {
        all.div_ceil(self.one_in) * times().max(1)
    }

    /// The seeds of that many cases.
    pub fn seeds(&mut self, all: u64) -> Vec<u64> {
        let wanted = self.count(all);
        (0..wanted).map(|n| if wanted < all { self.rng.below(all) } else { n }).collect()
    }
}

/// The same on every machine and in every run.
fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
