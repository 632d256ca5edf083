//! What is said of a book that grows, and has grown.

use crate::console::Console;
use crate::failure::Done;
use crate::numbers::{counted, grouped, percent};
use crate::output::Output;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use tabia_engines::EvalUnit;
use tabia_games::Game;
use tabia_grow::{Grown, Plan, Progress, Stop};
use tabia_play::negamax::Value;

/// Moves of a line that are shown while it grows.
const SHOWN: usize = 8;

/// How far it has come, in words.
pub fn facts(progress: &Progress<'_>) -> Vec<String> {
    let grown = progress.grown;
    let mut facts = vec![counted(grown.expansions, "expansion")];
    facts.push(format!("{} in flight", progress.in_flight));
    facts.push(counted(grown.positions, "position"));
    if grown.nodes > 0 {
        facts.push(format!("{} nodes/s", grouped(nodes_per_second(grown))));
    }
    if let Some(value) = grown.value {
        let line: Vec<&str> = grown.line.iter().map(String::as_str).take(SHOWN).collect();
        facts.push(format!("{value} by {}", line.join(" ")));
    }
    facts
}

fn nodes_per_second(grown: &Grown) -> u64 {
    (grown.nodes as f64 / grown.time.as_secs_f64().max(0.001)) as u64
}

/// What came of it.
#[derive(Serialize)]
pub struct Told<'a> {
    book: &'a Path,
    expansions: u64,
    positions: u64,
    /// Positions that are expanded, of those reached.
    expanded: u64,
    seconds: f64,
    /// The part of the workers' time in which they searched.
    busy: f64,
    nodes: u64,
    engine: &'a str,
    limit: &'a str,
    unit: &'a str,
    /// For the side to move at the root: a number in that unit, `win` or `loss`.
    value: Option<String>,
    line: &'a [String],
    stopped: &'static str,
    /// How the game ends, for the side to move at the root, if that is proven.
    solved: Option<&'static str>,
    #[serde(skip)]
    side: &'static str,
}

impl<'a> Told<'a> {
    /// What came of growing by this plan with so many workers.
    pub fn of<G: Game>(
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
            seconds: crate::numbers::seconds(grown.time),
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

    /// Prints it.
    pub fn print(&self, console: &Console, json: bool) -> Done<()> {
        let mut out = Output::of_summary(console);
        if json {
            return out.json(self);
        }
        let (book, expansions) = (self.book.display(), counted(self.expansions, "expansion"));
        let positions = counted(self.positions, "position");
        let busy = percent((self.busy * 1000.0) as u64, 1000);
        writeln!(out, "{book}: {expansions}, {positions} more, {} expanded", self.expanded)?;
        writeln!(out, "by {}, {} a search", self.engine, self.limit)?;
        writeln!(out, "seconds  {:.1}, {busy} of them in searches", self.seconds)?;
        let line = if self.line.is_empty() { "-".to_owned() } else { self.line.join(" ") };
        match (self.solved, &self.value) {
            (Some(solved), _) => writeln!(out, "solved: {solved} for {}: {line}", self.side)?,
            (None, Some(value)) => {
                writeln!(out, "worth {value} {} to {}: {line}", self.unit, self.side)?;
            }
            (None, None) => writeln!(out, "nothing is known of the root yet")?,
        }
        match self.stopped {
            "nothing left" => writeln!(out, "nothing is left to expand within the bounds")?,
            "interrupted" => writeln!(out, "interrupted")?,
            _ => {}
        }
        out.finish()
    }
}
