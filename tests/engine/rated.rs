//! Books whose moves have ratings, alone and beside books whose moves have none: laws, models, and what is refused.

use crate::books::{Content, any_content, by_rank, collect, folder, rate, sample};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tabia::format::Load;
use tabia::sort::{Sorted, Sorter};
use tabia::storage::System;
use tabia::stream::{Played, RowSet, Rows};
use tabia::{
    Batch, Book, Counts, Difference, Env, Error, MergeOptions, MoveRow, NewBook, RatedMoveRow, Ratings, Row, TableKind, Writer, check,
    diff, journal_path, merge, merge_into, salvage, sort_and_merge,
};

/// What a book holds whose moves may have ratings.
#[derive(Clone, Debug)]
struct Rated {
    /// Positions, sources and filter.
    rest: Content,
    /// Without rated games if the book has no ratings.
    moves: Vec<RatedMoveRow>,
    rated: bool,
}

impl Rated {
    fn new(rest: Content, seed: u64, rated: bool) -> Self {
        let moves = rest.moves.iter().map(|&row| if rated { rate(row, seed) } else { row.into() }).collect();
        Self { rest, moves, rated }
    }

    /// The contents of both, as building from all their games would give them.
    fn with(mut self, other: &Self) -> Self {
        self.moves.extend(&other.moves);
        let kept = sort_and_merge(&mut self.moves);
        self.moves.truncate(kept);
        Self { rest: self.rest.with(&other.rest), moves: self.moves, rated: self.rated || other.rated }
    }

    fn write(&self, path: &Path, load: Load) {
        let plain: Vec<MoveRow> = self.moves.iter().map(RatedMoveRow::plain).collect();
        let new = crate::books::new_book(&self.rest, load);
        let new = if self.rated { new.rated_moves(&self.moves) } else { new.moves(&plain) };
        new.write(&Env::default(), path, false).unwrap();
    }

    fn book(&self, path: &Path, load: Load) -> Book {
        self.write(path, load);
        Book::open(path).unwrap()
    }
}

fn any_rated(rated: impl Strategy<Value = bool>) -> impl Strategy<Value = Rated> {
    (any_content(), any::<u64>(), rated).prop_map(|(content, seed, rated)| Rated::new(content, seed, rated))
}

