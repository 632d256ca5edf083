//! What is counted: probes of books in memory, and merging two of them.

use crate::packed;
use crate::rows::{BATCH, ONE_WIN, ROWS, key, rows_of};
use anyhow::{Context, Result, bail, ensure};
use std::hint::black_box;
use std::path::Path;
use tabia::bytes::Memory;
use tabia::stream::RowSet;
use tabia::{Book, Env, Merged, MoveRow, NewBook, PositionRow, Row, Table, sort_and_merge};

/// Rows of the two that are merged, together.
const MERGED: u64 = ROWS / 5 * 6;
/// Something to count.
pub struct Case {
    pub name: &'static str,
    /// How many probes or rows it has.
    pub units: u64,
}

/// All of them.
pub const CASES: [Case; 16] = [
    Case { name: "hit", units: ROWS },
    Case { name: "miss", units: ROWS },
    Case { name: "hit in a batch of 32", units: ROWS },
    Case { name: "miss in a batch of 32", units: ROWS },
    Case { name: "hit with a filter", units: ROWS },
    Case { name: "miss with a filter", units: ROWS },
    Case { name: "hit in a batch of 32, with a filter", units: ROWS },
    Case { name: "miss in a batch of 32, with a filter", units: ROWS },
    Case { name: "moves of a position", units: ROWS },
    Case { name: "Book::position in memory, present", units: ROWS },
    Case { name: "packed: hit", units: ROWS },
    Case { name: "packed: miss", units: ROWS },
    Case { name: "packed: position and its moves", units: ROWS },
    Case { name: "packed: the same in a batch of 32", units: ROWS },
    Case { name: "packed: row read in order", units: 2 * ROWS },
    Case { name: "row merged of two books", units: MERGED },
];

type InMemory = Book<Memory<Vec<u8>>>;

/// Runs a case, or its setup alone.
pub fn run(name: &str, whole: bool) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("counted.tabia");
    let (keys, absent): (Vec<_>, Vec<_>) =
        ((0..ROWS).map(key).collect(), (ROWS..2 * ROWS).map(key).collect());
    match name {
        _ if name.starts_with("hit") || name.starts_with("miss") => {
            let book = positions(&path, 0, name.ends_with("with a filter"))?;
            let table = book.position_table().context("no positions")?;
            let (keys, found) = if name.starts_with("hit") { (&keys, ROWS) } else { (&absent, 0) };
            let probe = if name.contains("batch") { batches } else { one_at_a_time };
            if whole {
                ensure!(probe(table, black_box(keys)) == found, "wrong answers");
            }
        }
        "moves of a position" => {
            let book = moves(&path)?;
            let table = book.move_table().context("no moves")?;
            if whole {
                ensure!(all_moves(table, black_box(&keys)) == 2 * ROWS, "wrong answers");
            }
        }
        "Book::position in memory, present" => {
            let book = positions(&path, 0, false)?;
            if whole {
                let found = black_box(&keys).iter().try_fold(0, |found, &key| {
                    Ok::<_, tabia::Error>(found + u64::from(book.position(key)?.is_some()))
                })?;
                ensure!(found == ROWS, "wrong answers");
            }
        }
        _ if name.starts_with("packed: ") => packed::run(&path, name, whole, &keys, &absent)?,
        "row merged of two books" => {
            let (one, two) = (positions(&path, 0, false)?, positions(&path, ROWS / 5, false)?);
            if whole {
                ensure!(merge(&one, &two)? == MERGED, "wrong rows");
            }
        }
        _ => bail!("there is no case {name}"),
    }
    Ok(())
}

fn one_at_a_time(table: Table<'_, PositionRow>, keys: &[u64]) -> u64 {
    keys.iter()
        .filter_map(|&key| table.get(key))
        .fold(0, |found, row| found + u64::from(row.counts().wins))
}

fn batches(table: Table<'_, PositionRow>, keys: &[u64]) -> u64 {
    let mut out = [None; BATCH];
    let mut found = 0;
    for keys in keys.chunks_exact(BATCH) {
        table.get_batch(keys, &mut out);
        found = out.iter().flatten().fold(found, |found, row| found + u64::from(row.counts().wins));
    }
    found
}

/// How many moves there are, in a function of its own, so that no other case changes its code.
#[inline(never)]
fn all_moves(table: Table<'_, MoveRow>, keys: &[u64]) -> u64 {
    keys.iter().map(|&key| table.moves(key).len() as u64).sum()
}

/// Merges two books as one stream; how many rows came out is returned.
fn merge(one: &InMemory, two: &InMemory) -> Result<u64> {
    let merged = Merged::<PositionRow>::new(vec![
        RowSet::<PositionRow>::rows(one)?,
        RowSet::<PositionRow>::rows(two)?,
    ]);
    rows_of(merged)
}

/// A book of positions from this number on, with or without a filter.
fn positions(path: &Path, from: u64, filter: bool) -> Result<InMemory> {
    let mut rows: Vec<_> = (from..from + ROWS).map(|i| PositionRow::new(key(i), ONE_WIN)).collect();
    sort_and_merge(&mut rows);
    in_memory(
        path,
        NewBook::new("chess".parse()?, "polyglot".parse()?).filter(filter).positions(&rows),
    )
}

/// A book of two moves at each position.
fn moves(path: &Path) -> Result<InMemory> {
    let mut rows: Vec<_> =
        (0..2 * ROWS).map(|i| MoveRow::new(key(i / 2), (i % 2) as u16, ONE_WIN)).collect();
    sort_and_merge(&mut rows);
    in_memory(path, NewBook::new("chess".parse()?, "polyglot".parse()?).moves(&rows))
}

fn in_memory(path: &Path, book: NewBook<'_>) -> Result<InMemory> {
    book.write(&Env::default(), path, tabia::Existing::Replace)?;
    Ok(Book::from_bytes(std::fs::read(path)?)?)
}
