//! How many columns the terminal has.

use console::Term;
use tabia_play::text::columns_of;

/// The columns of standard output: those of the variable `COLUMNS`, else those of the terminal, else 80.
pub fn columns() -> usize {
    let terminal = Term::stdout().size_checked().map(|(_, columns)| columns.into());
    columns_of(std::env::var("COLUMNS").ok(), terminal)
}
