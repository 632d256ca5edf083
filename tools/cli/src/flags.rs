//! All flags of the command, from its own description.

use std::collections::BTreeMap;
use std::fmt;

/// What a flag is, as its verbs say it: its short help, and the verbs that say so.
type Meanings = BTreeMap<String, Vec<String>>;

/// The flags of all verbs by their long names, with what they mean there.
pub struct FlagTable(BTreeMap<String, Meanings>);

impl FlagTable {
    /// Those of a command and of all below it.
    pub fn of(command: &clap::Command) -> Self {
        let mut table = Self(BTreeMap::new());
        table.add(command, "");
        table
    }

    fn add(&mut self, command: &clap::Command, verb: &str) {
        for flag in command.get_arguments() {
            // What all verbs have is said once, of the command itself.
            let is_everywhere = flag.is_global_set() && !verb.is_empty();
            match flag.get_long() {
                Some(name) if !is_everywhere && !["help", "version"].contains(&name) => {
                    let help = flag.get_help().map(ToString::to_string).unwrap_or_default();
                    let verb = if verb.is_empty() { "all verbs" } else { verb };
                    let meanings = self.0.entry(name.to_owned()).or_default();
                    meanings.entry(help).or_default().push(verb.to_owned());
                }
                _ => {}
            }
        }
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            self.add(below, format!("{verb} {}", below.get_name()).trim_start());
        }
    }
}

/// A line for each meaning: `--force  Replace a book of that name: build, merge`.
impl fmt::Display for FlagTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, meanings) in &self.0 {
            for (place, (help, verbs)) in meanings.iter().enumerate() {
                let name = if place == 0 { format!("--{name}") } else { String::new() };
                writeln!(f, "{name:<20} {help}: {}", verbs.join(", "))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    /// Flags that verbs explain in different words, as what they do depends on what the verb reads
    /// or makes; and what each is in all of them.
    const ARGUED: &[(&str, &str)] = &[
        (
            "allow-duplicate-sources",
            "lets an archive count again: where it may have counted before",
        ),
        ("anyway", "reads what doesn't look like this format"),
        ("black-only", "of Black: the book that is made, or that is there"),
        ("book", "another book than the one the verb is about"),
        ("breadth", "so many moves of a position"),
        ("color", "of the player that --player names"),
        ("depth", "plies of a search: one to come, or one that gave an eval"),
        ("fen", "a position to begin with"),
        ("force", "replaces what is there: a book, a file, files"),
        ("format", "how the output is written"),
        ("game", "a game by its name, of those that the verb knows"),
        ("keyed", "whether rows are of positions or of lines"),
        ("komi", "White's points in Go"),
        ("limit", "so many lines of a list"),
        ("max-nodes", "so many moves of a tree"),
        ("max-ply", "goes so many plies from the start"),
        ("min-games", "leaves out what has fewer games: what that is"),
        ("nodes", "nodes of a search"),
        ("output", "the file, the book or the folder to make"),
        ("pack", "packs the book that is made"),
        ("player", "a player by name"),
        ("protocol", "what an engine speaks"),
        ("report", "a file for what happened to each game"),
        ("results", "whether counts know how games ended"),
        ("rule", "a rule of `tabia play`"),
        ("seed", "where chance comes from"),
        ("symmetry", "which images of a position count as one"),
        ("threads", "how many threads work"),
        ("weight", "what a weight of Polyglot's counts"),
        ("white-only", "of White: the book that is made, or that is there"),
    ];

    #[test]
    fn a_flag_means_the_same_in_every_verb_that_has_it() {
        let table = FlagTable::of(&command::tree());
        assert!(ARGUED.iter().all(|(name, _)| table.0.contains_key(*name)), "{table}");
        for (name, meanings) in &table.0 {
            let is_argued = ARGUED.iter().any(|(argued, _)| argued == name);
            assert!(is_argued || meanings.len() == 1, "--{name}: {meanings:?}");
        }
    }
}
