//! Reading many rows with several threads: the hashes are cut into shares of equal width, and each thread reads a share at a time.

use crate::env::{Env, Stage};
use crate::error::Result;
use crate::row::Row;
use crate::stream::{RowSet, Rows};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};

/// Rows of a share, about: enough that little is read twice where shares meet, few enough that a thread can have its share ready while the
/// one before is taken.
const A_SHARE: u64 = 1 << 18;
/// Rows that are handed from one thread to another at once, or a few more: with 1,024 a merge spent a sixth of its time waking threads.
const SENT_AT_ONCE: usize = 1 << 15;
/// How often so many may wait for being taken, for each thread: a share.
const WAITING: usize = 8;
/// How many threads read at most.
const THREADS: usize = 8;

/// The hashes, cut into shares.
#[derive(Clone, Copy)]
struct Shares(u64);

impl Shares {
    /// Shares for the rows of this set; one if there are few, or if it can't be read by shares.
    fn of<R: Row>(rows: &dyn RowSet<R>) -> Self {
        Self(if rows.is_seekable() { (rows.at_most() / A_SHARE).clamp(1, 1 << 32) } else { 1 })
    }

    /// The hashes of a share.
    fn hashes(self, share: u64) -> RangeInclusive<u64> {
        let start = |share: u64| (u128::from(share) << 64) / u128::from(self.0);
        start(share) as u64..=(start(share + 1) - 1) as u64
    }

    /// The rows of a share.
    fn rows<'a, R: Row>(self, rows: &'a dyn RowSet<R>, share: u64) -> Result<Box<dyn Rows<R> + 'a>> {
        if self.0 == 1 { rows.rows() } else { rows.rows_between(self.hashes(share)) }
    }

    /// How many threads are worth their while.
    fn threads(self) -> u64 {
        std::thread::available_parallelism().map_or(1, usize::from).min(THREADS).min(self.0 as usize) as u64
    }
}

/// Counts rows by streaming them once.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted); those of the rows.
pub(crate) fn count_rows<R: Row>(env: &Env<'_>, rows: &dyn RowSet<R>) -> Result<u64> {
    let (shares, at_most) = (Shares::of(rows), rows.at_most());
    let (next, counted) = (AtomicU64::new(0), AtomicU64::new(0));
    let count_share = |share, chunk: &mut Vec<R>| {
        let mut stream = shares.rows(rows, share)?;
        loop {
            let rows = stream.skip_chunk(chunk)? as u64;
            if rows == 0 {
                return Ok(());
            }
            let before = counted.fetch_add(rows, Ordering::Relaxed);
            env.step(Stage::Counting, before + rows, at_most)?;
        }
    };
    let count = || {
        let mut chunk = Vec::new();
        loop {
            let share = next.fetch_add(1, Ordering::Relaxed);
            if share >= shares.0 {
                return Ok(());
            }
            // After an error no thread begins another share.
            count_share(share, &mut chunk).inspect_err(|_| next.store(shares.0, Ordering::Relaxed))?;
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..shares.threads()).map(|_| scope.spawn(count)).collect();
        let mine = count();
        let theirs = others.into_iter().map(|other| other.join().expect("counting doesn't panic"));
        theirs.fold(mine, Result::and)
    })?;
    Ok(counted.into_inner())
}

/// Hands `take` a stream of all rows, in order, which threads get ready meanwhile if there are many.
///
/// # Errors
/// Those of `take`, and, when the stream begins, of the rows.
pub(crate) fn stream_by_shares<R: Row, T>(rows: &dyn RowSet<R>, take: impl FnOnce(&mut dyn Rows<R>) -> Result<T>) -> Result<T> {
    let shares = Shares::of(rows);
    if shares.0 == 1 {
        return take(&mut *rows.rows()?);
    }
    let threads = shares.threads();
    std::thread::scope(|scope| {
        let reader = |first: u64| {
            let (to_fill, empty) = mpsc::channel();
            let (to_take, full) = mpsc::sync_channel(WAITING);
            scope.spawn(move || {
                let mut mine = (first..shares.0).step_by(threads as usize);
                mine.try_for_each(|share| send_share(shares.rows(rows, share), &empty, &to_take))
            });
            Reader { full, to_fill }
        };
        // It is gone when the threads are waited for: they stop once nobody takes what they read.
        let mut ahead = Ahead { readers: (0..threads).map(reader).collect(), shares: shares.0, share: 0 };
        take(&mut ahead)
    })
}

/// Sends all rows of a share, and then no rows; none if nobody takes them any more, or after an error.
fn send_share<R: Row>(rows: Result<Box<dyn Rows<R> + '_>>, empty: &Receiver<Vec<R>>, to_take: &SyncSender<Result<Vec<R>>>) -> Option<()> {
    let mut rows = rows.map_err(|error| to_take.send(Err(error))).ok()?;
    let mut chunk = Vec::new();
    loop {
        let mut sent = empty.try_recv().unwrap_or_default();
        let read = fill(&mut sent, &mut rows, &mut chunk);
        let (failed, ended) = (read.is_err(), sent.is_empty());
        to_take.send(read.map(|()| sent)).ok().filter(|()| !failed)?;
        if ended {
            return Some(());
        }
    }
}

/// Fills `sent` with the next rows, by way of `chunk`.
fn fill<R: Row>(sent: &mut Vec<R>, rows: &mut dyn Rows<R>, chunk: &mut Vec<R>) -> Result<()> {
    sent.clear();
    while sent.len() < SENT_AT_ONCE {
        rows.next_chunk(chunk)?;
        if chunk.is_empty() {
            break;
        }
        sent.extend_from_slice(chunk);
    }
    Ok(())
}

