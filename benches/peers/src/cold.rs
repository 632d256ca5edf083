//! Cold books: their pages are not in memory when the probes begin. What counts is how many pages
//! each brings in, which no busy machine changes, and its time beside that of a random read from
//! the disk.

use crate::args::Args;
use crate::bulk::remove;
use crate::disk;
use crate::measure::alternate;
use crate::ours::file_length;
use crate::peers::{Contest, lmdb, odht};
use crate::raw;
use crate::report::{Compared, Report, Rival, Times};
use crate::watch::{Spent, Watch};
use crate::workload::{Asked, Queries, answer, key, payload};
use anyhow::{Result, ensure};
use std::path::Path;
use tabia::bytes::Bytes;
use tabia::format::{PAGE, Tag};
use tabia::{Book, Env, NewBook, PositionRow, Row};

/// Pages of a file for each probe of a round: so few probes that hardly two want the same page.
const PAGES_A_PROBE: u64 = 400;
/// Reads that are under way at once where the disk is to show its best.
const DEPTH: usize = 32;
/// How large batches are; 1 is one probe at a time.
const BATCHES: [usize; 3] = [1, 32, 256];

/// Who is asked: opens its file, starts the watch, answers, stops it, and says what the answers add
/// up to.
pub type Ask<'a> = &'a dyn Fn(&mut Watch<'_>, &[u64]) -> Result<u64>;

/// A file that is cold, and who answers from it.
pub struct Contender<'a> {
    /// The file.
    pub file: &'a Path,
    /// What is to be in memory nevertheless: offset and length.
    pub warm: Option<(u64, u64)>,
    /// Who answers.
    pub ask: Ask<'a>,
}

impl Contender<'_> {
    /// Drops the file's pages, and asks.
    pub fn run(&self, queries: &Queries) -> Result<Spent> {
        disk::drop_pages(self.file)?;
        if let Some((offset, length)) = self.warm {
            disk::warm(self.file, offset, length)?;
        }
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
    /// What ours spent.
    pub ours: Spent,
    /// What the rival spent.
    pub theirs: Spent,
    /// How many probes each had.
    pub probes: u64,
}

/// Measures rounds of ours against a rival, each with so many new questions, the right answers to
/// which are these.
pub fn rounds(
    report: &mut Report,
    args: &Args,
    (asked, answer): (Asked, fn(u64) -> u64),
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
        let queries = Queries::draw(asked, args.rows, count, report.next_seed(), answer);
        let (mine, other) = alternate(round, || ours.run(&queries), || theirs(&queries));
        let (mine, other) = (mine?, other?);
        rounds.times.push(mine.seconds / count as f64, other.seconds / count as f64);
        rounds.ours.add(mine);
        rounds.theirs.add(other);
        rounds.probes += count as u64;
    }
    Ok(rounds)
}

impl Spent {
    /// Adds what others spent.
    pub fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.pages += other.pages;
        self.faults += other.faults;
        self.bytes += other.bytes;
    }

    /// Pages, faults and bytes for each of so many probes.
    pub fn show(&self, probes: u64) -> String {
        let each = |count: u64| count as f64 / probes as f64;
        format!(
            "{:.3} pages ({:.3} major faults, {:.2} KiB read)",
            each(self.pages),
            each(self.faults),
            each(self.bytes) / 1024.0
        )
    }
}

/// Probes of a round: a multiple of the largest batch.
fn probes(args: &Args, book: &Path) -> Result<usize> {
    let most = (file_length(book)? / PAGE / PAGES_A_PROBE) as usize;
    Ok(most.min(args.probes).next_multiple_of(256))
}

/// How a book is asked.
fn ask<S: Bytes>(book: &Book<S>, watch: &mut Watch<'_>, keys: &[u64], batch: usize) -> Result<u64> {
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

/// A book, and what of it is in memory: its filter, offset and length.
struct Subject<'a> {
    path: &'a Path,
    filter: Option<(u64, u64)>,
}

impl<'a> Subject<'a> {
    fn new(path: &'a Path) -> Result<Self> {
        disk::sync(path)?;
        let filter = Book::open(path)?
            .header()
            .section(Tag::TAGS)
            .map(|section| (section.offset, section.length));
        Ok(Self { path, filter })
    }
}

/// Runs all of it.
pub fn run(report: &mut Report, args: &Args, book: &Path) -> Result<()> {
    let count = probes(args, book)?;
    report.note(format!(
        "Cold: {count} probes a round, one for every {PAGES_A_PROBE} pages of the book, whose pages are dropped before each round (under 1 % of them in memory, by \
         mincore; a filter is then read again). Pages are those that came into memory meanwhile, by mincore too. The disk is read past the page cache, by \
         io_uring for the queue depth of {DEPTH}."
    ));
    let filtered = args.folder.join("filtered.tabia");
    let mut subjects = vec![Subject::new(book)?];
    if subjects[0].filter.is_none() {
        let plain = Book::open(book)?;
        NewBook::like(plain.header()).filter(true).tables_of(&plain).write(
            &Env::default(),
            &filtered,
            tabia::Existing::Replace,
        )?;
        subjects.push(Subject::new(&filtered)?);
    }
    for subject in &subjects {
        beside_disk(report, args, subject, count)?;
    }
    beside_peers(report, args, &subjects, count)?;
    remove(&filtered)
}

