//! The rows of the books whose probes are counted.

use anyhow::Result;
use std::hint::black_box;
use tabia::stream::{Chunk, Rows};
use tabia::{Counts, Row};

/// Rows of each book, of which two that are merged share four of five: a multiple of [`BATCH`] and
/// of 5.
pub const ROWS: u64 = 20_000;
pub const BATCH: usize = 32;

pub fn key(i: u64) -> u64 {
    tabia::mix(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

pub const ONE_WIN: Counts = Counts::new(1, 0, 0);

/// How many rows a stream has.
pub fn rows_of<R: Row>(mut rows: impl Rows<R>) -> Result<u64> {
    let (mut chunk, mut count) = (Chunk::default(), 0);
    loop {
        rows.next_chunk(&mut chunk)?;
        if chunk.is_empty() {
            return Ok(count);
        }
        count += black_box(&chunk).len() as u64;
    }
}
