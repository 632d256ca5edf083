//! What is said of a book that grows, and has grown.

use crate::numbers::{counted, grouped, percent};
use crate::output::Output;
use std::io::{self, Write};
use tabia_grow::{Grown, Progress, Report};

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

/// Says what came of it, for people.
pub fn write(report: &Report<'_>, out: &mut Output) -> io::Result<()> {
    let (book, expansions) = (report.book.display(), counted(report.expansions, "expansion"));
    let positions = counted(report.positions, "position");
    let busy = percent((report.busy * 1000.0) as u64, 1000);
    writeln!(out, "{book}: {expansions}, {positions} more, {} expanded", report.expanded)?;
    writeln!(out, "by {}, {} a search", report.engine, report.limit)?;
    writeln!(out, "seconds  {:.1}, {busy} of them in searches", report.seconds)?;
    let line = if report.line.is_empty() { "-".to_owned() } else { report.line.join(" ") };
    match (report.solved, &report.value) {
        (Some(solved), _) => writeln!(out, "solved: {solved} for {}: {line}", report.side)?,
        (None, Some(value)) => {
            writeln!(out, "worth {value} {} to {}: {line}", report.unit, report.side)?;
        }
        (None, None) => writeln!(out, "nothing is known of the root yet")?,
    }
    match report.stopped {
        "nothing left" => writeln!(out, "nothing is left to expand within the bounds")?,
        "interrupted" => writeln!(out, "interrupted")?,
        _ => {}
    }
    Ok(())
}
