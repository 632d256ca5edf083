//! A golden book and any journal beside it: read, written to, compacted, checked, salvaged. No
//! panic, no hang, no greed; a journal that was written whole shows what the model shows; one that
//! is accepted compacts to the rows it showed; one that is refused is left alone.
//!
//! The first byte says which book; the second: below 64, the rest is the journal as it is; else the
//! rest describes one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use tabia::{
    Batch, Book, Cells, Counts, Env, Existing, Hash, MoveRow, PositionRow, Ratings, Results,
    TableKind, WithCells, Writer, Years, check, journal_path, salvage,
};
use tabia_fuzz::{
    FaultyDisk, GOLDEN, Input, Journal, Model, bytes_of, expect_words, files_in, folder,
    is_conflict, keys_of, model_of, open, sound,
};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let book = GOLDEN[input.below(GOLDEN.len())];
    let as_it_is = input.byte() < 64;
    let folder = folder();
    let path = folder.path().join("book.tabia");
    std::fs::write(&path, book).expect("room for a book");
    let bare = Book::open(&path).expect("a golden book");
    let rows = model_of(&bare);
    let journal = if as_it_is {
        Journal::of_bytes(input.rest())
    } else {
        Journal::described(&mut input, bare.header(), &rows)
    };
    std::fs::write(journal_path(&path), journal.bytes()).expect("room for a journal");

    let opened = Book::open(&path);
    let report = check(&Env::default(), &path)
        .expect("check reports damage, and fails only if the system does");
    salvaged(&path, &opened, &folder.path().join("salvaged.tabia"));
    match opened {
        Ok(opened) => {
            let (is_whole, bad) = (journal.expected.is_some(), &report.bad);
            let is_sound = bad.iter().all(is_conflict);
            assert!(!is_whole || is_sound, "check finds {bad:?} in a whole journal");
            let seen = model_of(&opened);
            if let Some(expected) = &journal.expected {
                assert_eq!(&seen, expected, "the journal shows what it does not say");
            }
            probe(&opened, &seen);
            let after = bytes_of(journal_path(&path));
            assert!(after == journal.bytes(), "reading changed the journal");
            interrupted(bytes, &path, &folder.path().join("faulty"), &seen);
            accepted(&path, &seen, opened);
        }
        Err(error) => {
            expect_words(&error);
            assert!(journal.expected.is_none(), "a whole journal is refused: {error}");
            assert!(!report.ok(), "check calls sound what does not open: {error}");
            refused(&path, book, journal.bytes());
        }
    }
});

/// Probes show what the scan shows.
fn probe(book: &Book, seen: &Model) {
    let mut keys: Vec<u64> = keys_of(seen).into_iter().collect();
    keys.extend((0..20).chain([u64::MAX, tabia::unmix(u64::MAX)]));
    let mut batch = vec![None; keys.len()];
    book.positions(&keys, &mut batch).expect("a sound table");
    for (&key, from_batch) in keys.iter().zip(&batch) {
        let position = book.position(key).expect("a sound table");
        assert_eq!(&position, from_batch);
        assert_eq!(position.as_ref().map(Into::into), seen.positions.get(&key).copied());
        let moves = book.moves_with_cells(key).expect("a sound table");
        let plain = book.moves(key).expect("a sound table");
        assert!(plain.iter().copied().eq(moves.iter().map(|played| played.row)));
        let columns = book.header().columns(TableKind::Moves);
        let expected: Vec<WithCells<MoveRow>> = seen
            .moves
            .range((key, 0)..=(key, u16::MAX))
            .map(|(&(key, code), cells)| cells.row(key, code, columns))
            .collect();
        assert_eq!(moves, expected);
    }
}

/// A copy of the book and its journal is added to and compacted on a disk of which a call fails,
/// chosen by the input's last bytes: what was acknowledged is there for the next process, which
/// goes on without a word.
fn interrupted(bytes: &[u8], path: &Path, folder: &Path, seen: &Model) {
    let &[calls, kind] = bytes.last_chunk().unwrap_or(&[0; 2]);
    std::fs::create_dir(folder).expect("room for a folder");
    let copy = folder.join("book.tabia");
    std::fs::copy(path, &copy).expect("room for a book");
    std::fs::copy(journal_path(path), journal_path(&copy)).expect("room for a journal");
    let book = Book::open(&copy).expect("it opened before");
    if book.journal().sequence >= u64::MAX - 8 {
        return;
    }
    let (batch, more) = one_more(&book, seen);
    let disk = FaultyDisk::after(calls.into(), kind);
    let mut acknowledged = false;
    let worked =
        Writer::open(Env { storage: &disk, ..Env::default() }, &copy).and_then(|mut writer| {
            writer.append(&batch)?;
            acknowledged = true;
            writer.compact()
        });
    if let Err(error) = &worked {
        expect_words(error);
    }
    let after = model_of(&open(&copy));
    let holds = after == more || (!acknowledged && &after == seen);
    assert!(holds, "a failing disk changed the rows after {calls} calls ({kind}): {worked:?}");
    Writer::open(Env::default(), &copy)
        .and_then(|mut writer| writer.compact())
        .expect("the next process goes on");
    assert_eq!(model_of(&open(&copy)), after, "the next process changed the rows");
    assert!(sound(&copy));
    assert_eq!(files_in(folder), [copy], "something was left behind");
}

