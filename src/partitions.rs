//! Reading many rows with several threads: their hashes are cut into partitions of equal width, and
//! each thread reads a partition at a time.

use crate::column::Columns;
use crate::env::{Env, Stage};
use crate::error::Result;
use crate::key::Hash;
use crate::parallel::{self, Maker, Prefetch};
use crate::row::Row;
use crate::stream::{Chunk, RowSet, Rows};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows of a partition, about: enough that little is read twice where partitions meet, few enough
/// that a thread can have its partition ready while the one before is taken.
const A_PARTITION: u64 = 1 << 18;
/// Rows that are handed from one thread to another at once, or a few more: with 1,024 a merge spent
/// a sixth of its time waking threads.
const SENT_AT_ONCE: usize = 1 << 15;
/// How many such batches of each thread may wait to be taken: a partition.
const WAITING: usize = 8;
/// How many threads read at most.
const THREADS: usize = 8;

/// Hashes, cut into partitions of equal width.
#[derive(Clone, Copy)]
pub(crate) struct Partitions {
    pub count: u64,
    /// The first hash of all, and how many there are.
    first: u64,
    width: u128,
}

impl Partitions {
    /// Partitions for the rows of this set; one if there are few, or if it can't be read by
    /// partitions.
    fn of<R: Row>(rows: &dyn RowSet<R>) -> Self {
        Self::new(rows.hashes(), if rows.is_seekable() { rows.about() } else { 0 })
    }

    /// Partitions of these hashes, among which are so many.
    pub fn new(hashes: RangeInclusive<Hash>, rows: u64) -> Self {
        let (first, last) = (hashes.start().get(), hashes.end().get());
        let count = (rows / A_PARTITION).clamp(1, 1 << 32);
        Self { count, first, width: u128::from(last.saturating_sub(first)) + 1 }
    }

    /// The hashes of a partition.
    pub fn hashes(self, partition: u64) -> RangeInclusive<Hash> {
        let end = |partition: u64| {
            let part = self.width * u128::from(partition) / u128::from(self.count);
            (u128::from(self.first) + part) as u64
        };
        Hash::from_bits(end(partition))..=Hash::from_bits(end(partition + 1).wrapping_sub(1))
    }

    fn rows<'a, R: Row>(
        self,
        rows: &'a dyn RowSet<R>,
        partition: u64,
    ) -> Result<Box<dyn Rows<R> + 'a>> {
        if self.count == 1 { rows.rows() } else { rows.rows_between(self.hashes(partition)) }
    }

    /// How many threads are worth their while.
    fn threads(self) -> usize {
        threads(self.count)
    }
}

/// How many threads are worth their while for so many partitions.
pub(crate) fn threads(partitions: u64) -> usize {
    parallel::threads(THREADS).min(partitions as usize)
}

/// Counts rows by streaming them once.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted); those of the rows.
pub(crate) fn count_rows<R: Row>(env: &Env<'_>, rows: &dyn RowSet<R>) -> Result<u64> {
    let (partitions, all) = (Partitions::of(rows), rows.about());
    let counted = AtomicU64::new(0);
    let count_partition = |chunk: &mut Chunk<R>, _, partition| {
        let mut stream = partitions.rows(rows, partition)?;
        loop {
            let rows = stream.skip_chunk(chunk)? as u64;
            if rows == 0 {
                return Ok(());
            }
            let before = counted.fetch_add(rows, Ordering::Relaxed);
            env.step(Stage::Counting, before + rows, all)?;
        }
    };
    let all = (0..partitions.count).collect();
    parallel::map(partitions.threads(), all, Chunk::default, count_partition)?;
    Ok(counted.into_inner())
}

/// Hands `take` a stream of all rows, in order, which threads get ready meanwhile if there are
/// many.
///
/// # Errors
/// Those of `take`, and, when the stream begins, of the rows.
pub(crate) fn stream_by_partitions<R: Row, T>(
    rows: &dyn RowSet<R>,
    take: impl FnOnce(&mut dyn Rows<R>) -> Result<T>,
) -> Result<T> {
    let partitions = Partitions::of(rows);
    if partitions.count == 1 {
        return take(&mut *rows.rows()?);
    }
    let threads = partitions.threads();
    let make = |first, maker: Maker<_, _>| {
        let mut mine = (first as u64..partitions.count).step_by(threads);
        mine.all(|partition| send_partition(partitions.rows(rows, partition), &maker));
    };
    std::thread::scope(|scope| {
        // It is gone when the threads are waited for: they stop once nobody takes what they read.
        let mut ordered = Ordered {
            columns: rows.columns(),
            chunks: Prefetch::start(threads, WAITING, make, |work| drop(scope.spawn(work))),
            left: partitions.count,
        };
        take(&mut ordered)
    })
}

/// Sends all rows of a partition, and then no rows. Returns whether more are wanted: not after an
/// error.
fn send_partition<R: Row>(
    rows: Result<Box<dyn Rows<R> + '_>>,
    maker: &Maker<Result<Chunk<R>>, Chunk<R>>,
) -> bool {
    let mut rows = match rows {
        Ok(rows) => rows,
        Err(error) => {
            let _ = maker.send(Err(error));
            return false;
        }
    };
    let mut chunk = Chunk::default();
    loop {
        let mut sent = maker.used().unwrap_or_default();
        let read = fill(&mut sent, &mut rows, &mut chunk);
        let (failed, ended) = (read.is_err(), sent.is_empty());
        if !maker.send(read.map(|()| sent)) || failed {
            return false;
        }
        if ended {
            return true;
        }
    }
}

