//! Counts the games, plies and (with `--distinct`) distinct rows of archives, and says how fast
//! that was.
//!
//! `cargo run --release -p tabia-build --example count -- [--threads N] [--max-ply N] [--distinct]
//! [--quiet] ARCHIVE...`

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Instant;
use tabia::row::{MoveRow, PositionRow};
use tabia_archives::{GameRecord, GameSink, Observer, Origin, Reason, Skipped, Warning, ingest};
use tabia_build::{BuildPlan, FromOccurrence, OccurrenceMaker};
use tabia_games::{Chess, Known};

/// Counts rows, and keeps what tells them apart if asked to.
struct Counter {
    maker: OccurrenceMaker,
    keeps: bool,
    positions: u64,
    moves: u64,
    hashes: u64,
    keys: Vec<u64>,
    pairs: Vec<u128>,
}

impl GameSink for Counter {
    type Error = Infallible;

    fn game(&mut self, game: &GameRecord, _: Origin) -> Result<(), Infallible> {
        for &occurrence in self.maker.occurrences(game) {
            if PositionRow::from_occurrence(occurrence).is_some() {
                self.positions += 1;
                self.hashes ^= occurrence.hash();
                self.keys.extend(self.keeps.then_some(occurrence.hash()));
            }
            if MoveRow::from_occurrence(occurrence).is_some() {
                self.moves += 1;
                self.pairs.extend(self.keeps.then_some(
                    u128::from(occurrence.hash()) << 16 | u128::from(occurrence.code()),
                ));
            }
        }
        Ok(())
    }
}

/// Prints what is skipped.
struct Printer {
    quiet: bool,
}

impl Observer for Printer {
    fn skipped(&mut self, skipped: &Skipped) {
        if !self.quiet {
            println!("{}: {skipped}", skipped.reason);
        }
    }

    fn warned(&mut self, warning: &Warning) {
        println!("warning: {warning}");
    }
}

fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> usize {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut plan = BuildPlan::new(Known::Chess(Chess::start()));
    let (mut threads, mut keeps, mut quiet, mut archives) = (1, false, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--threads" => threads = arguments.next().ok_or("--threads needs a number")?.parse()?,
            "--max-ply" => {
                plan.max_ply = Some(arguments.next().ok_or("--max-ply needs a number")?.parse()?)
            }
            "--chunk" => {
                plan.read.chunk_bytes = arguments.next().ok_or("--chunk needs a number")?.parse()?
            }
            "--distinct" => keeps = true,
            "--quiet" => quiet = true,
            path => archives.push(PathBuf::from(path)),
        }
    }
    let counter = || Counter {
        maker: OccurrenceMaker::of(&plan),
        keeps,
        positions: 0,
        moves: 0,
        hashes: 0,
        keys: Vec::new(),
        pairs: Vec::new(),
    };
    let mut sinks: Vec<_> = (0..threads).map(|_| counter()).collect();
    let start = Instant::now();
    let stats = ingest(&archives, &plan.read, &mut sinks, &mut Printer { quiet })?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} games read, {} in, {} plies",
        stats.games.games_read, stats.games.games_in, stats.games.plies
    );
    for reason in Reason::ALL {
        println!("  {reason}: {}", stats.games.skipped(reason));
    }
    let sum = |of: fn(&Counter) -> u64| sinks.iter().map(of).sum::<u64>();
    println!("{} position rows, {} move rows", sum(|sink| sink.positions), sum(|sink| sink.moves));
    println!("checksum {:016x}", sinks.iter().fold(0, |sum, sink| sum ^ sink.hashes));
    if keeps {
        println!(
            "{} distinct positions",
            distinct(sinks.iter_mut().flat_map(|sink| std::mem::take(&mut sink.keys)))
        );
        println!(
            "{} distinct moves",
            distinct(sinks.iter_mut().flat_map(|sink| std::mem::take(&mut sink.pairs)))
        );
    }
    println!("{seconds:.2} s, {:.1} M plies/s", stats.games.plies as f64 / seconds / 1e6);
    Ok(())
}
