//! Any bytes as a book: opened, probed, scanned, checked, salvaged. No panic, no hang, no greed;
//! and what `check` calls sound is sound.
//!
//! The first byte says what the book is made of, the second what is made consistent after the edits
//! (0: everything):
//! - 0: the rest of the input, as it is;
//! - 1: the rest of the input, made consistent;
//! - 2: a golden book, the third byte says which, and edits;
//! - 3: a book of rows that the input names, and edits.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use tabia::bytes::Bytes;
use tabia::{
    Book, Digest, Env, Existing, Key, Load, MoveRow, NewBook, PositionRow, Row, Source, TableKind,
    check, mix, salvage, unmix,
};
use tabia_fuzz::{
    Input, Mend, Model, MoveCells, PositionCells, bytes_of, chess_book, collect, columns_of_bits,
    expect_words, folder, is_conflict, model_of, open, sound, sound_book, table,
};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let folder = folder();
    let (kind, mend) = (input.byte() % 4, Mend(input.byte()));
    let mut edited = match kind {
        0 | 1 => tabia_fuzz::Book::new(input.rest().to_vec()),
        2 => tabia_fuzz::Book::new(
            tabia_fuzz::GOLDEN[input.below(tabia_fuzz::GOLDEN.len())].to_vec(),
        ),
        _ => tabia_fuzz::Book::new(made_of_rows(&mut input, &folder.path().join("made.tabia"))),
    };
    for _ in 0..16 {
        if input.is_empty() {
            break;
        }
        edited.edit(&mut input);
    }
    if kind != 0 {
        edited.mend(mend);
    }
    examine(&edited.bytes, folder.path());
});

/// The bytes of a book whose rows the input names.
fn made_of_rows(input: &mut Input<'_>, path: &Path) -> Vec<u8> {
    let load =
        Load::from_thousandths(500 + u32::from(input.take::<u16>()) % 481).expect("in range");
    let (tables, positions, moves) = (input.byte(), input.byte(), input.byte());
    let is_packed = tables & 16 != 0;
    let (tables, columns) = (tables % 4, columns_of_bits(tables / 32));
    let mut model = Model::default();
    for _ in 0..positions {
        let cells = PositionCells {
            counts: [input.count(), input.count(), input.count()],
            eval: i16::from(input.byte() as i8),
            depth: input.byte(),
            flags: input.byte() & 0b11001,
        };
        model.add_position(input.key(), cells);
    }
    for _ in 0..moves {
        let (counts, marks) = ([input.count(), input.count(), input.count()], input.byte());
        let (key, code) = (input.key(), input.byte().into());
        model.add_move(key, code, MoveCells { counts, marks, values: input.values(columns) });
    }
    let sources = (0..input.below(3))
        .map(|_| {
            let length = input.below(40);
            let name = String::from_utf8_lossy(input.bytes(length)).into_owned();
            Source { digest: Digest::of(name.as_bytes()), games: input.count().into(), name }
        })
        .collect();
    let (positions, moves) = model.rows(columns);
    let mut book = chess_book().load(load).sources(sources);
    book = book.filter(positions.len() % 2 == 1).packed(is_packed);
    if tables != 1 {
        book = book.positions(&positions);
    }
    if tables != 2 {
        book = book.moves(&moves);
    }
    sound_book(book, path);
    let book = Book::from_bytes(bytes_of(path)).expect("what was written opens");
    assert!(table::<PositionRow, _>(&book).is_none_or(|rows| rows.rows() == positions));
    assert!(table::<MoveRow, _>(&book).is_none_or(|rows| rows == moves));
    bytes_of(path)
}

