//! Collecting visits in any order and in bounded memory, and making the rows of both tables of them.
//!
//! Each worker's [`Collector`] puts visits into buckets by the first bits of their hash. A bucket that is full is sorted and merged in the cache; when that
//! makes no room any more, all buckets together are written as a sorted run. In the end the workers' buckets are merged with each other, on all threads, and
//! rows are made of them part by part, in order, where there are runs of these too. What comes out depends on the visits alone.

mod ahead;
mod bucket;
mod held;
mod openings;
mod run;

use crate::ingest::VisitSink;
use crate::visit::{OfVisit, Visit, counts};
use ahead::Ahead;
use bucket::BucketSorter;
use held::Held;
use openings::{Openings, PLIES};
use run::Run;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tabia::storage::Storage;
use tabia::stream::{RowSet, Rows};
use tabia::{Counts, Env, Error, MoveRow, PositionRow, Result, Stage};

/// Bits of the hash that tell buckets apart: a bucket of a large archive still fits in a second-level cache.
const PREFIX: u32 = 10;
const BUCKETS: usize = 1 << PREFIX;
/// Bits of the hash that tell the parts apart in which rows are made.
const PART_PREFIX: u32 = 12;
const PARTS: usize = 1 << PART_PREFIX;
/// How many runs of a level are merged into one of the next: each is an open file, of which a process may have a thousand.
const FAN_IN: usize = 32;

#[inline(always)]
fn part_of(visit: Visit) -> usize {
    (visit.hash() >> (64 - PART_PREFIX)) as usize
}

/// Takes visits in any order, and uses a bounded amount of memory.
pub struct Collector<'a> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    openings: Openings,
    held: Held,
    sorter: BucketSorter,
    runs: Vec<Run>,
}

impl<'a> Collector<'a> {
    /// A collector that holds `memory` bytes of visits, and spills into files without a name in this folder.
    #[must_use]
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize) -> Self {
        let (openings, held) = (Openings::default(), Held::new(memory));
        Self { storage, folder: folder.to_owned(), openings, held, sorter: BucketSorter::default(), runs: Vec::new() }
    }

    /// Takes a visit.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push(&mut self, visit: Visit) -> Result<()> {
        if self.held.push(visit) { Ok(()) } else { self.make_room_for(visit) }
    }

    #[cold]
    fn make_room_for(&mut self, visit: Visit) -> Result<()> {
        if !self.held.settle_bucket_of(visit, &mut self.sorter) {
            self.spill()?;
        }
        self.held.push(visit);
        Ok(())
    }

    /// Writes what is in memory as a run, and merges the last runs if there are many of the same level.
    fn spill(&mut self) -> Result<()> {
        self.held.settle(&mut self.sorter);
        self.runs.push(Run::write(self.storage, &self.folder, &self.held)?);
        self.held.clear();
        while let [.., last] = self.runs.as_slice() {
            let level = last.level;
            let alike = self.runs.iter().rev().take_while(|run| run.level == level).count();
            if alike < FAN_IN {
                break;
            }
            let start = self.runs.len() - alike;
            let merged = Run::merge(self.storage, &self.runs[start..], &mut self.sorter)?;
            self.runs.truncate(start);
            self.runs.push(merged);
        }
        Ok(())
    }
}

impl VisitSink for Collector<'_> {
    type Error = Error;

    #[inline]
    fn game(&mut self, visits: &[Visit]) -> Result<()> {
        let (first, later) = visits.split_at(visits.len().min(PLIES));
        for &visit in first {
            if let Some(displaced) = self.openings.take(visit) {
                self.push(displaced)?;
            }
        }
        later.iter().try_for_each(|&visit| self.push(visit))
    }
}

/// All that was collected, in order.
pub struct Collected {
    visits: Arc<Visits>,
    sizes: Sizes,
    threads: usize,
}

/// Visits in memory and in runs.
struct Visits {
    held: Vec<Held>,
    runs: Vec<Run>,
}

/// Rows of the two tables.
#[derive(Clone, Copy, Default)]
struct Sizes {
    positions: u64,
    moves: u64,
}

