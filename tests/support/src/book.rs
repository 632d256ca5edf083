//! Books as most tests begin with them.

use std::path::PathBuf;
use tabia::{Counts, Env, Existing, NewBook, PositionRow, Row, sort_and_merge};
use tempfile::TempDir;

/// One game, won.
pub const WON: Counts = Counts::new(1, 0, 0);

/// A book of chess with Polyglot's keys, without tables.
///
/// # Panics
/// Never: the names are good ones.
pub fn chess_book<'a>() -> NewBook<'a> {
    NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap())
}

/// Puts rows in order, those of one key (and move) merged.
pub fn settle<R: Row>(rows: &mut Vec<R>) {
    let kept = sort_and_merge(rows);
    rows.truncate(kept);
}

/// A folder, and in it a book of one position: key 42, three wins, a draw, two losses.
///
/// # Panics
/// If the system has no room for it.
pub fn tiny_book() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.tabia");
    let rows = vec![PositionRow::new(42, Counts::new(3, 1, 2))];
    chess_book().positions(&rows).write(&Env::default(), &path, Existing::Refuse).unwrap();
    (folder, path)
}
