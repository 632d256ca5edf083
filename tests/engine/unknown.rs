//! What this code doesn't know: columns and sections of later versions, and books of versions that
//! were never released.

use crate::books::{
    Content, WON, answer, checked, chunk, collect, every_column, fact, folder, merge_new, moves_of,
    open, open_writer, rows_of, salvaged, sample, sample_book,
};
use crate::image::Image;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::format::{Refusal, Section, Tag};
use tabia::{
    Batch, Book, BookSet, Cells, Duplicates, Env, Error, Existing, MergeOptions, MoveRow, NewBook,
    PositionRow, Row, Rule, Share, TableKind, Writer, Years, check, diff, journal_path, merge,
    merge_into, mix, salvage,
};
use tabia_testing::forge::{Forged, part};

const UNKNOWN: Tag = Tag(*b"WXYZ");

/// A book with columns that this code knows, and one more: its content, without that.
fn with_unknown_column(path: &Path, kind: TableKind, cell: u64) -> Content {
    let facts = vec![fact(1)];
    let content = Content { facts, filter: true, ..sample(1, 2000) }.with_cells(every_column(), 1);
    content.write(path);
    let mut image = Image::read(path);
    let slots = image.entry(kind).shape.slots();
    let body: Vec<u8> = (0..slots * cell).map(|i| mix(i) as u8).collect();
    let section = Section { tag: UNKNOWN, cell, beside: Some(kind), ..Section::default() };
    // Behind its table and what is known beside it.
    let is_its =
        |section: &Section| section.tag.kind() == Some(kind) || section.beside == Some(kind);
    let last = image.sections.iter().rposition(|(section, _)| is_its(section)).unwrap();
    image.insert(last + 1, section, body);
    image.write(path);
    content
}

const KINDS: [(TableKind, u64); 3] =
    [(TableKind::Moves, 5), (TableKind::Positions, 1), (TableKind::Moves, 100)];

#[test]
fn b28_readers_ignore_a_column_that_they_do_not_know() {
    for (kind, cell) in KINDS {
        let (_folder, path) = folder();
        let content = with_unknown_column(&path, kind, cell);
        let book = open(&path);
        let memory = Book::from_bytes(fs::read(&path).unwrap()).unwrap();
        assert_eq!(book.header().columns(TableKind::Moves), every_column());
        assert!(book.header().unknown_columns().map(|section| section.tag).eq([UNKNOWN]));
        for row in content.positions.iter().step_by(17) {
            let key = row.key();
            let moves = content.moves.iter().filter(|row| row.row.key() == key);
            let expected = (Some(*row), moves.collect());
            assert_eq!(answer(&book, key).unwrap(), expected);
            assert_eq!(answer(&memory, key).unwrap(), expected);
        }
        assert_eq!(collect::<PositionRow>(&book), content.positions);
        assert_eq!(chunk::<MoveRow>(&book), content.moves);
        let report = checked(&path);
        assert!(report.ok(), "{:?}", report.bad);
        assert_eq!(report.unknown_columns, [UNKNOWN]);
    }
}

#[test]
fn b13_check_verifies_the_blocks_of_a_column_that_nobody_knows_and_readers_do_not_read_them() {
    for (kind, cell) in KINDS {
        let (_folder, path) = folder();
        let content = with_unknown_column(&path, kind, cell);
        let clean = fs::read(&path).unwrap();
        let section = *open(&path).header().section(UNKNOWN).unwrap();
        for block in [0, section.length.div_ceil(4096) - 1] {
            let mut bytes = clean.clone();
            bytes[(section.offset + block * 4096) as usize] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let report = checked(&path);
            let found: Vec<_> =
                report.bad.iter().map(|bad| (bad.section.as_str(), bad.block, bad.rule)).collect();
            assert_eq!(found, [("WXYZ", Some(block), Rule::B13)]);
            assert_eq!(rows_of(&path), content.rows());
        }
    }
}