impl Collected {
    /// What several collectors took, as one. So many threads do the work, now and when the rows are streamed.
    ///
    /// # Errors
    /// The system's; [`Error::Interrupted`].
    pub fn join(env: &Env<'_>, collectors: Vec<Collector<'_>>, threads: usize) -> Result<Self> {
        let mut visits = Visits { held: Vec::new(), runs: Vec::new() };
        for mut collector in collectors {
            collector.openings.empty().try_for_each(|visit| collector.push(visit))?;
            visits.held.push(collector.held);
            visits.runs.extend(collector.runs);
        }
        let mut sizes = visits.merge_buckets(env, threads)?;
        if !visits.runs.is_empty() {
            sizes = visits.count_parts(env, threads)?;
        }
        Ok(Self { visits: Arc::new(visits), sizes, threads })
    }

    /// The rows of the positions table.
    #[must_use]
    pub fn positions(&self) -> TableRows<'_, PositionRow> {
        TableRows { all: self, len: self.sizes.positions, rows: PhantomData }
    }

    /// The rows of the moves table.
    #[must_use]
    pub fn moves(&self) -> TableRows<'_, MoveRow> {
        TableRows { all: self, len: self.sizes.moves, rows: PhantomData }
    }
}

impl Visits {
    /// Merges each bucket with those of the other workers. What is left stands in the places of the first worker, and on in those of the others.
    fn merge_buckets(&mut self, env: &Env<'_>, threads: usize) -> Result<Sizes> {
        let mut buckets: Vec<Vec<&mut [Visit]>> = (0..BUCKETS).map(|_| Vec::new()).collect();
        for held in &mut self.held {
            for (bucket, visits) in buckets.iter_mut().zip(held.buckets_mut()) {
                bucket.push(visits);
            }
        }
        let merged = on_threads(env, threads, buckets, |sorter, mut bucket: Vec<&mut [Visit]>| {
            let kept = sorter.settle(&mut bucket, PREFIX);
            let slices = kept_of(&bucket, kept);
            Ok((kept, sizes_of(&slices)))
        })?;
        let mut all = Sizes::default();
        for (bucket, (mut kept, sizes)) in merged.into_iter().enumerate() {
            for held in &mut self.held {
                kept -= held.keep(bucket, kept);
            }
            all.add(sizes);
        }
        Ok(all)
    }

    fn count_parts(&self, env: &Env<'_>, threads: usize) -> Result<Sizes> {
        let counted = on_threads(env, threads, (0..PARTS).collect(), |sorter, part| {
            let mut visits = Vec::new();
            self.gather(part, sorter, &mut visits)?;
            Ok(sizes_of(&[&visits]))
        })?;
        let mut all = Sizes::default();
        counted.into_iter().for_each(|sizes| all.add(sizes));
        Ok(all)
    }

    /// Brings together the visits of a part from memory and all runs.
    fn gather(&self, part: usize, sorter: &mut BucketSorter, visits: &mut Vec<Visit>) -> Result<()> {
        visits.clear();
        self.held.iter().for_each(|held| visits.extend_from_slice(held.part(part)));
        self.runs.iter().try_for_each(|run| run.read(part, visits))?;
        let kept = sorter.settle(&mut [visits], PART_PREFIX);
        visits.truncate(kept);
        Ok(())
    }

    /// Appends the rows of a part.
    fn add_rows<R: OfVisit>(&self, part: usize, buffers: &mut Buffers, rows: &mut Vec<R>) -> Result<()> {
        if self.runs.is_empty() {
            self.held.iter().for_each(|held| add_rows(held.part(part), rows));
        } else {
            self.gather(part, &mut buffers.sorter, &mut buffers.visits)?;
            add_rows(&buffers.visits, rows);
        }
        Ok(())
    }
}

/// What making rows needs.
#[derive(Default)]
struct Buffers {
    sorter: BucketSorter,
    visits: Vec<Visit>,
}

/// The first visits of these slices.
fn kept_of<'a>(slices: &'a [&mut [Visit]], mut kept: usize) -> Vec<&'a [Visit]> {
    let keep = |slice: &'a &mut [Visit]| {
        let len = slice.len().min(kept);
        kept -= len;
        &slice[..len]
    };
    slices.iter().map(keep).collect()
}

