//! A book between a GUI and its engine.

use super::{Args, Protocol};
use crate::console::Console;
use crate::failure::{Done, told};

/// Plays until the GUI or the engine ends it.
pub fn run(_args: &Args, protocol: Protocol, _console: &Console) -> Done {
    Err(told!("--protocol {protocol:?}: not done yet"))
}
