//! Books larger than memory: positions with their moves, from books of which only so many bytes may
//! be in memory.

use super::books::Books;
use super::limit::Limit;
use super::probes::Both;
use crate::args::Args;
use crate::disk;
use crate::games::both_answer;
use crate::measure::{BATCH, alternate, seconds};
use crate::raw;
use crate::report::{Compared, Report, Rival, Times};
use crate::workload::{Asked, Queries, STEP, key};
use anyhow::{Result, ensure};
use std::path::Path;
use tabia::Book;
use tabia::bytes::Map;

/// How many of ten probes go to the hot positions, if there are any.
const HOT_OF_TEN: u64 = 9;
/// Which positions are asked for: their name, and one of how many positions is hot. None: all are
/// asked for alike.
const LOADS: [(&str, Option<u64>); 2] =
    [("uniform", None), ("90 % of probes to openings, one of 3000 positions", Some(3000))];
/// Pieces of probing in a round; between them pages are dropped, which is not timed.
const PIECES: usize = 4;
/// Batches of this many fill memory before anything is timed.
const FILLING: usize = 256;

/// A book of which a part is in memory.
struct Limited<'a> {
    path: &'a Path,
    book: Book<Map>,
    limit: Limit,
}

impl<'a> Limited<'a> {
    fn open(path: &'a Path, bytes: u64) -> Result<Self> {
        disk::sync(path)?;
        disk::drop_pages(path)?;
        let book = raw::map_book(path)?;
        Ok(Self { path, limit: Limit::new(path, bytes)?, book })
    }

    /// Asks for all of these in batches of so many, and returns the seconds that it took.
    fn ask(&mut self, queries: &Queries, batch: usize) -> Result<f64> {
        let both = Both::new(&self.book);
        let (seconds, sum) = seconds(|| Ok(both.ask(&queries.keys, batch)))?;
        ensure!(sum == queries.expected, "answers from {} are wrong", self.path.display());
        self.limit.keep()?;
        Ok(seconds)
    }
}

/// Questions under a load.
fn draw(report: &mut Report, args: &Args, hot: Option<u64>, count: usize) -> Queries {
    let seed = report.next_seed();
    let Some(one_of) = hot else {
        return Queries::draw(Asked::Hits, args.rows, count, seed, both_answer);
    };
    let hot = (args.rows / one_of).max(1);
    let mut state = tabia::mix(seed);
    let mut below = |end: u64| {
        state = state.wrapping_add(STEP);
        ((u128::from(tabia::mix(state)) * u128::from(end)) >> 64) as u64
    };
    let keys = (0..count).map(|_| {
        let end = if below(10) < HOT_OF_TEN { hot } else { args.rows };
        key(below(end))
    });
    Queries::of(keys.collect(), both_answer)
}

pub fn run(report: &mut Report, args: &Args, books: &Books) -> Result<()> {
    let pages = args.limit / raw::PAGE as u64;
    // Each may bring in two pages: so few that memory grows by a sixteenth until pages are dropped.
    let piece = (pages as usize / 32).min(args.probes).max(1).next_multiple_of(BATCH);
    report.note(format!(
        "Larger than memory: of each book at most {} MiB are in memory (of the process's own few MiB nothing is counted). No cgroup: every {piece} probes, untimed, pages \
         beyond 15/16 of that are dropped by a clock with a second chance, as the kernel would, but without its work while it looks for pages. \
         Books are filled by pieces at random places, then by {} probes of each load.",
        args.limit >> 20,
        pages / 2,
    ));
    let mut ours = Limited::open(&books.packed, args.limit)?;
    let mut theirs = Limited::open(&books.plain, args.limit)?;
    for book in [&mut ours, &mut theirs] {
        book.limit.fill()?;
    }
    for (load, hot) in LOADS {
        for _ in 0..(pages as usize / 2).div_ceil(piece) {
            let queries = draw(report, args, hot, piece);
            ours.ask(&queries, FILLING)?;
            theirs.ask(&queries, FILLING)?;
        }
        for batch in [1, BATCH] {
            let how = if batch == 1 { "one at a time" } else { "batches of 32" };
            let mut times = Times::default();
            for round in 0..args.rounds {
                let questions: Vec<Queries> =
                    (0..PIECES).map(|_| draw(report, args, hot, piece)).collect();
                let ask = |book: &mut Limited<'_>| {
                    questions.iter().map(|queries| book.ask(queries, batch)).sum::<Result<f64>>()
                };
                let (a, b) = alternate(round, || ask(&mut ours), || ask(&mut theirs));
                let (a, b) = (a?, b?);
                let probes = (PIECES * piece) as f64;
                times.push(a / probes, b / probes);
            }
            let name = format!("packed, larger than memory: {load}, {how}");
            let speed = |seconds: f64| format!("{:.0} probes/s", 1.0 / seconds);
            report.add_with(name, Rival::new("plain", Compared::Speed(None)), times, speed);
        }
    }
    let residence = |book: &Limited<'_>| Ok::<_, anyhow::Error>(disk::resident(book.path)?.0 >> 8);
    report.note(format!(
        "Larger than memory, at the end: {} MiB of the packed book in memory, {} MiB of the plain one.",
        residence(&ours)?,
        residence(&theirs)?
    ));
    Ok(())
}
