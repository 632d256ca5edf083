//! Tabia's own probes, against raw reads of the same file; opening.

use crate::args::Args;
use crate::disk;
use crate::measure::{Line, Pace, Probe, Setting, compare, seconds};
use crate::raw::{self, RawReads};
use crate::report::{Compared, Report, Rival, duration, median, with_speed};
use crate::workload::{Asked, answer, key, moves_answer, payload, position_row};
use anyhow::{Context, Result};
use std::path::Path;
use tabia::bytes::Map;
use tabia::stream::{Chunk, RowSet};
use tabia::{Batch, Book, Env, MoveRow, PositionRow, Row, Table, Writer};

/// Rows of the journal with which a book is opened.
const JOURNAL_ROWS: u64 = 10_000;

/// The table itself, for the fastest probes.
pub struct Positions<'a>(pub Table<'a, PositionRow>);

impl Probe for Positions<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.0.get(key).map_or(0, |row| answer(row.counts()))
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        let mut out = [None; crate::measure::BATCH];
        let out = &mut out[..keys.len()];
        self.0.get_batch(keys, out);
        out.iter().flatten().fold(0, |sum, row| sum.wrapping_add(answer(row.counts())))
    }
}

/// All moves of a position, as one slice.
struct Moves<'a>(Table<'a, MoveRow>);

impl Probe for Moves<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.0.moves(key).iter().fold(0, |sum, row| sum.wrapping_add(answer(row.counts())))
    }
}

/// The book's own probe, which lays the journal over the table (there is none here) and copies the
/// row out.
struct Whole<'a>(&'a Book);

impl Probe for Whole<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.0.position(key).ok().flatten().map_or(0, |row| answer(row.counts()))
    }
}

/// The probes of the positions table that are measured, by section.
pub const LINES: [(&str, Line); 6] = [
    ("probe", Line { name: "hit, dependent", asked: Asked::Hits, pace: Pace::Dependent }),
    ("probe", Line { name: "miss, one after the other", asked: Asked::Misses, pace: Pace::Alone }),
    ("probe", Line { name: "hit, independent", asked: Asked::Hits, pace: Pace::Independent }),
    ("probe", Line { name: "miss, independent", asked: Asked::Misses, pace: Pace::Independent }),
    ("batch", Line { name: "hit, batch of 32", asked: Asked::Hits, pace: Pace::Batch }),
    ("batch", Line { name: "miss, batch of 32", asked: Asked::Misses, pace: Pace::Batch }),
];

/// Raw reads at this pace, and the budget against them (design, section 5).
pub fn raw_budget(pace: Pace) -> Rival {
    let (name, budget) = match pace {
        Pace::Dependent => ("raw dependent read", Some(1.15)),
        Pace::Alone => ("raw read, one after the other", Some(1.15)),
        Pace::Independent => ("raw independent read", None),
        Pace::Batch => ("raw reads prefetched 32 at a time", Some(1.7)),
    };
    Rival::new(name, Compared::Cost(budget))
}

/// How positions are asked for.
pub fn setting(args: &Args, rival_answers: bool) -> Setting {
    Setting {
        rows: args.rows,
        probes: args.probes,
        rounds: args.rounds,
        answer: payload,
        rival_answers,
    }
}

pub fn map_and_touch<R: Row>(path: &Path) -> Result<Book<Map>>
where
    Book<Map>: RowSet<R>,
{
    let book = raw::map_book(path)?;
    touch::<R>(&book)?;
    Ok(book)
}

/// Touches all pages of a table.
pub fn touch<R: Row>(book: &impl RowSet<R>) -> Result<()> {
    let (mut rows, mut chunk) = (book.rows()?, Chunk::default());
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(());
        }
    }
}

