//! Any bytes as a ChessBase book: the pages are read or what is wrong is said in one line with its
//! place; no two rows are of the same position or move, all moves are legal where the walk made
//! them, and a position is told of at most as often as it can be turned.
//!
//! The bytes are the positions of one page, the first two their number; if the first of all is odd
//! they are the whole file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::HashSet;
use tabia::Row;
use tabia_interop::AnyRow;
use tabia_interop::ctg::{self, Files, ReadError};

fuzz_target!(|bytes: &[u8]| {
    let [first, positions, entries @ ..] = bytes else { return };
    let mut ctg = vec![0; 4096];
    if first & 1 == 1 {
        ctg = bytes.to_vec();
    } else {
        let entries = &entries[..entries.len().min(4092)];
        ctg.extend([0, *positions]);
        ctg.extend((entries.len() as u16 + 4).to_be_bytes());
        ctg.extend(entries);
        ctg.resize(8192, 0);
    }
    let (mut positions, mut moves) = (HashSet::new(), HashSet::new());
    let read = ctg::read(Files { ctg: &ctg, cto: None, ctb: None }, |row| {
        match row {
            AnyRow::Position(row) => assert!(positions.insert(row.key())),
            AnyRow::Move(played) => assert!(moves.insert((played.row.key(), played.row.code()))),
        }
        Ok::<_, ReadError>(())
    });
    match read {
        Ok(read) => {
            assert_eq!((read.reached, read.moves), (positions.len() as u64, moves.len() as u64));
            assert!(read.reached <= 4 * read.positions);
            assert!(read.lost.of(ctg::lost::UNREACHED) <= read.positions);
            assert!(moves.iter().all(|(key, _)| positions.contains(key)));
        }
        Err(error) => assert!(error.to_string().len() < 200 && !error.to_string().contains('\n')),
    }
});
