//! Processes that are killed while they write, readers in other processes all the
//! while, disks that are full or read-only.
//!
//! The test program starts itself again as the process to be killed: `child` is that process's main
//! function.

mod child;
mod disks;
mod forks;
mod killed;
mod readers;
mod versions;
