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

use crate::rich_visit::deeper;
use crate::visit::{Collectable, OfVisit, counts};
use ahead::Ahead;
use bucket::BucketSorter;
use held::Held;
use openings::{Openings, PLIES};
pub use run::KeptRun;
use run::{Place, Run};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tabia::storage::Storage;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{Cells, Columns, Counts, Env, Error, Hash, MoveRow, PositionRow, Result, Stage, TableKind};

/// Bits of the hash that tell buckets apart: a bucket of a large archive still fits in a second-level cache.
const PREFIX: u32 = 10;
const BUCKETS: usize = 1 << PREFIX;
/// Bits of the hash that tell the parts apart in which rows are made.
const PART_PREFIX: u32 = 12;
const PARTS: usize = 1 << PART_PREFIX;
/// How many runs of a level are merged into one of the next: each is an open file, of which a process may have a thousand.
const FAN_IN: usize = 32;

#[inline(always)]
fn part_of<V: Collectable>(visit: V) -> usize {
    (visit.visit().hash() >> (64 - PART_PREFIX)) as usize
}

/// Takes visits in any order, and uses a bounded amount of memory.
pub struct Collector<'a, V> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    columns: Columns,
    openings: Openings<V>,
    held: Held<V>,
    sorter: BucketSorter<V>,
    runs: Vec<Run<V>>,
    /// Runs that have names, and outlive the process.
    kept: Vec<Run<V>>,
}

impl<'a, V: Collectable> Collector<'a, V> {
    /// A collector of visits with cells of these columns. It holds `memory` bytes of them, and spills into files without a name in this folder.
    ///
    /// # Panics
    /// If the visits have no room for the cells.
    #[must_use]
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize, columns: Columns) -> Self {
        assert!(columns.stride() <= V::ROOM, "visits have no room for {columns}");
        let (openings, held, sorter) = (Openings::default(), Held::new(memory, columns), BucketSorter::default());
        Self { storage, folder: folder.to_owned(), columns, openings, held, sorter, runs: Vec::new(), kept: Vec::new() }
    }

    /// Takes a visit.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push(&mut self, visit: V) -> Result<()> {
        if self.held.push(visit) { Ok(()) } else { self.make_room_for(visit) }
    }

    #[cold]
    fn make_room_for(&mut self, visit: V) -> Result<()> {
        if !self.held.settle_bucket_of(visit, &mut self.sorter) {
            self.spill()?;
        }
        self.held.push(visit);
        Ok(())
    }

    /// Writes what is in memory as a run, and merges the last runs if there are many of the same level.
    fn spill(&mut self) -> Result<()> {
        self.held.settle(&mut self.sorter);
        let place = Place::Scratch(&self.folder);
        self.runs.push(Run::write(self.storage, &place, &self.held)?);
        self.held.clear();
        while let Some((start, level)) = many_alike(&self.runs) {
            let merged = Run::merge(self.storage, &place, level + 1, &self.runs[start..], &mut self.sorter, self.columns)?;
            self.runs.truncate(start);
            self.runs.push(merged);
        }
        Ok(())
    }

    /// Takes the visits of a game.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn game(&mut self, visits: &[V]) -> Result<()> {
        let (first, later) = visits.split_at(visits.len().min(PLIES));
        for &visit in first {
            if let Some(displaced) = self.openings.take(visit, self.columns) {
                self.push(displaced)?;
            }
        }
        later.iter().try_for_each(|&visit| self.push(visit))
    }

    /// Puts all visits into files of this folder, whose names begin with `name`, so that they outlive the process. Files of runs that were
    /// kept before and aren't named any more can be removed once the names returned are safe.
    ///
    /// # Errors
    /// The system's.
    pub fn keep(&mut self, folder: &Path, name: &str) -> Result<Vec<KeptRun>> {
        self.openings.empty().try_for_each(|visit| self.push(visit))?;
        if !self.held.is_empty() {
            self.spill()?;
        }
        if !self.runs.is_empty() {
            let place = folder.join(name);
            let mut run = Run::merge(self.storage, &Place::Kept(&place), 0, &self.runs, &mut self.sorter, self.columns)?;
            run.keep()?;
            self.runs.clear();
            self.kept.push(run);
        }
        while let Some((start, level)) = many_alike(&self.kept) {
            let place = folder.join(format!("{name}-{}", level + 1));
            let mut merged =
                Run::merge(self.storage, &Place::Kept(&place), level + 1, &self.kept[start..], &mut self.sorter, self.columns)?;
            merged.keep()?;
            self.kept.truncate(start);
            self.kept.push(merged);
        }
        Ok(self.kept.iter().map(Run::record).collect())
    }

    /// Takes up visits that were kept in this folder; whether their files are what they were is returned.
    ///
    /// # Errors
    /// The system's.
    pub fn take_up(&mut self, folder: &Path, runs: &[KeptRun]) -> Result<bool> {
        for record in runs {
            match Run::take_up(self.storage, folder, record)? {
                Some(run) => self.kept.push(run),
                None => return Ok(false),
            }
        }
        // Many alike stand together, so that they are merged.
        self.kept.sort_by_key(|run| std::cmp::Reverse(run.level));
        Ok(true)
    }
}

