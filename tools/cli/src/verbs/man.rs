//! `tabia man`: manual pages.

use crate::failure::{Done, Verdict, failure};
use crate::output::Output;
use clap_mangen::Man;

/// Print a manual page
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia man build | man -l -
  tabia man export polyglot > tabia-export-polyglot.1")]
pub struct Args {
    /// The verb whose page is wanted; of export and import with its format
    #[arg(value_name = "VERB", num_args = 0..=2)]
    verb: Vec<String>,
}

/// Prints it.
pub fn run(args: &Args, mut command: clap::Command) -> Done {
    command.build();
    for verb in &args.verb {
        let found = command.find_subcommand(verb).cloned();
        command = found.ok_or_else(|| failure!("`{verb}` is no verb: see `tabia --help`"))?;
    }
    let mut out = Output::new();
    Man::new(command).render(&mut out)?;
    out.finish()?;
    Ok(Verdict::Fine)
}
