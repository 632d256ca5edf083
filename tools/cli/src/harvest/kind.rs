//! What kind of book games go into: how it is keyed, whether it knows results, which columns it has. `build` asks for it, `add` finds it in the book.

use crate::failure::{Done, told};
use clap::ValueEnum;
use tabia::format::{Header, Keyed, Results};
use tabia::{Column, Columns, TableKind};
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
    /// Gather the players' ratings for each move: average, performance, and the difference of both; 24 bytes more a move
    #[arg(long)]
    ratings: bool,
    /// Keep for each move the first and the last year it was played in; 4 bytes more a move
    #[arg(long)]
    years: bool,
    /// Keep for each move the best game it was played in, that of the highest sum of ratings, as a digest to find it by; 8 bytes more a move
    #[arg(long)]
    games: bool,
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
    /// What its moves have beyond counts.
    pub columns: Columns,
}

impl KindChoice {
    /// The kind that is asked for.
    pub fn kind(&self, tables: Tables) -> Done<Kind> {
        let asked =
            [("--ratings", self.ratings, Column::RATINGS), ("--games", self.games, Column::GAME), ("--years", self.years, Column::YEARS)];
        let asked = || asked.into_iter().filter(|(_, is_asked, _)| *is_asked);
        if let (Some((option, ..)), false) = (asked().next(), tables.moves) {
            return Err(told!("{option} are those of moves: a book of positions only has none"));
        }
        let columns = asked().map(|(.., column)| column).collect();
        let keyed = if self.key == KeyChoice::Line { Keyed::Line } else { Keyed::Position };
        let results = if self.unknown_results == UnknownChoice::Count { Results::Unknown } else { Results::Known };
        Ok(Kind { tables, keyed, results, columns })
    }
}

impl Kind {
    /// The kind of the book with this header.
    pub fn of(header: &Header) -> Self {
        let has = |kind| header.table(kind).is_some();
        let tables = Tables { positions: has(TableKind::Positions), moves: has(TableKind::Moves) };
        Self { tables, keyed: header.keyed, results: header.results, columns: header.columns(TableKind::Moves) }
    }

    /// What becomes of games whose result isn't known.
    pub fn unknown_results(self) -> UnknownResults {
        match self.results {
            Results::Known => UnknownResults::Skip,
            Results::Unknown => UnknownResults::Count,
        }
    }
}