/// A batch of one row, and the rows with it.
fn one_more(book: &Book, seen: &Model) -> (Batch, Model) {
    let (mut batch, mut more, share) = (Batch::new(), seen.clone(), book.header().share);
    let key = (1000..).find(|&key| share.holds(Hash::of(key))).expect("there are keys");
    let counts = Counts::new(0, 1, 0);
    if book.has(TableKind::Positions) {
        let row = PositionRow::new(key, counts);
        batch.add_position(row);
        more.add_position(key, (&row).into());
    } else {
        let row = MoveRow::new(key, 3, counts);
        batch.add_move(row);
        more.add_move(key, 3, (&WithCells::from(row)).into());
    }
    (batch, more)
}

/// A journal that is accepted can be gone on with, and compacts to the rows it showed.
fn accepted(path: &Path, seen: &Model, mut old: Book) {
    let before = old.journal().clone();
    let of_its_own = before.frames == 0 && before.sequence != old.header().sequence;
    assert!(!of_its_own, "a journal without frames has a sequence of its own: {before:?}");
    let (sources, facts) =
        (old.sources().expect("sound sources"), old.facts().expect("sound facts"));
    let mut writer =
        Writer::open(Env::default(), path).expect("what can be read can be written to");
    assert_eq!(writer.cut(), before.torn);
    assert_eq!(&model_of(&open(path)), seen, "opening for writing changed the rows");
    let mut seen = seen.clone();
    let mut last = before.sequence;
    if old.header().sequence < u64::MAX - 8 {
        let mut batch = Batch::new();
        let counts = match old.header().results {
            Results::Known => Counts::new(1, 2, 3),
            Results::Unknown => Counts::new(0, 2, 0),
        };
        // Two keys of the book's share, and one that isn't.
        let share = old.header().share;
        let mut mine = (1..).filter(|&key| share.holds(Hash::of(key)));
        let (one, two) =
            (mine.next().expect("there are keys"), mine.next().expect("there are keys"));
        if old.has(TableKind::Positions) {
            let row = PositionRow::new(one, counts).with_eval(7, 3);
            batch.add_position(row);
            seen.add_position(one, (&row).into());
        } else {
            let row = MoveRow::new(one, 3, counts);
            batch.put_move(row);
            seen.moves.insert((one, 3), (&WithCells::from(row)).into());
        }
        let ratings = Ratings { mover_sum: 4100, opponent_sum: 3900, games: 2, score: 3 };
        let cells = Cells::NONE.with(ratings).with(Years::of_game(1999));
        let columns = old.header().columns(TableKind::Moves);
        let played = WithCells { row: MoveRow::new(two, 4, counts), cells: cells.to(columns) };
        if old.has(TableKind::Moves) {
            batch.add_move_with(played.row, played.cells);
            seen.add_move(two, 4, (&played).into());
        }
        let mut refused = Batch::new();
        refused.add_move_with(played.row, cells);
        let takes_all = old.has(TableKind::Moves) && cells.columns().without(columns).is_empty();
        let is_taken = takes_all || writer.append(&refused).is_err();
        assert!(is_taken, "a book takes cells of columns that it doesn't have");
        if let Some(key) = (1..1000).find(|&key| !share.holds(Hash::of(key))) {
            let mut refused = Batch::new();
            refused
                .add_move(MoveRow::new(key, 1, counts))
                .add_position(PositionRow::new(key, counts));
            assert!(writer.append(&refused).is_err(), "a share takes rows of another");
        }
        last = writer.append(&batch).expect("room for a batch");
        assert_eq!(last, before.sequence + 1, "sequences have a gap");
    }
    assert!(old.refresh().expect("the book is sound"), "a reader doesn't notice a new batch");
    assert_eq!(model_of(&old), seen, "an acknowledged batch is not there");
    assert!(writer.compact().expect("room for a book"));
    assert!(!journal_path(path).exists(), "compaction left the journal");
    drop(writer);
    let compacted = Book::open(path).expect("a compacted book");
    assert_eq!(model_of(&compacted), seen, "compaction changed the rows");
    assert_eq!(compacted.header().sequence, last);
    assert_eq!(compacted.header().parent, old.digest());
    let kept = compacted.sources().expect("sound sources");
    assert_eq!(kept, sources, "compaction changed the sources");
    assert_eq!(compacted.facts().expect("sound facts"), facts, "compaction changed the facts");
    assert!(sound(path));
    assert!(old.refresh().expect("the book is sound"));
    assert_eq!(model_of(&old), seen);
}

/// A journal that is refused is refused by the writer too, and nothing is touched.
fn refused(path: &Path, book: &[u8], journal: &[u8]) {
    let files = files_in(path.parent().expect("a folder"));
    assert!(Writer::open(Env::default(), path).is_err(), "a writer takes what a reader refuses");
    assert!(bytes_of(path) == book, "a refusal changed the book");
    assert!(bytes_of(journal_path(path)) == journal, "a refusal changed the journal");
    let left = files_in(path.parent().expect("a folder"));
    assert_eq!(left, files, "a refusal left something behind");
}

/// Salvage always keeps the book, and with a journal that is accepted all of that too.
fn salvaged(path: &Path, opened: &tabia::Result<Book>, output: &Path) {
    let report =
        salvage(&Env::default(), path, output, Existing::Refuse).expect("the book itself is sound");
    assert!(sound(output));
    if let Ok(opened) = opened {
        assert!(report.frames <= opened.journal().frames);
        assert_eq!(model_of(&open(output)), model_of(opened), "salvage kept other rows");
    }
    std::fs::remove_file(output).expect("it is there");
}
