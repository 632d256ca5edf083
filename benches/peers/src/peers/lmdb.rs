//! LMDB by heed: a B+ tree in a map.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::cold::Watch;
use crate::games;
use crate::measure::Probe;
use crate::packed::duel::{Duel, What};
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
    note: "heed, integer keys, no read-ahead, filled in order of keys by appending, one read transaction for all probes, \
           no copy and no allocation a probe.",
};

struct Open<'a, A> {
    database: Database<'a, Bytes, Bytes, IntegerComparator>,
    transaction: RoTxn<'a, WithTls>,
    /// What a value says.
    answer: A,
}

impl<A: Fn(&[u8]) -> u64> Probe for Open<'_, A> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.database
            .get(&self.transaction, &key.to_ne_bytes())
            .ok()
            .flatten()
            .map_or(0, &self.answer)
    }
}

pub fn make_file(contest: &mut Contest<'_>) -> Result<()> {
    contest.make(&LMDB, |args, path| make(args, path, put_value))
}

/// Answers from a file whose pages are not in memory.
pub fn ask_cold(args: &Args, path: &Path, watch: &mut Watch<'_>, keys: &[u64]) -> Result<u64> {
    let env = environment(args, path)?;
    let open = open(&env, answer_of_value)?;
    watch.start()?;
    let sum = open.batch(keys);
    watch.stop()?;
    Ok(sum)
}

fn open<A>(env: &Env, answer: A) -> Result<Open<'_, A>> {
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
    Ok(Open { database, transaction: env.read_txn()?, answer })
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    make_file(&mut contest)?;
    let env = environment(contest.args, contest.path)?;
    let open = open(&env, answer_of_value)?;
    let touched = open.database.iter(&open.transaction)?.count();
    anyhow::ensure!(touched as u64 == contest.args.rows, "LMDB holds {touched} rows");
    let bytes = std::fs::metadata(contest.path.join("data.mdb"))?.len();
    contest.run(&LMDB, &open, bytes)
}

/// Runs the contests with a packed book: positions alone, with values as long as all peers have;
/// positions with their moves, with values as long as they need.
pub fn run_packed(mut duel: Duel<'_>) -> Result<()> {
    run_packed_as(&mut duel, What::Position, put_position, answer_of_value)?;
    crate::bulk::remove(duel.path)?;
    run_packed_as(&mut duel, What::Both, games::both_value, games::answer_of_both)
}

fn run_packed_as(
    duel: &mut Duel<'_>,
    what: What,
    put: fn(u64, &mut Vec<u8>),
    answer: impl Fn(&[u8]) -> u64,
) -> Result<()> {
    let path = duel.path;
    make(duel.args, path, put)?;
    let file = path.join("data.mdb");
    duel.lay(&file)?;
    let env = environment(duel.args, path)?;
    let open = open(&env, answer)?;
    let touched = open.database.iter(&open.transaction)?.count();
    anyhow::ensure!(touched as u64 == duel.args.rows, "LMDB holds {touched} rows");
    duel.run_peer(what, LMDB.name, &open)?;
    duel.compare_bytes(&format!("LMDB, {}", what.name()), std::fs::metadata(file)?.len())
}

fn put_value(key: u64, bytes: &mut Vec<u8>) {
    *bytes = value(key).to_vec();
}

fn put_position(key: u64, bytes: &mut Vec<u8>) {
    *bytes = games::position_value(key).to_vec();
}

fn make(args: &Args, path: &Path, put: fn(u64, &mut Vec<u8>)) -> Result<()> {
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
    let mut value = Vec::new();
    for keys in sorted_keys(args).chunks(1 << 20) {
        let mut transaction = env.write_txn()?;
        for &key in keys {
            put(key, &mut value);
            database.put_with_flags(
                &mut transaction,
                PutFlags::APPEND,
                &key.to_ne_bytes(),
                &value,
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
