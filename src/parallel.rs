//! Work on several threads: a map over items, and items that threads make ahead of the one that
//! takes them, in order.
//!
//! Hidden from the documentation: for the engine and the crates beside it.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads the machine runs at once, at most `most`.
#[must_use]
pub fn threads(most: usize) -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(most)
}

/// Does some work for each of these items, on `threads` threads, each with a state of its own.
/// Returns the results in the order of the items, and the states.
///
/// # Errors
/// That of the first item that fails, in the order of the items and whatever the threads. After an error no
/// thread begins another item.
pub fn map<S: Send, T: Send, U: Send, E: Send>(
    threads: usize,
    items: Vec<T>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize, T) -> Result<U, E> + Sync,
) -> Result<(Vec<U>, Vec<S>), E> {
    let waiting = Mutex::new(Some(items.into_iter().enumerate()));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.next();
    let stop = || *waiting.lock().unwrap_or_else(PoisonError::into_inner) = None;
    let run = || {
        let (mut state, mut done) = (state(), Vec::new());
        while let Some((number, item)) = next() {
            match work(&mut state, number, item) {
                Ok(result) => done.push((number, result)),
                Err(error) => {
                    stop();
                    return Err((number, error));
                }
            }
        }
        Ok((done, state))
    };
    let all: Vec<Result<_, (usize, E)>> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mine = run();
        let theirs = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        [mine].into_iter().chain(theirs).collect()
    });
    let (mut results, mut states, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for done in all {
        match done {
            Ok((done, state)) => {
                results.extend(done);
                states.push(state);
            }
            Err(error) => failed.push(error),
        }
    }
    // Items are begun in their order, so that all before one that failed were tried.
    if let Some((_, error)) = failed.into_iter().min_by_key(|&(number, _)| number) {
        return Err(error);
    }
    results.sort_unstable_by_key(|&(number, _)| number);
    Ok((results.into_iter().map(|(_, result)| result).collect(), states))
}

/// Items that threads make ahead of the one that takes them, thread by thread in turn.
///
/// An item that was used can be given back, as a `U`, so that its memory is used again. The threads
/// stop when this is dropped, so inside a scope it has to be dropped before the scope ends.
#[derive(Debug)]
pub struct Prefetch<T, U> {
    threads: Vec<Taker<T, U>>,
    /// The thread whose items are taken now.
    turn: usize,
}

/// One thread as the taker sees it.
#[derive(Debug)]
struct Taker<T, U> {
    made: Receiver<T>,
    used: Sender<U>,
}

/// Where a thread puts what it makes.
#[derive(Debug)]
pub struct Maker<T, U> {
    to_take: SyncSender<T>,
    used: Receiver<U>,
}

impl<T: Send, U: Send> Prefetch<T, U> {
    /// Starts `threads` threads by `spawn`, each with its number, from 0 on. Of what a thread has
    /// made, `waiting` items wait to be taken; then it pauses.
    pub fn start<'a>(
        threads: usize,
        waiting: usize,
        make: impl Fn(usize, Maker<T, U>) + Clone + Send + 'a,
        mut spawn: impl FnMut(Box<dyn FnOnce() + Send + 'a>),
    ) -> Self
    where
        T: 'a,
        U: 'a,
    {
        let start = |number| {
            let ((to_take, made), (give_back, used)) = (sync_channel(waiting), channel());
            let make = make.clone();
            spawn(Box::new(move || make(number, Maker { to_take, used })));
            Taker { made, used: give_back }
        };
        Self { threads: (0..threads).map(start).collect(), turn: 0 }
    }

    /// The next item of the thread whose turn it is; none if that thread has ended.
    pub fn take(&mut self) -> Option<T> {
        self.threads[self.turn].made.recv().ok()
    }

    /// Returns an item to the thread whose turn it is, to be used anew.
    pub fn give_back(&self, item: U) {
        // A thread that has ended needs no more.
        let _ = self.threads[self.turn].used.send(item);
    }

    /// It is the next thread's turn.
    pub fn turn(&mut self) {
        self.turn = (self.turn + 1) % self.threads.len();
    }
}

impl<T, U> Maker<T, U> {
    /// An item that was given back, if there is one.
    #[must_use]
    pub fn used(&self) -> Option<U> {
        self.used.try_recv().ok()
    }

    /// Sends an item, when there is room for it. Returns whether more are wanted.
    #[must_use]
    pub fn send(&self, item: T) -> bool {
        self.to_take.send(item).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_are_in_order_and_every_state_is_returned() {
        for threads in 1..5 {
            let (squares, counts) = map(
                threads,
                (0..100u64).collect(),
                || 0,
                |count, number, item| {
                    *count += 1;
                    Ok::<_, ()>((number, item * item))
                },
            )
            .unwrap();
            let is_in_place = |(at, &(number, square)): (usize, &(usize, u64))| {
                number == at && square == (at * at) as u64
            };
            assert!(squares.iter().enumerate().all(is_in_place));
            assert_eq!((counts.len(), counts.iter().sum::<i32>()), (threads, 100));
        }
    }

    #[test]
    fn after_an_error_no_other_item_is_begun() {
        let begun = AtomicUsize::new(0);
        let failing = |_: &mut (), number, _| {
            begun.fetch_add(1, Ordering::SeqCst);
            if number == 30 { Err("an error") } else { Ok(()) }
        };
        assert_eq!(map(1, vec![(); 1000], || (), failing).unwrap_err(), "an error");
        assert_eq!(begun.swap(0, Ordering::SeqCst), 31);
        assert_eq!(map(3, vec![(); 100_000], || (), failing).unwrap_err(), "an error");
        assert!(begun.into_inner() < 100_000);
    }

    #[test]
    fn the_error_is_that_of_the_first_item_that_fails() {
        let late = |_: &mut (), number: usize, _| {
            // The first one takes longest.
            thread::sleep(Duration::from_millis(if number == 10 { 20 } else { 0 }));
            if number < 10 { Ok(()) } else { Err(number) }
        };
        for threads in 1..5 {
            assert_eq!(map(threads, vec![(); 100], || (), late).unwrap_err(), 10);
        }
    }

    #[test]
    fn items_come_in_turn_and_threads_end_with_the_taker() {
        for threads in 1..4 {
            let made = AtomicUsize::new(0);
            let make = |first: usize, maker: Maker<Vec<usize>, Vec<usize>>| {
                let all = (first..1000).step_by(threads).all(|number| {
                    made.fetch_add(1, Ordering::SeqCst);
                    let mut item = maker.used().unwrap_or_default();
                    item.clear();
                    item.push(number);
                    maker.send(item)
                });
                assert!(!all, "all were wanted");
            };
            thread::scope(|scope| {
                let make = &make;
                let mut items = Prefetch::start(threads, 2, make, |work| drop(scope.spawn(work)));
                for number in 0..100 {
                    let item = items.take().unwrap();
                    assert_eq!(item, [number]);
                    items.give_back(item);
                    items.turn();
                }
            });
            assert!(made.into_inner() <= 100 + 3 * threads);
        }
        let none = |_, _: Maker<(), ()>| ();
        assert!(Prefetch::start(1, 1, none, |work| drop(thread::spawn(work))).take().is_none());
    }
}
