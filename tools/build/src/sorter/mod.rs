//! Collecting occurrences in any order and in bounded memory, and making the rows of both tables of
//! them.
//!
//! Each worker's [`Sorter`] puts occurrences into buckets by the first bits of their hash. A bucket
//! that is full is sorted and merged in the cache; when that makes no room any more, all buckets
//! together are written as a sorted run. In the end the workers' buckets are merged with each
//! other, on all threads, and rows are made of them part by part, in order, where there are runs of
//! these too. What comes out depends on the occurrences alone.

mod bucket;
mod buckets;
mod run;

use crate::occurrence::{FromOccurrence, Sortable, counts, deeper};
use bucket::BucketSorter;
use buckets::{BUCKETS, Buckets, Combiner, PART_PREFIX, PARTS, PLIES, PREFIX};
use run::Run;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tabia::parallel::{self, Maker, Prefetch};
use tabia::storage::Storage;
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    Cells, Columns, Counts, Env, Error, Hash, Marks, MoveRow, PositionRow, Result, Stage, TableKind,
};

/// How many runs of a level are merged into one of the next: each is an open file, of which a
/// process may have a thousand.
const FAN_IN: usize = 32;
/// Parts whose rows wait for each thread.
const PARTS_AHEAD: usize = 8;

/// Takes occurrences in any order, and uses a bounded amount of memory.
pub struct Sorter<'a, V> {
    storage: &'a dyn Storage,
    folder: PathBuf,
    memory: usize,
    columns: Columns,
    combiner: Combiner<V>,
    buckets: Buckets<V>,
    sorter: BucketSorter<V>,
    runs: Vec<Run<V>>,
}

impl<'a, V: Sortable> Sorter<'a, V> {
    /// A sorter of occurrences with cells of these columns. It holds `memory` bytes of them, and
    /// spills into files without a name in this folder.
    ///
    /// # Panics
    /// If the occurrences have no room for the cells.
    pub fn new(storage: &'a dyn Storage, folder: &Path, memory: usize, columns: Columns) -> Self {
        assert!(columns.stride() <= V::ROOM, "occurrences have no room for {columns}");
        Self {
            storage,
            folder: folder.to_owned(),
            memory,
            columns,
            combiner: Combiner::default(),
            buckets: Buckets::new(memory, columns),
            sorter: BucketSorter::default(),
            runs: Vec::new(),
        }
    }

    /// What it took so far; it goes on without.
    pub fn take(&mut self) -> Self {
        let empty = Self::new(self.storage, &self.folder, self.memory, self.columns);
        std::mem::replace(self, empty)
    }

    /// Takes an occurrence.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn push(&mut self, occurrence: V) -> Result<()> {
        if self.buckets.push(occurrence) { Ok(()) } else { self.make_room_for(occurrence) }
    }

    #[cold]
    fn make_room_for(&mut self, occurrence: V) -> Result<()> {
        if !self.buckets.sort_and_merge_bucket_of(occurrence, &mut self.sorter) {
            self.spill()?;
        }
        self.buckets.push(occurrence);
        Ok(())
    }

    /// Writes what is in memory as a run, and merges the last runs if there are many of the same
    /// level.
    fn spill(&mut self) -> Result<()> {
        self.buckets.sort_and_merge(&mut self.sorter);
        self.runs.push(Run::write(self.storage, &self.folder, &self.buckets)?);
        self.buckets.clear();
        while let Some((start, level)) = many_alike(&self.runs) {
            let (runs, sorter) = (&self.runs[start..], &mut self.sorter);
            let merged =
                Run::merge(self.storage, &self.folder, level + 1, runs, sorter, self.columns)?;
            self.runs.truncate(start);
            self.runs.push(merged);
        }
        Ok(())
    }

    /// Takes the occurrences of a game.
    ///
    /// # Errors
    /// The system's, from spilling.
    #[inline]
    pub fn game(&mut self, occurrences: &[V]) -> Result<()> {
        let (first, later) = occurrences.split_at(occurrences.len().min(PLIES));
        for &occurrence in first {
            if let Some(displaced) = self.combiner.take(occurrence, self.columns) {
                self.push(displaced)?;
            }
        }
        later.iter().try_for_each(|&occurrence| self.push(occurrence))
    }
}

