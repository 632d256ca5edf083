//! Whether one move is chosen, a game is played, or rules are explained.

use super::{Args, Rule, decision, learning, proxy};
use crate::console::Console;
use crate::failure::{Done, Verdict};
use crate::output::Output;
use std::io::Write;
use tabia_play::choice::RuleSpec;

/// Chooses a move, or plays.
pub fn run(args: &Args, console: &Console) -> Done {
    if matches!(args.rule, Rule::Help) {
        let mut out = Output::new();
        write!(out, "{}", RuleSpec::help())?;
        out.finish()?;
        return Ok(Verdict::Fine);
    }
    match args.protocol {
        Some(protocol) => {
            args.decide.check_unused()?;
            learning::learn(args, console)?;
            proxy::run(args, protocol, console)
        }
        None => decision::run(args, console),
    }
}
