//! SQLite: a B-tree in pages, asked by a prepared statement.

use super::{Contest, Peer, sorted_by};
use crate::args::Args;
use crate::measure::Probe;
use crate::workload::{answer_of_value, value};
use anyhow::{Result, ensure};
use rusqlite::{Connection, OpenFlags, Statement};
use std::cell::RefCell;
use std::path::Path;

const SQLITE: Peer = Peer {
    name: "SQLite",
    faster: 20.0,
    bytes: None,
    note: "bundled, the key is the integer primary key of a rowid table, filled in order of keys in one transaction; opened immutable, mapped as far as its \
           limit of 2 GiB and the rest in a cache larger than the file, one prepared statement and one transaction for all probes.",
};

/// One statement for all probes.
struct Open<'a>(RefCell<Statement<'a>>);

impl Open<'_> {
    fn ask(&self, key: u64) -> rusqlite::Result<u64> {
        let statement = &mut *self.0.borrow_mut();
        statement.raw_bind_parameter(1, key.cast_signed())?;
        let mut rows = statement.raw_query();
        match rows.next()? {
            Some(row) => Ok(row.get_ref(0)?.as_blob().map_or(0, answer_of_value)),
            None => Ok(0),
        }
    }
}

impl Probe for Open<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        self.ask(key).unwrap_or(0)
    }
}

/// Runs the contest.
pub fn run(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&SQLITE, make)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let database = Connection::open_with_flags(format!("file:{}?immutable=1", contest.path.display()), flags)?;
    let kib = contest.args.rows / 1024 * 96 + (64 << 10);
    database.execute_batch(&format!("PRAGMA mmap_size = {}; PRAGMA cache_size = -{kib}; BEGIN;", 1u64 << 40))?;
    let touched: i64 = database.query_row("SELECT count(*) FROM positions WHERE length(value) = 16", [], |row| row.get(0))?;
    ensure!(touched as u64 == contest.args.rows, "SQLite holds {touched} rows");
    let open = Open(RefCell::new(database.prepare("SELECT value FROM positions WHERE key = ?1")?));
    let bytes = std::fs::metadata(contest.path)?.len();
    contest.run(&SQLITE, &open, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    let mut database = Connection::open(path)?;
    database.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -262144;",
    )?;
    let transaction = database.transaction()?;
    transaction.execute_batch("CREATE TABLE positions (key INTEGER PRIMARY KEY, value BLOB NOT NULL)")?;
    {
        let mut insert = transaction.prepare("INSERT INTO positions VALUES (?1, ?2)")?;
        for key in sorted_by(args, u64::cast_signed) {
            insert.execute((key.cast_signed(), value(key)))?;
        }
    }
    transaction.commit()?;
    drop(database);
    Ok(std::fs::File::open(path)?.sync_all()?)
}
