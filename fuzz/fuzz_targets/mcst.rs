//! Any text as a tree of games of Go: it is one, or what is wrong is said in one line with a place
//! in the text. The rows of a tree are those that a model with a map of lines counts; the book they
//! make is sound, is written as a tree without loss, and comes back from that as it was, as does
//! the text.
//!
//! The first byte chooses the board; the rest is the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use tabia::{Book, Counts, Key, Keyed, NewBook, Row, WithCells};
use tabia_fuzz::{Rows, folder, sound_book};
use tabia_games::go::Symmetry;
use tabia_games::{Game, Go};
use tabia_interop::AnyRow;
use tabia_interop::mcst::{self, ReadError};

fuzz_target!(|bytes: &[u8]| {
    let [board, text @ ..] = bytes else { return };
    let symmetry = Symmetry::ALL[usize::from(board >> 5) % Symmetry::ALL.len()];
    let Some(start) = Go::start(2 + usize::from(board & 31) % 18, symmetry) else { return };
    let rows = match read(text, &start) {
        Ok(rows) => rows,
        Err(ReadError::Io(error)) => panic!("{error}"),
        Err(error @ ReadError::Fault(at, _)) => {
            let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
            assert!((1..=lines.len() as u64).contains(&at.line), "{error}");
            let columns = 1..=lines[at.line as usize - 1].len() as u64 + 1;
            assert!(columns.contains(&at.column), "{error}");
            assert!(error.to_string().len() < 400);
            return;
        }
    };
    let folder = folder();
    let new =
        NewBook::new(start.name().parse().expect("a name"), start.keys().parse().expect("a name"));
    let new = new.keyed(Keyed::Line).positions(&rows.positions).moves(&rows.moves);
    let book = sound_book(new, &folder.path().join("book.tabia"));
    let written = write(&book, &start, &rows);
    let again = read(&written, &start).expect("what was written is a tree");
    assert_eq!(again, rows);
});

fn read(text: &[u8], start: &Go) -> Result<Rows, ReadError> {
    let mut rows = Rows::default();
    let mut sums: BTreeMap<(Key, Option<u16>), Counts> = BTreeMap::new();
    let read = mcst::read(text, start, |row| {
        match &row {
            AnyRow::Position(row) => add(&mut sums, row.key(), None, row.counts()),
            AnyRow::Move(WithCells { row, .. }) => {
                add(&mut sums, row.key(), Some(row.code()), row.counts());
            }
        }
        Ok::<_, ReadError>(rows.take(row))
    })?;
    let counted = (rows.positions.len() as u64, rows.moves.len() as u64 + 1);
    assert_eq!((read.nodes, read.nodes), counted);
    let rows = rows.settled();
    let merged = rows.positions.iter().map(|row| ((row.key(), None), row.counts()));
    let moves = rows.moves.iter().map(|row| ((row.key(), Some(row.code())), row.counts()));
    let merged: BTreeMap<_, _> = merged.chain(moves).collect();
    assert_eq!(merged, sums);
    Ok(rows)
}

fn add(
    sums: &mut BTreeMap<(Key, Option<u16>), Counts>,
    key: Key,
    code: Option<u16>,
    counts: Counts,
) {
    assert_eq!(counts.draws, 0);
    let sum = sums.entry((key, code)).or_default();
    (sum.wins, sum.losses) =
        (sum.wins.saturating_add(counts.wins), sum.losses.saturating_add(counts.losses));
}

/// The tree of a book. A line is worth what the move to it is, so that nothing is lost.
fn write(book: &Book, start: &Go, rows: &Rows) -> Vec<u8> {
    let mut text = Vec::new();
    let written =
        mcst::write(book, start, &mut text, |_| Ok(())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(written.nodes, rows.positions.len() as u64);
    assert_eq!(written.nodes, rows.moves.len() as u64 + 1);
    assert!(!written.lost.any());
    text
}
