//! Colors of terminals, and whether there are any; how many columns text is fitted into.

use std::io::IsTerminal;

/// A variable of the environment, if it is there and says anything.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The columns where there is no terminal and none are asked for: what is written to a pipe or a file
/// has them, too.
const COLUMNS: usize = 80;
/// Nothing is fitted into less.
const FEWEST: usize = 20;

/// How many columns text is fitted into: those asked for (by the variable `COLUMNS`), else those of the
/// terminal, if there is one, else 80.
pub fn columns_of(asked: Option<String>, terminal: Option<usize>) -> usize {
    let asked = asked.and_then(|columns| columns.parse().ok());
    asked.or(terminal.filter(|&columns| columns > 0)).unwrap_or(COLUMNS).max(FEWEST)
}

/// What text is painted with: colors of the terminal, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    is_on: bool,
}

impl Paint {
    /// Text as it is.
    pub const NONE: Self = Self { is_on: false };

    /// What standard output is to have: colors if it is a terminal, unless the environment says
    /// otherwise (<https://no-color.org>, <https://bixense.com/clicolors>).
    pub fn of_output() -> Self {
        Self { is_on: is_wanted(std::io::stdout().is_terminal(), variable) }
    }

    /// Bold text.
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Faint text.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// Green text.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// Red text.
    pub fn bad(self, text: &str) -> String {
        self.with("31", text)
    }

    /// Dark on light, or the other way round.
    pub fn inverse(self, text: &str) -> String {
        self.with("7", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.is_on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn is_wanted(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let says = |name, value: &str| variable(name).is_some_and(|found| found == value);
    if variable("NO_COLOR").is_some() {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some_and(|force| force != "0") {
        return true;
    }
    is_terminal && !says("CLICOLOR", "0") && !says("TERM", "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_for_terminals_unless_the_environment_says_otherwise() {
        type Variables = &'static [(&'static str, &'static str)];
        let cases: [(bool, Variables, bool); 9] = [
            (true, &[], true),
            (false, &[], false),
            (true, &[("NO_COLOR", "1")], false),
            (true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false),
            (false, &[("CLICOLOR_FORCE", "1")], true),
            (false, &[("CLICOLOR_FORCE", "0")], false),
            (true, &[("CLICOLOR", "0")], false),
            (true, &[("CLICOLOR", "1")], true),
            (true, &[("TERM", "dumb")], false),
        ];
        for (is_terminal, set, expected) in cases {
            let variable = |name: &str| {
                set.iter().find(|(other, _)| *other == name).map(|&(_, value)| value.to_owned())
            };
            assert_eq!(is_wanted(is_terminal, variable), expected, "{is_terminal} {set:?}");
        }
    }

    #[test]
    fn columns_are_those_asked_for_or_the_terminals_or_eighty() {
        for (asked, terminal, columns) in [
            (None, None, 80),
            (None, Some(132), 132),
            (None, Some(0), 80),
            (Some("100"), Some(132), 100),
            (Some("many"), Some(132), 132),
            (Some("3"), None, 20),
        ] {
            assert_eq!(columns_of(asked.map(str::to_owned), terminal), columns, "{asked:?}");
        }
    }

    #[test]
    fn text_without_colors_is_as_it_was() {
        assert_eq!(Paint::NONE.good("e4"), "e4");
        let colors = Paint { is_on: true };
        assert_eq!(["e4", ""].map(|text| colors.good(text)), ["\x1b[32me4\x1b[0m", ""]);
    }
}
