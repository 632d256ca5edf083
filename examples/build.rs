//! Makes a book of rows: `cargo run --example build -- book.tabia`.
//!
//! The rows are those of two games of noughts and crosses, whose positions are known by keys of our
//! own making. A book knows keys and rows, and no game: whatever has a 64-bit key for each position
//! can have a book.

use tabia::sort::Sorter;
use tabia::storage::System;
use tabia::{Counts, Env, Existing, Fact, MoveRow, NewBook, PositionRow};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: build BOOK")?;

    // Rows come in any order, and those of the same position (and move) are merged. What doesn't
    // fit into memory is sorted on disk.
    let folder = std::env::temp_dir();
    let mut positions = Sorter::new(&System, &folder, 64 << 20);
    let mut moves = Sorter::new(&System, &folder, 64 << 20);
    for (squares, won_by_first) in [([4, 0, 2, 6, 3, 5, 1], false), ([4, 1, 0, 8, 2, 3, 6], true)] {
        let mut key = 1;
        for (ply, &square) in squares.iter().enumerate() {
            // Counts are seen by the side to move.
            let won = won_by_first == (ply % 2 == 0);
            let counts = Counts { wins: won.into(), draws: 0, losses: (!won).into() };
            positions.push(PositionRow::new(key, counts))?;
            moves.push(MoveRow::new(key, square, counts))?;
            key = key * 9 + u64::from(square);
        }
    }

    let (positions, moves) = (positions.finish(), moves.finish());
    let header = NewBook::new("tic-tac-toe".parse()?, "moves-by-nine".parse()?)
        .positions(&positions)
        .moves(&moves)
        .facts(vec![Fact::new(tabia::Digest::NONE, "evals", "engine=none; limit=none; unit=none")?])
        .filter(true)
        .write(&Env::default(), path.as_ref(), Existing::Replace)?;
    println!("{path}: {}", header.digest);
    Ok(())
}
