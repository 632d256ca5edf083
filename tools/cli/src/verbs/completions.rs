//! `tabia completions`: for the shell.

use crate::command;
use crate::prelude::*;
use clap_complete::Shell;

/// Print completions for a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia completions bash > ~/.local/share/bash-completion/completions/tabia
  tabia completions fish > ~/.config/fish/completions/tabia.fish")]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints them.
pub fn run(args: &Args, _console: &Console) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command::tree(), "tabia", &mut script);
    let mut out = Output::new();
    out.write_all(&script)?;
    out.finish()?;
    Ok(Verdict::Fine)
}