impl Sizes {
    fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.moves += other.moves;
    }
}

fn sizes_of(slices: &[&[Visit]]) -> Sizes {
    Sizes { positions: count::<PositionRow>(slices), moves: count::<MoveRow>(slices) }
}

/// How many rows these visits make.
fn count<R: OfVisit>(slices: &[&[Visit]]) -> u64 {
    let (mut count, mut last) = (0, None);
    for &visit in slices.iter().flat_map(|slice| slice.iter()).filter(|&&visit| R::has(visit)) {
        let rank = Some((visit.hash(), R::sub_of(visit)));
        count += u64::from(rank != last);
        last = rank;
    }
    count
}

/// The rows of a table.
pub struct TableRows<'a, R> {
    all: &'a Collected,
    len: u64,
    rows: PhantomData<fn() -> R>,
}

impl<R: OfVisit> RowSet<R> for TableRows<'_, R> {
    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let visits = Arc::clone(&self.all.visits);
        if self.all.threads == 1 {
            return Ok(Box::new(Parts { visits, part: 0, buffers: Buffers::default() }));
        }
        let make = move |part, buffers: &mut Buffers| {
            let mut rows = Vec::with_capacity(1 + visits.held.iter().map(|held| held.part(part).len()).sum::<usize>());
            visits.add_rows(part, buffers, &mut rows)?;
            Ok(rows)
        };
        Ok(Box::new(Ahead::new(self.all.threads - 1, PARTS, make)))
    }

    fn at_most(&self) -> u64 {
        self.len
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.len)
    }
}

/// A stream of rows, a part at a time.
struct Parts {
    visits: Arc<Visits>,
    part: usize,
    buffers: Buffers,
}

impl<R: OfVisit> Rows<R> for Parts {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        while chunk.is_empty() && self.part < PARTS {
            self.visits.add_rows(self.part, &mut self.buffers, chunk)?;
            self.part += 1;
        }
        Ok(())
    }
}

/// Appends the rows these visits make. Without a branch on whether a visit begins a new row, which nobody could guess.
fn add_rows<R: OfVisit>(visits: &[Visit], rows: &mut Vec<R>) {
    let Some(&first) = visits.iter().find(|&&visit| R::has(visit)) else { return };
    // The row that the visits before have left may go on.
    let open = rows.pop().unwrap_or(R::with_all(first, Counts::default(), 0));
    let (mut at, mut rank) = (rows.len(), open.rank());
    let mut games = [open.counts().wins, open.counts().draws, open.counts().losses].map(u64::from);
    let mut marks = R::marks_of(&open);
    rows.resize(at + 1 + visits.len(), open);
    for &visit in visits.iter().filter(|&&visit| R::has(visit)) {
        let next = (visit.hash(), R::sub_of(visit));
        let goes_on = next == rank;
        rank = next;
        at += usize::from(!goes_on);
        let kept = if goes_on { u64::MAX } else { 0 };
        let more = visit.games();
        games = [0, 1, 2].map(|which| (games[which] & kept) + more[which]);
        marks = marks & kept as u8 | visit.marks();
        rows[at] = R::with_all(visit, counts(games), marks);
    }
    rows.truncate(at + 1);
}

