//! What is wanted of games, whatever the format of their archive.

use crate::filter::Filter;
use tabia::format::Keyed;

/// What is wanted of games, and which games. By default all decided games, without evals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Which games.
    pub filter: Filter,
    /// Whether comments are read for [`Played::evals`](crate::Played::evals), which costs time.
    pub evals: bool,
    /// Whether [`Played::players`](crate::Played::players) is wanted; 0 else.
    pub players: bool,
    /// Whether the keys of plies are those of positions, or of the line up to them (`tabia_games::line_start`).
    pub keyed: Keyed,
    /// What becomes of games without a decided result.
    pub unknown_results: UnknownResults,
}

/// What becomes of games whose result nobody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownResults {
    /// They are skipped.
    #[default]
    Skip,
    /// They go in, and every game counts as a draw, decided or not: the numbers are those of games, and say nothing of who won.
    Count,
}