fn merged(output: &Path, books: &[&Path]) -> Vec<u8> {
    let books: Vec<_> = books.iter().map(|path| Book::open(path).unwrap()).collect();
    let options = MergeOptions { allow_duplicate_sources: true, ..MergeOptions::default() };
    merge(&Env::default(), output, &books, options).unwrap();
    fs::read(output).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn m5_merging_rated_and_plain_books_equals_building_in_every_order_and_grouping(
        a in any_rated(any::<bool>()), b in any_rated(Just(true)), c in any_rated(any::<bool>()), load in 500u32..=980
    ) {
        let (folder, all) = folder();
        let load = Load::from_thousandths(load).unwrap();
        let path = |name: &str| folder.path().join(name);
        let (x, y, z) = (path("x"), path("y"), path("z"));
        for (content, path) in [(&a, &x), (&b, &y), (&c, &z)] {
            content.write(path, load);
        }
        a.with(&b).with(&c).write(&all, load);
        let expected = fs::read(&all).unwrap();
        prop_assert!(merged(&path("at-once"), &[&x, &y, &z]) == expected);
        prop_assert!(merged(&path("other-order"), &[&z, &x, &y]) == expected);
        merged(&path("xy"), &[&x, &y]);
        prop_assert!(merged(&path("left"), &[&path("xy"), &z]) == expected);
        merged(&path("zx"), &[&z, &x]);
        prop_assert!(merged(&path("right"), &[&y, &path("zx")]) == expected);
        let report = check(&Env::default(), &all).unwrap();
        prop_assert!(report.bad.iter().all(|finding| finding.what.contains("proofs")), "{:?}", report.bad);
    }

    #[test]
    fn merging_into_a_rated_book_and_compacting_equals_merging(a in any_rated(Just(true)), b in any_rated(any::<bool>())) {
        let (folder, target) = folder();
        let other = folder.path().join("other.tabia");
        let b = Rated { rest: Content { filter: a.rest.filter, ..b.rest }, ..b };
        let both = a.clone().with(&b);
        a.write(&target, Load::default());
        b.write(&other, Load::default());
        merged(&folder.path().join("whole"), &[&target, &other]);
        merge_into(&Env::default(), &target, &[Book::open(&other).unwrap()], true).unwrap();
        prop_assert_eq!(collect::<RatedMoveRow>(&Book::open(&target).unwrap()), both.moves);
        Writer::open(Env::default(), &target).unwrap().compact().unwrap();
        prop_assert_eq!(Book::open(&target).unwrap().digest(), Book::open(folder.path().join("whole")).unwrap().digest());
    }

    #[test]
    fn either_kind_of_book_shows_its_moves_with_ratings_and_without(
        a in any_rated(any::<bool>()), journal in any_rated(Just(false)), from: u64, to: u64, nth in 0usize..40
    ) {
        let (folder, path) = folder();
        let other = journal.book(&folder.path().join("other.tabia"), Load::default());
        a.write(&path, Load::default());
        for whole in [a.clone(), a.with(&journal)] {
            let book = Book::open(&path).unwrap();
            // SAFETY: nobody else has the file.
            #[expect(unsafe_code, reason = "a map is another way to the same rows")]
            let mapped = unsafe { Book::map(&path) }.unwrap();
            let plain: Vec<MoveRow> = whole.moves.iter().map(RatedMoveRow::plain).collect();
            prop_assert_eq!(&collect::<MoveRow>(&book), &plain);
            prop_assert_eq!(&collect::<RatedMoveRow>(&book), &whole.moves);
            let (counted, at_most) = (RowSet::<MoveRow>::exactly(&book), RowSet::<MoveRow>::at_most(&book));
            prop_assert!(counted.is_none_or(|rows| rows == plain.len() as u64) && at_most >= plain.len() as u64);
            prop_assert_eq!((counted, at_most), (RowSet::<RatedMoveRow>::exactly(&book), RowSet::<RatedMoveRow>::at_most(&book)));
            let row = plain.get(nth).map_or(from, Row::hash);
            for hashes in [from..=to, 0..=row, row..=row, row..=u64::MAX] {
                let within: Vec<_> = whole.moves.iter().copied().filter(|row| hashes.contains(&row.hash())).collect();
                prop_assert_eq!(&Rows::<RatedMoveRow>::collect(book.rows_between(hashes.clone()).unwrap()).unwrap(), &within);
                let within: Vec<_> = within.iter().map(RatedMoveRow::plain).collect();
                prop_assert_eq!(Rows::<MoveRow>::collect(book.rows_between(hashes).unwrap()).unwrap(), within);
            }
            for key in plain.iter().map(Row::key).chain([from]) {
                let rated: Vec<_> = whole.moves.iter().copied().filter(|row| row.key() == key).collect();
                let moves: Vec<_> = rated.iter().map(RatedMoveRow::plain).collect();
                prop_assert_eq!(&*book.rated_moves(key).unwrap(), &rated);
                prop_assert_eq!(&*mapped.rated_moves(key).unwrap(), &rated);
                prop_assert_eq!(&*book.moves(key).unwrap(), &moves);
                prop_assert_eq!(&*mapped.moves(key).unwrap(), &moves);
            }
            prop_assert_eq!((mapped.move_table().is_some(), mapped.rated_move_table().is_some()), (!whole.rated, whole.rated));
            merge_into(&Env::default(), &path, std::slice::from_ref(&other), true).unwrap();
        }
    }
}

#[derive(Clone, Debug)]
enum Change {
    Add(RatedMoveRow),
    AddPlain(MoveRow),
    Put(RatedMoveRow),
    PutPlain(MoveRow),
    Delete(u64, u16),
}

