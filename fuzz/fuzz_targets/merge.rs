//! Any rows in any number of books: merging them equals the model, in every order and grouping, by
//! every way, byte for byte.
//!
//! The first bytes say how many books there are, which tables they have, which of them have which
//! columns, and their loads; rows follow.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::{Path, PathBuf};
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::{
    BookSet, Columns, Digest, Duplicates, Env, Error, Existing, Load, MergeOptions, MoveRow,
    PositionRow, Share, Source, TableKind, WithCells, Writer, diff, journal_path, merge,
    merge_into,
};
use tabia_fuzz::{
    FaultyDisk, Input, Model, MoveCells, PositionCells, bytes_of, chess_book, columns_of_bits,
    expect_words, folder, keys_of, model_of, open, sound,
};

#[derive(Clone, Copy)]
struct Tables {
    positions: bool,
    moves: bool,
    /// What chooses the columns of each book's moves.
    columns: u8,
}

impl Tables {
    fn columns(self, index: usize) -> Columns {
        if self.moves {
            columns_of_bits(self.columns.rotate_right(3 * index as u32))
        } else {
            Columns::NONE
        }
    }
}

/// A row's model, what it was pushed as, and its moves.
type Part = (Model, Vec<PositionRow>, Vec<WithCells<MoveRow>>);

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let count = input.below(4) + 1;
    let tables = input.byte();
    let tables = Tables { positions: tables % 3 != 1, moves: tables % 3 != 2, columns: tables / 3 };
    let (loads, order) = (input.take::<u32>(), input.byte());
    let load = |index: usize| {
        Load::from_thousandths(500 + (loads >> (8 * index) & 0xff) * 480 / 255).expect("in range")
    };
    let mut books = vec![(Model::default(), Vec::new(), Vec::new()); count];
    while !input.is_empty() {
        row(&mut input, tables, &mut books);
    }
    let folder = folder();
    let paths: Vec<_> = books
        .iter()
        .enumerate()
        .map(|(index, (_, positions, moves))| {
            let path = folder.path().join(format!("{index}.tabia"));
            write(tables, positions, moves, index, load(index), &path);
            path
        })
        .collect();
    let mut model = Model::default();
    for ((part, ..), path) in books.iter().zip(&paths) {
        assert_eq!(&read(path), part, "a book is not what went into it");
        model.add(part);
    }
    interrupted(folder.path(), &paths, loads, order);
    // This merges into one of the books.
    laws(folder.path(), &paths, order, &model);
});

/// Takes a row from the input to one of the books.
fn row(input: &mut Input<'_>, tables: Tables, books: &mut [Part]) {
    let kind = input.byte();
    let index = usize::from(kind / 2) % books.len();
    let (model, positions, moves) = &mut books[index];
    let key = input.key();
    let counts = [input.count(), input.count(), input.count()];
    if tables.positions && (kind.is_multiple_of(2) || !tables.moves) {
        let eval = [i16::MIN, i16::MIN + 1, -1, 0, 1, i16::MAX][input.below(6)];
        let depth = if eval == i16::MIN { 0 } else { input.byte() % 4 };
        let cells = PositionCells { counts, eval, depth, flags: input.byte() & 31 };
        model.add_position(key, cells);
        positions.push(cells.row(key));
    } else {
        let (code, marks) = (u16::from(input.byte()) * 0x101, input.byte());
        let columns = tables.columns(index);
        let cells = MoveCells { counts, marks, values: input.values(columns) };
        model.add_move(key, code, cells);
        moves.push(cells.row(key, code, columns));
    }
}

/// Writes a book of these rows, which may be there more than once and in any order.
fn write(
    tables: Tables,
    positions: &[PositionRow],
    moves: &[WithCells<MoveRow>],
    index: usize,
    load: Load,
    path: &Path,
) {
    let folder = path.parent().expect("a folder");
    let mut new = chess_book().load(load);
    new = new.filter(index % 2 == 1).sources(vec![Source {
        digest: Digest::of(&index.to_le_bytes()),
        games: index as u64,
        name: format!("{index}.pgn"),
    }]);
    let positions: Vec<WithCells<PositionRow>> = positions.iter().map(|&row| row.into()).collect();
    let (positions, moves) =
        (sorted(&positions, Columns::NONE, folder), sorted(moves, tables.columns(index), folder));
    if tables.positions {
        new = new.positions(&positions);
    }
    if tables.moves {
        new = new.moves(&moves);
    }
    new.write(&Env::default(), path, Existing::Refuse).expect("rows make a book");
}

/// The rows through two sorters of little memory.
fn sorted<R: tabia::Row>(rows: &[WithCells<R>], columns: Columns, folder: &Path) -> Sorted<R> {
    let mut sorters =
        [1 << 10, 1 << 12].map(|memory| Sorter::with_columns(&System, folder, memory, columns));
    for (index, row) in rows.iter().enumerate() {
        sorters[index % 2].push_with(row.row, &row.cells).expect("room for rows");
    }
    Sorted::join(&Env::default(), sorters.into_iter().map(Sorter::finish).collect())
        .expect("rows can be sorted")
}

fn read(path: &Path) -> Model {
    model_of(&open(path))
}

