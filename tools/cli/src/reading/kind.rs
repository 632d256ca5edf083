//! What kind of book games go into: how it is keyed, whether it knows results, which columns it
//! has. `build` asks for it, `add` finds it in the book.

use crate::prelude::*;
use crate::values::KEYED;
use tabia::Column;
use tabia_archives::UnknownResults;
use tabia_build::KeptGames;

const RESULTS: &[Named<UnknownResults>] = &[
    ("known", UnknownResults::Skip, "Games that were decided are counted, as they ended"),
    ("unknown", UnknownResults::Count, "All games are counted, as draws"),
];

/// Which games are kept beyond what they count; none if only digests. `clap` takes an option of the
/// plain name for one that may be missing.
type GamesChoice = Option<KeptGames>;

const GAMES: &[Named<GamesChoice>] = &[
    ("all", Some(KeptGames::All), "All games go into the file"),
    ("named", Some(KeptGames::Named), "Those that are the best of some move"),
    ("digests", None, "None: there is no file, only what games are found by"),
];

/// What kind of book is to be made.
#[derive(clap::Args)]
pub struct KindChoice {
    /// What rows are of
    #[arg(long, value_parser = one_of(KEYED), default_value = "position", value_name = "WHAT", help_heading = headings::BOOK)]
    keyed: Keyed,
    /// Whether the book knows how games ended
    ///
    /// If not, games without a decided result are not skipped but counted, and every game counts as
    /// a draw: the book says how often, not how well.
    #[arg(long, value_parser = one_of(RESULTS), default_value = "known", value_name = "WHAT", help_heading = headings::BOOK)]
    results: UnknownResults,
    /// Gather the ratings of each move's players
    ///
    /// Their average, their performance, and the difference of both; 24 bytes more a move.
    #[arg(long, help_heading = headings::COLUMNS)]
    ratings: bool,
    /// Keep the first and the last year of each move
    ///
    /// 4 bytes more a move.
    #[arg(long, help_heading = headings::COLUMNS)]
    years: bool,
    /// Keep the best game of each move, and the games themselves
    ///
    /// The best game is that of the highest sum of ratings; 8 bytes more a move. The games go into a
    /// file beside the book, BOOK-games, for `tabia games`: some 160 bytes a game of chess.
    #[arg(
        long,
        value_parser = one_of(GAMES),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_name = "WHICH",
        help_heading = headings::COLUMNS
    )]
    games: Option<GamesChoice>,
}

impl KindChoice {
    /// Makes it a plan for a book of this kind.
    pub fn apply(&self, plan: &mut BuildPlan) -> Done<()> {
        let asked = [
            ("--ratings", self.ratings, Column::RATINGS),
            ("--games", self.games.is_some(), Column::GAME),
            ("--years", self.years, Column::YEARS),
        ];
        let asked = || asked.into_iter().filter(|(_, is_asked, _)| *is_asked);
        if let (Some((option, ..)), false) = (asked().next(), plan.tables.moves) {
            return Err(failure!("{option} are those of moves: a book of positions only has none"));
        }
        plan.games = self.games.flatten();
        let wanted = &mut plan.read.wanted;
        wanted.columns = asked().map(|(.., column)| column).collect();
        wanted.keyed = self.keyed;
        if wanted.corners.is_some() && wanted.keyed != Keyed::Line {
            return Err(failure!("--corners makes lines of moves: give --keyed line, too"));
        }
        wanted.unknown_results = self.results;
        Ok(())
    }
}
