//! RocksDB: a log-structured merge tree, all keys in its last level.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::measure::{BATCH, Probe};
use crate::workload::{answer_of_value, value};
use anyhow::{Context, Result, ensure};
use rocksdb::{
    BlockBasedOptions, Cache, ColumnFamily, ColumnFamilyDescriptor, DB, DBCompressionType,
    DataBlockIndexType, IngestExternalFileOptions, IteratorMode, Options, ReadOptions,
    SstFileWriter,
};
use std::path::Path;

const ROCKSDB: Peer = Peer {
    name: "RocksDB",
    faster: 20.0,
    note: "filled by ingesting sorted files, so that every key is in one level; no compression, hash index in blocks of 4 KiB, full filters of 10 bits a key, \
           mapped (allow_mmap_reads, faster here than a cache as large as the files), read-only, no checksums while reading, MultiGet for batches.",
};

/// Keys of a file that is ingested.
const KEYS_A_FILE: usize = 4 << 20;

struct Open<'a> {
    database: &'a DB,
    family: &'a ColumnFamily,
    read: ReadOptions,
}

impl Probe for Open<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        let found = self.database.get_pinned_opt(key.to_be_bytes(), &self.read);
        found.ok().flatten().map_or(0, |value| answer_of_value(&value))
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        let mut bytes = [[0; 8]; BATCH];
        for (bytes, key) in bytes.iter_mut().zip(keys) {
            *bytes = key.to_be_bytes();
        }
        let found = self.database.batched_multi_get_cf_opt(
            self.family,
            &bytes[..keys.len()],
            false,
            &self.read,
        );
        found
            .into_iter()
            .filter_map(|found| found.ok().flatten())
            .fold(0, |sum, value| sum.wrapping_add(answer_of_value(&value)))
    }
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&ROCKSDB, make)?;
    let options = options(contest.args);
    let family = ColumnFamilyDescriptor::new("default", options.clone());
    let database = DB::open_cf_descriptors_read_only(&options, contest.path, [family], false)?;
    let touched = database.iterator(IteratorMode::Start).filter(Result::is_ok).count();
    ensure!(touched as u64 == contest.args.rows, "RocksDB holds {touched} rows");
    let mut read = ReadOptions::default();
    read.set_verify_checksums(false);
    let open = Open {
        database: &database,
        family: database.cf_handle("default").context("RocksDB has no default family")?,
        read,
    };
    let bytes = database.live_files()?.iter().map(|file| file.size as u64).sum();
    contest.run(&ROCKSDB, &open, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)?;
    let options = options(args);
    let mut files = Vec::new();
    for (number, keys) in sorted_keys(args).chunks(KEYS_A_FILE).enumerate() {
        let file = path.join(format!("{number}.ingested"));
        let mut writer = SstFileWriter::create(&options);
        writer.open(&file)?;
        for &key in keys {
            writer.put(key.to_be_bytes(), value(key))?;
        }
        writer.finish()?;
        files.push(file);
    }
    let mut ingest = IngestExternalFileOptions::default();
    ingest.set_move_files(true);
    Ok(DB::open(&options, path)?.ingest_external_file_opts(&ingest, files)?)
}

fn options(args: &Args) -> Options {
    let mut blocks = BlockBasedOptions::default();
    blocks.set_block_size(4096);
    blocks.set_bloom_filter(10.0, false);
    blocks.set_data_block_index_type(DataBlockIndexType::BinaryAndHash);
    blocks.set_data_block_hash_ratio(0.75);
    blocks.set_block_cache(&Cache::new_lru_cache(args.rows as usize * 96 + (64 << 20)));
    let mut options = Options::default();
    options.create_if_missing(true);
    options.set_compression_type(DBCompressionType::None);
    options.set_block_based_table_factory(&blocks);
    options.set_max_open_files(-1);
    options.set_allow_mmap_reads(true);
    options
}
