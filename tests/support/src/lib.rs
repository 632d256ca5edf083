//! What the tests of all crates share: game data and programs that may be missing, skipped tests,
//! samples of proofs that take long, and random numbers.

mod rng;
mod sample;
mod skip;
mod table;

pub use rng::Rng;
pub use sample::{Sample, whole};
pub use skip::{data, program, skip};
pub use table::rows;
