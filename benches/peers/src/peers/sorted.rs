//! A sorted array with binary search: Polyglot's book of 16-byte entries.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::measure::Probe;
use crate::raw;
use crate::workload::payload;
use anyhow::Result;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

const POLYGLOT: Peer = Peer {
    name: "Polyglot-like array",
    faster: 20.0,
    note: "16-byte big-endian entries (key, and half of our payload), mapped as ours is, std's binary search.",
};

struct Entries<'a>(&'a [[u8; 16]]);

impl Probe for Entries<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        let number = |entry: &[u8; 16], half: usize| u64::from_be_bytes(entry.as_chunks().0[half]);
        let at = self.0.partition_point(|entry| number(entry, 0) < key);
        let entry = self.0.get(at).filter(|entry| number(entry, 0) == key);
        entry.map_or(0, |entry| number(entry, 1))
    }
}

/// Runs the contest.
pub fn run(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&POLYGLOT, make)?;
    let map = raw::map(contest.path)?;
    contest.run(&POLYGLOT, &Entries(map.as_chunks().0), map.len() as u64)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for key in sorted_keys(args) {
        file.write_all(&key.to_be_bytes())?;
        file.write_all(&payload(key).to_be_bytes())?;
    }
    Ok(file.into_inner()?.sync_all()?)
}
