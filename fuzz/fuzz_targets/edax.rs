//! Any bytes as the records of an Edax book: they are read, or what is wrong is said in one line
//! with its place; a position has an eval of at most 64 discs; with images apart there are at least
//! as many rows as with images together.
//!
//! The bytes stand behind a header; if the first is odd they are the whole file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::{PositionRow, Row};
use tabia_fuzz::Rows;
use tabia_games::Othello;
use tabia_interop::edax::{self, Lines, Read, ReadError};

fuzz_target!(|bytes: &[u8]| {
    let [first, records @ ..] = bytes else { return };
    let mut whole = records.to_vec();
    if first & 1 == 0 {
        let mut header = b"XADEKOOB\x04\x04".to_vec();
        header.resize(42, 0);
        whole.splice(..0, header);
    }
    let (together, apart) =
        (read(&whole, &Othello::start()), read(&whole, &Othello::without_symmetry()));
    match (together, apart) {
        (Ok((together, told)), Ok((apart, told_apart))) => {
            assert!(together.len() <= apart.len());
            assert_eq!(told.positions, told_apart.positions);
            let is_score = |eval: i16| (-64..=64).contains(&eval);
            let is_fine = |row: &PositionRow| row.is_valid() && row.eval().is_none_or(is_score);
            assert!(together.iter().chain(&apart).all(is_fine));
        }
        (Err(one), Err(other)) => {
            assert_eq!(one, other);
            assert!(one.to_string().len() < 200 && !one.to_string().contains('\n'));
        }
        _ => panic!("whether it can be read doesn't depend on keys"),
    }
});

fn read(bytes: &[u8], start: &Othello) -> Result<(Vec<PositionRow>, Read), ReadError> {
    let mut rows = Rows::default();
    let read = edax::read(bytes, start, Lines::Count, |row| Ok::<_, ReadError>(rows.take(row)))?;
    Ok((rows.settled().positions, read))
}
