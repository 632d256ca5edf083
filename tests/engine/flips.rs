//! Every single bit of small books and of a journal, flipped: found, placed, and never a wrong answer.

use crate::books::{Content, folder_in_memory, journaled, sample};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use tabia::format::{Header, Load};
use tabia::{Book, Env, Error, MoveRow, PositionRow, Row, check, journal_path};

/// Flips every bit of a book, one at a time.
fn flip_every_bit(content: &Content, load: u32) {
    let (_folder, path) = folder_in_memory();
    let header = content.write(&path, Load::from_thousandths(load).unwrap());
    let clean = fs::read(&path).unwrap();
    let keys: Vec<u64> = content.positions.iter().step_by(7).map(Row::key).chain([12345]).collect();
    let answers: Vec<_> = keys.iter().map(|&key| answer(&Book::open(&path).unwrap(), key).unwrap()).collect();
    let file = File::options().write(true).open(&path).unwrap();
    let mut in_memory = clean.clone();
    for bit in 0..clean.len() * 8 {
        let (at, mask) = (bit / 8, 1 << (bit % 8));
        in_memory[at] ^= mask;
        file.write_all_at(&[in_memory[at]], at as u64).unwrap();
        assert_placed(&path, &header, at as u64);
        let matters =
            at < 4096 || header.sections.iter().any(|section| (section.offset..section.offset + section.length).contains(&(at as u64)));
        if !matters {
            // Padding, or the copy of the header: no reader looks at it.
        } else if let Ok(book) = Book::open(&path) {
            for (key, expected) in keys.iter().zip(&answers) {
                // Every block that is read is verified: an error, or the right answer.
                assert!(answer(&book, *key).is_none_or(|answer| answer == *expected), "byte {at}, key {key:016x}");
            }
        }
        if let Ok(book) = Book::from_bytes(&in_memory[..])
            && matters
        {
            // Nothing is verified here; whatever comes, it comes without a panic.
            keys.iter().for_each(|&key| drop(answer(&book, key)));
        }
        in_memory[at] ^= mask;
        file.write_all_at(&[in_memory[at]], at as u64).unwrap();
    }
    println!("{} bits of a book flipped: all found and placed, 0 wrong answers, 0 panics", clean.len() * 8);
}

/// What a book says of a key; none if it finds damage.
fn answer<S: tabia::bytes::Bytes>(book: &Book<S>, key: u64) -> Option<(Option<PositionRow>, Vec<MoveRow>)> {
    match (book.position(key), book.moves(key)) {
        (Ok(position), Ok(moves)) => Some((position, moves.into_owned())),
        (Err(error), _) | (_, Err(error)) => {
            assert!(matches!(error, Error::Damaged { rule: "B-13", .. }), "{error}");
            None
        }
    }
}

/// Whether `check` finds damage at this byte, and names the section and block.
fn assert_placed(path: &Path, header: &Header, at: u64) {
    let report = check(&Env::default(), path).unwrap();
    let place = header.sections.iter().find(|section| (section.offset..section.end()).contains(&at));
    let name = match place {
        Some(section) => section.tag.to_string(),
        None if at < 4096 => "header".to_owned(),
        None => "footer".to_owned(),
    };
    let block = place.filter(|section| section.tag.kind().is_some() && at < section.offset + section.length);
    let block = block.map(|section| (at - section.offset) / 4096);
    let placed = report.bad.iter().any(|finding| finding.section == name && finding.block.is_none_or(|found| Some(found) == block));
    // A sum that is damaged shows as a damaged block too.
    assert!(placed, "byte {at} of {name}: {:?}", report.bad);
}

#[test]
fn every_bit_of_a_book_of_both_tables() {
    flip_every_bit(&sample(1, 40), 800);
}

#[test]
fn every_bit_of_a_book_with_a_full_table() {
    flip_every_bit(&sample(2, 60), 980);
}

#[test]
fn every_bit_of_a_book_with_a_loose_table() {
    flip_every_bit(&sample(3, 30), 500);
}

#[test]
fn every_bit_of_a_book_of_several_blocks() {
    flip_every_bit(&sample(4, 200), 800);
}

#[test]
fn every_bit_of_an_empty_book() {
    flip_every_bit(&Content::default(), 800);
}

#[test]
fn j5_every_flipped_bit_of_a_journal_is_found_and_no_batch_is_half_applied() {
    let (_folder, path) = folder_in_memory();
    let (clean, ends) = journaled(&path);
    for bit in 0..clean.len() * 8 {
        let mut bytes = clean.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(journal_path(&path), &bytes).unwrap();
        let report = check(&Env::default(), &path).unwrap();
        assert!(!report.ok() || report.torn > 0, "bit {bit}");
        let frame = ends.iter().position(|&end| (bit as u64 / 8) < end).unwrap();
        match Book::open(&path) {
            // Only the last frame can be taken for torn.
            Ok(book) => {
                assert_eq!(frame, 3, "bit {bit}");
                assert_eq!(book.journal().frames, 2);
                assert_eq!(book.journal().torn, ends[3] - ends[2]);
            }
            Err(error) => {
                assert_ne!(frame, 3, "bit {bit}");
                assert!(matches!(error, Error::Damaged { .. }), "bit {bit}: {error}");
            }
        }
    }
    println!("{} bits of a journal flipped: all found, 0 batches half applied", clean.len() * 8);
}
