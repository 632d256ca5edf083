//! A reader that looks whether anything has changed: a journal may give way to another that looks
//! the same from outside.

use crate::fixture::{Fixture, JOURNAL};
use crate::model::{OLD, base, batch};
use std::fs;
use tabia::{Book, Env, Writer, journal_path};

/// The old book, one small batch in its journal; the bytes of that.
fn book(fixture: &Fixture) -> Vec<u8> {
    base(OLD).write(&fixture.book());
    append(fixture, 0);
    fixture.files().bytes(JOURNAL).unwrap().to_vec()
}

fn append(fixture: &Fixture, number: u8) {
    Writer::open(Env::default(), fixture.book()).unwrap().append(&batch(number, false)).unwrap();
}

/// Whether a reader that has opened the book takes in a batch that makes the journal as long as it
/// was.
fn takes_in(fixture: &Fixture, number: u8) -> bool {
    let mut reader = Book::open(fixture.book()).unwrap();
    let (sequence, len) =
        (reader.journal().sequence, fs::metadata(journal_path(&fixture.book())).unwrap().len());
    append(fixture, number);
    assert_eq!(fs::metadata(journal_path(&fixture.book())).unwrap().len(), len);
    reader.refresh().unwrap()
        && reader.journal().sequence == sequence + 1
        && !reader.refresh().unwrap()
}

#[test]
fn a_stale_journal_that_gives_way_to_one_of_the_same_length_is_noticed() {
    let fixture = Fixture::new();
    let journal = book(&fixture);
    Writer::open(Env::default(), fixture.book()).unwrap().compact().unwrap();
    fs::write(journal_path(&fixture.book()), journal).unwrap();
    assert!(takes_in(&fixture, 2));
}

#[test]
fn a_torn_tail_that_gives_way_to_a_frame_of_the_same_length_is_noticed() {
    let fixture = Fixture::new();
    let mut journal = book(&fixture);
    journal.resize(64 + 2 * (journal.len() - 64), 0);
    fs::write(journal_path(&fixture.book()), journal).unwrap();
    assert!(takes_in(&fixture, 2));
}
