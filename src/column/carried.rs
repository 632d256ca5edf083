//! A column that nothing but its definition makes known goes everywhere: into books, through
//! sorting, merging, journals, compaction, checks, salvage and comparison.

use super::{Cells, Column, Columns, WithCells, Years};
use crate::book::Book;
use crate::format::Rule;
use crate::sort::Sorter;
use crate::storage::System;
use crate::stream::{Chunk, RowSet, Rows};
use crate::{
    Batch, Counts, Difference, Env, MergeOptions, MoveRow, NewBook, PositionRow, Row, TableKind,
    Writer,
};
use crate::{check, diff, merge, merge_into, salvage};
use std::path::Path;

const BOTH: fn() -> Columns = || Columns::NONE.with(Column::YEARS).with(Column::MADE_UP);

/// Cells of the made-up column (the least, the sum, the greatest) and of years.
fn cells(value: u16) -> Cells {
    let mut made_up = [0; 12];
    made_up[..4].copy_from_slice(&u32::from(value).to_le_bytes());
    made_up[4..6].copy_from_slice(&value.to_le_bytes());
    made_up[10..].copy_from_slice(&value.to_le_bytes());
    Cells::NONE.with(Years::of_game(1900 + value % 100)).with_bytes(Column::MADE_UP, &made_up)
}

fn row(key: u64, code: u16, value: u16) -> WithCells<MoveRow> {
    WithCells { row: MoveRow::new(key, code, Counts::new(1, 0, 0)), cells: cells(value) }
}

fn rows(seed: u64, count: u64) -> Chunk<MoveRow> {
    let value = |i: u64| 1 + (crate::mix(seed ^ i) % 1000) as u16;
    let mut all: Chunk<_> =
        (0..count).map(|i| row(crate::mix(seed + i) % 5000, (i % 3) as u16, value(i))).collect();
    all.sort_and_merge();
    all
}

fn write(path: &Path, moves: &Chunk<MoveRow>) -> Book {
    let positions: Vec<PositionRow> = Vec::new();
    let new = NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap());
    let new = new.positions(&positions).moves(moves);
    new.write(&Env::default(), path, crate::Existing::Refuse).unwrap();
    Book::open(path).unwrap()
}

fn moves(book: &Book) -> Chunk<MoveRow> {
    RowSet::<MoveRow>::rows(book).unwrap().collect().unwrap()
}

fn united(a: &Chunk<MoveRow>, b: &Chunk<MoveRow>) -> Chunk<MoveRow> {
    let mut all: Chunk<_> = a.iter().chain(b.iter()).collect();
    all.sort_and_merge();
    all
}

#[test]
fn a_made_up_column_is_written_read_sorted_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let all = rows(1, 40_000);
    let mut sorter = Sorter::with_columns(&System, folder.path(), 1 << 16, BOTH());
    all.iter().for_each(|row| sorter.push_with(row.row, &row.cells).unwrap());
    assert!(sorter.finish().rows().unwrap().collect().unwrap() == all);

    let path = folder.path().join("book");
    let book = write(&path, &all);
    assert_eq!(book.header().columns(TableKind::Moves), BOTH());
    assert!(moves(&book) == all);
    let key = all.rows()[77].key();
    let expected: Vec<_> = all.iter().filter(|row| row.row.key() == key).collect();
    assert_eq!(book.moves_with_cells(key).unwrap(), expected);
    let report = check(&Env::default(), &path).unwrap();
    assert!(report.ok(), "{:?}", report.bad);
}

