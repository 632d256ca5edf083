//! What the tests of all crates share: game data and programs that may be missing, skipped tests,
//! samples of proofs that take long, and random numbers.

#[cfg(feature = "storage")]
pub mod crash;
#[cfg(feature = "storage")]
pub mod forge;
mod rng;
mod sample;
mod skip;
#[cfg(feature = "storage")]
mod storage;

pub use rng::Rng;
pub use sample::{Sample, whole};
pub use skip::{data, program, skip};
#[cfg(feature = "storage")]
pub use storage::{Faults, FaultyDisk, Hook, Hooked, StorageCall};
