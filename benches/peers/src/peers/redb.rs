//! redb: a copy-on-write B-tree with a page cache of its own.

use super::{Contest, Peer, sorted_keys};
use crate::args::Args;
use crate::measure::Probe;
use crate::workload::{answer_of_value, value};
use anyhow::Result;
use redb::{Database, ReadOnlyTable, ReadableDatabase, ReadableTable, TableDefinition};
use std::path::Path;

const REDB: Peer = Peer {
    name: "redb",
    faster: 20.0,
    note: "filled in order of keys in one transaction, a cache of its own (no map), larger than the file and filled before, one read \
           transaction for all probes.",
};

type Entries = TableDefinition<'static, u64, &'static [u8; 16]>;
const ENTRIES: Entries = TableDefinition::new("positions");

struct Open(ReadOnlyTable<u64, &'static [u8; 16]>);

impl Probe for Open {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.0.get(key).ok().flatten().map_or(0, |value| answer_of_value(value.value()))
    }
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&REDB, make)?;
    let database = Database::builder()
        .set_cache_size(contest.args.rows as usize * 96 + (64 << 20))
        .open(contest.path)?;
    let open = Open(database.begin_read()?.open_table(ENTRIES)?);
    let touched = open.0.iter()?.filter(Result::is_ok).count();
    anyhow::ensure!(touched as u64 == contest.args.rows, "redb holds {touched} rows");
    let bytes = std::fs::metadata(contest.path)?.len();
    contest.run(&REDB, &open, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    let database = Database::builder().set_cache_size(2 << 30).create(path)?;
    let transaction = database.begin_write()?;
    {
        let mut table = transaction.open_table(ENTRIES)?;
        for key in sorted_keys(args) {
            table.insert(key, &value(key))?;
        }
    }
    Ok(transaction.commit()?)
}
