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
    let name = args.archive.file_name().unwrap_or_default().to_string_lossy();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..args.rounds {
        for (threads, times) in (1..).zip(&mut times) {
            times.push(run(tabia, args, threads)?);
        }
    }
    for (threads, times) in (1..).zip(times) {
        let what = format!("tabia build of {name}, --threads {threads}");
        report.add_absolute(what, duration(median(times)), String::new(), None);
    }
    Ok(())
}

/// The seconds from the command's start to its end.
fn run(tabia: &Path, args: &Args, threads: usize) -> Result<f64> {
    let book = args.folder.join("archive.tabia");
    remove(&book)?;
    raw::reclaim()?;
    let mut command = Command::new(tabia);
    command.args(["build", "--threads", &threads.to_string(), "-o"]).arg(&book).arg(&args.archive);
    let (time, output) =
        seconds(|| command.output().with_context(|| format!("run {}", tabia.display())))?;
    remove(&book)?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "tabia build failed: {said}");
    Ok(time)
}
