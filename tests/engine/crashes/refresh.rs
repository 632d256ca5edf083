//! A reader that looks whether anything has changed: a journal may give way to another that looks
//! the same from outside.

use super::model::{Content, OLD, PACKED, base, batch, read_all};
use crate::books::{open, open_writer};
use std::fs;
use tabia::journal_path;
use tabia_testing::crash::fixture::{Fixture, JOURNAL};

/// The old book, one small batch in its journal; the bytes of that.
fn book(fixture: &Fixture, layout: usize) -> Vec<u8> {
    base(OLD | layout).write(&fixture.book());
    append(fixture, 0);
    fixture.files().bytes(JOURNAL).unwrap().to_vec()
}

fn append(fixture: &Fixture, number: u8) {
    open_writer(fixture.book()).append(&batch(number, false)).unwrap();
}

/// Whether a reader that has opened the book takes in a batch that makes the journal as long as it
/// was.
fn takes_in(fixture: &Fixture, number: u8) -> bool {
    let mut reader = open(fixture.book());
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
    for layout in [0, PACKED] {
        let fixture = Fixture::new();
        let journal = book(&fixture, layout);
        open_writer(fixture.book()).compact().unwrap();
        fs::write(journal_path(&fixture.book()), journal).unwrap();
        assert!(takes_in(&fixture, 2));
    }
}

#[test]
fn a_book_that_is_written_in_the_other_layout_is_noticed() {
    for layout in [0, PACKED] {
        let fixture = Fixture::new();
        book(&fixture, layout);
        let mut reader = open(fixture.book());
        let before = read_all(&reader).unwrap();
        open_writer(fixture.book()).compact_as(layout == 0).unwrap();
        assert!(reader.refresh().unwrap());
        let after = read_all(&reader).unwrap();
        assert_eq!((before.packed, after.packed), (layout == PACKED, layout == 0));
        assert_eq!(after, Content { packed: layout == 0, ..before });
        append(&fixture, 2);
        assert!(reader.refresh().unwrap() && reader.journal().frames == 1);
    }
}

#[test]
fn a_torn_tail_that_gives_way_to_a_frame_of_the_same_length_is_noticed() {
    for layout in [0, PACKED] {
        let fixture = Fixture::new();
        let mut journal = book(&fixture, layout);
        journal.resize(64 + 2 * (journal.len() - 64), 0);
        fs::write(journal_path(&fixture.book()), journal).unwrap();
        assert!(takes_in(&fixture, 2));
    }
}