/// Where the last runs begin that are of the same level, and which it is, if they are many.
fn many_alike<V>(runs: &[Run<V>]) -> Option<(usize, u32)> {
    let level = runs.last()?.level;
    let alike = runs.iter().rev().take_while(|run| run.level == level).count();
    (alike >= FAN_IN).then_some((runs.len() - alike, level))
}

/// All that was collected, in order.
pub struct Collected<V> {
    visits: Arc<Visits<V>>,
    sizes: Sizes,
    threads: usize,
}

/// Visits in memory and in runs.
struct Visits<V> {
    held: Vec<Held<V>>,
    runs: Vec<Run<V>>,
    /// The columns of which they have cells.
    columns: Columns,
}

/// Rows of the two tables.
#[derive(Clone, Copy, Default)]
struct Sizes {
    positions: u64,
    moves: u64,
}

impl<V: Collectable> Collected<V> {
    /// What several collectors of the same columns took, as one. So many threads do the work, now and when the rows are streamed.
    ///
    /// # Errors
    /// The system's; [`Error::Interrupted`].
    pub fn join(env: &Env<'_>, collectors: Vec<Collector<'_, V>>, threads: usize) -> Result<Self> {
        let mut visits = Visits { held: Vec::new(), runs: Vec::new(), columns: Columns::NONE };
        for mut collector in collectors {
            visits.columns = collector.columns;
            collector.openings.empty().try_for_each(|visit| collector.push(visit))?;
            visits.held.push(collector.held);
            visits.runs.extend(collector.runs);
            visits.runs.extend(collector.kept);
        }
        let mut sizes = visits.merge_buckets(env, threads)?;
        if !visits.runs.is_empty() {
            sizes = visits.count_parts(env, threads)?;
        }
        Ok(Self { visits: Arc::new(visits), sizes, threads })
    }

    /// The rows of the positions table.
    #[must_use]
    pub fn positions(&self) -> TableRows<'_, V, PositionRow> {
        TableRows { all: self, len: self.sizes.positions, rows: PhantomData }
    }

    /// The rows of the moves table, with cells of the collectors' columns.
    #[must_use]
    pub fn moves(&self) -> TableRows<'_, V, MoveRow> {
        TableRows { all: self, len: self.sizes.moves, rows: PhantomData }
    }
}

