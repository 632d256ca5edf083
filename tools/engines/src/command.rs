//! The command that starts an engine.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A program and its arguments, written as in a shell: words, quotes and backslashes, and nothing
/// else that a shell does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    program: String,
    arguments: Vec<String>,
}

/// A text that is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no command: give a program and its arguments, with quotes around words that have spaces"
)]
pub struct BadCommand(String);

impl Command {
    /// A program and its arguments; none without a program.
    pub fn new(words: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut words = words.into_iter();
        let program = words.next().filter(|program| !program.is_empty())?;
        Some(Self { program, arguments: words.collect() })
    }

    /// The program: a path, or a name that is looked for on the `PATH`.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The program's arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// What an engine is called until it says its own name: the program's file.
    pub fn name(&self) -> String {
        Path::new(&self.program)
            .file_name()
            .map_or_else(|| self.program.clone(), |name| name.to_string_lossy().into_owned())
    }
}

impl FromStr for Command {
    type Err = BadCommand;

    fn from_str(text: &str) -> Result<Self, BadCommand> {
        let bad = || BadCommand(text.to_owned());
        Self::new(shlex::split(text).ok_or_else(bad)?).ok_or_else(bad)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = std::iter::once(&self.program).chain(&self.arguments).map(String::as_str);
        f.write_str(&shlex::try_join(words).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_a_shell() {
        let command: Command = r#"'/opt/my engine/sf' --name "a \"b\"" -x\ y"#.parse().unwrap();
        assert_eq!((command.program(), command.name()), ("/opt/my engine/sf", "sf".to_owned()));
        assert_eq!(command.arguments(), ["--name", "a \"b\"", "-x y"]);
        assert_eq!(command.to_string().parse(), Ok(command));
        for bad in ["", "  ", "'open", "''"] {
            assert_eq!(bad.parse::<Command>(), Err(BadCommand(bad.to_owned())));
        }
    }
}
