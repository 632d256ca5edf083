//! Books with any set of columns, alone and beside books with others or none: laws, models, and
//! what is refused.

use crate::books::{
    Content, any_book, any_content, append_moves, assert_sound, cells_of, checked, chunk, collect,
    columns_of_bits, every_column, folder, merged, moves_of, of_bits, open, open_writer, rows_of,
    sample, streamed, write,
};
use proptest::prelude::*;
use std::fs;
use tabia::format::Load;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::stream::{Chunk, MinGames, RowSet, Rows};
use tabia::{
    Batch, Book, Cells, Column, Columns, Counts, Difference, Duplicates, Env, Error, Hash, MoveRow,
    PositionRow, Ratings, Row, Rule, TableKind, WithCells, Years, diff, journal_path, merge_into,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn m5_and_m9_merging_equals_building_in_every_order_and_grouping(
        a in any_book(), b in any_book(), c in any_book(), plain: bool, load in 500u32..=980
    ) {
        let (folder, all) = folder();
        let load = Load::from_thousandths(load).unwrap();
        let path = |name: &str| folder.path().join(name);
        let [a, b, c] = [a, b, c].map(|book| if plain { book.plain() } else { book });
        let (x, y, z) = (path("x"), path("y"), path("z"));
        for (content, path) in [(&a, &x), (&b, &y), (&c, &z)] {
            write(content.new_book().load(load), path);
        }
        let whole = a.with(&b).with(&c);
        let header = write(whole.new_book().load(load), &all);
        prop_assert_eq!(header.columns(TableKind::Moves), a.moves.columns().union(b.moves.columns()).union(c.moves.columns()));
        let expected = fs::read(&all).unwrap();
        for order in [[&x, &y, &z], [&x, &z, &y], [&y, &x, &z], [&y, &z, &x], [&z, &x, &y], [&z, &y, &x]] {
            prop_assert!(merged(&order, None, &path("merged")) == expected, "{:?}", order);
        }
        for (name, first, last) in [("xy", [&x, &y], &z), ("zx", [&z, &x], &y), ("yz", [&y, &z], &x)] {
            let first_two = path(name);
            merged(&first, None, &first_two);
            prop_assert!(merged(&[&first_two, last], None, &path("left")) == expected, "({}) and the other", name);
            prop_assert!(merged(&[last, &first_two], None, &path("right")) == expected, "the other and ({})", name);
        }
        assert_sound(&all);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn merging_into_a_book_and_compacting_equals_merging(a in any_book(), b in any_book(), plain: bool) {
        let (folder, target) = folder();
        let path = |name: &str| folder.path().join(name);
        let [a, b] = [a, b].map(|book| if plain { book.plain() } else { book });
        // The journal brings neither a filter nor a column; a book keeps its own.
        let mut kept = Chunk::new(a.moves.columns());
        b.moves.iter().for_each(|row| kept.push(row.row, &row.cells.to(a.moves.columns())));
        let b = Content { filter: a.filter, packed: a.packed, moves: kept, ..b };
        a.write(&target);
        b.write(path("other"));
        let whole = merged(&[&target, &path("other")], None, &path("whole"));
        merge_into(&Env::default(), &target, &[open(path("other"))], Duplicates::Allow).unwrap();
        let both = a.with(&b);
        prop_assert_eq!(rows_of(&target), rows_of(&path("whole")));
        prop_assert_eq!(&moves_of(&target), &both.moves);
        prop_assert_eq!(open(&target).facts().unwrap(), both.facts);
        open_writer(&target).compact().unwrap();
        prop_assert_eq!(open(&target).digest(), open(path("whole")).digest());
        prop_assert_eq!(&moves_of(&target), &both.moves);
        let mut compacted = fs::read(&target).unwrap();
        // All but the lineage in the two header pages is the same.
        let footer = compacted.len() - 4096;
        for page in [0, footer] {
            for lineage in [page + 104..page + 128, page + 4092..page + 4096] {
                compacted[lineage.clone()].copy_from_slice(&whole[lineage]);
            }
        }
        prop_assert!(compacted == whole);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_reader_shows_moves_with_cells_and_without(a in any_book(), plain in any_content(), from: u64, to: u64, nth in 0usize..40) {
        let (folder, path) = folder();
        let other = plain.book(&folder.path().join("other.tabia"));
        a.write(&path);
        for whole in [a.clone(), a.with(&plain)] {
            let book = open(&path);
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
            let positions = &whole.positions;
            let rows = [moves.get(nth).map(Row::hash), positions.get(nth).map(Row::hash)];
            let rows = rows.map(|hash| hash.map_or(from, Hash::get));
            let around = |row| [0..=row, row..=row, row..=u64::MAX];
            let ranges = rows.into_iter().flat_map(around).chain([from..=to, 0..=u64::MAX]);
            for hashes in ranges.map(of_bits) {
                let within: Vec<_> = whole.moves.iter().filter(|row| hashes.contains(&row.row.hash())).collect();
                let found = Rows::<MoveRow>::collect(book.rows_between(hashes.clone()).unwrap()).unwrap();
                prop_assert_eq!(found.columns(), a.moves.columns());
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), within);
                let within: Vec<_> = positions.iter().copied().filter(|row| hashes.contains(&row.hash())).collect();
                let found = Rows::<PositionRow>::collect(book.rows_between(hashes).unwrap()).unwrap();
                prop_assert_eq!(found.rows(), within);
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
                prop_assert_eq!(memory.move_table().is_none(), a.packed);
                if let Some(table) = memory.move_table() {
                    let moves = table.moves(key).iter().copied();
                    prop_assert!(moves.eq(expected.iter().map(|row| row.row)));
                }
            }
            merge_into(&Env::default(), &path, std::slice::from_ref(&other), Duplicates::Allow).unwrap();
        }
    }
}