impl<V: Collectable> Visits<V> {
    /// Merges each bucket with those of the other workers. What is left stands in the places of the first worker, and on in those of the others.
    fn merge_buckets(&mut self, env: &Env<'_>, threads: usize) -> Result<Sizes> {
        let mut buckets: Vec<Vec<&mut [V]>> = (0..BUCKETS).map(|_| Vec::new()).collect();
        for held in &mut self.held {
            for (bucket, visits) in buckets.iter_mut().zip(held.buckets_mut()) {
                bucket.push(visits);
            }
        }
        let columns = self.columns;
        let merged = on_threads(env, threads, buckets, |sorter, mut bucket: Vec<&mut [V]>| {
            let kept = sorter.settle(&mut bucket, PREFIX, columns);
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
    fn gather(&self, part: usize, sorter: &mut BucketSorter<V>, visits: &mut Vec<V>) -> Result<()> {
        visits.clear();
        self.held.iter().for_each(|held| visits.extend_from_slice(held.part(part)));
        self.runs.iter().try_for_each(|run| run.read(part, visits))?;
        let kept = sorter.settle(&mut [visits], PART_PREFIX, self.columns);
        visits.truncate(kept);
        Ok(())
    }

    /// The columns of such rows.
    fn columns_of<R: OfVisit>(&self) -> Columns {
        if R::TABLE == TableKind::Moves { self.columns } else { Columns::NONE }
    }

    /// The rows of a part.
    fn rows<R: OfVisit>(&self, part: usize, buffers: &mut Buffers<V>) -> Result<Chunk<R>> {
        let mut made = Made::new(self.columns_of::<R>());
        if self.runs.is_empty() {
            made.rows.reserve(1 + self.held.iter().map(|held| held.part(part).len()).sum::<usize>());
            self.held.iter().for_each(|held| made.add(held.part(part)));
        } else {
            self.gather(part, &mut buffers.sorter, &mut buffers.visits)?;
            made.add(&buffers.visits);
        }
        Ok(made.into_chunk())
    }
}

/// What making rows needs.
struct Buffers<V> {
    sorter: BucketSorter<V>,
    visits: Vec<V>,
}

impl<V: Collectable> Default for Buffers<V> {
    fn default() -> Self {
        Self { sorter: BucketSorter::default(), visits: Vec::new() }
    }
}

/// The first visits of these slices.
fn kept_of<'a, V>(slices: &'a [&mut [V]], mut kept: usize) -> Vec<&'a [V]> {
    let keep = |slice: &'a &mut [V]| {
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

fn sizes_of<V: Collectable>(slices: &[&[V]]) -> Sizes {
    Sizes { positions: count::<V, PositionRow>(slices), moves: count::<V, MoveRow>(slices) }
}

/// How many rows these visits make.
fn count<V: Collectable, R: OfVisit>(slices: &[&[V]]) -> u64 {
    let (mut count, mut last) = (0, None);
    for visit in slices.iter().flat_map(|slice| slice.iter()).map(|visit| visit.visit()).filter(|&visit| R::has(visit)) {
        let rank = Some((visit.hash(), R::sub_of(visit)));
        count += u64::from(rank != last);
        last = rank;
    }
    count
}

/// The rows of a table.
pub struct TableRows<'a, V, R> {
    all: &'a Collected<V>,
    len: u64,
    rows: PhantomData<fn() -> R>,
}

impl<V: Collectable, R: OfVisit> RowSet<R> for TableRows<'_, V, R> {
    fn columns(&self) -> Columns {
        self.all.visits.columns_of::<R>()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let visits = Arc::clone(&self.all.visits);
        if self.all.threads == 1 {
            return Ok(Box::new(Parts { visits, part: 0, buffers: Buffers::default() }));
        }
        let make = move |part, buffers: &mut Buffers<V>| visits.rows(part, buffers);
        Ok(Box::new(Ahead::new(self.all.threads - 1, PARTS, RowSet::columns(self), make)))
    }

    fn at_most(&self) -> u64 {
        self.len
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.len)
    }
}

/// A stream of rows, a part at a time.
struct Parts<V> {
    visits: Arc<Visits<V>>,
    part: usize,
    buffers: Buffers<V>,
}

impl<V: Collectable, R: OfVisit> Rows<R> for Parts<V> {
    fn columns(&self) -> Columns {
        self.visits.columns_of::<R>()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.visits.columns_of::<R>());
        while chunk.is_empty() && self.part < PARTS {
            *chunk = self.visits.rows(self.part, &mut self.buffers)?;
            self.part += 1;
        }
        Ok(())
    }
}

/// Rows with their cells in the making.
struct Made<R> {
    columns: Columns,
    rows: Vec<R>,
    cells: Vec<u8>,
}

impl<R: OfVisit> Made<R> {
    fn new(columns: Columns) -> Self {
        Self { columns, rows: Vec::new(), cells: Vec::new() }
    }

    /// Appends the rows these visits make. Without a branch on whether a visit begins a new row, which nobody could guess.
    fn add<V: Collectable>(&mut self, visits: &[V]) {
        let Some(first) = visits.iter().map(|visit| visit.visit()).find(|&visit| R::has(visit)) else { return };
        // The row that the visits before have left may go on.
        let open = self.rows.pop().unwrap_or_else(|| {
            self.cells.resize(self.columns.stride(), 0);
            R::with_all(first, Counts::default(), 0)
        });
        let (mut at, mut rank) = (self.rows.len(), open.rank());
        let mut games = [open.counts().wins, open.counts().draws, open.counts().losses].map(u64::from);
        let mut marks = R::marks_of(&open);
        let mut eval = R::eval_of(&open);
        self.rows.resize(at + 1 + visits.len(), open);
        for element in visits.iter().filter(|&&element| R::has(element.visit())) {
            let visit = element.visit();
            let next = (Hash::from_bits(visit.hash()), R::sub_of(visit));
            let goes_on = next == rank;
            rank = next;
            at += usize::from(!goes_on);
            let kept = if goes_on { u64::MAX } else { 0 };
            let games_here = visit.games();
            games = [0, 1, 2].map(|which| (games[which] & kept) + games_here[which]);
            marks = marks & kept as u8 | visit.marks();
            self.rows[at] = R::with_all(visit, counts(games), marks);
            if V::ROOM > 0 {
                eval = deeper(eval.filter(|_| goes_on), element.eval());
                self.rows[at] = self.rows[at].with_eval_of(eval);
                self.add_cells(element.cells(self.columns), goes_on);
            }
        }
        self.rows.truncate(at + 1);
    }

