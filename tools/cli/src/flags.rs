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
