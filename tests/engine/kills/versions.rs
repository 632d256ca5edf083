//! Books of which any mixture of two versions can be told: every batch adds one game to each of the
//! same rows.

use crate::books::{WON, chess_book};
use std::path::Path;
use tabia::{Batch, Book, Counts, Env, Existing, MoveRow, PositionRow, Row};

/// The rows of a batch: enough for several blocks and parts.
pub const ROWS: u64 = 400;

/// Version 0 of a book, packed or not, with many more rows than a batch, so that a compaction takes its time.
pub fn create(path: &Path, more_rows: u64, packed: bool) {
    let none = Counts::default();
    let mut positions: Vec<PositionRow> =
        (0..ROWS + more_rows).map(|key| PositionRow::new(key, none)).collect();
    let mut moves: Vec<MoveRow> =
        (0..ROWS + more_rows).map(|key| MoveRow::new(key, 7, none)).collect();
    positions.sort_by_key(Row::rank);
    moves.sort_by_key(Row::rank);
    let new = chess_book();
    new.packed(packed)
        .positions(&positions)
        .moves(&moves)
        .write(&Env::default(), path, Existing::Replace)
        .unwrap();
}

/// The batch that makes the next version.
pub fn next() -> Batch {
    let mut batch = Batch::new();
    for key in 0..ROWS {
        batch.add_position(PositionRow::new(key, WON)).add_move(MoveRow::new(key, 7, WON));
    }
    batch
}

/// The version of a book; panics if its rows are not all of one version.
pub fn version_of<S: tabia::bytes::Bytes>(book: &Book<S>) -> u32 {
    let version = book.position(0).unwrap().unwrap().counts().wins;
    for key in 0..ROWS {
        let position = book.position(key).unwrap().unwrap().counts().wins;
        let played = book.moves(key).unwrap()[0].counts().wins;
        assert_eq!((position, played), (version, version), "a mixture of versions at key {key}");
    }
    version
}
