//! `tabia build` of a real archive as a whole: from the command's start to a durable book.

use crate::args::Args;
use crate::bulk::remove;
use crate::measure::seconds;
use crate::raw;
use crate::report::{Report, duration, median};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Builds the archive in rounds with one thread and with two.
pub fn build(report: &mut Report, args: &Args) -> Result<()> {
    let Some(tabia) = &args.tabia else {
        report.note("archive: not measured; say where the command is with --tabia PATH.");
        return Ok(());
    };
    if !args.archive.exists() {
        report.note(format!("archive: not measured; there is no {}.", args.archive.display()));
        return Ok(());
    }
    let mut times = [Vec::new(), Vec::new()];
    let mut facts = String::new();
    for _ in 0..args.rounds {
        for (threads, times) in times.iter_mut().enumerate() {
            let (time, output) = run(tabia, args, threads + 1)?;
            times.push(time);
            facts = output;
        }
    }
    let (games, plies) = (number(&facts, "games"), number(&facts, "plies"));
    for (threads, times) in times.into_iter().enumerate() {
        let time = median(times);
        let speed = match (games, plies) {
            (Some(games), Some(plies)) => {
                format!(" ({:.0} games/s, {:.2} M plies/s)", games / time, plies / time / 1e6)
            }
            _ => String::new(),
        };
        let name = args.archive.file_name().unwrap_or_default().to_string_lossy();
        report.add_absolute(
            format!("tabia build of {name}, --threads {}", threads + 1),
            duration(time) + &speed,
            String::new(),
            None,
        );
    }
    Ok(())
}

/// The seconds from the command's start to its end, and what it printed.
fn run(tabia: &Path, args: &Args, threads: usize) -> Result<(f64, String)> {
    let book = args.folder.join("archive.tabia");
    remove(&book)?;
    raw::reclaim()?;
    let mut command = Command::new(tabia);
    command
        .args(["build", "--json", "--threads", &threads.to_string(), "-o"])
        .arg(&book)
        .arg(&args.archive);
    let (time, output) =
        seconds(|| command.output().with_context(|| format!("run {}", tabia.display())))?;
    remove(&book)?;
    ensure!(
        output.status.success(),
        "tabia build failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok((time, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// The number after this name in JSON text.
fn number(json: &str, name: &str) -> Option<f64> {
    let after = json.split(&format!("\"{name}\":")).nth(1)?.trim_start();
    let end = after.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(after.len());
    after[..end].parse().ok()
}
