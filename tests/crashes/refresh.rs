//! A reader that looks whether anything has changed: a journal may give way to another that looks
//! the same from outside.

use crate::ground::{Ground, JOURNAL};
use crate::model::{OLD, base, batch};
use std::fs;
use tabia::{Book, Env, Writer, journal_path};

/// The old book, one small batch in its journal; the bytes of that.
fn book(ground: &Ground) -> Vec<u8> {
    base(OLD).write(&ground.book());
    append(ground, 0);
    ground.files().bytes(JOURNAL).unwrap().to_vec()
}

fn append(ground: &Ground, number: u8) {
    Writer::open(Env::default(), ground.book()).unwrap().append(&batch(number, false)).unwrap();
}

/// Whether a reader that has opened the book takes in a batch that makes the journal as long as it
/// was.
fn takes_in(ground: &Ground, number: u8) -> bool {
    let mut reader = Book::open(ground.book()).unwrap();
    let (sequence, len) =
        (reader.journal().sequence, fs::metadata(journal_path(&ground.book())).unwrap().len());
    append(ground, number);
    assert_eq!(fs::metadata(journal_path(&ground.book())).unwrap().len(), len);
    reader.refresh().unwrap()
        && reader.journal().sequence == sequence + 1
        && !reader.refresh().unwrap()
}

#[test]
fn a_stale_journal_that_gives_way_to_one_of_the_same_length_is_noticed() {
    let ground = Ground::new();
    let journal = book(&ground);
    Writer::open(Env::default(), ground.book()).unwrap().compact().unwrap();
    fs::write(journal_path(&ground.book()), journal).unwrap();
    assert!(takes_in(&ground, 2));
}

#[test]
fn a_torn_tail_that_gives_way_to_a_frame_of_the_same_length_is_noticed() {
    let ground = Ground::new();
    let mut journal = book(&ground);
    journal.resize(64 + 2 * (journal.len() - 64), 0);
    fs::write(journal_path(&ground.book()), journal).unwrap();
    assert!(takes_in(&ground, 2));
}
