//! What is counted of packed books.

use crate::rows::{BATCH, ONE_WIN, ROWS, key, rows_of};
use anyhow::{Result, bail, ensure};
use std::hint::black_box;
use std::path::Path;
use tabia::bytes::Memory;
use tabia::stream::{RowSet, Rows};
use tabia::{Book, Env, Existing, MoveRow, NewBook, PositionRow, Row, sort_and_merge};

/// A packed book: a type of its own, so that nothing of it changes how the code of others is
/// inlined.
type PackedBook = Book<Memory<Box<[u8]>>>;

/// Runs a case, or its setup alone.
#[inline(never)]
pub fn run(path: &Path, name: &str, whole: bool, keys: &[u64], absent: &[u64]) -> Result<()> {
    let book = packed(path)?;
    if whole {
        let found = ask(&book, name, black_box(keys), black_box(absent))?;
        ensure!(found == if name.ends_with("miss") { 0 } else { 2 * ROWS }, "wrong answers");
    }
    Ok(())
}

/// Runs a case of packed books: how many wins are found, twice where moves are not asked for.
fn ask(book: &PackedBook, name: &str, keys: &[u64], absent: &[u64]) -> Result<u64> {
    let wins = |row: Option<PositionRow>| row.map_or(0, |row| u64::from(row.counts().wins));
    let mut found = 0;
    match name {
        "packed: hit" | "packed: miss" => {
            for &key in if name.ends_with("hit") { keys } else { absent } {
                found += 2 * wins(book.position(key)?);
            }
        }
        "packed: position and its moves" => {
            let mut moves = Vec::new();
            for &key in keys {
                found += wins(book.position_and_moves(key, &mut moves)?) + moves.len() as u64;
            }
        }
        "packed: the same in a batch of 32" => {
            for keys in keys.chunks_exact(BATCH) {
                book.positions_and_moves(keys, |_, row, moves| {
                    found += wins(row) + moves.len() as u64;
                })?;
            }
        }
        "packed: row read in order" => {
            let positions: Box<dyn Rows<PositionRow>> = RowSet::rows(book)?;
            let moves: Box<dyn Rows<MoveRow>> = RowSet::rows(book)?;
            found = rows_of(positions)? + rows_of(moves)?;
        }
        _ => bail!("there is no case {name}"),
    }
    Ok(found)
}

/// A packed book of positions with one move each, of which there are twenty.
fn packed(path: &Path) -> Result<PackedBook> {
    let mut positions: Vec<_> = (0..ROWS).map(|i| PositionRow::new(key(i), ONE_WIN)).collect();
    let mut moves: Vec<_> =
        (0..ROWS).map(|i| MoveRow::new(key(i), (i % 20) as u16, ONE_WIN)).collect();
    sort_and_merge(&mut positions);
    sort_and_merge(&mut moves);
    let new = NewBook::new("chess".parse()?, "polyglot".parse()?).packed(true);
    new.positions(&positions).moves(&moves).write(&Env::default(), path, Existing::Replace)?;
    Ok(Book::from_bytes(std::fs::read(path)?.into())?)
}
