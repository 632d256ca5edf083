//! fjall: a log-structured merge tree with a block cache of its own.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::measure::Probe;
use crate::workload::{answer_of_value, value};
use anyhow::{Result, ensure};
use fjall::config::{HashRatioPolicy, PartitioningPolicy, PinningPolicy};
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use std::path::Path;

const FJALL: Peer = Peer {
    name: "fjall",
    faster: 1.0,
    note: "filled in order of keys by its bulk ingestion, so that every key is in one level; no compression, hash index in blocks of 4 KiB, filters and indexes \
           whole and pinned, a cache (no map) larger than the files and filled before.",
};

impl Probe for Keyspace {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        Keyspace::get(self, key.to_be_bytes())
            .ok()
            .flatten()
            .map_or(0, |value| answer_of_value(&value))
    }
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&FJALL, make)?;
    let database = open(contest.args, contest.path)?;
    let positions = database.keyspace("positions", options)?;
    let touched = positions.len()?;
    ensure!(touched as u64 == contest.args.rows, "fjall holds {touched} rows");
    let bytes = positions.disk_space();
    contest.run(&FJALL, &positions, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    let database = open(args, path)?;
    let positions = database.keyspace("positions", options)?;
    let mut ingestion = positions.start_ingestion()?;
    for key in sorted_keys(args) {
        ingestion.write(key.to_be_bytes(), value(key))?;
    }
    ingestion.finish()?;
    Ok(database.persist(PersistMode::SyncAll)?)
}

fn open(args: &Args, path: &Path) -> Result<Database> {
    Ok(Database::builder(path)
        .cache_size(args.rows * 96 + (64 << 20))
        .max_cached_files(Some(10_000))
        .open()?)
}

fn options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .data_block_hash_ratio_policy(HashRatioPolicy::all(1.0))
        .index_block_pinning_policy(PinningPolicy::all(true))
        .filter_block_pinning_policy(PinningPolicy::all(true))
        .index_block_partitioning_policy(PartitioningPolicy::all(false))
        .filter_block_partitioning_policy(PartitioningPolicy::all(false))
}
