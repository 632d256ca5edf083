//! Damage: every flipped bit of a small book is found and placed, every length refused, and salvage keeps the rows outside.

use crate::books::{by_rank, folder, rows_of, sample};
use std::fs;
use std::path::Path;
use tabia::format::{Load, Refusal};
use tabia::{Batch, Book, Counts, Env, Error, PositionRow, Writer, check, journal_path, salvage};

/// Whether damage is found, by checking or by opening.
fn is_found(path: &Path) -> bool {
    match check(&Env::default(), path) {
        Ok(report) => !report.ok() || report.torn > 0,
        Err(error) => panic!("{error}"),
    }
}

fn flip(bytes: &mut [u8], bit: usize) {
    bytes[bit / 8] ^= 1 << (bit % 8);
}

#[test]
fn every_flipped_bit_of_a_book_is_found() {
    let (_folder, path) = folder();
    sample(1, 20).write(&path, Load::default());
    let mut bytes = fs::read(&path).unwrap();
    let header = Book::open(&path).unwrap().header().clone();
    for bit in 0..bytes.len() * 8 {
        // Most of a small book is padding: every bit of what matters, some of the rest.
        let at = (bit / 8) as u64;
        let padding =
            header.sections.iter().all(|section| !(section.offset..section.offset + section.length).contains(&at)) && at % 4096 > 600;
        if padding && bit % 97 != 0 {
            continue;
        }
        flip(&mut bytes, bit);
        fs::write(&path, &bytes).unwrap();
        assert!(is_found(&path), "bit {bit}");
        if let Ok(book) = Book::open(&path) {
            // No panic; an error or an answer from sound blocks.
            let _ = (book.position(5), book.moves(5), book.sources());
        }
        flip(&mut bytes, bit);
    }
}

#[test]
fn b13_damage_in_a_table_is_placed() {
    let (_folder, path) = folder();
    sample(1, 3000).write(&path, Load::default());
    let book = Book::open(&path).unwrap();
    let table = *book.header().table(tabia::TableKind::Moves).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    flip(&mut bytes, (table.offset as usize + 4096 * 3 + 17) * 8);
    fs::write(&path, &bytes).unwrap();
    let report = check(&Env::default(), &path).unwrap();
    assert_eq!(report.bad.len(), 1, "{:?}", report.bad);
    assert_eq!((report.bad[0].section.as_str(), report.bad[0].block, report.bad[0].rule), ("MOVE", Some(3), "B-13"));
    assert_eq!(report.bad[0].offset, table.offset + 4096 * 3);
}

#[test]
fn b5_every_length_but_the_right_one_is_refused() {
    let (_folder, path) = folder();
    sample(1, 20).write(&path, Load::default());
    let bytes = fs::read(&path).unwrap();
    for len in (0..bytes.len()).step_by(13).chain([bytes.len() + 1, bytes.len() + 4096]) {
        let mut cut = bytes.clone();
        cut.resize(len, 0);
        fs::write(&path, &cut).unwrap();
        let error = Book::open(&path).unwrap_err();
        let Error::Refused { refusal, .. } = error else { panic!("{error}") };
        let expected = if len < 8 { matches!(refusal, Refusal::NotABook) } else { matches!(refusal, Refusal::Length { .. }) };
        assert!(expected, "{len}: {refusal}");
    }
}

#[test]
fn salvage_keeps_exactly_the_rows_outside_damaged_blocks() {
    let (folder, path) = folder();
    let content = sample(1, 3000);
    content.write(&path, Load::default());
    let clean = fs::read(&path).unwrap();
    let table = *Book::open(&path).unwrap().header().table(tabia::TableKind::Positions).unwrap();
    let blocks = table.length / 4096;
    for (round, damaged) in [vec![0], vec![1, 2], vec![blocks], vec![0, 3, blocks - 1]].into_iter().enumerate() {
        let mut bytes = clean.clone();
        for block in &damaged {
            bytes[(table.offset + block * 4096) as usize + 1] ^= 0x10;
        }
        fs::write(&path, &bytes).unwrap();
        let output = folder.path().join(format!("salvaged-{round}.tabia"));
        let report = salvage(&Env::default(), &path, &output, false).unwrap();
        let slots: Vec<&[u8]> = clean[table.offset as usize..][..table.length as usize].chunks(24).collect();
        let touched = |slot: u64| [slot * 24 / 4096, (slot * 24 + 23) / 4096].iter().any(|block| damaged.contains(block));
        let expected = slots.iter().zip(0..).filter(|(row, slot)| row[23] != 0xff && !touched(*slot)).count();
        let (positions, moves) = rows_of(&output);
        assert_eq!(positions.len(), expected);
        assert_eq!(moves, content.moves);
        let all = by_rank(&content.positions);
        assert!(positions.iter().all(|row| all.get(&(tabia::mix(tabia::Row::key(row)), 0)) == Some(row)));
        assert_eq!(report.positions.unwrap().lost(), (content.positions.len() - expected) as u64);
        assert_eq!(report.bad.len(), damaged.len());
        assert!(check(&Env::default(), &output).unwrap().ok());
    }
}

