//! Work on several threads: a map over some items, and a pipeline whose results come in order while
//! they are made.

use crossbeam_channel::{Receiver, bounded};
use std::sync::{Mutex, PoisonError};
use std::thread;
use tabia::stream::{Chunk, Rows};
use tabia::{Columns, Result, Row};

/// Chunks that wait for each thread.
const WAITING: usize = 8;

/// Does some work for each of these items, on `threads` threads, each with a state of its own.
/// Returns the results in the order of the items, and the states.
///
/// # Errors
/// One of those that the work gives; the other threads end with the items that they have.
pub(crate) fn map<S: Send, T: Send, U: Send>(
    threads: usize,
    items: Vec<T>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, T) -> Result<U> + Sync,
) -> Result<(Vec<U>, Vec<S>)> {
    let waiting = Mutex::new(items.into_iter().enumerate());
    let run = || {
        let (mut state, mut done) = (state(), Vec::new());
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, item)) = next else { return Ok((done, state)) };
            done.push((number, work(&mut state, number, item)?));
        }
    };
    let all =
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let mut all = vec![run()];
            all.extend(others.into_iter().map(|other| {
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }));
            all.into_iter().collect::<Result<Vec<_>>>()
        })?;
    let (mut results, mut states) = (Vec::new(), Vec::new());
    for (done, state) in all {
        results.extend(done);
        states.push(state);
    }
    results.sort_unstable_by_key(|&(number, _)| number);
    Ok((results.into_iter().map(|(_, done)| done).collect(), states))
}

/// A stream whose chunks are made on other threads.
pub(crate) struct Prefetch<R> {
    /// One for each thread; chunks come from them in turn.
    chunks: Vec<Receiver<Result<Chunk<R>>>>,
    columns: Columns,
    next: usize,
}

impl<R: Row> Prefetch<R> {
    /// Makes the chunks of rows with cells of these columns that `make` gives for 0 to `count` - 1,
    /// in this order, on `threads` threads; `make` is given buffers to keep.
    pub fn new<B: Default>(
        threads: usize,
        count: usize,
        columns: Columns,
        make: impl Fn(usize, &mut B) -> Result<Chunk<R>> + Clone + Send + 'static,
    ) -> Self {
        let start = |first: usize| {
            let (sender, receiver) = bounded(WAITING);
            let make = make.clone();
            thread::spawn(move || {
                let mut buffers = B::default();
                // Whoever drops the stream wants no more.
                (first..count)
                    .step_by(threads)
                    .all(|number| sender.send(make(number, &mut buffers)).is_ok())
            });
            receiver
        };
        Self { chunks: (0..threads).map(start).collect(), columns, next: 0 }
    }
}

impl<R: Row> Rows<R> for Prefetch<R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.columns);
        while chunk.is_empty() {
            // A thread that is at its end has made its last chunk, and so have those whose turn
            // comes later.
            let Ok(made) = self.chunks[self.next].recv() else { return Ok(()) };
            *chunk = made?;
            self.next = (self.next + 1) % self.chunks.len();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::Error;

    #[test]
    fn results_are_in_order_and_every_state_is_returned() {
        for threads in 1..5 {
            let (squares, counts) = map(
                threads,
                (0..100u64).collect(),
                || 0,
                |count, number, item| {
                    *count += 1;
                    Ok((number, item * item))
                },
            )
            .unwrap();
            assert!(
                squares
                    .iter()
                    .enumerate()
                    .all(|(at, &(number, square))| number == at && square == (at * at) as u64)
            );
            assert_eq!((counts.len(), counts.iter().sum::<i32>()), (threads, 100));
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let failing =
            |_: &mut (), number, _| if number == 30 { Err(Error::Interrupted) } else { Ok(()) };
        assert!(matches!(map(3, vec![(); 1000], || (), failing), Err(Error::Interrupted)));
    }
}
