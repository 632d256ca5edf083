//! Books with any set of columns, alone and beside books with others or none: laws, models, and
//! what is refused.

use crate::books::{
    Content, WithColumns, add_cells, any_columns, any_content, cells_of, chunk, chunk_of, collect,
    columns_of_bits, every_column, folder, moves_of, of_bits, sample,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tabia::format::Load;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::stream::{Chunk, MinGames, RowSet, Rows};
use tabia::{
    Batch, BestGame, Book, Cells, Column, Columns, Companions, Counts, Difference, Duplicates, Env,
    Error, Existing, Hash, MergeOptions, MoveRow, NewBook, Ratings, Row, Rule, TableKind,
    WithCells, Writer, Years, check, diff, journal_path, merge, merge_into,
};

fn any_book() -> impl Strategy<Value = WithColumns> {
    (any_content(), any_columns(), any::<u64>())
        .prop_map(|(content, columns, seed)| WithColumns::new(content, columns, seed))
}

fn merged(output: &Path, books: &[&Path]) -> Vec<u8> {
    let books: Vec<_> = books.iter().map(|path| Book::open(path).unwrap()).collect();
    let options = MergeOptions { duplicates: Duplicates::Allow, ..MergeOptions::default() };
    merge(&Env::default(), output, &books, options).unwrap();
    fs::read(output).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn m5_merging_books_of_any_columns_equals_building_in_every_order_and_grouping(
        a in any_book(), b in any_book(), c in any_book(), load in 500u32..=980
    ) {
        let (folder, all) = folder();
        let load = Load::from_thousandths(load).unwrap();
        let path = |name: &str| folder.path().join(name);
        let (x, y, z) = (path("x"), path("y"), path("z"));
        for (content, path) in [(&a, &x), (&b, &y), (&c, &z)] {
            content.write(path, load);
        }
        let whole = a.with(&b).with(&c);
        let header = whole.write(&all, load);
        prop_assert_eq!(header.columns(TableKind::Moves), a.moves.columns().union(b.moves.columns()).union(c.moves.columns()));
        let expected = fs::read(&all).unwrap();
        for (name, order) in [("xyz", [&x, &y, &z]), ("xzy", [&x, &z, &y]), ("yxz", [&y, &x, &z])] {
            prop_assert!(merged(&path(name), &order.map(|path| &**path)) == expected, "{}", name);
        }
        for (name, order) in [("yzx", [&y, &z, &x]), ("zxy", [&z, &x, &y]), ("zyx", [&z, &y, &x])] {
            prop_assert!(merged(&path(name), &order.map(|path| &**path)) == expected, "{}", name);
        }
        for (name, first, last) in [("xy", [&x, &y], &z), ("zx", [&z, &x], &y), ("yz", [&y, &z], &x)] {
            merged(&path(name), &first.map(|path| &**path));
            prop_assert!(merged(&path("left"), &[&path(name), last]) == expected, "({}) and the other", name);
            fs::remove_file(path("left")).unwrap();
            prop_assert!(merged(&path("right"), &[last, &path(name)]) == expected, "the other and ({})", name);
            fs::remove_file(path("right")).unwrap();
        }
        let report = check(&Env::default(), &all).unwrap();
        prop_assert!(report.bad.iter().all(|finding| finding.what.contains("proofs")), "{:?}", report.bad);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn merging_into_a_book_with_columns_and_compacting_equals_merging(a in any_book(), b in any_book()) {
        let (folder, target) = folder();
        let path = |name: &str| folder.path().join(name);
        // The journal brings neither a filter nor a column; a book keeps its own.
        let rest = Content { filter: a.rest.filter, packed: a.rest.packed, ..b.rest };
        let moves = b.moves.iter().map(|row| WithCells { cells: row.cells.to(a.moves.columns()), ..row }).collect::<Vec<_>>();
        let mut kept = Chunk::new(a.moves.columns());
        moves.iter().for_each(|row| kept.push(row.row, &row.cells));
        let b = WithColumns { rest, moves: kept };
        a.write(&target, Load::default());
        b.write(&path("other"), Load::default());
        merged(&path("whole"), &[&target, &path("other")]);
        merge_into(&Env::default(), &target, &[Book::open(path("other")).unwrap()], Duplicates::Allow).unwrap();
        let both = a.with(&b);
        prop_assert_eq!(&moves_of(&target), &both.moves);
        prop_assert_eq!(Book::open(&target).unwrap().facts().unwrap(), both.rest.facts);
        Writer::open(Env::default(), &target).unwrap().compact().unwrap();
        prop_assert_eq!(Book::open(&target).unwrap().digest(), Book::open(path("whole")).unwrap().digest());
        prop_assert_eq!(&moves_of(&target), &both.moves);
    }

    #[test]
    fn every_reader_shows_moves_with_cells_and_without(a in any_book(), journal in any_content(), from: u64, to: u64, nth in 0usize..40) {
        let (folder, path) = folder();
        let plain = WithColumns::new(journal, Columns::NONE, 0);
        let other = plain.book(&folder.path().join("other.tabia"), Load::default());
        a.write(&path, Load::default());
        for whole in [a.clone(), a.with(&plain)] {
            let book = Book::open(&path).unwrap();
            // SAFETY: nobody else has the file.
            #[expect(unsafe_code, reason = "a map is another way to the same rows")]
            let mapped = unsafe { Book::map(&path) }.unwrap();
            let moves = whole.moves.rows().to_vec();
            prop_assert_eq!(&chunk::<MoveRow>(&book), &whole.moves);
            prop_assert_eq!(&chunk::<MoveRow>(&mapped), &whole.moves);
            let one_by_one: Vec<_> = book.all_moves().unwrap().map(Result::unwrap).collect();
            prop_assert!(one_by_one.into_iter().eq(whole.moves.iter()));
            let (counted, at_most) = (RowSet::<MoveRow>::exactly(&book), RowSet::<MoveRow>::at_most(&book));
            prop_assert!(counted.is_none_or(|rows| rows == moves.len() as u64) && at_most >= moves.len() as u64);
            let row = moves.get(nth).map_or(from, |row| row.hash().get());
            for hashes in [from..=to, 0..=row, row..=row, row..=u64::MAX].map(of_bits) {
                let within: Vec<_> = whole.moves.iter().filter(|row| hashes.contains(&row.row.hash())).collect();
                let found = Rows::<MoveRow>::collect(book.rows_between(hashes.clone()).unwrap()).unwrap();
                prop_assert_eq!(found.columns(), a.moves.columns());
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), within);
            }
            for key in moves.iter().map(Row::key).chain([from, 0, u64::MAX]) {
                let expected: Vec<_> = whole.moves.iter().filter(|row| row.row.key() == key).collect();
                let rows: Vec<_> = expected.iter().map(|row| row.row).collect();
                prop_assert_eq!(&book.moves_with_cells(key).unwrap(), &expected);
                prop_assert_eq!(&mapped.moves_with_cells(key).unwrap(), &expected);
                prop_assert_eq!(&*book.moves(key).unwrap(), &rows);
                prop_assert_eq!(&*mapped.moves(key).unwrap(), &rows);
            }
            // In memory there is no journal.
            let memory = Book::from_bytes(fs::read(&path).unwrap()).unwrap();
            prop_assert_eq!(&chunk::<MoveRow>(&memory), &a.moves);
            for key in a.moves.rows().iter().map(Row::key).chain([from, 0, u64::MAX]) {
                let expected: Vec<_> = a.moves.iter().filter(|row| row.row.key() == key).collect();
                prop_assert_eq!(&memory.moves_with_cells(key).unwrap(), &expected);
                // A packed book has no tables.
                prop_assert_eq!(memory.move_table().is_none(), a.rest.packed);
                if let Some(table) = memory.move_table() {
                    let moves = table.moves(key).iter().copied();
                    prop_assert!(moves.eq(expected.iter().map(|row| row.row)));
                }
            }
            merge_into(&Env::default(), &path, std::slice::from_ref(&other), Duplicates::Allow).unwrap();
        }
    }
}

