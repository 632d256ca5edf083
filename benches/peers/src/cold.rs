//! Cold books: their pages are not in memory when the probes begin. What counts is how many pages
//! each brings in, which no busy machine changes, and its time beside that of a random read from
//! the disk.

use crate::args::Args;
use crate::bulk::remove;
use crate::disk;
use crate::measure::{BATCH, alternate};
use crate::ours::file_length;
use crate::peers::{Contest, lmdb, odht};
use crate::raw;
use crate::report::{Compared, Report, Rival, Times};
use crate::workload::{Asked, Queries, answer, key, payload};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::time::Instant;
use tabia::format::PAGE;
use tabia::{PositionRow, Row};

/// Pages of a file for each probe of a round: so few probes that hardly two want the same page.
const PAGES_A_PROBE: u64 = 400;
/// The most pages that a probe may bring in (design, section 5).
const MOST_PAGES: f64 = 1.02;
/// Reads that are under way at once where the disk is to show its best.
const DEPTH: usize = 32;
/// How large batches are; 1 is one probe at a time.
const BATCHES: [usize; 2] = [1, BATCH];

/// What probes into a file that is not in memory cost.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    /// How long they took.
    pub seconds: f64,
    /// Pages of the file that came into memory.
    pub pages: u64,
}

impl Spent {
    pub fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.pages += other.pages;
    }
}

/// Measures from when a contender is open until it has answered.
pub struct Watch<'a> {
    file: &'a Path,
    /// How many of its pages were in memory, and when.
    from: Option<(u64, Instant)>,
    /// What it cost.
    pub spent: Spent,
}

impl<'a> Watch<'a> {
    /// Of probes into this file.
    pub fn new(file: &'a Path) -> Self {
        Self { file, from: None, spent: Spent::default() }
    }

    fn pages(&self) -> Result<u64> {
        Ok(disk::resident(self.file)?.0)
    }

    /// The contender is open.
    pub fn start(&mut self) -> Result<()> {
        self.from = Some((self.pages()?, Instant::now()));
        Ok(())
    }

    /// It has answered.
    pub fn stop(&mut self) -> Result<()> {
        let (before, from) = self.from.take().context("the watch was not started")?;
        let seconds = from.elapsed().as_secs_f64();
        self.spent = Spent { seconds, pages: self.pages()? - before };
        Ok(())
    }
}

/// Who is asked: opens its file, starts the watch, answers, stops it, and says what the answers add
/// up to.
pub type Ask<'a> = &'a dyn Fn(&mut Watch<'_>, &[u64]) -> Result<u64>;

/// A file that is cold, and who answers from it.
pub struct Contender<'a> {
    pub file: &'a Path,
    /// Who answers.
    pub ask: Ask<'a>,
}

impl Contender<'_> {
    /// Drops the file's pages, and asks.
    pub fn run(&self, queries: &Queries) -> Result<Spent> {
        disk::drop_pages(self.file)?;
        let mut watch = Watch::new(self.file);
        let sum = (self.ask)(&mut watch, &queries.keys)?;
        ensure!(sum == queries.expected, "answers from {} are wrong", self.file.display());
        Ok(watch.spent)
    }
}

/// What all rounds of a line spent.
pub struct Rounds {
    /// Seconds a probe.
    pub times: Times,
    pub ours: Spent,
    pub theirs: Spent,
    /// How many probes each had.
    pub probes: u64,
}

/// Measures rounds of ours against a rival, each with so many new questions, the right answers to
/// which are these.
pub fn rounds(
    report: &mut Report,
    args: &Args,
    answer: fn(u64) -> u64,
    count: usize,
    ours: &Contender<'_>,
    theirs: impl Fn(&Queries) -> Result<Spent>,
) -> Result<Rounds> {
    let mut rounds = Rounds {
        times: Times::default(),
        ours: Spent::default(),
        theirs: Spent::default(),
        probes: 0,
    };
    for round in 0..args.rounds {
        let queries = Queries::draw(Asked::Hits, args.rows, count, report.next_seed(), answer);
        let (mine, other) = alternate(round, || ours.run(&queries), || theirs(&queries));
        let (mine, other) = (mine?, other?);
        rounds.times.push(mine.seconds / count as f64, other.seconds / count as f64);
        rounds.ours.add(mine);
        rounds.theirs.add(other);
        rounds.probes += count as u64;
    }
    Ok(rounds)
}

/// Probes of a round: a multiple of the largest batch.
fn probes(args: &Args, book: &Path) -> Result<usize> {
    let most = (file_length(book)? / PAGE / PAGES_A_PROBE) as usize;
    Ok(most.min(args.probes).next_multiple_of(256))
}

