//! Comparing books: `diff` against maps, and `MinGames`, which leaves out what was hardly played.

use crate::books::{
    Content, StopIf, any_book, any_content, by_rank, chess_book, collect, folder, merge_new, open,
    sample, write,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tabia::format::{Keyed, Load};
use tabia::stream::{MinGames, RowSet, Rows};
use tabia::{Difference, Env, Error, Existing, Hash, MoveRow, Row, TableDiff, WithCells, diff};

/// What one book says of a row and what the other says.
type Pair<R> = (Option<R>, Option<R>);

/// What `diff` should say of two tables: the pairs that differ, in order, and the counts.
fn expected<R: Copy + PartialEq>(
    first: &BTreeMap<(Hash, u16), R>,
    second: &BTreeMap<(Hash, u16), R>,
) -> (Vec<Pair<R>>, TableDiff) {
    let ranks: BTreeSet<_> = first.keys().chain(second.keys()).collect();
    let pairs = ranks.into_iter().map(|rank| (first.get(rank).copied(), second.get(rank).copied()));
    let mut counts = TableDiff::default();
    let mut differing = Vec::new();
    for pair in pairs {
        match pair {
            (Some(a), Some(b)) if a == b => counts.same += 1,
            (Some(_), Some(_)) => counts.changed += 1,
            (Some(_), None) => counts.removed += 1,
            _ => counts.added += 1,
        }
        if pair.0 != pair.1 {
            differing.push(pair);
        }
    }
    (differing, counts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn diff_equals_comparing_maps(a in any_book(), b in any_book()) {
        let (folder, path) = folder();
        let load = Load::from_thousandths(500).unwrap();
        let other = folder.path().join("other.tabia");
        write(b.new_book().load(load), &other);
        let books = [a.book(&path), open(other)];
        // Cells of the columns that one of them has.
        let columns = a.moves.columns().union(b.moves.columns());
        let widened = |book: &Content| -> BTreeMap<_, _> {
            let widened = |row: WithCells<MoveRow>| WithCells { cells: row.cells.to(columns), ..row };
            book.moves.iter().map(|row| (row.row.rank(), widened(row))).collect()
        };
        for (first, second, a, b) in [(&books[0], &books[1], &a, &b), (&books[1], &books[0], &b, &a)] {
            let (mut positions, mut moves) = (Vec::new(), Vec::new());
            let summary = diff(&Env::default(), first, second, |difference| match difference {
                Difference::Position(x, y) => positions.push((x, y)),
                Difference::Move(x, y) => moves.push((x, y)),
            }).unwrap();
            prop_assert_eq!(summary.same_rows(), positions.is_empty() && moves.is_empty());
            let (one, other) = (a, b);
            prop_assert_eq!((positions, summary.positions), expected(&by_rank(&one.positions), &by_rank(&other.positions)));
            prop_assert_eq!((moves, summary.moves), expected(&widened(a), &widened(b)));
            prop_assert_eq!((summary.same_sources, summary.same_facts), (one.sources == other.sources, one.facts == other.facts));
        }
    }

    #[test]
    fn rows_played_often_enough_stay(content in any_content(), min_games in 0u64..6) {
        let played = MinGames { rows: content.positions.clone(), min_games };
        let expected: Vec<_> = content.positions.iter().copied().filter(|row| row.counts().games() >= min_games).collect();
        prop_assert!(played.at_most() >= expected.len() as u64);
        prop_assert!(played.exactly().is_none_or(|rows| rows == expected.len() as u64));
        let middle = expected.get(expected.len() / 2).map_or(Hash::MIN, Row::hash);
        let low: Vec<_> = expected.iter().copied().filter(|row| row.hash() <= middle).collect();
        let between = Rows::collect(played.rows_between(Hash::MIN..=middle).unwrap()).unwrap();
        prop_assert_eq!(between.rows(), &low[..]);
        prop_assert!(!played.is_seekable(), "rows in a vector are streamed");
        prop_assert_eq!(collect(&played), expected);
    }
}

#[test]
fn books_of_one_table_are_compared_and_a_long_comparison_can_be_stopped() {
    let (folder, path) = folder();
    let other = folder.path().join("other.tabia");
    let content = sample(1, 70_000);
    let new = || chess_book();
    for new in [new().positions(&content.positions), new().moves(&content.moves)] {
        new.clone().write(&Env::default(), &path, Existing::Replace).unwrap();
        new.write(&Env::default(), &other, Existing::Replace).unwrap();
        let (first, second) = (open(&path), open(&other));
        let summary = diff(&Env::default(), &first, &second, |_| unreachable!()).unwrap();
        assert!(summary.same_rows() && summary.positions.same + summary.moves.same >= 70_000);
        let stopped =
            diff(&Env { progress: &StopIf(|_| true), ..Env::default() }, &first, &second, |_| {});
        assert!(matches!(stopped, Err(Error::Interrupted)));
    }
}

#[test]
fn books_that_differ_in_kind_are_neither_compared_nor_merged() {
    let (folder, path) = folder();
    let other = folder.path().join("other.tabia");
    let refused = |second: tabia::NewBook<'_>, said: &str| {
        second.write(&Env::default(), &other, Existing::Replace).unwrap();
        let books = [open(&path), open(&other)];
        let output = folder.path().join("merged.tabia");
        let errors = [
            diff(&Env::default(), &books[0], &books[1], |_| unreachable!()).unwrap_err(),
            merge_new(&output, &books).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, Error::Incompatible { .. }), "{error}");
            assert!(error.to_string().contains(said), "{error}");
        }
        assert!(!output.exists());
    };
    let content = Content::default();
    content.new_book().write(&Env::default(), &path, Existing::Refuse).unwrap();
    let named =
        |game: &str, keys: &str| tabia::NewBook::new(game.parse().unwrap(), keys.parse().unwrap());
    let (positions, moves) = (&content.positions, &content.moves);
    let both = |game, keys| named(game, keys).positions(positions).moves(moves);
    refused(both("go", "polyglot"), "one is of chess, the other of go");
    refused(both("chess", "lichess"), "one has polyglot keys, the other lichess");
    refused(content.new_book().keyed(Keyed::Line), "one is keyed by position, the other by line");
    refused(named("chess", "polyglot").positions(positions), "only one of them has a moves table");
    let nothing = merge_new(Path::new("nowhere.tabia"), &[]).unwrap_err();
    assert!(nothing.to_string().contains("there is no book to merge"), "{nothing}");
}
