//! The terminal: how many columns it has, and whether it is to show colors.

use rustix::termios::{Winsize, tcgetwinsize};
use std::io::IsTerminal;

/// The columns where there is no terminal and no `COLUMNS`: what is written to a pipe or a file has
/// them, too.
pub const COLUMNS: usize = 80;
/// Nothing is fitted into less.
const FEWEST: usize = 20;

/// The columns that standard output has: those of the variable `COLUMNS`, else those of the
/// terminal, else [`COLUMNS`].
pub fn columns() -> usize {
    columns_of(variable("COLUMNS"), tcgetwinsize(rustix::stdio::stdout()).ok())
}

/// Likewise, of standard error.
pub fn columns_of_errors() -> usize {
    columns_of(variable("COLUMNS"), tcgetwinsize(rustix::stdio::stderr()).ok())
}

fn columns_of(asked: Option<String>, terminal: Option<Winsize>) -> usize {
    let asked = asked.and_then(|columns| columns.parse().ok());
    let terminal = || terminal.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0);
    asked.or_else(terminal).unwrap_or(COLUMNS).max(FEWEST)
}

/// A variable of the environment, if it is there and says anything.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What text is painted with: colors of the terminal, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    is_on: bool,
}

impl Paint {
    /// Text as it is.
    #[cfg(test)]
    pub const NONE: Self = Self { is_on: false };
    /// Colors.
    #[cfg(test)]
    pub const COLORS: Self = Self { is_on: true };

    /// What standard output is to have: colors if it is a terminal, unless the environment says
    /// otherwise (<https://no-color.org>, <https://bixense.com/clicolors>).
    pub fn of_output() -> Self {
        Self { is_on: is_wanted(std::io::stdout().is_terminal(), variable) }
    }

    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

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
        let terminal =
            |columns| Some(Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 });
        let asked = |text: &str| Some(text.to_owned());
        assert_eq!(columns_of(None, None), 80);
        assert_eq!(columns_of(None, terminal(132)), 132);
        assert_eq!(columns_of(None, terminal(0)), 80);
        assert_eq!(columns_of(asked("100"), terminal(132)), 100);
        assert_eq!(columns_of(asked("many"), terminal(132)), 132);
        assert_eq!(columns_of(asked("3"), None), 20);
    }

    #[test]
    fn text_without_colors_is_as_it_was() {
        assert_eq!(Paint::NONE.good("e4"), "e4");
        assert_eq!(Paint::COLORS.good("e4"), "\x1b[32me4\x1b[0m");
        assert_eq!(Paint::COLORS.good(""), "");
    }
}