#[test]
fn salvage_needs_neither_the_first_page_nor_the_sums() {
    let (folder, path) = folder();
    let content = sample(1, 3000);
    let header = content.write(&path, Load::default());
    let clean = fs::read(&path).unwrap();
    let sums = header.section(tabia::format::Tag::POSITION_SUMS).unwrap().offset as usize;
    for (round, range) in [0..4096, sums..sums + 64, 0..8].into_iter().enumerate() {
        let mut bytes = clean.clone();
        bytes[range].fill(0xaa);
        fs::write(&path, &bytes).unwrap();
        assert!(is_found(&path), "round {round}");
        let output = folder.path().join(format!("salvaged-{round}.tabia"));
        let report = salvage(&Env::default(), &path, &output, false).unwrap();
        assert!(!report.bad.is_empty());
        assert!(fs::read(&output).unwrap() == clean, "round {round}");
    }
}

#[test]
fn salvage_keeps_the_rows_before_a_cut() {
    let (folder, path) = folder();
    let content = sample(1, 3000);
    let header = content.write(&path, Load::default());
    let clean = fs::read(&path).unwrap();
    let table = *header.table(tabia::TableKind::Positions).unwrap();
    let cut = table.offset as usize + 5 * 4096 + 100;
    fs::write(&path, &clean[..cut]).unwrap();
    let output = folder.path().join("salvaged.tabia");
    let report = salvage(&Env::default(), &path, &output, false).unwrap();
    let expected = clean[table.offset as usize..][..5 * 4096].chunks_exact(24).filter(|row| row[23] != 0xff).count() as u64;
    assert_eq!(report.positions.unwrap().kept, expected);
    assert_eq!(report.moves.unwrap().kept, 0);
    assert!(check(&Env::default(), &output).unwrap().ok());
}

/// A book with three frames in its journal; the offsets of the frames and the end.
fn journaled(path: &Path) -> (Vec<u8>, Vec<u64>) {
    sample(1, 20).write(path, Load::default());
    let mut writer = Writer::open(Env::default(), path).unwrap();
    let mut ends = vec![64];
    for key in 0..3 {
        let mut batch = Batch::new();
        batch.add_position(PositionRow::new(key, Counts { wins: 1, draws: 0, losses: 0 }));
        writer.append(&batch).unwrap();
        ends.push(writer.journal().bytes);
    }
    (fs::read(journal_path(path)).unwrap(), ends)
}

#[test]
fn j5_every_flipped_bit_of_a_journal_is_found_and_no_batch_is_half_applied() {
    let (_folder, path) = folder();
    let (clean, ends) = journaled(&path);
    for bit in 0..clean.len() * 8 {
        let mut bytes = clean.clone();
        flip(&mut bytes, bit);
        fs::write(journal_path(&path), &bytes).unwrap();
        assert!(is_found(&path), "bit {bit}");
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
}

#[test]
fn j6_a_torn_tail_is_cut_off_by_the_next_writer_and_nothing_before_it() {
    let (_folder, path) = folder();
    let (clean, ends) = journaled(&path);
    for len in 0..clean.len() as u64 {
        fs::write(journal_path(&path), &clean[..len as usize]).unwrap();
        let whole = ends.iter().filter(|&&end| end <= len).count().saturating_sub(1);
        let book = Book::open(&path).unwrap();
        assert_eq!(book.journal().frames, whole as u64, "cut to {len}");
        assert_eq!(fs::metadata(journal_path(&path)).unwrap().len(), len, "reading never writes");
        let mut writer = Writer::open(Env::default(), &path).unwrap();
        assert_eq!(writer.cut(), if len < 64 { 0 } else { len - ends[whole] });
        let mut batch = Batch::new();
        batch.add_position(PositionRow::new(99, Counts { wins: 1, draws: 0, losses: 0 }));
        assert_eq!(writer.append(&batch).unwrap(), whole as u64 + 1);
        let book = Book::open(&path).unwrap();
        assert_eq!((book.journal().frames, book.journal().torn), (whole as u64 + 1, 0));
        assert!((0..whole as u64).all(|key| book.position(key).unwrap().is_some()));
    }
}

#[test]
fn salvage_keeps_the_sound_frames_of_a_journal() {
    let (folder, path) = folder();
    let (clean, ends) = journaled(&path);
    let mut bytes = clean.clone();
    bytes[ends[1] as usize + 40] ^= 1;
    fs::write(journal_path(&path), &bytes).unwrap();
    let output = folder.path().join("salvaged.tabia");
    let report = salvage(&Env::default(), &path, &output, false).unwrap();
    assert_eq!((report.frames, report.bad.len()), (2, 1));
    let book = Book::open(&output).unwrap();
    let there: Vec<bool> = (0..3).map(|key| book.position(key).unwrap().is_some()).collect();
    assert_eq!(there, [true, false, true]);
}