fn any_change() -> impl Strategy<Value = Change> {
    let played = || (0u64..6, 0u16..4, 0u32..4).prop_map(|(key, code, wins)| MoveRow::new(key, code, Counts { wins, draws: 1, losses: 0 }));
    let rated = move || (played(), any::<u64>()).prop_map(|(row, seed)| rate(row, seed));
    prop_oneof![
        2 => rated().prop_map(Change::Add),
        1 => played().prop_map(Change::AddPlain),
        1 => rated().prop_map(Change::Put),
        1 => played().prop_map(Change::PutPlain),
        1 => (0u64..6, 0u16..4).prop_map(|(key, code)| Change::Delete(key, code)),
    ]
}

fn apply(changes: &[Change], moves: &mut BTreeMap<(u64, u16), RatedMoveRow>) -> Batch {
    let mut batch = Batch::new();
    let add = |moves: &mut BTreeMap<_, _>, row: RatedMoveRow| {
        moves.entry(row.rank()).and_modify(|before: &mut RatedMoveRow| before.absorb(&row)).or_insert(row);
    };
    for change in changes {
        match *change {
            Change::Add(row) => {
                batch.add_rated_move(row);
                add(moves, row);
            }
            Change::AddPlain(row) => {
                batch.add_move(row);
                add(moves, row.into());
            }
            Change::Put(row) => {
                batch.put_rated_move(row);
                moves.insert(row.rank(), row);
            }
            Change::PutPlain(row) => {
                batch.put_move(row);
                moves.insert(row.rank(), row.into());
            }
            Change::Delete(key, code) => {
                batch.delete_move(key, code);
                moves.remove(&(tabia::mix(key), code));
            }
        }
    }
    batch
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_rated_book_does_what_a_map_does(
        start in any_rated(Just(true)), steps in prop::collection::vec((prop::collection::vec(any_change(), 0..12), 0u8..4), 1..8)
    ) {
        let (_folder, path) = folder();
        start.write(&path, Load::default());
        let mut moves = by_rank(&start.moves);
        let mut writer = Writer::open(Env::default(), &path).unwrap();
        for (changes, then) in &steps {
            writer.append(&apply(changes, &mut moves)).unwrap();
            if *then == 0 {
                writer.compact().unwrap();
            }
            let book = Book::open(&path).unwrap();
            prop_assert!(book.header().is_rated());
            prop_assert_eq!(by_rank(&collect::<RatedMoveRow>(&book)), moves.clone());
            for key in 0..6 {
                let h = tabia::mix(key);
                let expected: Vec<_> = moves.range((h, 0)..=(h, u16::MAX)).map(|(_, row)| *row).collect();
                prop_assert_eq!(&*book.rated_moves(key).unwrap(), &expected);
            }
            let report = check(&Env::default(), &path).unwrap();
            prop_assert!(report.bad.iter().all(|finding| finding.what.contains("proofs")), "{:?}", report.bad);
        }
    }

    #[test]
    fn diff_of_rated_and_plain_books_compares_ratings_too(a in any_rated(Just(true)), b in any_rated(any::<bool>())) {
        let (folder, path) = folder();
        let (first, second) = (a.book(&path, Load::default()), b.book(&folder.path().join("other"), Load::default()));
        for (first, second, a, b) in [(&first, &second, &a, &b), (&second, &first, &b, &a)] {
            let mut found = Vec::new();
            let summary = diff(&Env::default(), first, second, |difference| match difference {
                Difference::RatedMove(x, y) => found.push((x, y)),
                Difference::Position(..) => {}
                Difference::Move(..) => unreachable!("one of the books has ratings"),
            }).unwrap();
            let (a, b) = (by_rank(&a.moves), by_rank(&b.moves));
            let ranks: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
            let pairs: Vec<_> = ranks.into_iter().map(|rank| (a.get(rank).copied(), b.get(rank).copied())).collect();
            let same = pairs.iter().filter(|(x, y)| x == y).count() as u64;
            prop_assert_eq!(summary.moves.same, same);
            prop_assert_eq!(found, pairs.into_iter().filter(|(x, y)| x != y).collect::<Vec<_>>());
        }
    }
}

/// A rated book of so many positions, the same for the same seed.
fn rated_sample(seed: u64, positions: u64) -> Rated {
    Rated::new(sample(seed, positions), seed, true)
}

