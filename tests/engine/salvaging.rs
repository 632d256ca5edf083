//! Salvage: every row outside the damage is kept, and nothing else.

use crate::books::{by_rank, folder, journaled, rows_of, sample};
use std::fs;
use tabia::format::Load;
use tabia::{Book, Env, Error, check, journal_path, salvage};

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
    let sums = header.section(tabia::format::Tag::POSITIONS.sums()).unwrap().offset as usize;
    for (round, range) in [0..4096, sums..sums + 64, 0..8].into_iter().enumerate() {
        let mut bytes = clean.clone();
        bytes[range].fill(0xaa);
        fs::write(&path, &bytes).unwrap();
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

#[test]
fn salvage_leaves_out_a_journal_that_is_not_the_books_or_has_no_sound_header() {
    let (folder, path) = folder();
    let (journal, _) = journaled(&path);
    let content = sample(2, 20);
    content.write(&path.with_extension("other"), Load::default());
    let mut damaged = journal.clone();
    damaged[20] ^= 1;
    for (round, (book, journal, rule)) in
        [(path.with_extension("other"), journal, "J-2"), (path.clone(), damaged, "J-1")].into_iter().enumerate()
    {
        fs::write(journal_path(&book), journal).unwrap();
        let output = folder.path().join(format!("salvaged-{round}.tabia"));
        let report = salvage(&Env::default(), &book, &output, false).unwrap();
        assert_eq!((report.frames, report.bad.len(), report.bad[0].rule), (0, 1, rule));
        assert_eq!(rows_of(&output).0.len(), 20);
    }
}

#[test]
fn salvage_refuses_what_has_neither_header_nor_copy() {
    let (folder, path) = folder();
    sample(1, 20).write(&path, Load::default());
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 4096;
    bytes[100] ^= 1;
    bytes[last + 100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let output = folder.path().join("salvaged.tabia");
    let error = salvage(&Env::default(), &path, &output, false).unwrap_err();
    assert!(matches!(error, Error::Refused { .. }), "{error}");
    assert!(!output.exists());
}