/// Probes for positions.
pub fn probe(report: &mut Report, args: &Args, path: &Path) -> Result<()> {
    let book = map_and_touch::<PositionRow>(path)?;
    let ours = Positions(book.position_table().context("no positions")?);
    let map = raw::map(path)?;
    let raw = RawReads::of(&map);
    for (section, line) in LINES {
        if args.wants(section) {
            compare(report, setting(args, false), line, &ours, raw_budget(line.pace), &raw)?;
        }
    }
    if args.wants("probe") {
        let file = Book::open(path)?;
        let few = Setting { probes: args.probes / 10 + 1, ..setting(args, true) };
        let line = Line {
            name: "Book::position by pread, blocks verified, hit",
            asked: Asked::Hits,
            pace: Pace::Independent,
        };
        compare(
            report,
            few,
            line,
            &Whole(&file),
            Rival::new("Table::get", Compared::Cost(None)),
            &ours,
        )?;
    }
    report.note(format!("The two maps of the book: {}.", raw::residence(path)));
    Ok(())
}

/// Opening a book that is not in memory by [`Book::map_warm`], and its probes beside those of a map
/// of the same rows in small pages.
pub fn warm(report: &mut Report, args: &Args, path: &Path) -> Result<()> {
    let copied = args.folder.join("warm.tabia");
    std::fs::copy(path, &copied)?;
    disk::sync(&copied)?;
    disk::drop_pages(&copied)?;
    raw::reclaim()?;
    let (time, book) = seconds(|| Ok(raw::map_book_warm(&copied)?))?;
    let speed = with_speed(file_length(path)?)(time);
    report.add_absolute(
        "Book::map_warm of a book that is not in memory, time",
        speed,
        String::new(),
        None,
    );
    let cold = map_and_touch::<PositionRow>(path)?;
    let [ours, theirs] = [&book, &cold].map(|book| book.position_table().context("no positions"));
    let (ours, theirs) = (Positions(ours?), Positions(theirs?));
    for (_, line) in LINES {
        compare(
            report,
            setting(args, true),
            line,
            &ours,
            Rival::new("Book::map", Compared::Speed(None)),
            &theirs,
        )?;
    }
    report.note(format!(
        "Book::map_warm: {}; Book::map: {}.",
        raw::residence(&copied),
        raw::residence(path)
    ));
    drop(book);
    Ok(std::fs::remove_file(&copied)?)
}

/// Probes for the moves of a position, of so many positions that have any.
pub fn moves(report: &mut Report, args: &Args, path: &Path, positions: u64) -> Result<()> {
    let book = map_and_touch::<MoveRow>(path)?;
    let ours = Moves(book.move_table().context("no moves")?);
    let map = raw::map(path)?;
    let raw = RawReads::of(&map);
    let setting = Setting { rows: positions, answer: moves_answer, ..setting(args, false) };
    let (asked, pace) = (Asked::Hits, Pace::Dependent);
    let line = Line { name: "all moves of a position, dependent", asked, pace };
    compare(report, setting, line, &ours, raw_budget(pace), &raw)
}

/// Opening: its time, without a journal and with one.
pub fn open(report: &mut Report, _: &Args, path: &Path) -> Result<()> {
    open_as_it_is(report, path, "")?;
    let mut batch = Batch::new();
    for i in 1 << 50..(1 << 50) + JOURNAL_ROWS {
        batch.add_position(position_row(key(i)));
    }
    Writer::open(Env::default(), path)?.append(&batch)?;
    open_as_it_is(report, path, &format!(" with a journal of {JOURNAL_ROWS} rows"))?;
    Ok(std::fs::remove_file(tabia::journal_path(path))?)
}

fn open_as_it_is(report: &mut Report, path: &Path, circumstance: &str) -> Result<()> {
    for (how, name) in [("map", "Book::map"), ("pread", "Book::open")] {
        let mut times = Vec::new();
        for _ in 0..101 {
            times.push(seconds(|| open_and_drop(how, path))?.0);
        }
        let time = median(times);
        report.add_absolute(
            format!("{name}{circumstance}, time"),
            duration(time),
            "< 1 ms".into(),
            Some(time < 1e-3),
        );
    }
    Ok(())
}

fn open_and_drop(how: &str, path: &Path) -> Result<()> {
    match how {
        "map" => drop(raw::map_book(path)?),
        _ => drop(Book::open(path)?),
    }
    Ok(())
}

pub fn file_length(path: &Path) -> Result<u64> {
    Ok(std::fs::metadata(path).with_context(|| path.display().to_string())?.len())
}
