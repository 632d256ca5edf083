//! How cost grows with the number of rows: building, merging, probes.

use crate::args::{Args, Build};
use crate::bulk::{build_positions, merge_positions, millions, remove};
use crate::measure::{Line, Pace, measure, seconds};
use crate::ours::{Positions, map_and_touch, raw_budget, setting};
use crate::raw::{self, RawReads};
use crate::report::{Report, duration};
use crate::workload::Asked;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use tabia::PositionRow;

/// The most rows whose halves are merged: two halves and their merger take as much disk as two books.
const MOST_MERGED: u64 = 100_000_000;

const PROBES: [Line; 2] = [
    Line { name: "hit, dependent", asked: Asked::Hits, pace: Pace::Dependent },
    Line { name: "hit, batch of 32", asked: Asked::Hits, pace: Pace::Batch },
];

/// Measures all sizes.
pub fn run(report: &mut Report, args: &Args) -> Result<()> {
    for &rows in &args.scale {
        measure_size(report, &args.of_size(rows)).with_context(|| format!("at {rows} rows"))?;
    }
    report.note(format!(
        "Build: random rows by the engine's sorter within {} MiB, one thread, to a durable file. Memory is the most that a process doing only this had resident, its code included. \
         Merge: two books of half the rows, none shared, to a durable file; not above {} rows, for want of disk. Build and merge ran once.",
        args.memory >> 20,
        millions(MOST_MERGED)
    ));
    Ok(())
}

fn measure_size(report: &mut Report, args: &Args) -> Result<()> {
    let book = args.folder.join("scale.tabia");
    remove(&book)?;
    let of_size = |what: &str| format!("{} rows: {what}", millions(args.rows));
    let mut enter = |what: &str, work: Work| {
        let figure = format!("{}, {} MiB", duration(work.seconds), work.kib >> 10);
        report.add_absolute(of_size(what), figure, String::new(), None);
    };
    enter("build from random rows", build(args, &book, 0..args.rows)?);
    if args.rows <= MOST_MERGED {
        enter("merge of halves", merge_halves(args)?);
    }
    raw::lay(&book, args.huge)?;
    probe(report, args, &book)?;
    remove(&book)
}

fn merge_halves(args: &Args) -> Result<Work> {
    let [a, b, merged] = ["a.tabia", "b.tabia", "merged.tabia"].map(|name| args.folder.join(name));
    for path in [&a, &b, &merged] {
        remove(path)?;
    }
    build(args, &a, 0..args.rows / 2)?;
    build(args, &b, args.rows / 2..args.rows)?;
    raw::reclaim()?;
    let merge = in_child(&["merge".as_ref(), merged.as_os_str(), a.as_os_str(), b.as_os_str()])?;
    for path in [&a, &b, &merged] {
        remove(path)?;
    }
    Ok(merge)
}

/// What work of a child took.
struct Work {
    seconds: f64,
    /// The most memory that the child had resident, its own code included.
    kib: u64,
}

fn build(args: &Args, book: &Path, numbers: Range<u64>) -> Result<Work> {
    raw::reclaim()?;
    let [from, to, memory] =
        [numbers.start.to_string(), numbers.end.to_string(), args.memory.to_string()];
    let folder = args.folder.as_os_str();
    let filter = if args.filter { "yes" } else { "no" };
    in_child(&[
        "build".as_ref(),
        book.as_os_str(),
        folder,
        memory.as_ref(),
        filter.as_ref(),
        from.as_ref(),
        to.as_ref(),
    ])
}

/// Has work done in a process of its own, so that its memory is its own too.
fn in_child(words: &[&OsStr]) -> Result<Work> {
    let output = Command::new(std::env::current_exe()?)
        .arg("--child")
        .args(words)
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "a child failed");
    let text = String::from_utf8(output.stdout)?;
    let (seconds, kib) = text.trim().split_once(' ').context("a child said nothing")?;
    Ok(Work { seconds: seconds.parse()?, kib: kib.parse()? })
}

/// The work of such a process; it prints its seconds and its most memory in KiB.
pub fn child(words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (time, ()) = match words.as_slice() {
        ["build", book, folder, memory, filter, from, to] => {
            let building = Build {
                folder: folder.as_ref(),
                memory: memory.parse()?,
                filter: *filter == "yes",
            };
            let numbers = from.parse()?..to.parse()?;
            seconds(|| build_positions(building, book.as_ref(), numbers))?
        }
        ["merge", merged, a, b] => {
            seconds(|| merge_positions(merged.as_ref(), [a.as_ref(), b.as_ref()]).map(drop))?
        }
        _ => bail!("no such work for a child"),
    };
    println!("{time} {}", raw::most_kib());
    Ok(())
}

fn probe(report: &mut Report, args: &Args, path: &Path) -> Result<()> {
    let book = map_and_touch::<PositionRow>(path)?;
    let ours = Positions(book.position_table().context("no positions")?);
    let map = raw::map(path)?;
    let raw = RawReads::of(&map);
    for line in PROBES {
        let rival = raw_budget(line.pace);
        let times = measure(report, setting(args, false), line, &ours, &rival.name, &raw)?;
        report.add(format!("{} rows: {}", millions(args.rows), line.name), rival, times);
    }
    Ok(())
}