#[test]
fn a_difference_of_cells_alone_is_a_difference() {
    let (folder, path) = folder();
    let one = sample(1, 20).with_cells(every_column(), 1);
    for column in Column::ALL {
        let mut rows: Vec<_> = one.moves.iter().collect();
        let mut cell = rows[7].cells.of(column).unwrap().to_vec();
        *cell.last_mut().unwrap() ^= 1;
        rows[7].cells = rows[7].cells.with_bytes(column, &cell);
        let other = Content { moves: rows.iter().copied().collect(), ..one.clone() };
        let name = folder.path().join(column.name);
        let (first, second) = (one.book(&name), other.book(&path.with_extension(column.name)));
        let mut found = Vec::new();
        let summary = diff(&Env::default(), &first, &second, |difference| found.push(difference));
        assert!(!summary.unwrap().same_rows());
        let expected = Difference::Move(one.moves.iter().nth(7), Some(rows[7]));
        assert_eq!(found, [expected], "{}", column.name);
    }
}

fn sample_with(columns: Columns, seed: u64, positions: u64) -> Content {
    sample(seed, positions).with_cells(columns, seed)
}

/// Without columns, with one, and with all: each width of cells has its own way through the merger.
#[test]
fn large_books_which_threads_share_give_the_same_bytes() {
    for (bits, positions) in [(0, 1_200_000), (0b001, 200_000), (0b111, 200_000)] {
        let (folder, all) = folder();
        let a = sample_with(columns_of_bits(bits), 1, positions);
        let b = sample_with(Columns::NONE, 3, positions);
        let paths = ["a.tabia", "b.tabia"].map(|name| folder.path().join(name));
        a.write(&paths[0]);
        b.write(&paths[1]);
        let merged = merged(&[&paths[1], &paths[0]], None, &folder.path().join("merged"));
        a.with(&b).write(&all);
        assert!(merged == fs::read(&all).unwrap());
        assert!(checked(&all).ok());
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
        let sorted = sorters.into_iter().map(Sorter::finish).collect();
        let sorted = Sorted::join(&Env::default(), sorted).unwrap();
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
    let books = [content.book(&folder.path().join("columns.tabia"))];
    let target = sample_with(columns_of_bits(0b110), 2, 10);
    target.write(&path);
    let before = fs::read(&path).unwrap();
    let lacks = |error: Error| {
        let Error::NoColumn { columns, .. } = &error else { panic!("{error}") };
        assert_eq!(*columns, Columns::NONE.with(Column::RATINGS));
    };
    let row = MoveRow::new(1, 2, Counts::default());
    let mut writer = open_writer(&path);
    for bits in [0b001, 0b101, 0b111] {
        let cells = cells_of(columns_of_bits(bits), &row, 3);
        lacks(writer.append(Batch::new().put_move_with(row, cells)).unwrap_err());
        lacks(writer.append(Batch::new().add_move_with(row, cells)).unwrap_err());
    }
    // Cells that say nothing are cells too.
    let nothing = Cells::NONE.with(Ratings::default());
    lacks(writer.append(Batch::new().add_move_with(row, nothing)).unwrap_err());
    lacks(append_moves(&mut writer, &books[0]).unwrap_err());
    drop(writer);
    lacks(merge_into(&Env::default(), &path, &books, Duplicates::Refuse).unwrap_err());
    assert!(fs::read(&path).unwrap() == before && !journal_path(&path).exists());
    // Cells of some of its columns are taken, and say nothing in the others.
    let plain: Vec<MoveRow> = collect(&books[0]);
    let mut writer = open_writer(&path);
    append_moves(&mut writer, &plain).unwrap();
    let years = Cells::NONE.with(Years::of_game(1999));
    writer.append(Batch::new().add_move_with(row, years)).unwrap();
    let mut all = target.model_of_moves();
    let columns = target.moves.columns();
    let more = plain.iter().map(|&row| (row, Cells::NONE)).chain([(row, years)]);
    more.for_each(|(row, cells)| all.add_played(&WithCells { row, cells }));
    assert_eq!(moves_of(&path), all.rows(columns).1);
    assert!(checked(&path).ok());
}

/// Each damaged block of a column, of its sums, or of the table stops streams and probes that need
/// it, and no others.
#[test]
fn b13_damage_in_a_column_is_placed_and_stops_only_those_who_read_it() {
    let (_folder, path) = folder();
    let content = sample_with(every_column(), 1, 2000);
    let header = content.write(&path);
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
                let report = checked(&path);
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
                let book = open(&path);
                let damaged = |error: Error| matches!(error, Error::Damaged { rule: Rule::B13, offset, .. } if offset == expected.2);
                assert!(damaged(streamed::<MoveRow>(&book).unwrap_err()));
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

fn slots(bytes: &[u8], header: &tabia::format::Header) -> Vec<MoveRow> {
    let table = header.table(TableKind::Moves).unwrap();
    let bytes = &bytes[table.offset as usize..][..table.length as usize];
    bytes.chunks(24).map(|row| zerocopy::FromBytes::read_from_bytes(row).unwrap()).collect()
}

#[test]
fn b26_cells_of_empty_slots_are_zero() {
    let (_folder, path) = folder();
    // Three pieces.
    sample_with(every_column(), 1, 12_000).write(&path);
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
            let report = checked(&path);
            let offset =
                open(&path).header().section(column.tag).unwrap().offset + (slot * size) as u64;
            let found: Vec<_> =
                report.bad.iter().map(|bad| (bad.section.clone(), bad.offset, bad.rule)).collect();
            assert_eq!(found, [(column.tag.to_string(), offset, Rule::B26)]);
            // It is nobody's: no row shows it, and no other book has it.
            let again = path.with_extension("again");
            merged(&[&path], None, &again);
            assert!(checked(&again).ok());
            fs::remove_file(&again).unwrap();
        }
    }
}
