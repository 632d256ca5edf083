//! What came of growing a book.

use crate::plan::Plan;
use crate::progress::{Grown, Stop};
use serde::Serialize;
use std::path::Path;
use tabia_engines::EvalUnit;
use tabia_games::Game;
use tabia_play::negamax::Value;

/// What came of growing a book.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'a> {
    /// The book.
    pub book: &'a Path,
    /// Leaves that were expanded.
    pub expansions: u64,
    /// Positions that the book didn't have.
    pub positions: u64,
    /// Positions that are expanded, of those reached.
    pub expanded: u64,
    /// The time it took, to the thousandth.
    pub seconds: f64,
    /// The part of the workers' time in which they searched.
    pub busy: f64,
    /// Nodes that engines searched.
    pub nodes: u64,
    /// Which engine it was.
    pub engine: &'a str,
    /// The limit of each search.
    pub limit: &'a str,
    /// The unit of values.
    pub unit: &'a str,
    /// For the side to move at the root: a number in that unit, `win` or `loss`.
    pub value: Option<String>,
    /// The line that both sides want.
    pub line: &'a [String],
    /// Why it ended.
    pub stopped: &'static str,
    /// How the game ends, for the side to move at the root, if that is proven.
    pub solved: Option<&'static str>,
    /// The side to move at the root.
    #[serde(skip)]
    pub side: &'static str,
}

impl<'a> Report<'a> {
    /// What came of growing by this plan with this number of workers.
    pub fn new<G: Game>(
        (grown, stop): &'a (Grown, Stop),
        book: &'a Path,
        plan: &'a Plan,
        root: &G,
        workers: usize,
    ) -> Self {
        let whole = grown.time.as_secs_f64() * workers as f64;
        Self {
            book,
            expansions: grown.expansions,
            positions: grown.positions,
            expanded: grown.expanded,
            seconds: (grown.time.as_secs_f64() * 1000.0).round() / 1000.0,
            busy: (grown.busy.as_secs_f64() / whole.max(1e-9)).min(1.0),
            nodes: grown.nodes,
            engine: &plan.evals.engine,
            limit: &plan.evals.limit,
            unit: EvalUnit::of(root.name()).name(),
            value: grown.value.map(|value| value.to_string()),
            line: &grown.line,
            stopped: match stop {
                Stop::Budget => "budget",
                Stop::Asked => "interrupted",
                Stop::Solved(_) => "solved",
                Stop::Exhausted => "nothing left",
                Stop::AllGames => "all games",
            },
            solved: match stop {
                Stop::Solved(Value::WIN) => Some("win"),
                Stop::Solved(Value::LOSS) => Some("loss"),
                Stop::Solved(_) => Some("draw"),
                _ => None,
            },
            side: root.sides()[root.side().index()],
        }
    }
}
