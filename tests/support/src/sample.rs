//! Samples of proofs that take long when they are whole.

use crate::Rng;

/// Whether long proofs are wanted whole: with `TABIA_WHOLE=1`.
pub fn whole() -> bool {
    std::env::var_os("TABIA_WHOLE").is_some_and(|value| value == "1")
}

/// Chooses about one in so many cases of a proof that takes long, all of them when [`whole`].
/// `TABIA_SEED` says which; `./test.sh` takes it from the commit, so that each commit tries others.
#[derive(Debug, Clone)]
pub struct Sample {
    rng: Rng,
    one_in: u64,
}

impl Sample {
    /// A sample of one case in `one_in`; prints its seed.
    pub fn one_in(one_in: u64) -> Self {
        let seed = std::env::var("TABIA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
        let one_in = if whole() { 1 } else { one_in };
        println!("one case in {one_in}, TABIA_SEED={seed}");
        Self { rng: Rng::new(seed), one_in }
    }

    /// Whether the next case is tried.
    pub fn takes(&mut self) -> bool {
        self.rng.below(self.one_in) == 0
    }
}
