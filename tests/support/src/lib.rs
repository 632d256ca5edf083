//! What the tests of all crates share: game data and programs that may be missing, skipped tests,
//! samples of proofs that take long, and random numbers.

#[cfg(feature = "engine")]
mod book;
#[cfg(feature = "engine")]
pub mod crash;
#[cfg(feature = "engine")]
pub mod forge;
mod misplaced;
#[cfg(feature = "engine")]
pub mod model;
mod rng;
mod sample;
mod skip;
#[cfg(feature = "engine")]
mod storage;
mod table;

#[cfg(feature = "engine")]
pub use book::{WON, chess_book, settle, tiny_book};
pub use misplaced::misplaced;
pub use rng::Rng;
pub use sample::{Sample, whole};
pub use skip::{data, program, skip};
#[cfg(feature = "engine")]
pub use storage::FaultyDisk;
pub use table::{rows, scripts};
