//! Whether one move is chosen, or a game is played.

use super::{Args, decision, proxy};
use crate::console::Console;
use crate::failure::Done;

/// Chooses a move, or plays.
pub fn run(args: &Args, console: &Console) -> Done {
    match args.protocol {
        Some(protocol) => {
            args.decide.check_unused()?;
            proxy::run(args, protocol, console)
        }
        None => decision::run(args, console),
    }
}