fn merged(output: PathBuf, inputs: &[&PathBuf]) -> PathBuf {
    let books: Vec<_> = inputs.iter().map(open).collect();
    merge(&Env::default(), &output, &books, MergeOptions::default())
        .expect("the books go together");
    output
}

/// The merge share by share: the set answers as the whole does, and merged it is the whole.
fn by_shares(folder: &Path, inputs: &[&PathBuf], order: u8, whole: &Path) {
    let bits = order % 4;
    let shares: Vec<Share> = (0..1 << bits).filter_map(|number| Share::new(bits, number)).collect();
    let made = shares.iter().map(|&share| {
        let books: Vec<_> = inputs.iter().map(open).collect();
        let output = folder.join(format!("share-{}", share.number()));
        let options = MergeOptions { share: Some(share), ..MergeOptions::default() };
        merge(&Env::default(), &output, &books, options).expect("the books go together");
        assert!(sound(&output));
        output
    });
    let made: Vec<PathBuf> = made.collect();
    let (set, book) = (BookSet::open(&made).expect("all shares"), open(whole));
    for key in keys_of(&read(whole)) {
        let [in_set, in_book] = [set.position(key), book.position(key)];
        assert_eq!(in_set.expect("a sound table"), in_book.expect("a sound table"));
        let [in_set, in_book] = [set.moves_with_cells(key), book.moves_with_cells(key)];
        assert_eq!(in_set.expect("a sound table"), in_book.expect("a sound table"));
    }
    let joined = merged(folder.join("joined"), &made.iter().rev().collect::<Vec<_>>());
    assert!(bytes_of(&joined) == bytes_of(whole), "shares don't make the whole");
}

fn laws(folder: &Path, paths: &[PathBuf], order: u8, model: &Model) {
    let all: Vec<&PathBuf> = paths.iter().collect();
    let whole = merged(folder.join("whole"), &all);
    assert_eq!(&read(&whole), model, "the merge is not the model");
    assert!(sound(&whole));
    let bytes = bytes_of(&whole);

    let mut turned = all.clone();
    turned.rotate_left(usize::from(order) % all.len());
    if order & 0x10 != 0 {
        turned.reverse();
    }
    let other = merged(folder.join("other"), &turned);
    assert!(bytes_of(&other) == bytes, "the order of a merge shows");

    by_shares(folder, &turned, order, &whole);
    if let [first, rest @ ..] = turned.as_slice()
        && !rest.is_empty()
    {
        let (left, right) = turned.split_at(usize::from(order >> 5) % (turned.len() - 1) + 1);
        let (left, right) =
            (merged(folder.join("left"), left), merged(folder.join("right"), right));
        let grouped = merged(folder.join("grouped"), &[&right, &left]);
        assert!(bytes_of(&grouped) == bytes, "the grouping of a merge shows");
        by_journal(first, rest, &whole);
    }
}

/// A merge on a disk of which a call fails leaves no book or the whole one, and the next merge gets
/// it done.
fn interrupted(folder: &Path, paths: &[PathBuf], calls: u32, kind: u8) {
    let whole = bytes_of(merged(folder.join("sound"), &paths.iter().collect::<Vec<_>>()));
    let books: Vec<_> = paths.iter().map(open).collect();
    let output = folder.join("faulty");
    let disk = FaultyDisk::after(calls % 64, kind);
    let env = Env { storage: &disk, ..Env::default() };
    match merge(&env, &output, &books, MergeOptions::default()) {
        Ok(_) => assert!(output.exists()),
        Err(error) => expect_words(&error),
    }
    assert!(!output.exists() || bytes_of(&output) == whole, "a failing disk left another book");
    let options = MergeOptions { existing: Existing::Replace, ..MergeOptions::default() };
    merge(&Env::default(), &output, &books, options).expect("the next merge goes well");
    assert!(bytes_of(&output) == whole, "a merge after a failed one gives another book");
    assert!(!folder.join("faulty-new").exists(), "something was left behind");
}

/// Merging into a book by its journal: the same rows, before and after compaction.
fn by_journal(target: &Path, others: &[&PathBuf], whole: &Path) {
    let books: Vec<_> = others.iter().map(open).collect();
    let columns = |path: &Path| open(path).header().columns(TableKind::Moves);
    if columns(whole) != columns(target) {
        let refused = merge_into(&Env::default(), target, &books, Duplicates::Refuse);
        let is_refused = matches!(refused, Err(Error::NoColumn { .. }));
        assert!(is_refused, "cells go where there is no column: {refused:?}");
        assert!(!journal_path(target).exists(), "a refusal left a journal");
        return;
    }
    merge_into(&Env::default(), target, &books, Duplicates::Refuse).expect("the books go together");
    same(target, whole);
    let mut writer = Writer::open(Env::default(), target).expect("nobody else writes");
    assert!(writer.compact().expect("room for a book"));
    assert!(sound(target));
    same(target, whole);
}

fn same(one: &Path, other: &Path) {
    let summary =
        diff(&Env::default(), &open(one), &open(other), |difference| panic!("{difference:?}"))
            .expect("books of one kind");
    assert!(summary.same_rows() && summary.same_sources && summary.same_facts);
}
