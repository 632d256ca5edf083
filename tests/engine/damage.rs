//! Damage larger than a bit: wrong lengths, torn journals, pages that contradict each other.

use crate::books::{checked, folder, journaled_books, open, open_writer, sample, sample_book, won};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use tabia::format::{Refusal, Tag};
use tabia::{Book, Env, Error, Rule, TableKind, Writer, check, journal_path};

#[test]
fn b5_no_length_but_the_right_one_is_opened() {
    let (_folder, path) = sample_book(1, 20);
    let mut bytes = fs::read(&path).unwrap();
    let right = bytes.len();
    bytes.resize(right + 8192, 0);
    for len in (0..bytes.len()).filter(|&len| len != right) {
        let error = Book::from_bytes(&bytes[..len]).map(drop).unwrap_err();
        let Error::Refused { refusal, .. } = error else { panic!("{error}") };
        let (expected, got) = (if len < 4096 { 4096 } else { right as u64 }, len as u64);
        let length = Refusal::Length { expected, got };
        assert_eq!(refusal, if len < 8 { Refusal::NotABook } else { length });
    }
    println!("{} truncations and extensions: all refused", bytes.len() - 1);
}

#[test]
fn j6_a_torn_tail_is_cut_off_by_the_next_writer_and_nothing_before_it() {
    for (_folder, path, clean, ends) in journaled_books() {
        for len in 0..clean.len() as u64 {
            fs::write(journal_path(&path), &clean[..len as usize]).unwrap();
            let whole = ends.iter().filter(|&&end| end <= len).count().saturating_sub(1);
            let book = open(&path);
            assert_eq!(book.journal().frames, whole as u64, "cut to {len}");
            let now = fs::metadata(journal_path(&path)).unwrap().len();
            assert_eq!(now, len, "reading never writes");
            let mut writer = open_writer(&path);
            assert_eq!(writer.cut(), if len < 64 { 0 } else { len - ends[whole] });
            assert_eq!(writer.append(&won(99)).unwrap(), whole as u64 + 1);
            let book = open(&path);
            assert_eq!((book.journal().frames, book.journal().torn), (whole as u64 + 1, 0));
            assert!((0..whole as u64).all(|key| book.position(key).unwrap().is_some()));
        }
    }
}

#[test]
fn findings_beyond_the_first_thousand_are_counted() {
    let (_folder, path) = sample_book(1, 100_000);
    let table = *open(&path).header().table(TableKind::Moves).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let blocks = table.length.div_ceil(4096);
    (0..blocks).for_each(|block| bytes[(table.offset + block * 4096) as usize] ^= 1);
    fs::write(&path, &bytes).unwrap();
    let report = checked(&path);
    assert!(blocks > 1000 && !report.ok());
    assert_eq!((report.bad.len(), report.unlisted), (1000, blocks - 1000));
}

/// A first page of another version, in a file whose last page says that it was a book of this one.
#[test]
fn b3_b4_a_sound_copy_of_the_header_shows_that_a_version_or_feature_is_damage() {
    let (_folder, path) = sample_book(1, 20);
    let clean = fs::read(&path).unwrap();
    for (at, rule) in [(8, Rule::B3), (17, Rule::B4)] {
        let mut bytes = clean.clone();
        bytes[at] ^= 2;
        let crc = crc32fast::hash(&bytes[..4092]);
        bytes[4092..4096].copy_from_slice(&crc.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let report = checked(&path);
        assert_eq!((report.bad.len(), report.bad[0].rule), (1, rule));
        // Where the copy says the same, the book is of another version.
        let last = bytes.len() - 4096;
        bytes.copy_within(..4096, last);
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(check(&Env::default(), &path), Err(Error::Refused { .. })));
    }
}

#[test]
fn a_journal_that_cannot_be_opened_or_begins_with_zeros_is_not_taken_for_none() {
    for (_folder, path, mut bytes, _) in journaled_books() {
        let journal = journal_path(&path);
        bytes[..64].fill(0);
        fs::write(&journal, &bytes).unwrap();
        assert!(matches!(Book::open(&path), Err(Error::Damaged { rule: Rule::J1, .. })));
        assert_eq!(checked(&path).bad[0].rule, Rule::J1);
        assert!(Writer::open(Env::default(), &path).is_err());
        assert!(fs::read(&journal).unwrap() == bytes);
        fs::remove_file(&journal).unwrap();
        std::os::unix::fs::symlink(&journal, &journal).unwrap();
        assert!(matches!(Book::open(&path), Err(Error::Io { action: "open", .. })));
        assert!(matches!(check(&Env::default(), &path), Err(Error::Io { .. })));
    }
}

#[test]
fn b19_b27_lists_of_more_than_4_gib_are_refused_before_they_are_read() {
    for (tag, rule) in [(Tag::SOURCES, Rule::B19), (Tag::FACTS, Rule::B27)] {
        let (_folder, path) = folder();
        let mut header = sample(1, 20).write(&path);
        let mut end = 4096;
        for section in &mut header.sections {
            section.offset = end;
            if section.tag == tag {
                section.length = (1 << 32) + 8;
            }
            end = section.end();
        }
        header.file_length = end + 4096;
        // Nothing but holes behind the tables.
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(header.file_length).unwrap();
        file.write_all_at(&header.seal().0, 0).unwrap();
        let book = open(&path);
        let read =
            if tag == Tag::SOURCES { book.sources().map(drop) } else { book.facts().map(drop) };
        assert!(matches!(read, Err(Error::Damaged { rule: got, .. }) if got == rule), "{tag}");
    }
}
