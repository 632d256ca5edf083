//! Sorted arrays with binary search: Polyglot's book of 16-byte entries, and one of 24-byte rows.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::probe::Probe;
use crate::raw;
use crate::workload::{payload, value};
use anyhow::Result;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

const POLYGLOT: Peer = Peer {
    name: "Polyglot-like array",
    faster: 20.0,
    bytes: None,
    note: "16-byte big-endian entries (key, and half of our payload), mapped as ours is, std's binary search.",
};

const SORTED: Peer = Peer {
    name: "sorted array of rows",
    faster: 20.0,
    bytes: None,
    note: "24-byte little-endian rows (key and our payload), mapped as ours is, std's binary search.",
};

#[inline(always)]
fn eight<const N: usize>(entry: &[u8; N], at: usize) -> [u8; 8] {
    entry[at..].first_chunk().copied().unwrap_or_default()
}

/// Polyglot's entries.
struct BigEndian<'a>(&'a [[u8; 16]]);

impl Probe for BigEndian<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        search(self.0, key, u64::from_be_bytes)
    }
}

/// Rows as wide as ours.
struct LittleEndian<'a>(&'a [[u8; 24]]);

impl Probe for LittleEndian<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        search(self.0, key, u64::from_le_bytes)
    }
}

#[inline(always)]
fn search<const N: usize>(entries: &[[u8; N]], key: u64, number: impl Fn([u8; 8]) -> u64) -> u64 {
    let at = entries.partition_point(|entry| number(eight(entry, 0)) < key);
    entries
        .get(at)
        .filter(|entry| number(eight(entry, 0)) == key)
        .map_or(0, |entry| number(eight(entry, 8)))
}

/// Runs the contest against Polyglot's entries.
pub fn run_polyglot(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&POLYGLOT, |args, path| {
        make(args, path, |file, key| {
            file.write_all(&key.to_be_bytes())?;
            file.write_all(&payload(key).to_be_bytes())
        })
    })?;
    let map = raw::map(contest.path)?;
    contest.run(&POLYGLOT, &BigEndian(map.as_chunks().0), map.len() as u64)
}

/// Runs the contest against rows as wide as ours.
pub fn run_rows(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&SORTED, |args, path| {
        make(args, path, |file, key| {
            file.write_all(&key.to_le_bytes())?;
            file.write_all(&value(key))
        })
    })?;
    let map = raw::map(contest.path)?;
    contest.run(&SORTED, &LittleEndian(map.as_chunks().0), map.len() as u64)
}

fn make(
    args: &Args,
    path: &Path,
    write: impl Fn(&mut BufWriter<File>, u64) -> std::io::Result<()>,
) -> Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for key in sorted_keys(args) {
        write(&mut file, key)?;
    }
    Ok(file.into_inner()?.sync_all()?)
}