#[test]
fn large_rated_books_which_threads_share_give_the_same_bytes() {
    let (folder, all) = folder();
    let (a, b) = (rated_sample(1, 400_000), Rated::new(sample(3, 400_000), 3, false));
    let paths = ["a.tabia", "b.tabia"].map(|name| folder.path().join(name));
    a.write(&paths[0], Load::default());
    b.write(&paths[1], Load::default());
    let merged = merged(&folder.path().join("merged"), &[&paths[1], &paths[0]]);
    a.with(&b).write(&all, Load::default());
    assert!(merged == fs::read(&all).unwrap());
    assert!(check(&Env::default(), &all).unwrap().ok());
}

#[test]
fn rows_with_ratings_are_sorted_in_little_memory_and_filtered_by_games() {
    let (folder, _) = folder();
    let content = rated_sample(2, 20_000);
    let mut sorters: Vec<_> = (0..3).map(|_| Sorter::new(&System, folder.path(), 1 << 16)).collect();
    for (i, row) in content.moves.iter().enumerate().rev() {
        sorters[i % 3].push(*row).unwrap();
        sorters[(i + 1) % 3].push(*row).unwrap();
    }
    let sorted = Sorted::join(&Env::default(), sorters.into_iter().map(Sorter::finish).collect()).unwrap();
    let twice = content.clone().with(&content).moves;
    assert_eq!(collect(&sorted), twice);
    let often: Vec<_> = twice.iter().copied().filter(|row| row.counts().games() >= 10).collect();
    assert!(!often.is_empty() && often.len() < twice.len());
    assert_eq!(collect(&Played { rows: sorted, min_games: 10 }), often);
}

#[test]
fn ratings_go_into_rated_books_only() {
    let (folder, path) = folder();
    let books = [rated_sample(1, 10).book(&folder.path().join("rated.tabia"), Load::default())];
    sample(2, 10).write(&path, Load::default());
    let before = fs::read(&path).unwrap();
    let mut batch = Batch::new();
    batch.put_rated_move(rate(MoveRow::new(1, 2, Counts::default()), 3));
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    assert!(matches!(writer.append(&batch), Err(Error::NoRatings { .. })));
    let mut rows = RowSet::<RatedMoveRow>::rows(&books[0]).unwrap();
    assert!(matches!(writer.append_rated_rows(None, Some(&mut *rows), &[]), Err(Error::NoRatings { .. })));
    drop(writer);
    assert!(matches!(merge_into(&Env::default(), &path, &books, false), Err(Error::NoRatings { .. })));
    assert!(fs::read(&path).unwrap() == before && !journal_path(&path).exists());
    // Asked through plain rows, it takes them without their ratings.
    let mut rows = RowSet::<MoveRow>::rows(&books[0]).unwrap();
    Writer::open(Env::default(), &path).unwrap().append_rows(None, Some(&mut *rows), &[]).unwrap();
    let expected = Content { positions: Vec::new(), ..sample(1, 10) }.with(&Content { positions: Vec::new(), ..sample(2, 10) });
    assert_eq!(collect::<MoveRow>(&Book::open(&path).unwrap()), expected.moves);
}

#[test]
fn plain_rows_that_are_appended_to_a_rated_book_are_unrated_there() {
    let (_folder, path) = folder();
    let content = rated_sample(1, 10);
    content.write(&path, Load::default());
    let more = Rated::new(sample(2, 10), 2, false);
    let plain: Vec<MoveRow> = more.rest.moves.clone();
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer.append_rows(None, Some(&mut *plain.rows().unwrap()), &[]).unwrap();
    let mut rated = content.moves.rows().unwrap();
    writer.append_rated_rows(None, Some(&mut *rated), &[]).unwrap();
    drop(rated);
    let expected = content.clone().with(&more).with(&content).moves;
    assert_eq!(collect::<RatedMoveRow>(&Book::open(&path).unwrap()), expected);
    assert!(check(&Env::default(), &path).unwrap().ok());
}

