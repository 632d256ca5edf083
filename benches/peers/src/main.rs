//! One command that prints most tables of BENCHMARKS.md: Tabia beside the limits of the machine
//! and beside named peers.
//!
//! A crate of its own, outside the workspace, so that nobody compiles LMDB to run the tests.

mod archive;
mod args;
mod bulk;
mod cold;
mod disk;
mod games;
mod measure;
mod ours;
mod packed;
mod peers;
mod raw;
mod report;
mod scale;
mod workload;

use anyhow::{Context, Result};
use args::Args;
use clap::Parser as _;
use peers::Contest;
use report::Report;
use std::path::Path;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().collect();
    if words.get(1).is_some_and(|word| word == "--child") {
        return scale::child(&words[2..]);
    }
    let args = Args::parse();
    std::fs::create_dir_all(&args.folder)
        .with_context(|| format!("make the folder {}", args.folder.display()))?;
    let mut report = Report::default();
    report.note(circumstances(&args));
    let run = if args.scale.is_empty() { measure } else { scale::run };
    let measured = run(&mut report, &args);
    report.note(format!("Load average at the end: {}.", load()));
    let table = report.markdown();
    println!("{table}");
    if let Some(path) = &args.markdown {
        std::fs::write(path, table).with_context(|| format!("write {}", path.display()))?;
    }
    measured
}

fn measure(report: &mut Report, args: &Args) -> Result<()> {
    if args.wants_positions() {
        measure_positions(report, args)?;
    }
    if args.wants("packed") || args.wants("larger") {
        packed::run(report, args)?;
    }
    if args.wants("archive") {
        archive::build(report, args)?;
    }
    Ok(())
}

/// All that is about the book of positions, or of moves, that have random keys and counts.
fn measure_positions(report: &mut Report, args: &Args) -> Result<()> {
    let book = args.folder.join("positions.tabia");
    bulk::remove(&book)?;
    bulk::build_positions(args.building(), &book, 0..args.rows)?;
    for (section, run) in [
        ("open", ours::open as fn(&mut Report, &Args, &Path) -> Result<()>),
        ("compact", bulk::compact),
        ("check", bulk::check),
    ] {
        if args.wants(section) {
            run(report, args, &book)?;
        }
    }
    if args.wants("merge") {
        bulk::merge(report, args)?;
    }
    raw::lay(&book, args.huge)?;
    if args.wants("probe") || args.wants("batch") {
        ours::probe(report, args, &book)?;
    }
    if args.wants("warm") {
        ours::warm(report, args, &book)?;
    }
    if args.wants("moves") {
        let moves = args.folder.join("moves.tabia");
        let positions = bulk::build_moves(args, &moves)?;
        raw::lay(&moves, args.huge)?;
        ours::moves(report, args, &moves, positions)?;
        bulk::remove(&moves)?;
    }
    contests(report, args, &book)?;
    if args.wants("cold") {
        cold::run(report, args, &book)?;
    }
    bulk::remove(&book)
}

type RunContest = fn(Contest<'_>) -> Result<()>;

#[cfg(feature = "rocksdb")]
const ROCKSDB: RunContest = peers::rocksdb::run;
#[cfg(not(feature = "rocksdb"))]
const ROCKSDB: RunContest = |contest| {
    contest.report.note("RocksDB: not measured; add --features rocksdb to the command (a quarter of an hour to compile).");
    Ok(())
};

fn contests(report: &mut Report, args: &Args, book: &Path) -> Result<()> {
    let contests: [(&str, RunContest); 8] = [
        ("odht", peers::odht::run),
        ("lmdb", peers::lmdb::run),
        ("redb", peers::redb::run),
        ("sqlite", peers::sqlite::run),
        ("fjall", peers::fjall::run),
        ("rocksdb", ROCKSDB),
        ("cdb", peers::cdb::run),
        ("polyglot", peers::sorted::run),
    ];
    for (section, run) in contests {
        if args.wants(section) {
            let path = args.folder.join(section);
            bulk::remove(&path)?;
            run(Contest { args, book, path: &path, report })?;
            bulk::remove(&path)?;
        }
    }
    Ok(())
}

/// What was measured, where.
fn circumstances(args: &Args) -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let cpu_info = read("/proc/cpuinfo");
    let of = |name: &str| {
        cpu_info
            .lines()
            .find(|line| line.starts_with(name))
            .and_then(|line| line.split(": ").nth(1))
            .unwrap_or("?")
            .to_owned()
    };
    let cpus = cpu_info.lines().filter(|line| line.starts_with("processor")).count();
    let cache = read("/sys/devices/system/cpu/cpu0/cache/index3/size");
    let pages = read("/sys/kernel/mm/transparent_hugepage/enabled");
    format!(
        "{} rows, {} rounds, books {} a filter, files in {} pages, {} probes a round (twice as many where they overlap). {} cpus {}, model {}, last-level cache {}, Linux {}, \
         transparent huge pages {}. Load average at the start: {}.",
        if args.scale.is_empty() {
            bulk::millions(args.rows)
        } else {
            args.scale.iter().map(|&rows| bulk::millions(rows)).collect::<Vec<_>>().join(", ")
        },
        args.rounds,
        if args.filter { "with" } else { "without" },
        if args.huge { "huge" } else { "small" },
        args.probes,
        cpus,
        of("model name"),
        of("model\t"),
        cache.trim(),
        read("/proc/sys/kernel/osrelease").trim(),
        pages.split(['[', ']']).nth(1).unwrap_or("?"),
        load(),
    )
}

fn load() -> String {
    std::fs::read_to_string("/proc/loadavg")
        .unwrap_or_default()
        .split_whitespace()
        .take(3)
        .collect::<Vec<_>>()
        .join(" ")
}
