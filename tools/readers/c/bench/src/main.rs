//! `tabia-h-bench [--rounds N] [--probes N] BOOK...`: nanoseconds of a probe by tabia.h and by the Rust reader, in one process, in turn, round by round.
//!
//! Both map the same files. Every round asks other keys (hits drawn from the book's positions, misses at random), both answer all of them, and their
//! answers have to be equal. The clock is the thread's own. A line shows the medians of both and the median of the rounds' ratios, C / Rust.

use std::error::Error;
use std::ffi::{CString, c_char, c_int};
use std::hint::black_box;
use tabia::bytes::Map;
use tabia::{Book, Counts, MoveRow, PositionRow, Row, mix};

unsafe extern "C" {
    fn bench_size() -> usize;
    fn bench_open(book: *mut u64, path: *const c_char) -> c_int;
    fn bench_touch(book: *const u64) -> u64;
    fn bench_independent(book: *const u64, what: c_int, keys: *const u64, count: usize) -> u64;
    fn bench_dependent(book: *const u64, what: c_int, keys: *const u64, count: usize, nothing: u64) -> u64;
    fn bench_batch(book: *const u64, what: c_int, keys: *const u64, count: usize, batch: usize) -> u64;
}

const WHAT: [&str; 3] = ["position", "moves", "position and moves"];

#[derive(Clone, Copy)]
enum Pace {
    Dependent,
    Independent,
    Batch(usize),
}

const PACES: [(&str, Pace); 4] = [
    ("dependent", Pace::Dependent),
    ("independent", Pace::Independent),
    ("batches of 32", Pace::Batch(32)),
    ("batches of 128", Pace::Batch(128)),
];

fn answer(counts: Counts) -> u64 {
    u64::from(counts.wins).wrapping_add(u64::from(counts.draws) << 21).wrapping_add(u64::from(counts.losses) << 42)
}

fn of_moves(moves: &[MoveRow]) -> u64 {
    moves.iter().fold(0, |sum, row| sum.wrapping_add(answer(row.counts()) ^ u64::from(row.code())))
}

fn of_position(row: Option<PositionRow>) -> u64 {
    row.map_or(0, |row| answer(row.counts()))
}

fn one(book: &Book<Map>, what: usize, key: u64, moves: &mut Vec<MoveRow>) -> u64 {
    match what {
        0 => of_position(book.position(key).unwrap()),
        1 => of_moves(&book.moves(key).unwrap()),
        _ => {
            let position = book.position_and_moves(key, moves).unwrap();
            of_position(position).wrapping_add(of_moves(moves))
        }
    }
}

/// The Rust half of [`bench_independent`].
#[inline(never)]
fn independent(book: &Book<Map>, what: usize, keys: &[u64]) -> u64 {
    let moves = &mut Vec::new();
    keys.iter().fold(0, |sum, &key| sum.wrapping_add(one(book, what, key, moves)))
}

/// The Rust half of [`bench_dependent`].
#[inline(never)]
fn dependent(book: &Book<Map>, what: usize, keys: &[u64], nothing: u64) -> u64 {
    let moves = &mut Vec::new();
    keys.iter().fold(0, |sum, &key| sum.wrapping_add(one(book, what, key ^ (sum & nothing), moves)))
}

/// The Rust half of [`bench_batch`]. It has no batches of moves alone, so both are asked for then, and the position isn't used.
fn batches(book: &Book<Map>, what: usize, keys: &[u64], batch: usize) -> u64 {
    let (mut sum, mut rows) = (0u64, vec![None; batch]);
    for keys in keys.chunks(batch) {
        if what == 0 {
            book.positions(keys, &mut rows[..keys.len()]).unwrap();
            sum = rows[..keys.len()].iter().fold(sum, |sum, &row| sum.wrapping_add(of_position(row)));
        } else {
            book.positions_and_moves(keys, |_, position, moves| {
                let position = if what == 1 { 0 } else { of_position(position) };
                sum = sum.wrapping_add(position).wrapping_add(of_moves(moves));
            })
            .unwrap();
        }
    }
    sum
}

