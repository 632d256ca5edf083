//! SQLite: a B-tree in pages, asked by a prepared statement.

use super::{Contest, Peer, sorted_by};
use crate::args::Args;
use crate::measure::{BATCH, Probe};
use crate::workload::{answer_of_value, value};
use anyhow::{Result, ensure};
use rusqlite::{Connection, OpenFlags, Statement};
use std::cell::RefCell;
use std::path::Path;

const SQLITE: Peer = Peer {
    name: "SQLite",
    faster: 20.0,
    note: "bundled, the key is the integer primary key of a rowid table, filled in order of keys in one transaction; opened immutable, mapped as far as its \
           limit of 2 GiB and the rest in a cache larger than the file, one prepared statement and one transaction for all probes, one statement a batch.",
};

/// The statements for all probes.
struct Open<'a> {
    one: RefCell<Statement<'a>>,
    batch: RefCell<Statement<'a>>,
}

/// Binds keys, and adds up what is found.
fn ask(statement: &RefCell<Statement<'_>>, keys: &[u64]) -> rusqlite::Result<u64> {
    let statement = &mut *statement.borrow_mut();
    for (place, key) in keys.iter().enumerate() {
        statement.raw_bind_parameter(place + 1, key.cast_signed())?;
    }
    let (mut rows, mut sum) = (statement.raw_query(), 0u64);
    while let Some(row) = rows.next()? {
        sum = sum.wrapping_add(row.get_ref(0)?.as_blob().map_or(0, answer_of_value));
    }
    Ok(sum)
}

impl Probe for Open<'_> {
    #[inline(always)]
    fn get(&self, key: u64) -> u64 {
        ask(&self.one, &[key]).unwrap_or(0)
    }

    #[inline(always)]
    fn batch(&self, keys: &[u64]) -> u64 {
        if keys.len() == BATCH {
            ask(&self.batch, keys).unwrap_or(0)
        } else {
            keys.iter().fold(0, |sum, &key| sum.wrapping_add(self.get(key)))
        }
    }
}

pub fn run(mut contest: Contest<'_>) -> Result<()> {
    contest.make(&SQLITE, make)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let database =
        Connection::open_with_flags(format!("file:{}?immutable=1", contest.path.display()), flags)?;
    let kib = contest.args.rows / 1024 * 96 + (64 << 10);
    database.execute_batch(&format!(
        "PRAGMA mmap_size = {}; PRAGMA cache_size = -{kib}; BEGIN;",
        1u64 << 40
    ))?;
    let touched: i64 = database.query_row(
        "SELECT count(*) FROM positions WHERE length(value) = 16",
        [],
        |row| row.get(0),
    )?;
    ensure!(touched as u64 == contest.args.rows, "SQLite holds {touched} rows");
    let keys = vec!["(?)"; BATCH].join(",");
    let batch = format!(
        "WITH asked(key) AS (VALUES {keys}) SELECT value FROM asked CROSS JOIN positions USING (key)"
    );
    let one = "SELECT value FROM positions WHERE key = ?";
    let open = Open {
        one: RefCell::new(database.prepare(one)?),
        batch: RefCell::new(database.prepare(&batch)?),
    };
    let bytes = std::fs::metadata(contest.path)?.len();
    contest.run(&SQLITE, &open, bytes)
}

fn make(args: &Args, path: &Path) -> Result<()> {
    let mut database = Connection::open(path)?;
    database.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -262144;",
    )?;
    let transaction = database.transaction()?;
    transaction
        .execute_batch("CREATE TABLE positions (key INTEGER PRIMARY KEY, value BLOB NOT NULL)")?;
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