#[test]
fn b28_no_new_book_is_made_of_one_with_a_column_that_nobody_knows() {
    for (kind, cell) in KINDS {
        let (folder, path) = folder();
        let content = with_unknown_column(&path, kind, cell);
        let other = folder.path().join("other");
        sample(3, 20).with_cells(every_column(), 3).write(&other);
        let before = (fs::read(&path).unwrap(), fs::read(&other).unwrap());
        let output = folder.path().join("output");
        let refused = |error: Error| {
            assert!(matches!(error, Error::UnknownColumn { tag: UNKNOWN, .. }), "{error}");
            assert!(!output.exists());
        };
        let books = |paths: &[&PathBuf]| paths.iter().map(open).collect::<Vec<_>>();
        for inputs in [&[&path][..], &[&path, &other], &[&other, &path]] {
            refused(merge_new(&output, &books(inputs)).unwrap_err());
            let options = MergeOptions { share: Share::new(1, 0), ..MergeOptions::default() };
            refused(merge(&Env::default(), &output, &books(inputs), options).unwrap_err());
        }
        let brought = merge_into(&Env::default(), &other, &books(&[&path]), Duplicates::Refuse);
        refused(brought.unwrap_err());
        let book = open(&path);
        let copy = NewBook::like(book.header()).tables_of(&book);
        refused(copy.write(&Env::default(), &output, Existing::Refuse).unwrap_err());
        assert!(!journal_path(&other).exists());
        assert!((fs::read(&path).unwrap(), fs::read(&other).unwrap()) == before);
        // What only reads it may be done.
        assert!(!diff(&Env::default(), &book, &books(&[&other])[0], |_| ()).unwrap().same_rows());
        BookSet::open(&[&path]).unwrap();
        // Salvage leaves the column out, and says so.
        let report = salvaged(&path, &output);
        assert_eq!((report.unknown_columns, report.bad.len(), report.cells), (vec![UNKNOWN], 0, 0));
        let plain = folder.path().join("plain");
        content.write(&plain);
        assert!(fs::read(&output).unwrap() == fs::read(&plain).unwrap());
    }
}

#[test]
fn b28_a_book_with_a_column_that_nobody_knows_is_added_to_but_nothing_is_put_there_nor_compacted() {
    for (kind, cell) in KINDS {
        let (folder, path) = folder();
        let content = with_unknown_column(&path, kind, cell);
        let counts = WON;
        let (position, played) = (PositionRow::new(7, counts), MoveRow::new(7, 3, counts));
        let years = Cells::NONE.with(Years::of_game(2001));
        let mut writer = open_writer(&path);
        let (mut batch, gone) = (Batch::new(), content.moves.rows()[5]);
        batch.add_position(position).add_move_with(played, years);
        writer.append(batch.delete_move(gone.key(), gone.code())).unwrap();
        let more = folder.path().join("more");
        sample(5, 20).with_cells(every_column(), 5).write(&more);
        drop(writer);
        merge_into(&Env::default(), &path, &[open(&more)], Duplicates::Refuse).unwrap();
        let journal = fs::read(journal_path(&path)).unwrap();
        let put = |batch: &Batch| open_writer(&path).append(batch);
        let refused = match kind {
            TableKind::Positions => put(Batch::new().put_position(position)),
            TableKind::Moves => put(Batch::new().put_move_with(played, years)),
        };
        assert!(matches!(refused, Err(Error::Limit { .. })), "{refused:?}");
        assert!(matches!(open_writer(&path).compact(), Err(Error::UnknownColumn { .. })));
        assert!(fs::read(journal_path(&path)).unwrap() == journal);
        let book = open(&path);
        assert_eq!(book.position(7).unwrap(), Some(position));
        assert_eq!(book.moves_with_cells(7).unwrap()[0].cells.get(), Some(Years::of_game(2001)));
        let report = checked(&path);
        assert!(report.ok() && report.frames == 2, "{:?}", report.bad);
        // Salvage keeps the journal's rows.
        let output = folder.path().join("output");
        assert_eq!(salvaged(&path, &output).frames, 2);
        assert!(rows_of(&output) == rows_of(&path) && moves_of(&output) == moves_of(&path));
        // Rows without cells of the unknown column are another book's.
        let (table, size) = if kind == TableKind::Positions { (1, 24) } else { (2, 60) };
        let row = [&mix(9).to_le_bytes()[..], &vec![0; size - 8]].concat();
        let mut forged = Forged::beside(&path);
        forged.frame(&[part(3, table, size as u16, 1, &row)]).lay(&path);
        assert!(matches!(Book::open(&path), Err(Error::Damaged { rule: Rule::J8, .. })));
    }
}