fn seconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

fn timed(work: impl FnOnce() -> u64) -> (f64, u64) {
    let start = seconds();
    let answers = black_box(work());
    (seconds() - start, answers)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

struct Contest<'a> {
    rust: &'a Book<Map>,
    c: *const u64,
    present: &'a [u64],
    rounds: usize,
    probes: usize,
    seed: u64,
}

impl Contest<'_> {
    fn keys(&mut self, hits: bool) -> Vec<u64> {
        (0..self.probes)
            .map(|_| {
                self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let random = mix(self.seed);
                if hits { self.present[(u128::from(random) * self.present.len() as u128 >> 64) as usize] } else { random }
            })
            .collect()
    }

    fn line(&mut self, what: usize, hits: bool, name: &str, pace: Pace) {
        let (mut of_c, mut of_rust, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        let nothing = black_box(0);
        for round in 0..self.rounds {
            let keys = self.keys(hits);
            let (start, count, what_c) = (keys.as_ptr(), keys.len(), what as c_int);
            let c = || {
                // SAFETY: `self.c` is an open book, and the keys live through the call.
                timed(|| unsafe {
                    match pace {
                        Pace::Dependent => bench_dependent(self.c, what_c, start, count, nothing),
                        Pace::Independent => bench_independent(self.c, what_c, start, count),
                        Pace::Batch(batch) => bench_batch(self.c, what_c, start, count, batch),
                    }
                })
            };
            let rust = || {
                timed(|| match pace {
                    Pace::Dependent => dependent(self.rust, what, &keys, nothing),
                    Pace::Independent => independent(self.rust, what, &keys),
                    Pace::Batch(batch) => batches(self.rust, what, &keys, batch),
                })
            };
            let (mine, theirs) = if round % 2 == 0 { let mine = c(); (mine, rust()) } else { let theirs = rust(); (c(), theirs) };
            assert_eq!(mine.1, theirs.1, "the answers differ");
            of_c.push(mine.0 / count as f64 * 1e9);
            of_rust.push(theirs.0 / count as f64 * 1e9);
            ratios.push(mine.0 / theirs.0);
        }
        let asked = if hits { "hit" } else { "miss" };
        println!("| {}, {asked}, {name} | {:.1} | {:.1} | {:.2} |", WHAT[what], median(of_c), median(of_rust), median(ratios));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rounds, mut probes, mut paths) = (7, 200_000, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => rounds = args.next().ok_or("--rounds N")?.parse()?,
            "--probes" => probes = args.next().ok_or("--probes N")?.parse()?,
            _ => paths.push(arg),
        }
    }
    for path in paths {
        // SAFETY: nobody changes the file.
        let rust = unsafe { Book::map(&path)? };
        let present = rust.all_positions()?.map(|row| row.map(|row| row.row.key())).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: the size of a book in C, aligned as 64-bit numbers.
        let mut c = vec![0u64; unsafe { bench_size() }.div_ceil(8)];
        // SAFETY: room for a book, and a path that ends with a NUL.
        if unsafe { bench_open(c.as_mut_ptr(), CString::new(path.as_str())?.as_ptr()) } != 0 {
            return Err(format!("{path}: tabia.h can't open it").into());
        }
        // SAFETY: an open book.
        black_box(unsafe { bench_touch(c.as_ptr()) });
        rust.all_moves()?.for_each(|row| drop(black_box(row)));
        println!("\n| {path}: {} positions | C ns | Rust ns | C / Rust |\n|---|---|---|---|", present.len());
        let mut contest = Contest { rust: &rust, c: c.as_ptr(), present: &present, rounds, probes, seed: 1 };
        for what in 0..3 {
            for hits in [true, false] {
                for (name, pace) in PACES {
                    contest.line(what, hits, name, pace);
                }
            }
        }
    }
    Ok(())
}
