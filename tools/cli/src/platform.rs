//! What the command asks of the system and the standard library hasn't: signals, the terminal's
//! mode, writing without memory, free space. Each system has a file with the same items;
//! `unix.rs` documents them. `tabia serve` is there on Unix alone.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