/// Compatible features say that an old reader may ignore them; incompatible ones that it must not.
#[test]
fn b4_features_that_nobody_knows_are_refused_or_ignored_as_they_say() {
    let (_folder, path) = sample_book(1, 20);
    let clean = fs::read(&path).unwrap();
    // Bit 1 says that counts are without results: `check` finds the rows that have some.
    for bit in (0..64).filter(|&bit| bit != 1) {
        let mut image = Image::read(&path);
        image.header.compatible = 1 << bit;
        let bytes = image.bytes();
        assert!(Book::from_bytes(&bytes[..]).unwrap().position(5).is_ok());
        let bytes = patched(&clean, 16, &(1u64 << bit).to_le_bytes());
        let refused = Book::from_bytes(bytes).map(drop).unwrap_err();
        let Error::Refused { refusal, .. } = refused else { panic!("{refused}") };
        let expected = match bit {
            0 | 3 => refusal == Refusal::Unreleased,
            // A share needs bits.
            2 => matches!(refusal, Refusal::Damaged { rule: Rule::B9, .. }),
            // A packed book needs pages.
            4 => matches!(refusal, Refusal::Damaged { rule: Rule::B30, .. }),
            _ => refusal == Refusal::Features { unknown: 1 << bit },
        };
        assert!(expected, "bit {bit}: {refusal}");
    }
}

/// Both header pages with other bytes at this place, digest and checksum made anew.
fn patched(clean: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut patched = clean.to_vec();
    let footer = clean.len() - 4096;
    patched[at..at + bytes.len()].copy_from_slice(bytes);
    let mut hashed = patched[..4096].to_vec();
    hashed[88..128].fill(0);
    hashed[4092..].fill(0);
    patched[88..104].copy_from_slice(&tabia::Digest::of(&hashed).0);
    let crc = crc32fast::hash(&patched[..4092]);
    patched[4092..4096].copy_from_slice(&crc.to_le_bytes());
    patched.copy_within(..4096, footer);
    patched
}

#[test]
fn b20_books_of_unreleased_versions_are_refused_by_all_and_left_alone() {
    let (folder, path) = folder();
    sample(1, 20).write(&path);
    let clean = fs::read(&path).unwrap();
    let posn = clean[..4096].windows(4).position(|tag| tag == b"posn").unwrap();
    let old = [
        patched(&clean, 16, &[1]),
        patched(&clean, 16, &[3]),
        patched(&clean, 16, &[8]),
        patched(&clean, posn, b"PSUM"),
        patched(&clean, posn, b"MSUM"),
        patched(&clean, posn, b"FILT"),
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("format-spec/golden/b-20-old.tabia"))
            .unwrap(),
    ];
    let sound = folder.path().join("sound");
    sample(2, 20).write(&sound);
    for (number, bytes) in old.iter().enumerate() {
        fs::write(&path, bytes).unwrap();
        let output = folder.path().join("output");
        let refused = |error: Error| {
            let Error::Refused { refusal, .. } = &error else { panic!("{number}: {error}") };
            assert_eq!(*refusal, Refusal::Unreleased, "{number}");
            assert!(error.to_string().contains("unreleased version"), "{error}");
        };
        refused(Book::open(&path).map(drop).unwrap_err());
        refused(Book::from_bytes(&bytes[..]).map(drop).unwrap_err());
        refused(BookSet::open(&[&path]).map(drop).unwrap_err());
        refused(Writer::open(Env::default(), &path).map(drop).unwrap_err());
        refused(check(&Env::default(), &path).map(drop).unwrap_err());
        refused(salvage(&Env::default(), &path, &output, Existing::Refuse).map(drop).unwrap_err());
        let into = merge_into(&Env::default(), &path, &[open(&sound)], Duplicates::Refuse);
        refused(into.map(drop).unwrap_err());
        assert!(fs::read(&path).unwrap() == *bytes);
        assert!(!output.exists() && !journal_path(&path).exists());
    }
    // Unknown features beside the old one: a version that is newer than this.
    fs::write(&path, patched(&clean, 16, &[1 | 32])).unwrap();
    let error = Book::open(&path).map(drop).unwrap_err();
    let Error::Refused { refusal, .. } = error else { panic!("{error}") };
    assert_eq!(refusal, Refusal::Features { unknown: 32 });
}
