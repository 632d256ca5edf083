//! The command line: its verbs, and what is said about a wrong one.

use crate::failure::{Done, Failure};
use crate::verbs::Verb;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use std::io::Write;

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
2 it could not be done; 130 interrupted. `-` is standard input. Archives may be
plain or compressed by zstd, gzip or bzip2.";

/// The command the process was called with.
pub fn parse() -> Done<Command> {
    Command::try_parse().map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Ok(()) => Failure::Shown,
            Err(error) => error.into(),
        },
        kind => match (missing_format(arguments()), kind) {
            (Some(message), _) => Failure::Message(message),
            // Who types the name alone wants to know what there is.
            (None, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand) => {
                match write!(std::io::stdout(), "{}", error.render()) {
                    Ok(()) => Failure::Shown,
                    Err(error) => error.into(),
                }
            }
            _ => Failure::Message(first_sentence(&error.to_string(), &meant(arguments()))),
        },
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_command_line_is_consistent() {
        Command::command().debug_assert();
    }

    #[test]
    fn a_format_that_was_not_given_is_asked_for() {
        let message = |line: &str| missing_format(line.split(' ').map(str::to_owned));
        let expected = "`tabia export` takes a format first, polyglot, abk, mcst or suite: see `tabia export --help`";
        assert_eq!(message("-q export club.tabia -o club.bin").as_deref(), Some(expected));
        assert_eq!(
            [
                message("info club.tabia"),
                message("exprt club.tabia"),
                message("export abk --nonsense")
            ],
            [None, None, None]
        );
    }

    /// All flags of a verb and of those below it.
    fn flags(command: &clap::Command, all: &mut BTreeSet<String>) {
        let long = command.get_arguments().filter_map(clap::Arg::get_long);
        all.extend(long.filter(|name| !["help", "version"].contains(name)).map(str::to_owned));
        command.get_subcommands().for_each(|verb| flags(verb, all));
    }

    #[test]
    fn every_flag_is_in_the_table_of_contributing_and_no_other() {
        let mut all = BTreeSet::new();
        flags(&Command::command(), &mut all);
        let text = include_str!("../../../CONTRIBUTING.md");
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `--"));
        let table: BTreeSet<String> =
            rows.filter_map(|row| row.split('`').next()).map(str::to_owned).collect();
        assert_eq!(all, table);
    }

    /// `-h` has a line for each option, `--help` the rest.
    #[test]
    fn the_short_help_of_an_option_is_one_line_of_eighty_columns() {
        fn check(command: &clap::Command) {
            for option in command.get_arguments() {
                let help = option.get_help().map(ToString::to_string).unwrap_or_default();
                let place = format!("{}: {}: {help}", command.get_name(), option.get_id());
                let most = if option.is_positional() { 67 } else { 60 };
                assert!(!help.is_empty() && help.chars().count() <= most, "{place}");
            }
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
            command.get_subcommands().for_each(check);
        }
        check(&Command::command());
    }
}
