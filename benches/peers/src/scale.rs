//! How cost grows with the number of rows: probes, opening, checking, merging, building, as a table.

use crate::args::{Args, Build};
use crate::bulk::{build_positions, check_rows, merge_positions, millions, remove};
use crate::measure::{Line, Pace, Setting, measure, seconds};
use crate::ours::{Positions, file_length, map_and_touch, setting};
use crate::raw::{self, RawReads};
use crate::report::{Report, duration, median};
use crate::workload::Asked;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use tabia::PositionRow;

/// The most rows whose halves are merged, and which are checked more than once: two halves and
/// their merger take as much disk as two books.
const MOST_MERGED: u64 = 100_000_000;

const PROBES: [Line; 3] = [
    Line { name: "hit, dependent", asked: Asked::Hits, pace: Pace::Dependent },
    Line { name: "hit, batch of 32", asked: Asked::Hits, pace: Pace::Batch },
    Line { name: "miss, one after the other", asked: Asked::Misses, pace: Pace::Alone },
];

/// What was measured of a book of one size. Times are seconds.
#[derive(Default)]
struct Size {
    rows: u64,
    bytes: u64,
    /// For each of [`PROBES`], ours and the raw read's.
    probes: [(f64, f64); 3],
    open: f64,
    check: f64,
    build: Work,
    /// Merging two halves.
    merge: Option<Work>,
}

/// Measures all sizes; returns the table as Markdown.
pub fn run(report: &mut Report, args: &Args) -> Result<String> {
    let mut sizes = Vec::new();
    for &rows in &args.scale {
        let size =
            measure_size(report, &args.of_size(rows)).with_context(|| format!("at {rows} rows"))?;
        eprintln!("{}", cells(&size).join(" | "));
        sizes.push(size);
    }
    if args.scale.iter().any(|&rows| rows > MOST_MERGED) {
        report.note(format!(
            "Above {} rows merging is left out, for want of disk, and the check ran once.",
            millions(MOST_MERGED)
        ));
    }
    report.note(format!(
        "Build: random rows by the engine's sorter within {} MiB, one thread, to a durable file. Memory is the most that a process doing only this had resident, its code included. \
         Merge: two books of half the rows, none shared, to a durable file. Build and merge ran once, checks and probes {} times (medians).",
        args.memory >> 20,
        args.rounds
    ));
    Ok(table(&sizes))
}

fn measure_size(report: &mut Report, args: &Args) -> Result<Size> {
    let book = args.folder.join("scale.tabia");
    remove(&book)?;
    let mut size = Size { rows: args.rows, ..Size::default() };
    size.build = build(args, &book, 0..args.rows)?;
    size.bytes = file_length(&book)?;
    let mut checks = Vec::new();
    for _ in 0..if args.rows <= MOST_MERGED { args.rounds } else { 1 } {
        let (time, rows) = seconds(|| check_rows(&book))?;
        ensure!(rows == args.rows, "check saw {rows} rows");
        checks.push(time);
    }
    size.check = median(checks);
    if args.rows <= MOST_MERGED {
        size.merge = Some(merge_halves(args)?);
    }
    raw::lay(&book, args.huge)?;
    let mut opens = Vec::new();
    for _ in 0..101 {
        opens.push(seconds(|| Ok(raw::map_book(&book)?))?.0);
    }
    size.open = median(opens);
    size.probes = probe(report, args, &book)?;
    remove(&book)?;
    Ok(size)
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
#[derive(Clone, Copy, Default)]
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

fn probe(report: &mut Report, args: &Args, path: &Path) -> Result<[(f64, f64); 3]> {
    let book = map_and_touch::<PositionRow>(path)?;
    let ours = Positions(book.position_table().context("no positions")?);
    let map = raw::map(path)?;
    let raw = RawReads::of(&map);
    let setting = Setting { rival_answers: false, ..setting(args, false) };
    let mut times = [(0.0, 0.0); 3];
    for (times, line) in times.iter_mut().zip(PROBES) {
        *times = measure(report, setting, line, &ours, "the raw read", &raw)?.medians();
    }
    Ok(times)
}

/// The table's columns.
const COLUMNS: [&str; 13] = [
    "rows",
    "book",
    "hit, dependent",
    "raw read, dependent",
    "hit, batch of 32",
    "raw reads, prefetched",
    "miss",
    "raw read, one after the other",
    "open",
    "check",
    "merge of halves",
    "build",
    "memory of build, merge",
];

fn cells(size: &Size) -> [String; 13] {
    let [(hit, hit_raw), (batch, batch_raw), (miss, miss_raw)] =
        size.probes.map(|(ours, raw)| (duration(ours), duration(raw)));
    let mib = |work: Work| format!("{} MiB", work.kib >> 10);
    [
        millions(size.rows),
        format!("{:.2} GB", size.bytes as f64 / 1e9),
        hit,
        hit_raw,
        batch,
        batch_raw,
        miss,
        miss_raw,
        duration(size.open),
        duration(size.check),
        size.merge.map_or("-".to_owned(), |merge| duration(merge.seconds)),
        duration(size.build.seconds),
        format!("{}, {}", mib(size.build), size.merge.map_or("-".to_owned(), mib)),
    ]
}

fn table(sizes: &[Size]) -> String {
    let mut text = format!("| {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len()));
    for size in sizes {
        text += &format!("| {} |\n", cells(size).join(" | "));
    }
    text
}
