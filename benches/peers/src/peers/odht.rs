//! odht, rustc's on-disk hash table: a Swiss table that is used where it is mapped.

use super::{Contest, Peer};
use crate::args::Args;
use crate::cold::Watch;
use crate::games;
use crate::measure::Probe;
use crate::packed::duel::{Duel, What};
use crate::raw;
use crate::workload::{answer_of_value, key, value};
use anyhow::{Result, anyhow};
use odht::{Config, HashTable, HashTableOwned, UnHashFn};
use std::fs::File;
use std::io::Write;
use std::path::Path;

const ODHT: Peer = Peer {
    name: "odht",
    faster: 1.0,
    note: "mapped as ours is, keys used as their own hashes (UnHashFn), made for this number of rows at a load of at most 87 %; \
           its slots are a power of two.",
};

/// Keys of eight bytes, values of sixteen; keys are random, so that they need no hashing.
struct Entries;

impl Config for Entries {
    type Key = u64;
    type Value = [u8; 16];
    type EncodedKey = [u8; 8];
    type EncodedValue = [u8; 16];
    type H = UnHashFn;

    #[inline(always)]
    fn encode_key(key: &u64) -> [u8; 8] {
        key.to_le_bytes()
    }

    #[inline(always)]
    fn encode_value(value: &[u8; 16]) -> [u8; 16] {
        *value
    }

    #[inline(always)]
    fn decode_key(key: &[u8; 8]) -> u64 {
        u64::from_le_bytes(*key)
    }

    #[inline(always)]
    fn decode_value(value: &[u8; 16]) -> [u8; 16] {
        *value
    }
}

impl Probe for HashTable<Entries, &[u8]> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        HashTable::get(self, &key).map_or(0, |value| answer_of_value(&value))
    }
}

pub fn make_file(contest: &mut Contest<'_>) -> Result<()> {
    contest.make(&ODHT, |args, path| make(args, path, value))
}

/// Answers from a file whose pages are not in memory.
pub fn ask_cold(_: &Args, path: &Path, watch: &mut Watch<'_>, keys: &[u64]) -> Result<u64> {
    let map = raw::map_untouched(path)?;
    let table = HashTable::<Entries, &[u8]>::from_raw_bytes(&map)
        .map_err(|error| anyhow!("odht: {error}"))?;
    watch.start()?;
    let sum = Probe::batch(&table, keys);
    watch.stop()?;
    Ok(sum)
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    make_file(&mut contest)?;
    let map = raw::map(contest.path)?;
    let table = HashTable::<Entries, &[u8]>::from_raw_bytes(&map)
        .map_err(|error| anyhow!("odht: {error}"))?;
    contest.run(&ODHT, &table, map.len() as u64)
}

/// Runs the contest with a packed book: positions alone, as values are of one length.
pub fn run_packed(mut duel: Duel<'_>) -> Result<()> {
    let path = duel.path.to_owned();
    make(duel.args, &path, games::position_value)?;
    duel.lay(&path)?;
    let map = raw::map(&path)?;
    let table = HashTable::<Entries, &[u8]>::from_raw_bytes(&map)
        .map_err(|error| anyhow!("odht: {error}"))?;
    duel.run_peer(What::Position, ODHT.name, &table)?;
    duel.compare_bytes("odht, position alone", map.len() as u64)
}

fn make(args: &Args, path: &Path, value: fn(u64) -> [u8; 16]) -> Result<()> {
    let mut table = HashTableOwned::<Entries>::with_capacity(args.rows as usize, 87);
    for i in 0..args.rows {
        table.insert(&key(i), &value(key(i)));
    }
    let mut file = File::create(path)?;
    file.write_all(table.raw_bytes())?;
    Ok(file.sync_all()?)
}
