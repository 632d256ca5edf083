//! Any bytes as the nodes of an Arena book: each node is told of once, the rows make a sound book,
//! and that is written as a tree which comes back as it was, keyed by line.
//!
//! The bytes stand behind a header that is whole; if the first is odd they are the whole file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabia::format::{Keyed, Results};
use tabia_fuzz::{Rows, chess_book, folder, sound_book};
use tabia_interop::abk::{self, Header, Limits, Read, ReadError, left_out, lost};

fuzz_target!(|bytes: &[u8]| {
    let [first, nodes @ ..] = bytes else { return };
    let whole = if first & 1 == 1 {
        nodes.to_vec()
    } else {
        [Header::default().to_bytes(), nodes[..nodes.len() / 28 * 28].to_vec()].concat()
    };
    for keyed in [Keyed::Line, Keyed::Position] {
        let Ok((rows, told)) = read(&whole, keyed) else { continue };
        let count = (whole.len() as u64 - 25_200) / 28;
        let left_out = [lost::DELETED, lost::ILLEGAL, lost::UNREACHED];
        let left_out: u64 = left_out.map(|reason| told.lost.of(reason)).iter().sum();
        assert_eq!(told.nodes + left_out, count);
        check(&rows, &told, keyed);
    }
});

fn read(bytes: &[u8], keyed: Keyed) -> Result<(Rows, Read), ReadError> {
    let mut rows = Rows::default();
    let told = abk::read(bytes, keyed, |row| Ok::<_, ReadError>(rows.take(row)))?;
    Ok((rows.settled(), told))
}

fn check(rows: &Rows, told: &Read, keyed: Keyed) {
    let folder = folder();
    let new = chess_book().keyed(keyed).results(told.results);
    let new = new.positions(&rows.positions).moves(&rows.moves);
    let book = sound_book(new, &folder.path().join("book.tabia"));
    let mut bytes = Vec::new();
    let limits = Limits { plies: abk::DEEPEST, nodes: 2000, ..Limits::default() };
    let written = abk::write(&book, Header::default(), limits, &mut bytes, |_| Ok(()))
        .expect("a book of chess");
    assert_eq!(bytes.len() as u64, 25_200 + 28 * written.nodes);
    let (again, told_again) = read(&bytes, keyed).expect("what was written is a book");
    let may_be_lost = [lost::PRIORITIES, lost::CONTRADICTORY];
    let mut lost = told_again.lost.each().filter(|(_, count)| *count > 0);
    assert!(lost.all(|(reason, _)| may_be_lost.contains(&reason)));
    let is_whole = keyed == Keyed::Line
        && written.lost.of(left_out::UNWRITTEN) + written.lost.of(left_out::SATURATED) == 0
        && written.nodes == rows.moves.len() as u64;
    if is_whole
        && told.results == told_again.results
        && told.results == Results::Known
        && told.lost.of(lost::CONTRADICTORY) == 0
    {
        let counts = |rows: &Rows| {
            rows.moves.iter().map(|row| (row.code(), tabia::Row::counts(row))).collect::<Vec<_>>()
        };
        assert_eq!(counts(&again), counts(rows));
    }
}
