//! `tabia man`: manual pages, and the table of all flags.

use crate::command::{self, grouped};
use crate::flags::FlagTable;
use crate::prelude::*;
use clap_mangen::Man;

/// Print a manual page, or a table of all flags
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tabia man build | man -l -
  tabia man export polyglot > tabia-export-polyglot.1
  tabia man --flags")]
pub struct Args {
    /// The verb whose page is wanted; of export and import with its format
    #[arg(value_name = "VERB", num_args = 0..=2)]
    verb: Vec<String>,
    /// Print what each flag is, and which verbs have it
    #[arg(long, conflicts_with = "verb")]
    flags: bool,
}

/// Prints it.
pub fn run(args: &Args, _console: &Console) -> Done {
    let mut command = command::tree();
    command.build();
    let mut out = Output::new();
    if args.flags {
        write!(out, "{}", FlagTable::of(&command))?;
    } else {
        for verb in &args.verb {
            let found = command.find_subcommand(verb).cloned();
            command = found.ok_or_else(|| failure!("`{verb}` is no verb: see `tabia --help`"))?;
        }
        if args.verb.is_empty() {
            write_all(&command, &mut out)?
        } else {
            Man::new(command).render(&mut out)?
        }
    }
    out.finish()?;
    Ok(Verdict::Fine)
}

/// The page of the command itself: its verbs have the headings of their groups.
fn write_all(command: &clap::Command, out: &mut impl Write) -> io::Result<()> {
    let groups = grouped(command);
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for (heading, verbs) in groups {
        let first = format!(".TP\ntabia\\-{}(1)\n", verbs[0].get_name().replace('-', "\\-"));
        page = page.replacen(&first, &format!(".SS \"{heading}\"\n{first}"), 1);
    }
    out.write_all(page.as_bytes())
}