/// Where the last runs begin that are of the same level, and which it is, if they are many.
fn many_alike<V>(runs: &[Run<V>]) -> Option<(usize, u32)> {
    let level = runs.last()?.level;
    let alike = runs.iter().rev().take_while(|run| run.level == level).count();
    (alike >= FAN_IN).then_some((runs.len() - alike, level))
}

/// All occurrences that were sorted, as rows in order.
pub struct SortedRows<V> {
    occurrences: Arc<Sorted<V>>,
    sizes: Sizes,
    threads: usize,
}

/// Occurrences in memory and in runs.
struct Sorted<V> {
    buckets: Vec<Buckets<V>>,
    runs: Vec<Run<V>>,
    columns: Columns,
}

/// Rows of the two tables.
#[derive(Clone, Copy, Default)]
struct Sizes {
    positions: u64,
    moves: u64,
}

impl<V: Sortable> SortedRows<V> {
    /// Joins what several sorters of the same columns took. `threads` threads do the work, now and
    /// when the rows are streamed.
    ///
    /// # Errors
    /// The system's; [`Error::Interrupted`].
    pub fn join(env: &Env<'_>, sorters: Vec<Sorter<'_, V>>, threads: usize) -> Result<Self> {
        let mut occurrences =
            Sorted { buckets: Vec::new(), runs: Vec::new(), columns: Columns::NONE };
        for mut sorter in sorters {
            occurrences.columns = sorter.columns;
            sorter.combiner.empty().try_for_each(|occurrence| sorter.push(occurrence))?;
            occurrences.buckets.push(sorter.buckets);
            occurrences.runs.extend(sorter.runs);
        }
        let mut sizes = occurrences.merge_buckets(env, threads)?;
        if !occurrences.runs.is_empty() {
            sizes = occurrences.count_parts(env, threads)?;
        }
        Ok(Self { occurrences: Arc::new(occurrences), sizes, threads })
    }

    /// The rows of the positions table.
    pub fn positions(&self) -> TableRows<'_, V, PositionRow> {
        TableRows { all: self, len: self.sizes.positions, rows: PhantomData }
    }

    /// The rows of the moves table, with cells of the sorters' columns.
    pub fn moves(&self) -> TableRows<'_, V, MoveRow> {
        TableRows { all: self, len: self.sizes.moves, rows: PhantomData }
    }
}

impl<V: Sortable> Sorted<V> {
    /// Merges each bucket with those of the other workers. The result is in the places of the first
    /// worker, continued in those of the others.
    fn merge_buckets(&mut self, env: &Env<'_>, threads: usize) -> Result<Sizes> {
        let mut buckets: Vec<Vec<&mut [V]>> = (0..BUCKETS).map(|_| Vec::new()).collect();
        for worker in &mut self.buckets {
            for (bucket, occurrences) in buckets.iter_mut().zip(worker.buckets_mut()) {
                bucket.push(occurrences);
            }
        }
        let columns = self.columns;
        let merged = on_threads(env, threads, buckets, |sorter, mut bucket: Vec<&mut [V]>| {
            let kept = sorter.sort_and_merge(&mut bucket, PREFIX, columns);
            let slices = kept_of(&bucket, kept);
            Ok((kept, sizes_of(&slices)))
        })?;
        let mut all = Sizes::default();
        for (bucket, (mut kept, sizes)) in merged.into_iter().enumerate() {
            for worker in &mut self.buckets {
                kept -= worker.keep(bucket, kept);
            }
            all.add(sizes);
        }
        Ok(all)
    }

    fn count_parts(&self, env: &Env<'_>, threads: usize) -> Result<Sizes> {
        let counted = on_threads(env, threads, (0..PARTS).collect(), |sorter, part| {
            let mut occurrences = Vec::new();
            self.gather(part, sorter, &mut occurrences)?;
            Ok(sizes_of(&[&occurrences]))
        })?;
        let mut all = Sizes::default();
        counted.into_iter().for_each(|sizes| all.add(sizes));
        Ok(all)
    }

