//! The laws of merging (M-1 to M-4): order, grouping and memory never show, byte for byte.

use crate::books::{
    Content, chess_book, folder, merge_new, open, open_writer, sample, source, write,
};
use proptest::prelude::*;
use std::path::Path;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::{Counts, Duplicates, Env, Error, NO_EVAL, PositionRow, Row, merge_into};
use tabia_testing::model::{PositionCells, merge_positions};

/// An eval or none, with a depth.
fn any_eval() -> impl Strategy<Value = (i16, u8)> {
    let eval = prop_oneof![
        4 => -3i16..4,
        1 => Just(i16::MAX),
        1 => Just(i16::MIN + 1),
        1 => Just(i16::MIN + 2),
        2 => any::<i16>(),
        2 => Just(NO_EVAL),
    ];
    (eval, 0u8..4)
}

fn merged_row(mut a: PositionRow, b: PositionRow) -> PositionRow {
    a.merge(&b);
    a
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn m2_the_eval_of_merged_rows_is_that_of_the_rule_in_any_order(
        (evals, shuffled) in prop::collection::vec(any_eval(), 1..9)
            .prop_flat_map(|evals| (Just(evals.clone()), Just(evals).prop_shuffle()))
    ) {
        let row = |&(eval, depth): &(i16, u8)| PositionRow::new(7, Counts::default()).with_eval(eval, depth);
        // One pair after the other, as the specification has it.
        let expected = evals.iter().map(|eval| (&row(eval)).into()).reduce(merge_positions).unwrap();
        let shuffled: Vec<_> = shuffled.iter().map(row).collect();
        let one_by_one = shuffled.iter().copied().reduce(merged_row).unwrap();
        // As a tree.
        let mut level = shuffled.clone();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| pair.iter().copied().reduce(merged_row).unwrap()).collect();
        }
        let mut sorted = shuffled.clone();
        prop_assert_eq!(tabia::sort_and_merge(&mut sorted), 1);
        for row in [one_by_one, level[0], sorted[0]] {
            prop_assert_eq!(PositionCells::from(&row), expected);
            prop_assert!(row.eval().is_some() || row.depth() == 0);
        }
    }
}

#[test]
fn memory_and_threads_never_show() {
    let (folder, _) = folder();
    let content = sample(1, 20_000);
    let mut files = Vec::new();
    for (memory, workers) in [(1 << 16, 1), (1 << 18, 3), (1 << 30, 2)] {
        let path = folder.path().join(format!("{memory}.tabia"));
        let positions = sorted(&content.positions, folder.path(), memory, workers);
        let moves = sorted(content.moves.rows(), folder.path(), memory, workers);
        let new = chess_book().sources(content.sources.clone()).filter(content.filter);
        write(new.positions(&positions).moves(&moves), &path);
        files.push(std::fs::read(&path).unwrap());
    }
    assert!(files.iter().all(|file| *file == files[0]));
    content.write(folder.path().join("plain.tabia"));
    assert!(std::fs::read(folder.path().join("plain.tabia")).unwrap() == files[0]);
}

/// The rows through several sorters, each row split in two parts that merge to it again.
fn sorted<R: Row>(rows: &[R], folder: &Path, memory: usize, workers: usize) -> Sorted<R> {
    let mut sorters: Vec<_> = (0..workers).map(|_| Sorter::new(&System, folder, memory)).collect();
    for (i, row) in rows.iter().enumerate().rev() {
        sorters[i % workers].push(*row).unwrap();
    }
    Sorted::join(&Env::default(), sorters.into_iter().map(Sorter::finish).collect()).unwrap()
}

/// T9: the target knows none of the archives, but two of the books that are brought are of the same
/// one.
#[test]
fn t9_books_that_are_merged_into_another_share_no_source_with_each_other() {
    let (folder, target) = folder();
    let path = |name: &str| folder.path().join(name);
    sample(1, 10).write(&target);
    let of_both = |seed, sources: [u64; 2]| Content {
        sources: sources.map(source).into(),
        ..sample(seed, 10)
    };
    of_both(2, [5, 6]).write(path("a"));
    of_both(3, [6, 7]).write(path("b"));
    let books = |names: &[&str]| names.iter().map(|name| open(path(name))).collect::<Vec<_>>();
    let before = std::fs::read(&target).unwrap();
    for names in [["a", "b"], ["b", "a"], ["a", "a"]] {
        let twice = |error: Error| matches!(&error, Error::DuplicateSource { name, .. } if name == "6.pgn" || names == ["a", "a"]);
        let into = merge_into(&Env::default(), &target, &books(&names), Duplicates::Refuse);
        assert!(twice(into.unwrap_err()), "{names:?}");
        assert!(twice(merge_new(&path("output"), &books(&names)).unwrap_err()), "{names:?}");
        assert!(!tabia::journal_path(&target).exists() && !path("output").exists());
        assert!(std::fs::read(&target).unwrap() == before);
    }
    // One that a journal brought counts as well.
    let mut writer = open_writer(path("b"));
    writer.append(tabia::Batch::new().source(source(1))).unwrap();
    drop(writer);
    let into = merge_into(&Env::default(), &target, &books(&["b"]), Duplicates::Refuse);
    let error = into.unwrap_err();
    assert!(matches!(&error, Error::DuplicateSource { name, .. } if name == "1.pgn"), "{error}");
    // Asked for, both count, and both are told of.
    merge_into(&Env::default(), &target, &books(&["a", "b"]), Duplicates::Allow).unwrap();
    let names: Vec<_> =
        open(&target).sources().unwrap().into_iter().map(|source| source.name).collect();
    assert_eq!(names.iter().filter(|name| *name == "6.pgn").count(), 2);
    assert_eq!(names.len(), 6);
}
