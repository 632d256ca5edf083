//! What is said of a book that grows, and has grown.

use crate::numbers::{counted, grouped, percent};
use crate::output::Output;
use std::io::{self, Write};
use std::path::Path;
use tabia_grow::{Grove, Grown, Progress, Report, Stages};
use tabia_match::playing::Grown as Played;

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

/// How far a book has come that grows by playing, in words.
pub fn played_facts(grown: &Played) -> Vec<String> {
    let rate = grown.games as f64 / grown.time.as_secs_f64().max(0.001);
    let moves = grown.sides.iter().map(|side| side.moves).sum();
    let [first, second] = grown.sides.each_ref().map(|side| side.book_moves);
    vec![
        counted(grown.expansions, "expansion"),
        format!("{}, {rate:.1}/s", counted(grown.games, "game")),
        counted(moves, "move"),
        format!("{first:.1} and {second:.1} book moves a game"),
    ]
}

/// Says what came of playing, for people.
pub fn write_played(grown: &Played, book: &Path, who: &str, out: &mut Output) -> io::Result<()> {
    let moves = grown.sides.iter().map(|side| side.moves).sum();
    let (book, games) = (book.display(), counted(grown.games, "game"));
    let expansions = counted(grown.expansions, "expansion");
    writeln!(out, "{book}: {expansions}, {} that win more, by {games}", counted(moves, "move"))?;
    writeln!(out, "by {who}")?;
    writeln!(out, "seconds  {:.1}", grown.time.as_secs_f64())?;
    if grown.void > 0 {
        writeln!(out, "void     {}", counted(grown.void, "game"))?;
    }
    for (name, side) in ["first", "second"].iter().zip(&grown.sides) {
        let Some(alone) = side.alone else { continue };
        let [score, error] = [alone.score, alone.score_error].map(|part| 100.0 * part);
        let home = |ply: usize| side.covered.get(ply).map_or(0.0, |part| 100.0 * part);
        writeln!(
            out,
            "{name:6}   {} without a book {score:.1} % \u{b1} {error:.1}, {} lines of 8 plies in 100 games; {} moves, {:.1} a game; known {:.0} % to ply 4, {:.0} % to 8, {:.0} % to 12",
            counted(side.games, "game"),
            side.lines,
            side.moves,
            side.book_moves,
            home(3),
            home(7),
            home(11)
        )?;
    }
    Ok(())
}

/// How far a book has come that grows by Monte-Carlo trees, in words.
pub fn grove_facts(grove: &Grove) -> Vec<String> {
    let rate = (grove.games as f64 / grove.seconds.max(0.001)) as u64;
    vec![
        counted(grove.trees, "tree"),
        format!("{}, {}/s", counted(grove.games, "game"), grouped(rate)),
        counted(grove.positions, "position"),
    ]
}

/// Says what came of the trees, for people.
pub fn write_grove(
    grove: &Grove,
    book: &Path,
    stages: &Stages,
    side: &str,
    out: &mut Output,
) -> io::Result<()> {
    let (trees, positions) = (counted(grove.trees, "tree"), counted(grove.positions, "position"));
    writeln!(out, "{}: {trees}, {positions} more", book.display())?;
    let games = grouped(stages.games.into());
    writeln!(out, "by {games} games of chance a tree, seed {}", stages.seed)?;
    writeln!(out, "seconds  {:.1}", grove.seconds)?;
    if let Some(score) = grove.score {
        let line: Vec<&str> = grove.line.iter().map(String::as_str).take(SHOWN).collect();
        writeln!(out, "worth {:.1} % to {side}: {}", 100.0 * score, line.join(" "))?;
    }
    if grove.stopped == "nothing left" {
        writeln!(out, "all trees within the bounds are there")?;
    }
    Ok(())
}