    /// Adds cells to those of the last row if it goes on, or those of a new row.
    fn add_cells(&mut self, cells: &[u8], goes_on: bool) {
        if goes_on {
            let last = self.cells.len() - cells.len();
            self.columns.merge(&mut self.cells[last..], cells);
        } else {
            self.cells.extend_from_slice(cells);
        }
    }

    fn into_chunk(self) -> Chunk<R> {
        let Self { columns, rows, cells } = self;
        if columns.is_empty() {
            return Chunk::of_rows(rows);
        }
        let mut chunk = Chunk::new(columns);
        for (&row, cells) in rows.iter().zip(cells.chunks_exact(columns.stride())) {
            chunk.push(row, &Cells::of_bytes(columns, cells));
        }
        chunk
    }
}

/// Does some work for each of these, on so many threads; what comes of it is returned in order.
fn on_threads<V: Collectable, T: Send, U: Send>(
    env: &Env<'_>,
    threads: usize,
    items: Vec<T>,
    work: impl Fn(&mut BucketSorter<V>, T) -> Result<U> + Sync,
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
    use crate::visit::{ForMover, Visit};
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
        let mut rows: BTreeMap<(Hash, u16), R> = BTreeMap::new();
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
            let mut collectors: Vec<_> = (0..workers).map(|_| Collector::new(&System, folder.path(), memory, Columns::NONE)).collect();
            for (i, visit) in visits(COUNT).enumerate() {
                collectors[i % workers].push(visit).unwrap();
            }
            let all_rows = Collected::join(&Env::default(), collectors, threads).unwrap();
            assert_eq!(!all_rows.visits.runs.is_empty(), spills, "{memory} {workers}");
            assert!(all_rows.positions().rows().unwrap().collect().unwrap().rows() == positions, "{memory} {workers} {threads}");
            assert!(all_rows.moves().rows().unwrap().collect().unwrap().rows() == moves, "{memory} {workers} {threads}");
            assert_eq!(all_rows.positions().exactly(), Some(positions.len() as u64));
            assert_eq!(all_rows.moves().exactly(), Some(moves.len() as u64));
        }
    }

    #[test]
    fn many_runs_are_merged_into_few() {
        let folder = tempfile::tempdir().unwrap();
        let all = || visits(4_000_000);
        let mut collector = Collector::new(&System, folder.path(), 0, Columns::NONE);
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
        assert!(rows.rows() == expected::<PositionRow>(all()));
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

    #[test]
    fn what_is_kept_can_be_taken_up() {
        const COUNT: u64 = 200_000;
        let (scratch, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut names = Vec::new();
        // So little memory, and so often kept, that kept runs are merged too; nothing of the process before is left each time.
        for (round, share) in visits(COUNT).collect::<Vec<_>>().chunks(COUNT as usize / 40).enumerate() {
            let mut collector = Collector::new(&System, scratch.path(), 0, Columns::NONE);
            assert!(collector.take_up(kept.path(), &names).unwrap());
            share.iter().for_each(|&visit| collector.push(visit).unwrap());
            names = collector.keep(kept.path(), &format!("run-{round}")).unwrap();
        }
        assert!(names.len() < FAN_IN, "{} runs", names.len());
        let mut collector = Collector::<Visit>::new(&System, scratch.path(), 0, Columns::NONE);
        assert!(collector.take_up(kept.path(), &names).unwrap());
        let rows = Collected::join(&Env::default(), vec![collector], 2).unwrap();
        assert!(rows.positions().rows().unwrap().collect().unwrap().rows() == expected::<PositionRow>(visits(COUNT)));
        assert!(rows.moves().rows().unwrap().collect().unwrap().rows() == expected::<MoveRow>(visits(COUNT)));

        let path = kept.path().join(&names[0].file);
        let whole = std::fs::read(&path).unwrap();
        let flip = |at: usize| {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            bytes
        };
        for bad in [flip(0), flip(whole.len() / 2), flip(whole.len() - 1), whole[..whole.len() - 1].to_vec(), Vec::new()] {
            std::fs::write(&path, bad).unwrap();
            assert!(!Collector::<Visit>::new(&System, scratch.path(), 0, Columns::NONE).take_up(kept.path(), &names).unwrap());
        }
    }
}
