//! Making chunks of rows on other threads while their user is busy with those before.

use crossbeam_channel::{Receiver, bounded};
use std::thread;
use tabia::stream::{Chunk, Rows};
use tabia::{Columns, Result, Row};

/// Chunks that wait for each thread.
const WAITING: usize = 8;

/// A stream whose chunks are made on other threads.
pub(super) struct Ahead<R> {
    /// One for each thread; chunks come from them in turn.
    chunks: Vec<Receiver<Result<Chunk<R>>>>,
    columns: Columns,
    next: usize,
}

impl<R: Row> Ahead<R> {
    /// Makes the chunks of rows with cells of these columns that `make` gives for 0 to `count` - 1, in this order, on so many threads; `make` is given
    /// buffers to keep.
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
                (first..count).step_by(threads).all(|number| sender.send(make(number, &mut buffers)).is_ok())
            });
            receiver
        };
        Self { chunks: (0..threads).map(start).collect(), columns, next: 0 }
    }
}

impl<R: Row> Rows<R> for Ahead<R> {
    fn columns(&self) -> Columns {
        self.columns
    }

    fn next_chunk(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        chunk.clear(self.columns);
        while chunk.is_empty() {
            // A thread that is at its end has made its last chunk, and so have those whose turn comes later.
            let Ok(made) = self.chunks[self.next].recv() else { return Ok(()) };
            *chunk = made?;
            self.next = (self.next + 1) % self.chunks.len();
        }
        Ok(())
    }
}