/// Everything that can be done with a file that may be a book.
fn examine(bytes: &[u8], folder: &Path) {
    let path = folder.join("book.tabia");
    std::fs::write(&path, bytes).expect("room for a book");
    let report = check(&Env::default(), &path);
    let ok = report.as_ref().is_ok_and(|report| report.ok());
    let memory = Book::from_bytes(bytes);
    let file = Book::open(&path);
    assert_eq!(memory.is_ok(), file.is_ok(), "memory and file differ: {memory:?} {file:?}");
    match (&memory, &report) {
        (Err(error), _) => {
            expect_words(error);
            assert!(!ok, "check calls sound what does not open: {error}");
        }
        (Ok(_), Err(error)) => panic!("a book opens and check fails: {error}"),
        (Ok(_), Ok(_)) => {}
    }
    let conflicts_only =
        report.is_ok_and(|report| report.unlisted == 0 && report.bad.iter().all(is_conflict));
    if let (Ok(memory), Ok(file)) = (memory, file) {
        let keys = keys_of(&memory);
        probe(&memory, &file, &keys, conflicts_only);
        if conflicts_only {
            scan_sound(&memory, &file, bytes, &folder.join("again.tabia"));
        } else {
            scan_any(&memory);
            scan_any(&file);
        }
    }
    salvaged(&path, conflicts_only, &folder.join("salvaged.tabia"));
    assert!(bytes_of(&path) == bytes, "reading changed the book");
}

/// Reads all of a book in which anything may be wrong.
fn scan_any<S: Bytes>(book: &Book<S>) {
    let rows = (collect::<PositionRow>(book), collect::<MoveRow>(book));
    drop((rows, book.sources(), book.facts()));
}

/// The keys to probe for: those in the slots, whatever is in them, some beside them, and those at
/// the edges.
fn keys_of<S: Bytes>(book: &Book<S>) -> Vec<Key> {
    let mut keys =
        vec![0, 1, u64::MAX, unmix(u64::MAX), unmix(u64::MAX - 1), unmix(1), unmix(1 << 63)];
    if let Ok(rows) = collect::<PositionRow>(book) {
        keys.extend(rows.rows().iter().take(200).map(Row::key));
    }
    if let Ok(rows) = collect::<MoveRow>(book) {
        keys.extend(rows.rows().iter().take(200).map(Row::key));
    }
    let near: Vec<_> = keys.iter().map(|&key| unmix(mix(key).wrapping_add(1))).collect();
    keys.extend(near);
    keys
}

/// Probes in every way. Where the book is sound, all ways give the same.
fn probe<S: Bytes>(memory: &Book<S>, file: &Book, keys: &[Key], is_sound: bool) {
    let mut batch = vec![None; keys.len()];
    // Pages that are not verified may be such that they can't be read.
    let may_fail = memory.header().packed && !is_sound;
    if let Err(error) = memory.positions(keys, &mut batch) {
        assert!(may_fail, "memory can be read: {error}");
        return;
    }
    for (&key, from_batch) in keys.iter().zip(batch) {
        let position = memory.position(key).expect("memory can be read");
        // In a table that is out of order each may stop elsewhere; none may make up an answer, though
        // a damaged row is returned as it is: memory is trusted as a map is.
        let said = || format!("{key:016x} ({:016x}): {position:?}, {from_batch:?}", mix(key));
        assert!(!is_sound || position == from_batch, "a batch answers otherwise for {}", said());
        let is_right = |row: PositionRow| row.key() == key && row != PositionRow::EMPTY;
        let rows = [position, from_batch];
        assert!(rows.into_iter().flatten().all(is_right), "made up for {}", said());
        let plain = match memory.moves(key) {
            Err(_) if may_fail => continue,
            plain => plain.expect("memory can be read"),
        };
        assert!(plain.iter().all(|&row| row.key() == key && row != MoveRow::EMPTY));
        let moves = memory.moves_with_cells(key);
        let (from_file, moves_from_file) = (file.position(key), file.moves_with_cells(key));
        if is_sound {
            assert_eq!(from_file.expect("a sound file"), position);
            let moves = moves.expect("a sound file");
            let rows = moves.iter().map(|played| played.row);
            let holds = plain.iter().copied().eq(rows);
            assert!(holds, "moves with cells and without are not the same");
            assert_eq!(moves_from_file.expect("a sound file"), moves);
        }
    }
}