#[test]
fn a_rated_book_that_is_written_anew_keeps_its_ratings() {
    let (folder, path) = folder();
    let content = rated_sample(1, 100);
    let book = content.book(&path, Load::default());
    let again = folder.path().join("again.tabia");
    NewBook::like(book.header()).tables_of(&book).sources(book.sources().unwrap()).write(&Env::default(), &again, false).unwrap();
    assert!(fs::read(&again).unwrap() == fs::read(&path).unwrap());
    let header = Book::from_bytes(fs::read(&again).unwrap()).unwrap().header().clone();
    assert_eq!((header.incompatible, header.row_size(TableKind::Moves), header.row_size(TableKind::Positions)), (1, 48, 24));
}

#[test]
fn salvage_keeps_exactly_the_rated_moves_outside_damaged_blocks() {
    let (folder, path) = folder();
    let content = rated_sample(1, 2000);
    let table = *content.book(&path, Load::default()).header().table(TableKind::Moves).unwrap();
    let mut batch = Batch::new();
    let last = *content.moves.last().unwrap();
    batch.add_rated_move(last);
    Writer::open(Env::default(), &path).unwrap().append(&batch).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let slots: Vec<Vec<u8>> = bytes[table.offset as usize..][..table.length as usize].chunks(48).map(<[u8]>::to_vec).collect();
    let damaged = [0, 3, 4];
    for block in damaged {
        bytes[(table.offset + block * 4096) as usize + 1] ^= 0x10;
    }
    fs::write(&path, &bytes).unwrap();
    let output = folder.path().join("salvaged.tabia");
    let report = salvage(&Env::default(), &path, &output, false).unwrap();
    let touched = |slot: u64| [slot * 48 / 4096, (slot * 48 + 47) / 4096].iter().any(|block| damaged.contains(block));
    let sound = slots.iter().zip(0..).filter(|(row, slot)| row[23] != 0xff && !touched(*slot)).count();
    assert!(sound > 1000 && sound < content.moves.len());
    let kept = report.moves.unwrap();
    assert_eq!((kept.kept, kept.expected, report.frames), (sound as u64, content.moves.len() as u64, 1));
    let rows = collect::<RatedMoveRow>(&Book::open(&output).unwrap());
    assert_eq!(rows.len(), sound);
    let mut all = by_rank(&content.moves);
    all.get_mut(&last.rank()).unwrap().absorb(&last);
    assert!(rows.iter().all(|row| all.get(&row.rank()) == Some(row)));
    assert!(check(&Env::default(), &output).unwrap().ok());
}

/// Every place of an answer comes from sums that were added by hand.
#[test]
fn the_ratings_of_a_move_are_sums_over_its_rated_games() {
    let (folder, path) = folder();
    let game = |wins, losses| RatedMoveRow::new(7, 796, Counts { wins, draws: 0, losses });
    let one: Vec<_> = vec![game(1, 0).with_ratings(Ratings::of_game(2431, 2290, 2))];
    let two: Vec<_> = vec![game(0, 1).with_ratings(Ratings::of_game(2300, 2300, 0))];
    let unrated: Vec<_> = vec![game(1, 0).plain()];
    let new = || NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap());
    let paths = ["one", "two", "unrated"].map(|name| folder.path().join(name));
    new().rated_moves(&one).write(&Env::default(), &paths[0], false).unwrap();
    new().rated_moves(&two).write(&Env::default(), &paths[1], false).unwrap();
    new().moves(&unrated).write(&Env::default(), &paths[2], false).unwrap();
    merged(&path, &[&paths[0], &paths[1], &paths[2]]);
    let rows = Book::open(&path).unwrap().rated_moves(7).unwrap().into_owned();
    let ratings = Ratings { mover_sum: 4731, opponent_sum: 4590, games: 2, score: 2 };
    assert_eq!(rows, [RatedMoveRow::new(7, 796, Counts { wins: 2, draws: 0, losses: 1 }).with_ratings(ratings)]);
    assert_eq!((ratings.average(), ratings.performance(), ratings.gain()), (Some(2365.5), Some(2295.0), Some(-70.5)));
}