/// Fills `sent` with the next rows, by way of `chunk`.
fn fill<R: Row>(sent: &mut Chunk<R>, rows: &mut dyn Rows<R>, chunk: &mut Chunk<R>) -> Result<()> {
    sent.clear(rows.columns());
    while sent.len() < SENT_AT_ONCE {
        rows.next_chunk(chunk)?;
        if chunk.is_empty() {
            break;
        }
        sent.extend(chunk, 0..chunk.len());
    }
    Ok(())
}

/// Rows that threads read partition by partition, each in its turn.
struct Ordered<R> {
    columns: Columns,
    /// Those of a partition, and then one without rows.
    chunks: Prefetch<Result<Chunk<R>>, Chunk<R>>,
    /// Partitions that are not taken yet.
    left: u64,
}

impl<R: Row> Rows<R> for Ordered<R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.columns);
        while self.left > 0 {
            // A thread goes away early only by an error, which was taken, or by a panic, which the
            // scope passes on.
            let Some(read) = self.chunks.take() else { return Ok(()) };
            let read = read?;
            if !read.is_empty() {
                self.chunks.give_back(std::mem::replace(chunk, read));
                return Ok(());
            }
            self.chunks.turn();
            self.left -= 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Cells;
    use crate::error::Error;
    use crate::row::{Counts, PositionRow};
    use crate::stream::InMemory;

    /// So many rows whose hashes are spread evenly, and which can be read from anywhere, but for one
    /// hash, if there is such.
    struct Spread(u64, Option<Hash>);

    impl RowSet<PositionRow> for Spread {
        fn rows(&self) -> Result<Box<dyn Rows<PositionRow> + '_>> {
            self.rows_between(Hash::MIN..=Hash::MAX)
        }

        fn at_most(&self) -> u64 {
            self.0
        }

        fn rows_between(
            &self,
            hashes: RangeInclusive<Hash>,
        ) -> Result<Box<dyn Rows<PositionRow> + '_>> {
            if self.1.is_some_and(|broken| hashes.contains(&broken)) {
                return Err(Error::Interrupted);
            }
            let width = u64::MAX / self.0;
            let rows = (hashes.start().get().div_ceil(width)..self.0)
                .take_while(move |i| hashes.contains(&Hash::from_bits(i * width)));
            Ok(Box::new(Counted(rows.map(move |i| i * width))))
        }

        fn is_seekable(&self) -> bool {
            true
        }
    }

    struct Counted<I>(I);

    impl<I: Iterator<Item = u64> + Send> Rows<PositionRow> for Counted<I> {
        fn next_chunk(&mut self, chunk: &mut Chunk<PositionRow>) -> Result<()> {
            chunk.clear(Columns::NONE);
            self.0.by_ref().take(1000).for_each(|h| {
                chunk
                    .push(PositionRow::of_hash(Hash::from_bits(h), Counts::default()), &Cells::NONE)
            });
            Ok(())
        }
    }

    #[test]
    fn shares_are_all_hashes_once() {
        let cases = [1, 2, 3, 7, 1 << 20].map(|count| (count, 0, u64::MAX));
        for (count, first, last) in
            cases.into_iter().chain([(3, 1 << 62, (1 << 63) - 1), (5, 3 << 62, u64::MAX)])
        {
            let partitions = Partitions { count, first, width: u128::from(last - first) + 1 };
            let start = |partition| partitions.hashes(partition).start().get();
            let end = |partition| partitions.hashes(partition).end().get();
            assert_eq!((start(0), end(count - 1)), (first, last));
            assert!((1..count).all(|partition| start(partition) == end(partition - 1) + 1));
        }
    }

    #[test]
    fn what_threads_read_is_what_one_reads() {
        let set = Spread(5 * A_PARTITION + 17, None);
        assert_eq!(Partitions::of(&set).count, 5);
        assert_eq!(count_rows(&Env::default(), &set).unwrap(), set.0);
        let mut next = 0;
        stream_by_partitions(&set, |rows| {
            rows.each_chunk(|chunk| {
                for row in chunk.rows() {
                    assert_eq!(row.hash().get(), next * (u64::MAX / set.0));
                    next += 1;
                }
                Ok(())
            })
        })
        .unwrap();
        assert_eq!(next, set.0);
    }

    #[test]
    fn an_error_of_a_share_comes_in_its_place_and_threads_stop_with_whoever_takes() {
        let set = Spread(6 * A_PARTITION, Some(Hash::from_bits(1 << 63)));
        assert!(matches!(count_rows(&Env::default(), &set), Err(Error::Interrupted)));
        let mut taken = 0;
        let ended = stream_by_partitions(&set, |rows| {
            rows.each_chunk(|chunk| {
                taken += chunk.len() as u64;
                Ok(())
            })
        });
        assert!(matches!(ended, Err::<(), _>(Error::Interrupted)));
        // All before the partition that is broken.
        assert_eq!(taken, (1u64 << 63).div_ceil(u64::MAX / set.0));
        stream_by_partitions(&set, |rows| rows.next_chunk(&mut Chunk::default())).unwrap();
    }

    #[test]
    fn a_set_that_can_t_be_read_by_shares_is_streamed() {
        let row = |h| PositionRow::of_hash(Hash::from_bits(h), Counts::default());
        let rows: Vec<_> = (0..3 * A_PARTITION).map(row).collect();
        assert_eq!(count_rows(&Env::default(), &rows).unwrap(), rows.len() as u64);
        let between = rows.rows_between(Hash::from_bits(5)..=Hash::from_bits(9)).unwrap();
        let mut chunk = Chunk::default();
        let (mut between, mut whole) = (between, InMemory::new(&rows[5..10]));
        between.next_chunk(&mut chunk).unwrap();
        let mut expected = Chunk::default();
        whole.next_chunk(&mut expected).unwrap();
        assert_eq!(chunk, expected);
        between.next_chunk(&mut chunk).unwrap();
        assert!(chunk.is_empty());
    }
}