/// Opens a book in some way and asks it in batches.
type AskBook = fn(&Path, &mut Watch<'_>, &[u64], usize) -> Result<u64>;

/// The way that has budgets, and batches worth the name.
const MAP: &str = "Book::map";

/// The ways to open one.
const WAYS: [(&str, AskBook); 2] = [
    (MAP, |path, watch, keys, batch| ask(&raw::map_book(path)?, watch, keys, batch)),
    ("Book::open", |path, watch, keys, batch| ask(&Book::open(path)?, watch, keys, batch)),
];

/// A line.
struct Case<'a> {
    asked: Asked,
    way: &'a str,
    batch: usize,
    filtered: bool,
}

impl Case<'_> {
    fn name(&self) -> String {
        let asked = if self.asked == Asked::Hits { "hit" } else { "miss" };
        let filter = if self.filtered { "with" } else { "without" };
        let batch = if self.batch == 1 {
            "one at a time".to_owned()
        } else {
            format!("batches of {}", self.batch)
        };
        format!("cold {asked} {filter} a filter, {}, {batch}", self.way)
    }

    /// The most pages that a probe may bring in (design, section 5). Who reads with pread verifies
    /// blocks, which takes their checksums too.
    fn pages(&self) -> Option<f64> {
        match self.asked {
            _ if self.way != MAP => None,
            Asked::Hits => Some(1.02),
            Asked::Misses => self.filtered.then_some(0.02),
        }
    }
}

/// All lines of a book against reads of random pages of its file.
fn beside_disk(
    report: &mut Report,
    args: &Args,
    subject: &Subject<'_>,
    count: usize,
) -> Result<()> {
    for asked in [Asked::Hits, Asked::Misses] {
        for (way, ask) in WAYS {
            for batch in BATCHES.into_iter().filter(|&batch| batch == 1 || way == MAP) {
                let ask =
                    |watch: &mut Watch<'_>, keys: &[u64]| ask(subject.path, watch, keys, batch);
                let ours = Contender { file: subject.path, warm: subject.filter, ask: &ask };
                case_beside_disk(
                    report,
                    args,
                    &Case { asked, way, batch, filtered: subject.filter.is_some() },
                    count,
                    &ours,
                )?;
            }
        }
    }
    Ok(())
}

fn case_beside_disk(
    report: &mut Report,
    args: &Args,
    case: &Case<'_>,
    count: usize,
    ours: &Contender<'_>,
) -> Result<()> {
    let depth = if case.batch == 1 { 1 } else { DEPTH };
    // So many more reads at once as they are faster: a few milliseconds would tell nothing.
    let reads = count * if depth > 1 { 8 } else { 1 };
    let disk = |queries: &Queries| {
        let keys: Vec<u64> =
            (0..reads as u64).map(|i| key(queries.keys[0].wrapping_add(i))).collect();
        let seconds = disk::read_pages(ours.file, &keys, depth)? * count as f64 / reads as f64;
        Ok(Spent { seconds, ..Spent::default() })
    };
    let rounds = rounds(report, args, (case.asked, payload), count, ours, disk)?;
    let budget = (depth > 1).then_some(0.8);
    report.add(
        case.name(),
        Rival::new(format!("disk, random pages, queue depth {depth}"), Compared::Speed(budget)),
        rounds.times,
    );
    let each = rounds.ours.pages as f64 / rounds.probes as f64;
    let budget = case.pages().map_or(String::new(), |most| format!("≤ {most} pages"));
    report.add_absolute(
        format!("{}: brings in", case.name()),
        rounds.ours.show(rounds.probes),
        budget,
        case.pages().map(|most| each <= most),
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

/// Lines of all books against the peers.
fn beside_peers(
    report: &mut Report,
    args: &Args,
    subjects: &[Subject<'_>],
    count: usize,
) -> Result<()> {
    let path = args.folder.join("cold");
    for peer in PEERS {
        remove(&path)?;
        (peer.make)(&mut Contest { args, book: subjects[0].path, path: &path, report })?;
        let file = peer.file.map_or(path.clone(), |file| path.join(file));
        disk::sync(&file)?;
        let theirs = |watch: &mut Watch<'_>, keys: &[u64]| (peer.ask)(args, &path, watch, keys);
        let theirs = Contender { file: &file, warm: None, ask: &theirs };
        for subject in subjects {
            for asked in [Asked::Hits, Asked::Misses] {
                for batch in [1, 32] {
                    let ask = |watch: &mut Watch<'_>, keys: &[u64]| {
                        ask(&raw::map_book(subject.path)?, watch, keys, batch)
                    };
                    let ours = Contender { file: subject.path, warm: subject.filter, ask: &ask };
                    let case =
                        Case { asked, way: "Book::map", batch, filtered: subject.filter.is_some() };
                    case_beside_peer(report, args, &case, count, &ours, (peer.name, &theirs))?;
                }
            }
        }
        remove(&path)?;
    }
    Ok(())
}

fn case_beside_peer(
    report: &mut Report,
    args: &Args,
    case: &Case<'_>,
    count: usize,
    ours: &Contender<'_>,
    (name, theirs): (&str, &Contender<'_>),
) -> Result<()> {
    let rounds =
        rounds(report, args, (case.asked, payload), count, ours, |queries| theirs.run(queries))?;
    report.add(case.name(), Rival::new(name, Compared::Speed(Some(1.0))), rounds.times);
    if case.batch == 1 {
        let each = |spent: &Spent| spent.pages as f64 / rounds.probes as f64;
        let rival = Rival::new(name, Compared::Cost(Some(1.0)));
        report.add_figures(
            format!("{}: brings in", case.name()),
            each(&rounds.ours),
            rival,
            each(&rounds.theirs),
            "pages",
        );
    }
    Ok(())
}