#[test]
fn a_made_up_column_is_merged_whatever_the_order_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (a, b) = (rows(1, 3000), rows(2, 4000));
    let plain: Chunk<_> = rows(3, 500).iter().map(|row| WithCells::from(row.row)).collect();
    let books = [write(&path("a"), &a), write(&path("b"), &b), write(&path("c"), &plain)];
    merge(&Env::default(), &path("ab"), &books, MergeOptions::default()).unwrap();
    let books = [
        Book::open(path("c")).unwrap(),
        Book::open(path("b")).unwrap(),
        Book::open(path("a")).unwrap(),
    ];
    merge(&Env::default(), &path("ba"), &books, MergeOptions::default()).unwrap();
    let all = united(&united(&a, &b), &plain);
    let whole = write(&path("whole"), &all);
    for name in ["ab", "ba"] {
        let bytes = |name| std::fs::read(path(name)).unwrap();
        assert!(bytes(name) == bytes("whole"), "{name}");
    }
    let mut only_cells = all.iter().collect::<Vec<_>>();
    only_cells[5].cells = only_cells[5].cells.merged(&cells(65_000));
    let other = write(&path("other"), &only_cells.iter().copied().collect());
    let mut found = Vec::new();
    diff(&Env::default(), &whole, &other, |difference| found.push(difference)).unwrap();
    assert_eq!(found, [Difference::Move(all.iter().nth(5), Some(only_cells[5]))]);
}

#[test]
fn a_made_up_column_goes_through_journals_and_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (a, b) = (rows(1, 3000), rows(2, 300));
    write(&path("book"), &a);
    let added = write(&path("added"), &b);
    merge_into(&Env::default(), &path("book"), &[added], crate::Duplicates::Refuse).unwrap();
    let (put, gone) = (row(a.rows()[3].key(), a.rows()[3].code(), 7), a.rows()[9]);
    let mut batch = Batch::new();
    batch.put_move_with(put.row, put.cells).add_move_with(put.row, cells(9));
    batch.delete_move(gone.key(), gone.code());
    let mut writer = Writer::open(Env::default(), path("book")).unwrap();
    writer.append(&batch).unwrap();
    let mut expected = united(&a, &b);
    let ranks = [put.row.rank(), gone.rank()];
    expected.retain(|row| !ranks.contains(&row.rank()));
    let twice = WithCells {
        row: MoveRow::new(put.row.key(), put.row.code(), Counts::new(2, 0, 0)),
        cells: put.cells.merged(&cells(9)),
    };
    let expected = united(&expected, &[twice].into_iter().collect());
    assert!(moves(&Book::open(path("book")).unwrap()) == expected);
    assert!(check(&Env::default(), &path("book")).unwrap().ok());
    writer.compact().unwrap();
    assert!(moves(&Book::open(path("book")).unwrap()) == expected);
    let expected = write(&path("whole"), &expected).digest();
    assert_eq!(Book::open(path("book")).unwrap().digest(), expected);
}

#[test]
fn a_made_up_column_is_salvaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let all = rows(1, 9000);
    let book = write(&path("book"), &all);
    let section = *book.header().section(Column::MADE_UP.tag).unwrap();
    let mut bytes = std::fs::read(path("book")).unwrap();
    bytes[section.offset as usize + 5000] ^= 1;
    std::fs::write(path("book"), bytes).unwrap();
    let report = check(&Env::default(), &path("book")).unwrap();
    let found = report.bad.iter().map(|bad| (bad.section.as_str(), bad.block, bad.rule));
    assert!(found.eq([("TEST", Some(1), Rule::B13)]));
    let book = Book::open(path("book")).unwrap();
    assert!(RowSet::<MoveRow>::rows(&book).unwrap().collect().is_err());
    let report =
        salvage(&Env::default(), &path("book"), &path("kept"), crate::Existing::Refuse).unwrap();
    assert!(report.cells > 0 && report.moves.unwrap().lost() == 0);
    let kept = moves(&Book::open(path("kept")).unwrap());
    let lost =
        all.iter().zip(kept.iter()).filter(|(before, after)| before != after).collect::<Vec<_>>();
    assert!(kept.rows() == all.rows() && lost.len() as u64 == report.cells);
    let years = |row: &WithCells<MoveRow>| row.cells.get::<Years>();
    assert!(lost.iter().all(|(before, after)| years(before) == years(after)
        && after.cells.of(Column::MADE_UP) == Some(&[0; 12])));
}