    /// Brings together the occurrences of a part from memory and all runs.
    fn gather(
        &self,
        part: usize,
        sorter: &mut BucketSorter<V>,
        occurrences: &mut Vec<V>,
    ) -> Result<()> {
        occurrences.clear();
        self.buckets.iter().for_each(|buckets| occurrences.extend_from_slice(buckets.part(part)));
        self.runs.iter().try_for_each(|run| run.read(part, occurrences))?;
        let kept = sorter.sort_and_merge(&mut [occurrences], PART_PREFIX, self.columns);
        occurrences.truncate(kept);
        Ok(())
    }

    fn columns_of<R: FromOccurrence>(&self) -> Columns {
        if R::TABLE == TableKind::Moves { self.columns } else { Columns::NONE }
    }

    fn rows<R: FromOccurrence>(&self, part: usize, buffers: &mut Buffers<V>) -> Result<Chunk<R>> {
        let mut made = Made::new(self.columns_of::<R>());
        if self.runs.is_empty() {
            made.rows.reserve(
                1 + self.buckets.iter().map(|buckets| buckets.part(part).len()).sum::<usize>(),
            );
            self.buckets.iter().for_each(|buckets| made.add(buckets.part(part)));
        } else {
            self.gather(part, &mut buffers.sorter, &mut buffers.occurrences)?;
            made.add(&buffers.occurrences);
        }
        Ok(made.into_chunk())
    }
}

/// What making rows needs.
#[derive(Default)]
struct Buffers<V> {
    sorter: BucketSorter<V>,
    occurrences: Vec<V>,
}

/// The first occurrences of these slices.
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

fn sizes_of<V: Sortable>(slices: &[&[V]]) -> Sizes {
    Sizes { positions: count::<V, PositionRow>(slices), moves: count::<V, MoveRow>(slices) }
}

/// How many rows these occurrences make.
fn count<V: Sortable, R: FromOccurrence>(slices: &[&[V]]) -> u64 {
    let (mut count, mut last) = (0, None);
    for occurrence in slices
        .iter()
        .flat_map(|slice| slice.iter())
        .map(|occurrence| occurrence.occurrence())
        .filter(|&occurrence| R::has(occurrence))
    {
        let rank = Some((occurrence.hash(), R::sub_of(occurrence)));
        count += u64::from(rank != last);
        last = rank;
    }
    count
}

/// The rows of a table.
pub struct TableRows<'a, V, R> {
    all: &'a SortedRows<V>,
    len: u64,
    rows: PhantomData<fn() -> R>,
}

impl<V: Sortable, R: FromOccurrence> RowSet<R> for TableRows<'_, V, R> {
    fn columns(&self) -> Columns {
        self.all.occurrences.columns_of::<R>()
    }

    fn rows(&self) -> Result<Box<dyn Rows<R> + '_>> {
        let occurrences = Arc::clone(&self.all.occurrences);
        if self.all.threads == 1 {
            return Ok(Box::new(Parts { occurrences, part: 0, buffers: Buffers::default() }));
        }
        let (columns, threads) = (RowSet::columns(self), self.all.threads - 1);
        let make = move |first, maker: Maker<_, ()>| {
            let mut buffers = Buffers::default();
            let mut mine = (first..PARTS).step_by(threads);
            mine.all(|part| maker.send(occurrences.rows(part, &mut buffers)));
        };
        let parts =
            Prefetch::start(threads, PARTS_AHEAD, make, |work| drop(std::thread::spawn(work)));
        Ok(Box::new(Prefetched { columns, parts, left: PARTS }))
    }

    fn at_most(&self) -> u64 {
        self.len
    }

    fn exactly(&self) -> Option<u64> {
        Some(self.len)
    }
}

