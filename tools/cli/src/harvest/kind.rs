//! What kind of book games go into: how it is keyed and whether it knows results. `build` asks for it, `add` finds it in the book.

use clap::ValueEnum;
use tabia::TableKind;
use tabia::format::{Header, Keyed, Results};
use tabia_archives::{Tables, UnknownResults};

/// What kind of book is to be made.
#[derive(clap::Args)]
pub struct KindChoice {
    /// What rows are of: positions, or the lines that lead to them, as in a game tree, where transpositions don't meet
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    key: KeyChoice,
    /// What becomes of games without a decided result: skipped, or counted; then every game counts as a draw, and the book says how often, not how well
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    unknown_results: UnknownChoice,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum KeyChoice {
    #[default]
    Position,
    Line,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum UnknownChoice {
    #[default]
    Skip,
    Count,
}

/// The kind of a book.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The tables it has.
    pub tables: Tables,
    /// What its keys stand for.
    pub keyed: Keyed,
    /// Whether it knows results.
    pub results: Results,
}

impl KindChoice {
    /// The kind that is asked for.
    pub fn kind(&self, tables: Tables) -> Kind {
        let keyed = if self.key == KeyChoice::Line { Keyed::Line } else { Keyed::Position };
        let results = if self.unknown_results == UnknownChoice::Count { Results::Unknown } else { Results::Known };
        Kind { tables, keyed, results }
    }
}

impl Kind {
    /// The kind of the book with this header.
    pub fn of(header: &Header) -> Self {
        let has = |kind| header.table(kind).is_some();
        let tables = Tables { positions: has(TableKind::Positions), moves: has(TableKind::Moves) };
        Self { tables, keyed: header.keyed, results: header.results() }
    }

    /// What becomes of games whose result isn't known.
    pub fn unknown_results(self) -> UnknownResults {
        match self.results {
            Results::Known => UnknownResults::Skip,
            Results::Unknown => UnknownResults::Count,
        }
    }
}
