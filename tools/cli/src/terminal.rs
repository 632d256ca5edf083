//! How many columns the terminal has.

use console::Term;

/// The columns where there is no terminal and no `COLUMNS`: what is written to a pipe or a file has
/// them, too.
pub const COLUMNS: usize = 80;
/// Nothing is fitted into less.
const FEWEST: usize = 20;

/// The columns of standard output: those of the variable `COLUMNS`, else those of the terminal, else
/// [`COLUMNS`].
pub fn columns() -> usize {
    let terminal = Term::stdout().size_checked().map(|(_, columns)| columns.into());
    columns_of(std::env::var("COLUMNS").ok(), terminal)
}

fn columns_of(asked: Option<String>, terminal: Option<usize>) -> usize {
    let asked = asked.and_then(|columns| columns.parse().ok());
    asked.or(terminal.filter(|&columns| columns > 0)).unwrap_or(COLUMNS).max(FEWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