#[derive(Clone, Debug)]
enum Change {
    Add(MoveRow, Cells),
    Put(MoveRow, Cells),
    Delete(u64, u16),
}

/// Changes with cells of some of the columns.
fn any_change() -> impl Strategy<Value = Change> {
    let played = || {
        (0u64..6, 0u16..4, 0u32..4).prop_map(|(key, code, wins)| {
            MoveRow::new(key, code, Counts { wins, draws: 1, losses: 0 })
        })
    };
    let with_cells = move || {
        (played(), any_columns(), any::<u64>())
            .prop_map(|(row, columns, seed)| (row, cells_of(columns, &row, seed)))
    };
    prop_oneof![
        3 => with_cells().prop_map(|(row, cells)| Change::Add(row, cells)),
        2 => with_cells().prop_map(|(row, cells)| Change::Put(row, cells)),
        1 => (0u64..6, 0u16..4).prop_map(|(key, code)| Change::Delete(key, code)),
    ]
}

/// The changes as a batch for a book with these columns, and done to a map.
fn apply(
    changes: &[Change],
    columns: Columns,
    moves: &mut BTreeMap<(Hash, u16), WithCells<MoveRow>>,
) -> Batch {
    let mut batch = Batch::new();
    let common =
        |cells: &Cells| cells.to(cells.columns().without(cells.columns().without(columns)));
    for change in changes {
        match change {
            Change::Add(row, cells) => {
                let cells = common(cells);
                if cells.columns().is_empty() {
                    batch.add_move(*row)
                } else {
                    batch.add_move_with(*row, cells)
                };
                add_cells(moves, WithCells { row: *row, cells: cells.to(columns) });
            }
            Change::Put(row, cells) => {
                let cells = common(cells);
                if cells.columns().is_empty() {
                    batch.put_move(*row)
                } else {
                    batch.put_move_with(*row, cells)
                };
                moves.insert(row.rank(), WithCells { row: *row, cells: cells.to(columns) });
            }
            Change::Delete(key, code) => {
                batch.delete_move(*key, *code);
                moves.remove(&(Hash::of(*key), *code));
            }
        }
    }
    batch
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_book_with_columns_does_what_a_map_does(
        start in any_book(), steps in prop::collection::vec((prop::collection::vec(any_change(), 0..12), 0u8..4), 1..8)
    ) {
        let (_folder, path) = folder();
        let columns = start.moves.columns();
        start.write(&path, Load::default());
        let mut moves = start.cells_by_rank();
        let mut writer = Writer::open(Env::default(), &path).unwrap();
        for (changes, then) in &steps {
            writer.append(&apply(changes, columns, &mut moves)).unwrap();
            match then {
                0 => _ = writer.compact().unwrap(),
                1 => {
                    drop(writer);
                    writer = Writer::open(Env::default(), &path).unwrap();
                }
                _ => {}
            }
            let book = Book::open(&path).unwrap();
            prop_assert_eq!(book.header().columns(TableKind::Moves), columns);
            prop_assert_eq!(&chunk::<MoveRow>(&book), &chunk_of(columns, &moves));
            for key in 0..6 {
                let h = Hash::of(key);
                let expected: Vec<_> = moves.range((h, 0)..=(h, u16::MAX)).map(|(_, row)| *row).collect();
                prop_assert_eq!(&book.moves_with_cells(key).unwrap(), &expected);
            }
            let report = check(&Env::default(), &path).unwrap();
            prop_assert!(report.bad.iter().all(|finding| finding.what.contains("proofs")), "{:?}", report.bad);
        }
        writer.compact().unwrap();
        // Nothing of the way shows but the lineage.
        let whole = path.with_extension("whole");
        let digest = WithColumns { moves: chunk_of(columns, &moves), ..start }.write(&whole, Load::default()).digest;
        prop_assert_eq!(Book::open(&path).unwrap().digest(), digest);
    }

    #[test]
    fn diff_compares_cells_of_the_columns_that_one_book_has(a in any_book(), b in any_book()) {
        let (folder, path) = folder();
        let (first, second) = (a.book(&path, Load::default()), b.book(&folder.path().join("other"), Load::default()));
        let columns = a.moves.columns().union(b.moves.columns());
        for (first, second, a, b) in [(&first, &second, &a, &b), (&second, &first, &b, &a)] {
            let mut found = Vec::new();
            let summary = diff(&Env::default(), first, second, |difference| match difference {
                Difference::Move(x, y) => found.push((x, y)),
                Difference::Position(..) => {}
            }).unwrap();
            let rows = |book: &WithColumns| -> BTreeMap<_, _> {
                let widened = |row: WithCells<MoveRow>| WithCells { cells: row.cells.to(columns), ..row };
                book.moves.iter().map(|row| (row.row.rank(), widened(row))).collect()
            };
            let (a, b) = (rows(a), rows(b));
            let ranks: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
            let pairs: Vec<_> = ranks.into_iter().map(|rank| (a.get(rank).copied(), b.get(rank).copied())).collect();
            prop_assert_eq!(summary.moves.same, pairs.iter().filter(|(x, y)| x == y).count() as u64);
            prop_assert_eq!(summary.moves.changed, pairs.iter().filter(|(x, y)| x != y && x.is_some() && y.is_some()).count() as u64);
            prop_assert_eq!(found, pairs.into_iter().filter(|(x, y)| x != y).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_difference_of_cells_alone_is_a_difference() {
    let (folder, path) = folder();
    let one = WithColumns::new(sample(1, 20), every_column(), 1);
    for column in Column::ALL {
        let mut rows: Vec<_> = one.moves.iter().collect();
        let mut cell = rows[7].cells.of(column).unwrap().to_vec();
        *cell.last_mut().unwrap() ^= 1;
        rows[7].cells = rows[7].cells.with_bytes(column, &cell);
        let other = WithColumns { moves: rows.iter().copied().collect(), ..one.clone() };
        let name = folder.path().join(column.name);
        let books = [
            one.book(&name, Load::default()),
            other.book(&path.with_extension(column.name), Load::default()),
        ];
        let mut found = Vec::new();
        let summary =
            diff(&Env::default(), &books[0], &books[1], |difference| found.push(difference))
                .unwrap();
        assert!(!summary.same_rows());
        assert_eq!(
            found,
            [Difference::Move(one.moves.iter().nth(7), Some(rows[7]))],
            "{}",
            column.name
        );
    }
}

fn sample_with(columns: Columns, seed: u64, positions: u64) -> WithColumns {
    WithColumns::new(sample(seed, positions), columns, seed)
}

/// With each column alone, and with all: each width of cells has its own way through the merger.
#[test]
fn large_books_with_columns_which_threads_share_give_the_same_bytes() {
    for bits in [0b001, 0b111] {
        let (folder, all) = folder();
        let (a, b) = (
            sample_with(columns_of_bits(bits), 1, 200_000),
            sample_with(Columns::NONE, 3, 200_000),
        );
        let paths = ["a.tabia", "b.tabia"].map(|name| folder.path().join(name));
        a.write(&paths[0], Load::default());
        b.write(&paths[1], Load::default());
        let merged = merged(&folder.path().join("merged"), &[&paths[1], &paths[0]]);
        a.with(&b).write(&all, Load::default());
        assert!(merged == fs::read(&all).unwrap());
        assert!(check(&Env::default(), &all).unwrap().ok());
    }
}

#[test]
fn rows_with_cells_of_any_columns_are_sorted_in_little_memory_and_filtered_by_games() {
    for bits in 0..1 << Column::ALL.len() {
        let (folder, _) = folder();
        let columns = columns_of_bits(bits);
        let content = sample_with(columns, 2, 6_000);
        let sorter = || Sorter::with_columns(&System, folder.path(), 1 << 16, columns);
        let mut sorters: Vec<_> = (0..3).map(|_| sorter()).collect();
        for (i, row) in content.moves.iter().enumerate().collect::<Vec<_>>().into_iter().rev() {
            sorters[i % 3].push_with(row.row, &row.cells).unwrap();
            sorters[(i + 1) % 3].push_with(row.row, &row.cells).unwrap();
        }
        let sorted =
            Sorted::join(&Env::default(), sorters.into_iter().map(Sorter::finish).collect())
                .unwrap();
        let twice = content.with(&content).moves;
        assert_eq!(chunk(&sorted), twice);
        let often: Vec<_> = twice.iter().filter(|row| row.row.counts().games() >= 10).collect();
        assert!(!often.is_empty() && often.len() < twice.len());
        let played = chunk(&MinGames { rows: sorted, min_games: 10 });
        assert!(played.columns() == columns && played.iter().eq(often));
    }
}

/// Sorters of different columns: all rows get those that one of them has.
#[test]
fn sorters_of_different_columns_are_joined() {
    let (folder, _) = folder();
    let books =
        [0b001, 0b110, 0].map(|bits| sample_with(columns_of_bits(bits), u64::from(bits), 2000));
    let sorted = books.iter().map(|book| {
        let mut sorter =
            Sorter::with_columns(&System, folder.path(), 1 << 16, book.moves.columns());
        book.moves.iter().for_each(|row| sorter.push_with(row.row, &row.cells).unwrap());
        sorter.finish()
    });
    let joined = Sorted::join(&Env::default(), sorted.collect()).unwrap();
    assert_eq!(chunk(&joined), books[0].with(&books[1]).with(&books[2]).moves);
}

#[test]
fn cells_go_only_into_books_with_their_columns() {
    let (folder, path) = folder();
    let content = sample_with(columns_of_bits(0b101), 1, 10);
    let books = [content.book(&folder.path().join("columns.tabia"), Load::default())];
    let target = sample_with(columns_of_bits(0b110), 2, 10);
    target.write(&path, Load::default());
    let before = fs::read(&path).unwrap();
    let lacks = |error: Error| {
        assert!(
            matches!(&error, Error::NoColumn { columns, .. } if *columns == Columns::NONE.with(Column::RATINGS)),
            "{error}"
        );
    };
    let row = MoveRow::new(1, 2, Counts::default());
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    for bits in [0b001, 0b101, 0b111] {
        let cells = cells_of(columns_of_bits(bits), &row, 3);
        lacks(writer.append(Batch::new().put_move_with(row, cells)).unwrap_err());
        lacks(writer.append(Batch::new().add_move_with(row, cells)).unwrap_err());
    }
    // Cells that say nothing are cells too.
    lacks(
        writer
            .append(Batch::new().add_move_with(row, Cells::NONE.with(Ratings::default())))
            .unwrap_err(),
    );
    let mut rows = RowSet::<MoveRow>::rows(&books[0]).unwrap();
    lacks(writer.append_rows(None, Some(&mut *rows), &[], &[], Companions::default()).unwrap_err());
    drop(writer);
    lacks(merge_into(&Env::default(), &path, &books, Duplicates::Refuse).unwrap_err());
    assert!(fs::read(&path).unwrap() == before && !journal_path(&path).exists());
    // Cells of some of its columns are taken, and say nothing in the others.
    let plain: Vec<MoveRow> = collect(&books[0]);
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer
        .append_rows(None, Some(&mut *plain.rows().unwrap()), &[], &[], Companions::default())
        .unwrap();
    let years = Cells::NONE.with(Years::of_game(1999));
    writer.append(Batch::new().add_move_with(row, years)).unwrap();
    let mut all = target.cells_by_rank();
    let columns = target.moves.columns();
    let more = plain.iter().map(|&row| (row, Cells::NONE)).chain([(row, years)]);
    more.for_each(|(row, cells)| add_cells(&mut all, WithCells { row, cells: cells.to(columns) }));
    assert_eq!(moves_of(&path), chunk_of(columns, &all));
    assert!(check(&Env::default(), &path).unwrap().ok());
}

#[test]
fn rows_that_are_appended_without_cells_say_nothing_there() {
    let (_folder, path) = folder();
    let content = sample_with(every_column(), 1, 10);
    content.write(&path, Load::default());
    let more = sample_with(Columns::NONE, 2, 10);
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer
        .append_rows(
            None,
            Some(&mut *RowSet::rows(&more.moves).unwrap()),
            &[],
            &[],
            Companions::default(),
        )
        .unwrap();
    writer
        .append_rows(
            None,
            Some(&mut *RowSet::rows(&content.moves).unwrap()),
            &[],
            &[],
            Companions::default(),
        )
        .unwrap();
    let expected = content.with(&more).with(&content).moves;
    assert_eq!(moves_of(&path), expected);
    assert!(check(&Env::default(), &path).unwrap().ok());
}

#[test]
fn a_book_that_is_written_anew_keeps_its_columns() {
    for bits in 0..1 << Column::ALL.len() {
        let (folder, path) = folder();
        let columns = columns_of_bits(bits);
        let book = sample_with(columns, 1, 100).book(&path, Load::default());
        let again = folder.path().join("again.tabia");
        let new = NewBook::like(book.header())
            .tables_of(&book)
            .sources(book.sources().unwrap())
            .facts(book.facts().unwrap());
        new.write(&Env::default(), &again, Existing::Refuse).unwrap();
        assert!(fs::read(&again).unwrap() == fs::read(&path).unwrap());
        let header = Book::from_bytes(fs::read(&again).unwrap()).unwrap().header().clone();
        assert_eq!(
            (header.columns(TableKind::Moves), header.columns(TableKind::Positions)),
            (columns, Columns::NONE)
        );
        assert_eq!((header.incompatible(), header.compatible), (0, 0));
        let slots = header.table(TableKind::Moves).unwrap().shape.slots();
        for column in Column::ALL {
            let section = header
                .section(column.tag)
                .map(|section| (section.cell, section.length, section.beside));
            let size = column.size() as u64;
            assert_eq!(
                section,
                columns.has(column).then_some((size, size * slots, Some(TableKind::Moves))),
                "{}",
                column.name
            );
        }
    }
}

/// Every place of an answer comes from what was added by hand.
#[test]
fn the_cells_of_a_move_are_those_of_its_games() {
    let (folder, path) = folder();
    let game = |wins, losses, cells| WithCells {
        row: MoveRow::new(7, 796, Counts { wins, draws: 0, losses }),
        cells,
    };
    let cells = |ratings: Ratings, game: BestGame, year| {
        Cells::NONE.with(ratings).with(game).with(Years::of_game(year))
    };
    let one = cells(Ratings::of_game(2431, 2290, 2), BestGame { rank: 4721, digest: 5 }, 1999);
    let two = cells(Ratings::of_game(2300, 2300, 0), BestGame { rank: 4600, digest: 6 }, 1972);
    let chunks = [game(1, 0, one), game(0, 1, two), game(1, 0, Cells::NONE)]
        .map(|row| Chunk::from_iter([row]));
    let new =
        |moves| NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap()).moves(moves);
    let paths = ["one", "two", "none"].map(|name| folder.path().join(name));
    chunks.iter().zip(&paths).for_each(|(moves, path)| {
        _ = new(moves).write(&Env::default(), path, Existing::Refuse).unwrap()
    });
    merged(&path, &[&paths[0], &paths[1], &paths[2]]);
    let rows = Book::open(&path).unwrap().moves_with_cells(7).unwrap();
    let ratings = Ratings { mover_sum: 4731, opponent_sum: 4590, games: 2, score: 2 };
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].row, MoveRow::new(7, 796, Counts { wins: 2, draws: 0, losses: 1 }));
    assert_eq!(rows[0].cells.get(), Some(ratings));
    assert_eq!(rows[0].cells.get(), Some(BestGame { rank: 4721, digest: 5 }));
    assert_eq!(rows[0].cells.get(), Some(Years { first: Some(1972), last: Some(1999) }));
    assert_eq!(
        (ratings.average(), ratings.performance(), ratings.gain()),
        (Some(2365.5), Some(2295.0), Some(-70.5))
    );
}

/// Each damaged block of a column, of its sums, or of the table stops streams and probes that need
/// it, and no others.
#[test]
fn b13_damage_in_a_column_is_placed_and_stops_only_those_who_read_it() {
    let (_folder, path) = folder();
    let content = sample_with(every_column(), 1, 2000);
    let header = content.write(&path, Load::default());
    let clean = fs::read(&path).unwrap();
    let table = *header.table(TableKind::Moves).unwrap();
    for column in Column::ALL {
        let section = *header.section(column.tag).unwrap();
        let sums = *header.section(column.tag.sums()).unwrap();
        let last = section.length.div_ceil(4096) - 1;
        for block in [0, 1, last] {
            for at in [section.offset + block * 4096, sums.offset + 8 * block + 3] {
                let mut bytes = clean.clone();
                bytes[at as usize] ^= 1;
                fs::write(&path, &bytes).unwrap();
                let report = check(&Env::default(), &path).unwrap();
                let expected =
                    (column.tag.to_string(), Some(block), section.offset + block * 4096, Rule::B13);
                let found: Vec<_> = report
                    .bad
                    .iter()
                    .map(|bad| (bad.section.clone(), bad.block, bad.offset, bad.rule))
                    .collect();
                assert!(found.contains(&expected), "{found:?}");
                // Of a sum the checksum of the sums is wrong too.
                assert_eq!(found.len(), if at < sums.offset { 1 } else { 2 }, "{found:?}");
                let book = Book::open(&path).unwrap();
                let damaged = |error: Error| matches!(error, Error::Damaged { rule: Rule::B13, offset, .. } if offset == expected.2);
                assert!(damaged(
                    RowSet::<MoveRow>::rows(&book).and_then(Rows::collect).unwrap_err()
                ));
                // Moves without cells don't need it.
                for (slot, row) in
                    (0..).zip(slots(&clean, &header)).filter(|(_, row)| !row.is_empty()).step_by(7)
                {
                    assert!(book.moves(row.key()).is_ok());
                    let cells = slot * section.cell / 4096..=((slot + 1) * section.cell - 1) / 4096;
                    let read = book.moves_with_cells(row.key());
                    assert!(!cells.contains(&block) || damaged(read.unwrap_err()), "slot {slot}");
                }
                let reads = |key| book.moves_with_cells(key).is_ok();
                let keys: Vec<_> = content.moves.rows().iter().map(Row::key).collect();
                assert!(keys.iter().filter(|&&key| reads(key)).count() > keys.len() / 5);
            }
        }
    }
    assert_eq!(table.cell, 24);
}

/// The slots of the moves table.
fn slots(bytes: &[u8], header: &tabia::format::Header) -> Vec<MoveRow> {
    let table = header.table(TableKind::Moves).unwrap();
    let bytes = &bytes[table.offset as usize..][..table.length as usize];
    bytes.chunks(24).map(|row| zerocopy::FromBytes::read_from_bytes(row).unwrap()).collect()
}

#[test]
fn b26_cells_of_empty_slots_are_zero() {
    let (_folder, path) = folder();
    // Three pieces.
    sample_with(every_column(), 1, 12_000).write(&path, Load::default());
    let image = crate::image::Image::read(&path);
    let empty: Vec<usize> = {
        let mut image = image.clone();
        let rows = image.slots::<MoveRow>();
        (0..rows.len()).filter(|&slot| rows[slot].is_empty()).collect()
    };
    assert!(*empty.last().unwrap() > 2 * 12_288);
    for column in Column::ALL {
        let size = column.size();
        for (slot, byte) in
            [(empty[0], 0), (empty[empty.len() / 2], size - 1), (*empty.last().unwrap(), size / 2)]
        {
            let mut changed = image.clone();
            changed.body(column.tag)[slot * size + byte] = 1;
            changed.write(&path);
            let report = check(&Env::default(), &path).unwrap();
            let offset = Book::open(&path).unwrap().header().section(column.tag).unwrap().offset
                + (slot * size) as u64;
            let found: Vec<_> =
                report.bad.iter().map(|bad| (bad.section.clone(), bad.offset, bad.rule)).collect();
            assert_eq!(found, [(column.tag.to_string(), offset, Rule::B26)]);
            // It is nobody's: no row shows it, and no other book has it.
            let again = path.with_extension("again");
            merged(&again, &[&path]);
            assert!(check(&Env::default(), &again).unwrap().ok());
            fs::remove_file(&again).unwrap();
        }
    }
}