/// A stream of rows, the parts of which threads make.
struct Prefetched<R> {
    columns: Columns,
    parts: Prefetch<Result<Chunk<R>>, ()>,
    /// Parts that are not taken yet.
    left: usize,
}

impl<R: FromOccurrence> Rows<R> for Prefetched<R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.columns);
        while chunk.is_empty() && self.left > 0 {
            // A thread goes away early only by a panic.
            *chunk = self.parts.take().expect("making rows doesn't panic")?;
            self.parts.turn();
            self.left -= 1;
        }
        Ok(())
    }
}

/// A stream of rows, a part at a time.
struct Parts<V> {
    occurrences: Arc<Sorted<V>>,
    part: usize,
    buffers: Buffers<V>,
}

impl<V: Sortable, R: FromOccurrence> Rows<R> for Parts<V> {
    fn columns(&self) -> Columns {
        self.occurrences.columns_of::<R>()
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.occurrences.columns_of::<R>());
        while chunk.is_empty() && self.part < PARTS {
            *chunk = self.occurrences.rows(self.part, &mut self.buffers)?;
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

impl<R: FromOccurrence> Made<R> {
    fn new(columns: Columns) -> Self {
        Self { columns, rows: Vec::new(), cells: Vec::new() }
    }

    /// Appends the rows these occurrences make. Without a branch on whether an occurrence begins a
    /// new row, which is unpredictable.
    fn add<V: Sortable>(&mut self, occurrences: &[V]) {
        let Some(first) = occurrences
            .iter()
            .map(|occurrence| occurrence.occurrence())
            .find(|&occurrence| R::has(occurrence))
        else {
            return;
        };
        // The row that the occurrences before have left may go on.
        let open = self.rows.pop().unwrap_or_else(|| {
            self.cells.resize(self.columns.stride(), 0);
            R::with_all(first, Counts::default(), Marks::empty(), None)
        });
        let (mut at, mut rank) = (self.rows.len(), open.rank());
        let mut games =
            [open.counts().wins, open.counts().draws, open.counts().losses].map(u64::from);
        let (mut marks, mut eval) = open.marks_and_eval();
        self.rows.resize(at + 1 + occurrences.len(), open);
        for element in occurrences.iter().filter(|&&element| R::has(element.occurrence())) {
            let occurrence = element.occurrence();
            let next = (Hash::from_bits(occurrence.hash()), R::sub_of(occurrence));
            let goes_on = next == rank;
            rank = next;
            at += usize::from(!goes_on);
            let kept = if goes_on { u64::MAX } else { 0 };
            let games_here = occurrence.games();
            games = [0, 1, 2].map(|which| (games[which] & kept) + games_here[which]);
            marks = marks & Marks::from_bits_retain(kept as u8) | occurrence.marks();
            if V::ROOM > 0 {
                eval = deeper(eval.filter(|_| goes_on), element.eval());
                self.add_cells(element.cells(self.columns), goes_on);
            }
            let eval = eval.filter(|_| V::ROOM > 0);
            self.rows[at] = R::with_all(occurrence, counts(games), marks, eval);
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

/// Does some work for each of these, on `threads` threads; the results are returned in order.
fn on_threads<V: Sortable, T: Send, U: Send>(
    env: &Env<'_>,
    threads: usize,
    items: Vec<T>,
    work: impl Fn(&mut BucketSorter<V>, T) -> Result<U> + Sync,
) -> Result<Vec<U>> {
    let total = items.len() as u64;
    let (done, _) =
        parallel::map(threads, items, BucketSorter::default, |sorter, number, item| {
            if number % 64 == 0 && !env.progress.step(Stage::Sorting, number as u64, total) {
                return Err(Error::Interrupted);
            }
            work(sorter, item)
        })?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::occurrence::{ForMover, Occurrence};
    use std::collections::BTreeMap;
    use tabia::Row;
    use tabia::storage::System;

    /// Occurrences of which some keys come back often, with any result, move and marks.
    fn occurrences(count: u64) -> impl Iterator<Item = Occurrence> {
        (0..count).map(|i| {
            let random = tabia::mix(i);
            let key = if random.is_multiple_of(3) { random >> 40 & 7 } else { random >> 45 };
            let result =
                [ForMover::Win, ForMover::Draw, ForMover::Loss][(random >> 20) as usize % 3];
            let occurrence = Occurrence::new(key, result);
            match random >> 8 & 3 {
                0 => occurrence.of_position(),
                1 => occurrence
                    .of_move(random as u16 & 3, Marks::from_bits_retain(1 << (random >> 10 & 7))),
                _ => occurrence.of_position().of_move(random as u16 & 3, Marks::empty()),
            }
        })
    }

    /// The rows of the occurrences, merged by the rows' own rule.
    fn expected<R: FromOccurrence>(occurrences: impl Iterator<Item = Occurrence>) -> Vec<R> {
        let mut rows: BTreeMap<(Hash, u16), R> = BTreeMap::new();
        for row in occurrences.filter_map(R::from_occurrence) {
            rows.entry(row.rank()).and_modify(|kept| kept.merge(&row)).or_insert(row);
        }
        rows.into_values().collect()
    }

    #[test]
    fn memory_workers_and_threads_dont_show_in_the_rows() {
        const COUNT: u64 = 400_000;
        let folder = tempfile::tempdir().unwrap();
        let (positions, moves) =
            (expected::<PositionRow>(occurrences(COUNT)), expected::<MoveRow>(occurrences(COUNT)));
        for (memory, workers, threads, spills) in
            [(64 << 20, 1, 1, false), (64 << 20, 3, 2, false), (0, 1, 1, true), (0, 3, 3, true)]
        {
            let sorter = |_| Sorter::new(&System, folder.path(), memory, Columns::NONE);
            let mut sorters: Vec<_> = (0..workers).map(sorter).collect();
            for (i, occurrence) in occurrences(COUNT).enumerate() {
                sorters[i % workers].push(occurrence).unwrap();
            }
            let all_rows = SortedRows::join(&Env::default(), sorters, threads).unwrap();
            assert_eq!(!all_rows.occurrences.runs.is_empty(), spills, "{memory} {workers}");
            let what = format!("{memory} {workers} {threads}");
            let found = all_rows.positions().rows().unwrap().collect().unwrap();
            assert!(found.rows() == positions, "{what}");
            let found = all_rows.moves().rows().unwrap().collect().unwrap();
            assert!(found.rows() == moves, "{what}");
            assert_eq!(all_rows.positions().exactly(), Some(positions.len() as u64));
            assert_eq!(all_rows.moves().exactly(), Some(moves.len() as u64));
        }
    }

    #[test]
    fn many_runs_are_merged_into_few() {
        let folder = tempfile::tempdir().unwrap();
        let all = || occurrences(4_000_000);
        let mut sorter = Sorter::new(&System, folder.path(), 0, Columns::NONE);
        let mut spilled = 0;
        for occurrence in all() {
            let before = sorter.runs.len();
            sorter.push(occurrence).unwrap();
            spilled += usize::from(sorter.runs.len() != before);
        }
        assert!(spilled > 2 * FAN_IN, "{spilled} times spilled");
        let levels: Vec<_> = sorter.runs.iter().map(|run| run.level).collect();
        assert!(sorter.runs.len() < 2 * FAN_IN && levels[0] > 0, "{levels:?}");
        assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
        let rows = SortedRows::join(&Env::default(), vec![sorter], 2).unwrap();
        let rows = rows.positions().rows().unwrap().collect().unwrap();
        assert!(rows.rows() == expected::<PositionRow>(all()));
    }

    #[test]
    fn games_beyond_what_rows_can_count_saturate() {
        let occurrence = Occurrence::new(1, ForMover::Win).of_position();
        let mut sum = occurrence;
        for _ in 0..40 {
            let doubled = sum;
            assert!(sum.merge(doubled));
        }
        assert_eq!(PositionRow::from_occurrence(sum).unwrap().counts().wins, u32::MAX);
        assert!(MoveRow::from_occurrence(sum).is_none());
    }
}
