//! What the tests of all crates share: game data and programs that may be missing, skipped tests,
//! samples of proofs that take long, and random numbers.

mod rng;
mod sample;
mod skip;
#[cfg(feature = "storage")]
mod storage;

pub use rng::Rng;
pub use sample::{Sample, whole};
pub use skip::{data, program, skip};
#[cfg(feature = "storage")]
pub use storage::{FaultyDisk, Faults, Hook, Hooked, StorageCall};
