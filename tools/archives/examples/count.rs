//! Counts the games, plies and (with `--distinct`) distinct rows of archives, and says how fast that was.
//!
//! `cargo run --release -p tabia-archives --example count -- [--threads N] [--max-ply N] [--distinct] [--quiet] ARCHIVE...`

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Instant;
use tabia::row::{MoveRow, PositionRow};
use tabia_archives::{Observer, OfVisit, Options, Reason, Skipped, Visit, VisitSink, Visiting, Warning, ingest};

/// Counts rows, and keeps what tells them apart if asked to.
#[derive(Default)]
struct Counter {
    keeps: bool,
    positions: u64,
    moves: u64,
    hashes: u64,
    keys: Vec<u64>,
    pairs: Vec<u128>,
}

impl VisitSink for Counter {
    type Error = Infallible;

    fn game(&mut self, visits: &[Visit]) -> Result<(), Infallible> {
        for &visit in visits {
            if PositionRow::of_visit(visit).is_some() {
                self.positions += 1;
                self.hashes ^= visit.hash();
                self.keys.extend(self.keeps.then_some(visit.hash()));
            }
            if MoveRow::of_visit(visit).is_some() {
                self.moves += 1;
                self.pairs.extend(self.keeps.then_some(u128::from(visit.hash()) << 16 | u128::from(visit.code())));
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
    let (mut threads, mut options, mut keeps, mut quiet, mut archives) = (1, Options::default(), false, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--threads" => threads = arguments.next().ok_or("--threads needs a number")?.parse()?,
            "--max-ply" => options.max_ply = Some(arguments.next().ok_or("--max-ply needs a number")?.parse()?),
            "--chunk" => options.chunk_bytes = arguments.next().ok_or("--chunk needs a number")?.parse()?,
            "--distinct" => keeps = true,
            "--quiet" => quiet = true,
            path => archives.push(PathBuf::from(path)),
        }
    }
    let mut sinks: Vec<_> = (0..threads).map(|_| Visiting::new(&options, Counter { keeps, ..Counter::default() })).collect();
    let start = Instant::now();
    let tally = ingest(&archives, &options, &mut sinks, &mut Printer { quiet })?;
    let mut sinks: Vec<Counter> = sinks.into_iter().map(|visiting| visiting.sink).collect();
    let seconds = start.elapsed().as_secs_f64();
    println!("{} games read, {} in, {} plies", tally.games.games_read, tally.games.games_in, tally.games.plies);
    for reason in Reason::ALL {
        println!("  {reason}: {}", tally.games.skipped(reason));
    }
    let sum = |of: fn(&Counter) -> u64| sinks.iter().map(of).sum::<u64>();
    println!("{} position rows, {} move rows", sum(|sink| sink.positions), sum(|sink| sink.moves));
    println!("checksum {:016x}", sinks.iter().fold(0, |sum, sink| sum ^ sink.hashes));
    if keeps {
        println!("{} distinct positions", distinct(sinks.iter_mut().flat_map(|sink| std::mem::take(&mut sink.keys))));
        println!("{} distinct moves", distinct(sinks.iter_mut().flat_map(|sink| std::mem::take(&mut sink.pairs))));
    }
    println!("{seconds:.2} s, {:.1} M plies/s", tally.games.plies as f64 / seconds / 1e6);
    Ok(())
}
