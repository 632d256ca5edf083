//! Making chunks of rows on other threads while their user is busy with those before.

use crossbeam_channel::{Receiver, bounded};
use std::thread;
use tabia::Result;
use tabia::Row;
use tabia::stream::Rows;

/// Chunks that wait for each thread.
const WAITING: usize = 8;

/// A stream whose chunks are made on other threads.
pub(super) struct Ahead<R> {
    /// One for each thread; chunks come from them in turn.
    chunks: Vec<Receiver<Result<Vec<R>>>>,
    next: usize,
}

impl<R: Row> Ahead<R> {
    /// Makes the chunks that `make` gives for 0 to `count` - 1, in this order, on so many threads; `make` is given buffers to keep.
    pub fn new<B: Default>(threads: usize, count: usize, make: impl Fn(usize, &mut B) -> Result<Vec<R>> + Clone + Send + 'static) -> Self {
        let start = |first: usize| {
            let (sender, receiver) = bounded(WAITING);
            let make = make.clone();
            thread::spawn(move || {
                let mut buffers = B::default();
                // Whoever drops the stream wants no more.
                (first..count).step_by(threads).all(|number| sender.send(make(number, &mut buffers)).is_ok())
            });
            receiver
        };
        Self { chunks: (0..threads).map(start).collect(), next: 0 }
    }
}

impl<R: Row> Rows<R> for Ahead<R> {
    fn next_chunk(&mut self, chunk: &mut Vec<R>) -> Result<()> {
        chunk.clear();
        while chunk.is_empty() {
            // A thread that is at its end has made its last chunk, and so have those whose turn comes later.
            let Ok(made) = self.chunks[self.next].recv() else { return Ok(()) };
            *chunk = made?;
            self.next = (self.next + 1) % self.chunks.len();
        }
        Ok(())
    }
}
