//! LMDB by heed: a B+ tree in a map.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::probe::Probe;
use crate::watch::Watch;
use crate::workload::{answer_of_value, value};
use anyhow::{Context, Result};
use heed::types::Bytes;
use heed::{
    CommitOrAbort, Database, Env, EnvFlags, EnvOpenOptions, IntegerComparator, PutFlags, RoTxn,
    WithTls,
};
use std::path::Path;

const LMDB: Peer = Peer {
    name: "LMDB",
    faster: 20.0,
    bytes: None,
    note: "heed, integer keys, no read-ahead, filled in order of keys by appending, one read transaction for all probes, \
           no copy and no allocation a probe.",
};

struct Open<'a> {
    database: Database<'a, Bytes, Bytes, IntegerComparator>,
    transaction: RoTxn<'a, WithTls>,
}

impl Probe for Open<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.database
            .get(&self.transaction, &key.to_ne_bytes())
            .ok()
            .flatten()
            .map_or(0, answer_of_value)
    }
}

/// Makes the file.
pub fn make_file(contest: &mut Contest<'_>) -> Result<()> {
    contest.make(&LMDB, make)
}

/// Answers from a file whose pages are not in memory.
pub fn ask_cold(args: &Args, path: &Path, watch: &mut Watch<'_>, keys: &[u64]) -> Result<u64> {
    let env = environment(args, path)?;
    let open = open(&env)?;
    watch.start()?;
    let sum = open.batch(keys);
    watch.stop()?;
    Ok(sum)
}

fn open(env: &Env) -> Result<Open<'_>> {
    let database = env
        .open_databases_and_commit(env.read_txn()?, |opener, transaction| {
            let opened = opener
                .database_options()
                .types::<Bytes, Bytes>()
                .key_comparator::<IntegerComparator>()
                .open(transaction)?;
            Ok::<_, heed::Error>(CommitOrAbort::<_, ()>::Commit(opened))
        })?
        .unwrap_commit()
        .context("LMDB has no database")?;
    Ok(Open { database, transaction: env.read_txn()? })
}

/// Runs the contest.
pub fn run(mut contest: Contest<'_>) -> Result<()> {
    make_file(&mut contest)?;
    let env = environment(contest.args, contest.path)?;
    let open = open(&env)?;
    let touched = open.database.iter(&open.transaction)?.count();
    anyhow::ensure!(touched as u64 == contest.args.rows, "LMDB holds {touched} rows");
    let bytes = std::fs::metadata(contest.path.join("data.mdb"))?.len();
    contest.run(&LMDB, &open, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)?;
    let env = environment(args, path)?;
    let database = env
        .create_databases_and_commit(env.write_txn()?, |opener, transaction| {
            let made = opener
                .database_options()
                .types::<Bytes, Bytes>()
                .key_comparator::<IntegerComparator>()
                .create(transaction)?;
            Ok::<_, heed::Error>(CommitOrAbort::<_, ()>::Commit(made))
        })?
        .unwrap_commit();
    for keys in sorted_keys(args).chunks(1 << 20) {
        let mut transaction = env.write_txn()?;
        for &key in keys {
            database.put_with_flags(
                &mut transaction,
                PutFlags::APPEND,
                &key.to_ne_bytes(),
                &value(key),
            )?;
        }
        transaction.commit()?;
    }
    Ok(env.force_sync()?)
}

#[expect(
    unsafe_code,
    reason = "opening LMDB maps a file, and filling it without a sync for each transaction is a flag marked unsafe"
)]
fn environment(args: &Args, path: &Path) -> Result<Env> {
    let mut options = EnvOpenOptions::new();
    options.map_size((args.rows as usize * 64 + (64 << 20)).next_multiple_of(4096));
    // SAFETY: the folder is the benchmark's own and nobody else opens it; what a crash before the
    // last sync leaves is thrown away.
    unsafe {
        options.flags(EnvFlags::NO_READ_AHEAD | EnvFlags::NO_SYNC);
        Ok(options.open(path)?)
    }
}
