//! Sets of numbers, a bit each, to which several threads can add.

use std::sync::atomic::{AtomicU64, Ordering};

/// A set of numbers below a limit.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<AtomicU64>);

impl Bits {
    /// The empty set of numbers below this one.
    pub fn new(limit: u64) -> Self {
        Self((0..limit.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether it holds this number.
    #[inline(always)]
    pub fn has(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Ordering::Relaxed) >> (number % 64) & 1 != 0
    }

    /// Adds a number; whether it is new is returned.
    #[inline(always)]
    pub fn add(&self, number: u64) -> bool {
        let bit = 1 << (number % 64);
        self.0[(number / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
    }
}
