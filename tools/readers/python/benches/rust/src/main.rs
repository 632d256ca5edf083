//! `tabia-probes BOOK KEYS`: the Rust reader's half of `probes.py`. KEYS is a file of keys of eight
//! bytes each. Every line of standard input names some work (`get`, `find_all`, `positions`,
//! `moves`) and how many of the keys it is for; the answer is how many nanoseconds of the
//! processor it took, and the games that were found, which have to be those of other readers.

use rustix::time::{ClockId, clock_gettime};
use std::error::Error;
use std::io::{BufRead, stdin};
use tabia::bytes::Map;
use tabia::{Book, Key, Row};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (book, keys) = arguments.next().zip(arguments.next()).ok_or("usage: tabia-probes BOOK KEYS")?;
    // SAFETY: the bench's books are changed by nobody while it runs.
    let book = unsafe { Book::map(book)? };
    let keys: Vec<Key> =
        std::fs::read(keys)?.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    for line in stdin().lock().lines() {
        let line = line?;
        let (work, count) = line.split_once(' ').ok_or("a line is `WORK COUNT`")?;
        let keys = keys.get(..count.parse()?).ok_or("there are fewer keys")?;
        let start = now();
        let sum = done(&book, work, keys)?;
        println!("{} {sum}", now() - start);
    }
    Ok(())
}

/// Nanoseconds that this thread had the processor.
fn now() -> i64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The games of what is found for all keys.
fn done(book: &Book<Map>, work: &str, keys: &[Key]) -> Result<u64, Box<dyn Error>> {
    let mut sum = 0;
    match work {
        "get" => {
            for &key in keys {
                sum += book.position(key)?.map_or(0, |row| row.counts().games());
            }
        }
        "find_all" => {
            for &key in keys {
                sum += book.moves(key)?.iter().map(|row| row.counts().games()).sum::<u64>();
            }
        }
        "positions" => {
            let mut found = vec![None; keys.len()];
            book.positions(keys, &mut found)?;
            sum = found.iter().flatten().map(|row| row.counts().games()).sum();
        }
        "moves" => book.positions_and_moves(keys, |_, _, moves| {
            sum += moves.iter().map(|row| row.counts().games()).sum::<u64>();
        })?,
        _ => return Err(format!("there is no work {work:?}").into()),
    }
    Ok(sum)
}
