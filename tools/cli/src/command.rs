//! The command line: its verbs, and what is said about a wrong one.

use crate::failure::{Done, Failure};
use crate::verbs::{GROUPS, Verb};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::fmt::Write as _;
use std::io::{self, Write as _};

/// Opening books for board games: built from game archives, merged, verified and explored.
#[derive(Parser)]
#[command(name = "tabia", version, arg_required_else_help = true, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Command {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Show no progress, notes and summaries, only errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  tabia build -o masters.tabia masters.pgn.zst
  tabia explore masters.tabia --moves \"e4 e5 Nf3\"
  tabia help build

Exit codes: 0 fine; 1 damage (check), a difference (diff) or no move (play);
2 it could not be done, and nothing was changed; 3 it is done, but not what the
line says; 130 interrupted. `-` is standard input. Archives may be plain or
compressed by zstd, gzip or bzip2.";

/// The command the process was called with.
pub fn parse() -> Done<Command> {
    let parsed = tree().try_get_matches().and_then(|found| Command::from_arg_matches(&found));
    parsed.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => shown(error.print()),
        kind => match (missing_format(arguments()), kind) {
            (Some(message), _) => Failure::Message(message),
            // Who types the name alone wants to know what there is.
            (None, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) => {
                shown(write!(io::stdout(), "{}", error.render()))
            }
            _ => Failure::Message(first_sentence(&error.to_string(), &meant(arguments()))),
        },
    })
}

fn shown(written: io::Result<()>) -> Failure {
    written.err().map_or(Failure::Shown, Failure::from)
}

/// The command with all that is below it, whose help has the verbs in groups.
pub fn tree() -> clap::Command {
    let command = Command::command();
    let (mut verbs, groups) = (String::new(), grouped(&command));
    let in_groups = groups.iter().map(|(_, group)| group.len()).sum::<usize>();
    debug_assert_eq!(in_groups, command.get_subcommands().count(), "each verb is in one group");
    for (heading, group) in groups {
        let _ = write!(verbs, "\n\n{heading}:");
        for verb in group {
            let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = write!(verbs, "\n  {:<11}  {about}", verb.get_name());
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}{verbs}\n\nOptions:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// The verbs of the command in groups, each with its heading; none is empty.
pub fn grouped(command: &clap::Command) -> Vec<(&'static str, Vec<&clap::Command>)> {
    let groups = GROUPS.iter().map(|&(heading, modules)| {
        let of_group = |module: &&str| command.find_subcommand(module.replace('_', "-"));
        (heading, modules.iter().filter_map(of_group).collect::<Vec<_>>())
    });
    groups.filter(|(_, verbs)| !verbs.is_empty()).collect()
}

/// The command line, without the program.
fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}

/// That a verb with a command for each format was given none of them, if it was so.
fn missing_format(mut arguments: impl Iterator<Item = String>) -> Option<String> {
    let command = Command::command();
    let verb = arguments.find_map(|argument| command.find_subcommand(argument))?;
    let formats: Vec<&str> = verb.get_subcommands().map(clap::Command::get_name).collect();
    let (last, others) = formats.split_last()?;
    if arguments.any(|argument| formats.contains(&argument.as_str())) {
        return None;
    }
    let name = verb.get_name();
    Some(format!(
        "`tabia {name}` takes a format first, {} or {last}: see `tabia {name} --help`",
        others.join(", ")
    ))
}

/// The command whose help says more: with the verb, and the format, as far as they were given.
fn meant(arguments: impl Iterator<Item = String>) -> String {
    let (mut command, mut name) = (Command::command(), "tabia".to_owned());
    for argument in arguments {
        if let Some(verb) = command.find_subcommand(&argument).cloned() {
            name = format!("{name} {}", verb.get_name());
            command = verb;
        }
    }
    name
}

/// What clap has to say before its tips and its usage, as one line; `command` is what was meant.
fn first_sentence(message: &str, command: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let said: Vec<&str> =
        message.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
    let tip = message.split("tip: ").nth(1).and_then(|tip| tip.lines().next());
    let tip = tip.filter(|tip| !tip.starts_with("to pass"));
    let tip = tip.map_or_else(|| format!("see `{command} --help`"), str::to_owned);
    let said = said.join(" ").replace("invalid digit found in string", "give a whole number");
    format!("{}: {tip}", said.trim_end_matches(':'))
}