fn ask(path: &Path, watch: &mut Watch<'_>, keys: &[u64], batch: usize) -> Result<u64> {
    let book = raw::map_book(path)?;
    let mut out: Vec<Option<PositionRow>> = vec![None; batch];
    let mut sum = 0u64;
    watch.start()?;
    for keys in keys.chunks(batch) {
        if keys.len() > 1 {
            book.will_need(keys);
        }
        match keys {
            &[key] => out[0] = book.position(key)?,
            _ => book.positions(keys, &mut out)?,
        }
        sum = out.iter().flatten().fold(sum, |sum, row| sum.wrapping_add(answer(row.counts())));
    }
    watch.stop()?;
    Ok(sum)
}

pub fn run(report: &mut Report, args: &Args, book: &Path) -> Result<()> {
    if args.filter {
        report.note("cold: not measured with a filter.");
        return Ok(());
    }
    disk::sync(book)?;
    let count = probes(args, book)?;
    report.note(format!(
        "Cold: {count} probes a round, one for every {PAGES_A_PROBE} pages of the book, whose pages are dropped before each round (under 1 % of them in memory, by \
         mincore). Pages are those that came into memory meanwhile, by mincore too. The disk is read past the page cache, by \
         io_uring for the queue depth of {DEPTH}."
    ));
    for batch in BATCHES {
        beside_disk(report, args, book, batch, count)?;
    }
    beside_peers(report, args, book, count)
}

fn name(batch: usize) -> String {
    let how = if batch == 1 { "one at a time".into() } else { format!("batches of {batch}") };
    format!("cold hit, {how}")
}

/// A line against reads of random pages of the book's file.
fn beside_disk(
    report: &mut Report,
    args: &Args,
    book: &Path,
    batch: usize,
    count: usize,
) -> Result<()> {
    let ask = |watch: &mut Watch<'_>, keys: &[u64]| ask(book, watch, keys, batch);
    let ours = Contender { file: book, ask: &ask };
    let depth = if batch == 1 { 1 } else { DEPTH };
    // So many more reads at once as they are faster: a few milliseconds would tell nothing.
    let reads = count * if depth > 1 { 8 } else { 1 };
    let disk = |queries: &Queries| {
        let keys: Vec<u64> =
            (0..reads as u64).map(|i| key(queries.keys[0].wrapping_add(i))).collect();
        let seconds = disk::read_pages(book, &keys, depth)? * count as f64 / reads as f64;
        Ok(Spent { seconds, ..Spent::default() })
    };
    let rounds = rounds(report, args, payload, count, &ours, disk)?;
    let budget = (depth > 1).then_some(0.8);
    report.add(
        name(batch),
        Rival::new(format!("disk, random pages, queue depth {depth}"), Compared::Speed(budget)),
        rounds.times,
    );
    let each = rounds.ours.pages as f64 / rounds.probes as f64;
    report.add_absolute(
        format!("{}: brings in", name(batch)),
        format!("{each:.3} pages"),
        format!("≤ {MOST_PAGES} pages"),
        Some(each <= MOST_PAGES),
    );
    Ok(())
}

/// A peer whose file is as cold: its name, what file in its folder it keeps if it has one, how it
/// is made, and how it is opened and asked, one key at a time.
struct ColdPeer {
    name: &'static str,
    file: Option<&'static str>,
    make: fn(&mut Contest<'_>) -> Result<()>,
    ask: fn(&Args, &Path, &mut Watch<'_>, &[u64]) -> Result<u64>,
}

const PEERS: [ColdPeer; 2] = [
    ColdPeer { name: "odht", file: None, make: odht::make_file, ask: odht::ask_cold },
    ColdPeer { name: "LMDB", file: Some("data.mdb"), make: lmdb::make_file, ask: lmdb::ask_cold },
];

fn beside_peers(report: &mut Report, args: &Args, book: &Path, count: usize) -> Result<()> {
    let path = args.folder.join("cold");
    for ColdPeer { name: peer, file, make, ask: ask_peer } in PEERS {
        remove(&path)?;
        make(&mut Contest { args, book, path: &path, report })?;
        let file = file.map_or(path.clone(), |file| path.join(file));
        disk::sync(&file)?;
        let theirs = |watch: &mut Watch<'_>, keys: &[u64]| ask_peer(args, &path, watch, keys);
        let theirs = Contender { file: &file, ask: &theirs };
        for batch in BATCHES {
            let ask = |watch: &mut Watch<'_>, keys: &[u64]| ask(book, watch, keys, batch);
            let ours = Contender { file: book, ask: &ask };
            let theirs = |queries: &Queries| theirs.run(queries);
            let rounds = rounds(report, args, payload, count, &ours, theirs)?;
            report.add(name(batch), Rival::new(peer, Compared::Speed(Some(1.0))), rounds.times);
            if batch == 1 {
                let each = |spent: &Spent| spent.pages as f64 / rounds.probes as f64;
                let rival = Rival::new(peer, Compared::Cost(Some(1.0)));
                report.add_figures(
                    format!("{}: brings in", name(batch)),
                    each(&rounds.ours),
                    rival,
                    each(&rounds.theirs),
                    "pages",
                );
            }
        }
        remove(&path)?;
    }
    Ok(())
}