/// Does some work for each of these, on so many threads; what comes of it is returned in order.
fn on_threads<T: Send, U: Send>(
    env: &Env<'_>,
    threads: usize,
    items: Vec<T>,
    work: impl Fn(&mut BucketSorter, T) -> Result<U> + Sync,
) -> Result<Vec<U>> {
    let total = items.len() as u64;
    let waiting = Mutex::new(items.into_iter().enumerate());
    let run = || {
        let (mut sorter, mut done) = (BucketSorter::default(), Vec::new());
        loop {
            let next = waiting.lock().expect("nobody panics with the lock").next();
            let Some((number, item)) = next else { return Ok(done) };
            if number % 64 == 0 && !env.progress.step(Stage::Sorting, number as u64, total) {
                return Err(Error::Interrupted);
            }
            done.push((number, work(&mut sorter, item)?));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut all = run()?;
        for other in others {
            all.extend(other.join().expect("sorting doesn't panic")?);
        }
        Ok::<_, Error>(all)
    })?;
    all.sort_unstable_by_key(|&(number, _)| number);
    Ok(all.into_iter().map(|(_, done)| done).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::ForMover;
    use std::collections::BTreeMap;
    use tabia::Row;
    use tabia::storage::System;

    /// Visits of which some keys come back often, with any result, move and marks.
    fn visits(count: u64) -> impl Iterator<Item = Visit> {
        (0..count).map(|i| {
            let random = tabia::mix(i);
            let key = if random.is_multiple_of(3) { random >> 40 & 7 } else { random >> 45 };
            let result = [ForMover::Win, ForMover::Draw, ForMover::Loss][(random >> 20) as usize % 3];
            let visit = Visit::new(key, result);
            match random >> 8 & 3 {
                0 => visit.of_position(),
                1 => visit.of_move(random as u16 & 3, 1 << (random >> 10 & 7)),
                _ => visit.of_position().of_move(random as u16 & 3, 0),
            }
        })
    }

    /// The rows of the visits, merged by the rows' own rule.
    fn expected<R: OfVisit>(visits: impl Iterator<Item = Visit>) -> Vec<R> {
        let mut rows: BTreeMap<(u64, u16), R> = BTreeMap::new();
        for row in visits.filter_map(R::of_visit) {
            rows.entry(row.rank()).and_modify(|kept| kept.absorb(&row)).or_insert(row);
        }
        rows.into_values().collect()
    }

    #[test]
    fn memory_workers_and_threads_dont_show_in_the_rows() {
        const COUNT: u64 = 400_000;
        let folder = tempfile::tempdir().unwrap();
        let (positions, moves) = (expected::<PositionRow>(visits(COUNT)), expected::<MoveRow>(visits(COUNT)));
        for (memory, workers, threads, spills) in [(64 << 20, 1, 1, false), (64 << 20, 3, 2, false), (0, 1, 1, true), (0, 3, 3, true)] {
            let mut collectors: Vec<_> = (0..workers).map(|_| Collector::new(&System, folder.path(), memory)).collect();
            for (i, visit) in visits(COUNT).enumerate() {
                collectors[i % workers].push(visit).unwrap();
            }
            let all_rows = Collected::join(&Env::default(), collectors, threads).unwrap();
            assert_eq!(!all_rows.visits.runs.is_empty(), spills, "{memory} {workers}");
            assert!(all_rows.positions().rows().unwrap().collect().unwrap() == positions, "{memory} {workers} {threads}");
            assert!(all_rows.moves().rows().unwrap().collect().unwrap() == moves, "{memory} {workers} {threads}");
            assert_eq!(all_rows.positions().exactly(), Some(positions.len() as u64));
            assert_eq!(all_rows.moves().exactly(), Some(moves.len() as u64));
        }
    }

    #[test]
    fn many_runs_are_merged_into_few() {
        let folder = tempfile::tempdir().unwrap();
        let all = || visits(4_000_000);
        let mut collector = Collector::new(&System, folder.path(), 0);
        let mut spilled = 0;
        for visit in all() {
            let before = collector.runs.len();
            collector.push(visit).unwrap();
            spilled += usize::from(collector.runs.len() != before);
        }
        assert!(spilled > 2 * FAN_IN, "{spilled} times spilled");
        let levels: Vec<_> = collector.runs.iter().map(|run| run.level).collect();
        assert!(collector.runs.len() < 2 * FAN_IN && levels.is_sorted_by(|a, b| a >= b) && levels[0] > 0, "{levels:?}");
        let rows = Collected::join(&Env::default(), vec![collector], 2).unwrap().positions().rows().unwrap().collect().unwrap();
        assert!(rows == expected::<PositionRow>(all()));
    }

    #[test]
    fn games_beyond_what_rows_can_count_saturate() {
        let visit = Visit::new(1, ForMover::Win).of_position();
        let mut sum = visit;
        for _ in 0..40 {
            let doubled = sum;
            assert!(sum.absorb(doubled));
        }
        assert_eq!(PositionRow::of_visit(sum).unwrap().counts().wins, u32::MAX);
        assert!(MoveRow::of_visit(sum).is_none());
    }
}
