//! How far growing has come, and how it ended.

use crate::plan::{Budget, Plan};
use crate::tree::Tree;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use tabia_engines::EvalUnit;
use tabia_games::Game;
use tabia_play::negamax::Value;

/// Somebody who watches a book grow.
pub trait Watch {
    /// After each expansion, and now and then in between; whether to go on.
    fn step(&self, progress: &Progress<'_>) -> bool;

    /// Something that a person should know.
    fn note(&self, line: &str);
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// What was done so far.
    pub grown: &'a Grown,
    /// Expansions that are being worked at.
    pub in_flight: usize,
    /// What it may do in all: the budget, less what was done of it before it was interrupted.
    pub budget: Budget,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grown {
    /// Leaves that were expanded.
    pub expansions: u64,
    /// Positions that the book didn't have.
    pub positions: u64,
    /// Nodes that engines searched, as far as they say so.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
    /// How long workers worked, all together.
    pub busy: Duration,
    /// Expanded positions of the book that were reached from the root.
    pub expanded: u64,
    /// What the root is worth to the side to move there, if something is known of it.
    pub value: Option<Value>,
    /// The principal variation, as people write moves.
    pub line: Vec<String>,
}

impl Grown {
    /// Looks up what the book is worth now, and the line that both sides want.
    pub(crate) fn sum_up<G: Game>(&mut self, tree: &Tree<G>) {
        let (value, line) = tree.principal();
        let (graph, mut node) = (tree.graph(), tree.root().clone());
        self.line.clear();
        for pair in line.windows(2) {
            let edge = graph.moves(pair[0]).iter().find(|edge| edge.to == pair[1]);
            let Some(played) = edge.and_then(|edge| node.move_of_code(edge.code)) else { break };
            self.line.push(node.position.notation(&played));
            node = node.after(&played);
        }
        (self.value, self.expanded) = (value, tree.expanded());
    }
}

/// Why growing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget is used up.
    Budget,
    /// It was asked to.
    Asked,
    /// It is sure how the game ends from the root: so, for the side to move there.
    Solved(Value),
    /// No leaf is left within the bounds that were set.
    Exhausted,
    /// All games are in.
    AllGames,
}

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