/// A book in which nothing is wrong: every row is found, and the same rows make the same book.
fn scan_sound<S: Bytes>(memory: &Book<S>, file: &Book, bytes: &[u8], again: &Path) {
    let sources = memory.sources().expect("sound sources");
    assert_eq!(file.sources().expect("sound sources"), sources);
    let (positions, moves) = (table::<PositionRow, _>(memory), table::<MoveRow, _>(memory));
    let facts = memory.facts().expect("sound facts");
    assert_eq!(file.facts().expect("sound facts"), facts);
    let header = memory.header();
    if let Some(rows) = &positions {
        assert_eq!(table::<PositionRow, _>(file).as_ref(), Some(rows));
        let table = header.table(TableKind::Positions).expect("a table");
        assert_eq!(rows.len() as u64, table.shape.rows);
        let is_found =
            |row: &PositionRow| memory.position(row.key()).expect("memory") == Some(*row);
        assert!(rows.rows().iter().all(is_found), "a row is not found");
    }
    if let Some(rows) = &moves {
        assert_eq!(table::<MoveRow, _>(file).as_ref(), Some(rows));
        assert_eq!(rows.len() as u64, header.table(TableKind::Moves).expect("a table").shape.rows);
        let all: Vec<_> = rows.iter().collect();
        for of_one in all.chunk_by(|one, other| one.row.key() == other.row.key()) {
            assert_eq!(memory.moves_with_cells(of_one[0].row.key()).expect("memory"), *of_one);
        }
    }
    let _ = model_of(memory);
    let mut new = NewBook::like(header).sources(sources).facts(facts);
    if let Some(rows) = &positions {
        new = new.positions(rows);
    }
    if let Some(rows) = &moves {
        new = new.moves(rows);
    }
    let written =
        new.write(&Env::default(), again, Existing::Replace).expect("the rows make a book");
    // A book of the known sections alone is the only book of these rows, but for its lineage.
    let tables = ["POSN", "TAGS", "MOVE", "RTNG", "GAME", "YEAR", "PACK", "PAGE", "COPY"];
    let is_known = |tag: &str| {
        tables.iter().any(|table| table.eq_ignore_ascii_case(tag))
            || ["SRCS", "FACT"].contains(&tag)
    };
    if header.compatible == 0
        && header.sections.iter().all(|section| is_known(&section.tag.to_string()))
    {
        let is_same = written.digest == header.digest;
        assert!(is_same, "check calls a book sound that is not the book of its rows");
        let (again, last) = (bytes_of(again), bytes.len() - 4096);
        assert_eq!(again.len(), bytes.len());
        let lineage = |at: usize| {
            [(104..128), (4092..4096)]
                .iter()
                .any(|part| part.contains(&at) || part.contains(&at.wrapping_sub(last)))
        };
        let differs = (0..bytes.len()).find(|&at| again[at] != bytes[at] && !lineage(at));
        assert_eq!(differs, None, "check overlooks a byte");
    }
}

/// Salvage never fails on what is sound, and what it writes is sound.
fn salvaged(path: &Path, is_sound: bool, output: &Path) {
    match salvage(&Env::default(), path, output, Existing::Refuse) {
        Ok(report) => {
            assert!(sound(output));
            let kept = open(output);
            if is_sound {
                assert!(
                    report.bad.is_empty() && report.sources && report.facts && report.cells == 0,
                    "salvage finds what check does not: {:?}",
                    report.bad
                );
                let book = open(path);
                let sources = |book: &tabia::Book| book.sources().expect("sound sources");
                assert_eq!(sources(&kept), sources(&book));
                assert_eq!(kept.facts().expect("sound facts"), book.facts().expect("sound facts"));
                assert_eq!(table::<PositionRow, _>(&kept), table::<PositionRow, _>(&book));
                assert_eq!(table::<MoveRow, _>(&kept), table::<MoveRow, _>(&book));
                assert_eq!(kept.header().incompatible(), book.header().incompatible());
            }
        }
        Err(error) => {
            expect_words(&error);
            assert!(!is_sound, "salvage refuses a sound book: {error}");
            assert!(!output.exists(), "a failed salvage left a file");
        }
    }
}
