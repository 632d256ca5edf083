//! Nothing is ever lost: every call to the disk fails once, then the recovery's calls too, and the
//! power goes at every moment.
//!
//! `disk` stands in for the system's disk: it does what it is told on a real folder (in memory,
//! where there is one), keeps a trace, and fails or dies at the call it is told to. `power` takes a
//! trace and says what a real disk may hold of it once the power is gone. `model` knows what a book
//! has to hold; `scenarios` are the works that are put through it. `large` is a work apart: a book
//! that several threads make; `foreign` is about what isn't ours, `turns` about two processes at a
//! time, and `lives` is all of it at random.

mod faulty_disk;
mod foreign;
mod injections;
mod large;
mod lint;
mod lives;
pub mod model;
mod outcome;
mod recovery;
mod refresh;
mod scenarios;
mod states;
mod turns;