/// A thread that reads shares.
struct Reader<R> {
    full: Receiver<Result<Vec<R>>>,
    to_fill: Sender<Vec<R>>,
}

/// Rows that threads read share by share, each in its turn.
struct Ahead<R> {
    readers: Vec<Reader<R>>,
    shares: u64,
    /// The share that is being taken.
    share: u64,
}

impl<R: Row> Rows<R> for Ahead<R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        while self.share < self.shares {
            let reader = &self.readers[self.share as usize % self.readers.len()];
            // It goes away early only by an error, which was taken, or by a panic, which the scope passes on.
            let Ok(read) = reader.full.recv() else { return Ok(()) };
            let read = read?;
            if !read.is_empty() {
                // The reader may be done, and then needs no more.
                let _ = reader.to_fill.send(std::mem::replace(chunk, read));
                return Ok(());
            }
            self.share += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::row::{Counts, PositionRow};
    use crate::stream::InMemory;

    /// Rows whose hashes are spread evenly, and which can be read from anywhere.
    struct Spread(u64);

    impl RowSet<PositionRow> for Spread {
        fn rows(&self) -> Result<Box<dyn Rows<PositionRow> + '_>> {
            self.rows_between(0..=u64::MAX)
        }

        fn at_most(&self) -> u64 {
            self.0
        }

        fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<PositionRow> + '_>> {
            let width = u64::MAX / self.0;
            let rows = (hashes.start().div_ceil(width)..self.0).take_while(move |i| hashes.contains(&(i * width)));
            Ok(Box::new(Counted(rows.map(move |i| i * width))))
        }

        fn is_seekable(&self) -> bool {
            true
        }
    }

    struct Counted<I>(I);

    impl<I: Iterator<Item = u64> + Send> Rows<PositionRow> for Counted<I> {
        fn next_chunk(&mut self, chunk: &mut Vec<PositionRow>) -> Result<()> {
            chunk.clear();
            chunk.extend(self.0.by_ref().take(1000).map(|h| PositionRow::of_hash(h, Counts::default())));
            Ok(())
        }
    }

    #[test]
    fn shares_are_all_hashes_once() {
        for count in [1, 2, 3, 7, 1 << 20] {
            let shares = Shares(count);
            assert_eq!((*shares.hashes(0).start(), *shares.hashes(count - 1).end()), (0, u64::MAX));
            assert!((1..count).all(|share| *shares.hashes(share).start() == shares.hashes(share - 1).end() + 1));
        }
    }

    #[test]
    fn what_threads_read_is_what_one_reads() {
        let set = Spread(5 * A_SHARE + 17);
        assert_eq!(Shares::of(&set).0, 5);
        assert_eq!(count_rows(&Env::default(), &set).unwrap(), set.0);
        let mut next = 0;
        stream_by_shares(&set, |rows| {
            let mut chunk = Vec::new();
            loop {
                rows.next_chunk(&mut chunk)?;
                if chunk.is_empty() {
                    return Ok(());
                }
                for row in &chunk {
                    assert_eq!(row.hash(), next * (u64::MAX / set.0));
                    next += 1;
                }
            }
        })
        .unwrap();
        assert_eq!(next, set.0);
    }

    /// Rows that can't be read from some hash on.
    struct Broken(Spread);

    impl RowSet<PositionRow> for Broken {
        fn rows(&self) -> Result<Box<dyn Rows<PositionRow> + '_>> {
            self.rows_between(0..=u64::MAX)
        }

        fn at_most(&self) -> u64 {
            self.0.at_most()
        }

        fn rows_between(&self, hashes: RangeInclusive<u64>) -> Result<Box<dyn Rows<PositionRow> + '_>> {
            if hashes.contains(&(1 << 63)) { Err(Error::Interrupted) } else { self.0.rows_between(hashes) }
        }

        fn is_seekable(&self) -> bool {
            true
        }
    }

    #[test]
    fn an_error_of_a_share_comes_in_its_place_and_threads_stop_with_whoever_takes() {
        let set = Broken(Spread(6 * A_SHARE));
        assert!(matches!(count_rows(&Env::default(), &set), Err(Error::Interrupted)));
        let mut taken = 0;
        let ended = stream_by_shares(&set, |rows| {
            let mut chunk = Vec::new();
            loop {
                rows.next_chunk(&mut chunk)?;
                taken += chunk.len() as u64;
            }
        });
        assert!(matches!(ended, Err::<(), _>(Error::Interrupted)));
        assert_eq!(taken, (1u64 << 63).div_ceil(u64::MAX / set.0.0), "all before the share that is broken");
        stream_by_shares(&set, |rows| rows.next_chunk(&mut Vec::new())).unwrap();
    }

    #[test]
    fn a_set_that_can_t_be_read_by_shares_is_streamed() {
        let rows: Vec<_> = (0..3 * A_SHARE).map(|h| PositionRow::of_hash(h, Counts::default())).collect();
        assert_eq!(count_rows(&Env::default(), &rows).unwrap(), rows.len() as u64);
        let between = rows.rows_between(5..=9).unwrap();
        let mut chunk = Vec::new();
        let (mut between, mut whole) = (between, InMemory::new(&rows[5..10]));
        between.next_chunk(&mut chunk).unwrap();
        let mut expected = Vec::new();
        whole.next_chunk(&mut expected).unwrap();
        assert_eq!(chunk, expected);
        between.next_chunk(&mut chunk).unwrap();
        assert!(chunk.is_empty());
    }
}
