//! Packed books hold what plain ones hold, and nothing that reads a book can tell them apart
//! (`format-spec/packed.md`).

use crate::books::{
    Content, WON, answer, any_columns, any_content, checked, chess_book, chunk, collect,
    columns_of_bits, folder, keys_of, of_bits, open, open_writer, sample_book, write,
};
use proptest::prelude::*;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use tabia::bytes::Bytes;
use tabia::format::{Load, Tag};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    Batch, BestGame, Book, Cells, Counts, Env, Existing, Hash, Header, Marks, MoveRow, NewBook,
    PositionRow, Ratings, Row, Rule, Share, TableKind, Years, unmix,
};
use tabia_testing::whole;

/// Writes the book at `plain` anew, packed or not.
fn rewritten(plain: &Path, name: &str, packed: bool) -> std::path::PathBuf {
    let path = plain.with_file_name(name);
    let book = open(plain);
    let new = NewBook::copy_of(&book).unwrap().packed(packed);
    new.write(&Env::default(), &path, Existing::Refuse).unwrap();
    path
}

/// Asks for all these positions, alone and together, with their moves and without.
fn assert_batches_agree<S: Bytes>(book: &Book<S>, keys: &[u64]) {
    let mut rows = vec![None; keys.len()];
    book.positions(keys, &mut rows).unwrap();
    let (mut moves, mut seen) = (vec![MoveRow::new(1, 2, Counts::default())], 0);
    for (place, &key) in keys.iter().enumerate() {
        assert_eq!(rows[place], book.position(key).unwrap());
        assert_eq!(book.position_and_moves(key, &mut moves).unwrap(), rows[place]);
        assert_eq!(moves, *book.moves(key).unwrap());
    }
    book.positions_and_moves(keys, |place, position, moves| {
        assert_eq!(place, seen);
        assert_eq!((position, moves), (rows[place], &*book.moves(keys[place]).unwrap()));
        seen += 1;
    })
    .unwrap();
    assert_eq!(seen, keys.len());
}

/// Packs the book at `plain`, compares all that can be read, and unpacks it again; the packed
/// book's header.
fn assert_same(plain: &Path) -> Header {
    let packed = rewritten(plain, "packed.tabia", true);
    let unpacked = rewritten(&packed, "unpacked.tabia", false);
    assert!(fs::read(plain).unwrap() == fs::read(&unpacked).unwrap(), "unpacking gives others");
    let again = rewritten(&packed, "again.tabia", true);
    assert!(fs::read(&packed).unwrap() == fs::read(&again).unwrap(), "packing again gives others");
    let report = checked(&packed);
    let sound = report.bad.iter().all(|finding| finding.rule == Rule::M3);
    assert!(sound, "{:?}", report.bad);
    let (one, other) = (open(plain), open(&packed));
    let memory = Book::from_bytes(fs::read(&packed).unwrap()).unwrap();
    let keys: Vec<u64> = keys_of(&one)
        .into_iter()
        .flat_map(|key| [key, key ^ 1, unmix(tabia::mix(key).wrapping_add(1))])
        .collect();
    // Of large books some: probes of large groups read the file many times.
    let step = keys.len() / if whole() { 2000 } else { 250 } + 1;
    let keys: Vec<u64> =
        keys.into_iter().step_by(step).chain([0, u64::MAX, unmix(u64::MAX), unmix(0)]).collect();
    for &key in &keys {
        let expected = answer(&one, key).unwrap();
        assert_eq!(answer(&other, key).unwrap(), expected);
        assert_eq!(answer(&memory, key).unwrap(), expected);
        assert_eq!(memory.moves(key).unwrap(), one.moves(key).unwrap());
        assert_eq!(other.moves(key).unwrap(), one.moves(key).unwrap());
    }
    let mut out: [_; 3] = std::array::from_fn(|_| vec![None; keys.len()]);
    one.positions(&keys, &mut out[0]).unwrap();
    other.positions(&keys, &mut out[1]).unwrap();
    memory.positions(&keys, &mut out[2]).unwrap();
    assert!(out[0] == out[1] && out[0] == out[2]);
    let some: Vec<u64> = keys.iter().copied().step_by(keys.len() / 100 + 1).collect();
    assert_batches_agree(&one, &some);
    assert_batches_agree(&other, &some);
    assert_batches_agree(&memory, &keys);
    assert_batches_agree(&Book::from_bytes(fs::read(plain).unwrap()).unwrap(), &keys);
    let starts: Vec<u64> = keys.iter().map(|&key| tabia::mix(key)).take(8).collect();
    for window in starts.windows(2) {
        let hashes = of_bits(window[0].min(window[1])..=window[0].max(window[1]));
        assert_eq!(between::<PositionRow>(&one, &hashes), between(&other, &hashes));
        assert_eq!(between::<MoveRow>(&one, &hashes), between(&other, &hashes));
    }
    for kind in TableKind::ALL {
        let shape = |book: &Book| book.header().table(kind).map(|table| table.shape);
        let totals = |shape: tabia::TableShape| (shape.rows, shape.wins, shape.draws, shape.losses);
        assert_eq!(shape(&one).map(totals), shape(&other).map(totals));
    }
    other.header().clone()
}

/// The rows of a table between these hashes, if the book has it.
fn between<R: Row>(book: &Book, hashes: &RangeInclusive<Hash>) -> Option<Chunk<R>>
where
    Book: RowSet<R>,
{
    let rows = book.has(R::TABLE).then(|| RowSet::<R>::rows_between(book, hashes.clone()).unwrap());
    rows.map(|rows| Rows::collect(rows).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_book_is_packed_and_unpacked_to_the_same_bytes(content in any_content(), columns in any_columns(), tables in 1u8..4, load in 500u32..=980, seed: u64) {
        let (_folder, path) = folder();
        let content = content.with_cells(columns, seed);
        let load = Load::from_thousandths(load).unwrap();
        let new = chess_book().load(load).filter(content.filter);
        let new = if tables & 1 != 0 { new.positions(&content.positions) } else { new.filter(false) };
        let new = if tables & 2 != 0 { new.moves(&content.moves) } else { new };
        new.write(&Env::default(), &path, Existing::Refuse).unwrap();
        assert_same(&path);
    }

    #[test]
    fn games_as_archives_have_them_are_packed(seed: u64, positions in 0u64..3000, columns in any_columns()) {
        let (_folder, path) = folder();
        let content = like_an_archive(seed, positions);
        content.with_cells(columns, seed).write(&path);
        assert_same(&path);
    }
}

/// A book as archives make them: most positions have one game and one move.
fn like_an_archive(seed: u64, positions: u64) -> Content {
    let mut content = Content::default();
    for i in 0..positions {
        let key = tabia::mix(seed ^ tabia::mix(i));
        let random = tabia::mix(key);
        let games = if random.is_multiple_of(16) { random >> 50 } else { 1 + random % 2 };
        let mut counts = Counts::new((games / 2) as u32, 0, 0);
        counts.losses = games as u32 - counts.wins;
        content.positions.push(PositionRow::new(key, counts));
        match random >> 8 & 31 {
            0 => {}
            1 => (0..random >> 60).for_each(|code| {
                let marks = Marks::from_bits_retain((random >> 20) as u8 & 3);
                let counts = Counts::new(code as u32, 0, 1);
                content.push_move(MoveRow::new(key, 100 + code as u16, counts).with_marks(marks));
            }),
            _ => content.push_move(MoveRow::new(key, (random >> 40) as u16 % 600, counts)),
        }
    }
    content.settled()
}

#[test]
fn a_large_book_is_an_eighth_of_its_bytes() {
    let (_folder, path) = folder();
    let plain = like_an_archive(5, 100_000).write(&path);
    let packed = assert_same(&path);
    let bytes = packed.file_length as f64 / 100_000.0;
    println!("{bytes} bytes a position, {} before", plain.file_length as f64 / 100_000.0);
    // Of random keys in so small a book a remainder takes 47 bits.
    assert!(bytes < 13.0, "{bytes}");
}

#[test]
fn evaluated_positions_are_packed() {
    let (_folder, path) = sample_book(2, 50_000);
    let packed = assert_same(&path);
    let large = packed.table(TableKind::Positions).unwrap().length;
    assert_eq!(large, 0, "no group is large");
}

/// Rows of these hashes, with two moves each.
fn of_hashes(hashes: impl IntoIterator<Item = u64>) -> Content {
    let mut content = Content::default();
    for h in hashes {
        let counts = Counts::new((h % 3) as u32, 1, (h % 1000) as u32);
        content.positions.push(PositionRow::of_hash(Hash::from_bits(h), counts));
        for code in [7, 1000 + (h % 50) as u16] {
            content.push_move(MoveRow::of_hash(Hash::from_bits(h), code, counts));
        }
    }
    content.settled()
}

#[test]
fn keys_that_were_chosen_to_collide_are_in_large_groups() {
    let cases = [
        // All in one bucket; all in a hundredth of the hashes; runs of different density; a
        // thousand in the last bucket of all.
        of_hashes(0..20_000),
        of_hashes((0..20_000).map(|i| i << 44)),
        of_hashes((0..20_000).map(|i| tabia::mix(i) >> (i % 30))),
        of_hashes((0..1000).map(|i| u64::MAX - i).chain((0..5000).map(tabia::mix))),
    ];
    for (case, content) in cases.iter().enumerate() {
        for (columns, filter) in [(0, true), (7, false)] {
            let (_folder, path) = folder();
            let content = Content { filter, ..content.clone() };
            content.with_cells(columns_of_bits(columns), 3).write(&path);
            let packed = assert_same(&path);
            let large = packed.table(TableKind::Positions).unwrap().length / 24;
            println!("case {case}, columns {columns}: {large} rows in large groups");
            assert!(large > 0, "case {case}");
        }
    }
}

/// Of a book many threads write some pages each; rows in memory one thread writes.
#[test]
fn a_packed_book_that_threads_share_has_the_same_bytes() {
    let (folder, path) = folder();
    let mut content = like_an_archive(5, 600_000);
    for cluster in 0..40 {
        let crowded = of_hashes((0..50 << (cluster % 7)).map(|i| tabia::mix(cluster) + i));
        content = content.with(&crowded);
    }
    content.write(&path);
    let shared = rewritten(&path, "shared.tabia", true);
    let alone = folder.path().join("alone.tabia");
    let header = Content { packed: true, ..content }.write(&alone);
    assert!(header.section(Tag::PAGE).unwrap().shape.homes > 1000);
    assert!(header.table(TableKind::Positions).unwrap().length > 24 * 40);
    assert!(fs::read(shared).unwrap() == fs::read(alone).unwrap());
    assert!(checked(&path.with_file_name("shared.tabia")).bad.is_empty());
}

#[test]
fn positions_of_thousands_of_moves_and_of_the_most_games_are_packed() {
    let (_folder, path) = folder();
    let mut content = like_an_archive(9, 3000);
    for (key, count) in [(3, 65_536u32), (4, 1500), (5, 300), (6, 255), (7, 100)] {
        let counts = Counts::new(u32::MAX, u32::MAX, u32::MAX);
        content.positions.push(PositionRow::new(key, counts));
        for code in 0..count {
            let counts = Counts::new(code, u32::MAX - code, code % 2);
            content.push_move(MoveRow::new(key, code as u16, counts));
        }
    }
    content.settled().write(&path);
    let packed = assert_same(&path);
    let large = packed.table(TableKind::Moves).unwrap().length / 24;
    assert!((65_536 + 1500..65_536 + 2500).contains(&large), "{large}");
}

#[test]
fn a_journal_is_laid_over_a_packed_book_and_compacted_into_it() {
    let (_folder, path) = folder();
    like_an_archive(1, 2000).write(&path);
    let packed = rewritten(&path, "packed.tabia", true);
    let some: Vec<PositionRow> = collect(&open(&path));
    for path in [&path, &packed] {
        let counts = WON;
        let mut batch = Batch::new();
        batch.delete_position(some[5].key()).put_position(PositionRow::new(7, counts));
        batch.add_position(PositionRow::new(some[6].key(), counts).with_eval(-30, 9));
        batch.add_move(MoveRow::new(some[7].key(), 9999, counts));
        open_writer(path).append(&batch).unwrap();
    }
    let same = |when: &str| {
        let (one, other) = (open(&path), open(&packed));
        assert_eq!(collect::<PositionRow>(&one), collect::<PositionRow>(&other), "{when}");
        assert_eq!(chunk::<MoveRow>(&one), chunk::<MoveRow>(&other), "{when}");
        let keys = [some[5].key(), some[6].key(), some[7].key(), 7, 8];
        assert_batches_agree(&one, &keys);
        assert_batches_agree(&other, &keys);
        for key in keys {
            assert_eq!(one.position(key).unwrap(), other.position(key).unwrap(), "{when}");
            assert_eq!(one.moves(key).unwrap(), other.moves(key).unwrap(), "{when}");
        }
        other.header().packed
    };
    assert!(same("by the journal"));
    for path in [&path, &packed] {
        open_writer(path).compact().unwrap();
    }
    assert!(same("compacted"), "a packed book stays one");
    assert_eq!(open(&packed).journal().frames, 0);
    // And the other way round: the plain one is packed in its place, though it has no journal.
    let plain = open(&path).digest();
    let mut writer = open_writer(&path);
    assert!(writer.compact_as(true).unwrap() && writer.header().packed);
    assert!(!writer.compact_as(true).unwrap(), "there is nothing to do");
    assert_eq!(writer.header().parent, plain);
    assert_eq!(writer.header().digest, open(&packed).digest());
    // What a book was compacted of stays known when it is unpacked and packed again.
    let unpacked = rewritten(&path, "unpacked.tabia", false);
    let again = rewritten(&unpacked, "again.tabia", true);
    assert!(fs::read(&path).unwrap() == fs::read(again).unwrap());
    writer.append(Batch::new().delete_position(7)).unwrap();
    assert!(writer.compact_as(false).unwrap() && !writer.header().packed);
    drop(writer);
    assert_eq!(open(&path).position(7).unwrap(), None);
}

#[test]
fn shares_are_packed() {
    let content = like_an_archive(4, 4000);
    for (bits, number) in [(1, 0), (3, 5), (32, 0)] {
        let (_folder, path) = folder();
        let share = Share::new(bits, number).unwrap();
        let mut mine = content.clone();
        mine.positions.retain(|row| share.holds(row.hash()));
        mine.moves.retain(|row| share.holds(row.hash()));
        if bits == 32 {
            // Low bits alone.
            let counts = WON;
            let row = |h| PositionRow::of_hash(Hash::from_bits(h), counts);
            mine.positions =
                (0..3000).map(|h| row(h * 77_777)).chain([row(u32::MAX.into())]).collect();
            mine.moves = Default::default();
        }
        write(mine.settled().new_book().share(share), &path);
        assert_same(&path);
    }
}

/// Cells as those of a move that was only made in games like this one.
fn cells_of_game(row: &MoveRow, game: u64, swapped: bool) -> Cells {
    let (games, rank) = (row.counts().games(), 4000 + (game % 900) as u16);
    let (mover, opponent) = (2100 + game % 300, 2000 + game % 17);
    let (mover, opponent) = if swapped { (opponent, mover) } else { (mover, opponent) };
    let score = 2 * u64::from(row.counts().wins) + u64::from(row.counts().draws);
    let ratings = Ratings {
        mover_sum: games * mover,
        opponent_sum: games * opponent,
        games: games as u32,
        score,
    };
    let digest = tabia::mix(game) & BestGame::MOST;
    let cells = Cells::NONE.with(BestGame { rank, digest }).with(ratings);
    cells.with(Years::of_game(1900 + (game % 120) as u16))
}

/// Most moves' cells follow from their games; some have none, or say something else.
#[test]
fn cells_that_games_tell_take_a_few_bits() {
    let content = like_an_archive(11, 30_000);
    let all = columns_of_bits(7);
    let cells = |row: &MoveRow| {
        let random = tabia::mix(row.hash().get() ^ 5);
        match random % 50 {
            0 => Cells::NONE,
            1 => crate::books::cells_of(all, row, 1),
            _ => cells_of_game(row, random >> 20 & 255, random >> 40 & 1 != 0),
        }
    };
    let mut moves = Chunk::new(all);
    content.moves.rows().iter().for_each(|row| moves.push(*row, &cells(row)));
    let mut bytes = Vec::new();
    for columns in 0..8 {
        let (_folder, path) = folder();
        let mut some = Chunk::new(columns_of_bits(columns));
        moves.iter().for_each(|row| some.push(row.row, &row.cells.to(some.columns())));
        Content { moves: some, ..content.clone() }.write(&path);
        let packed = assert_same(&path);
        bytes.push(packed.file_length as f64 / 30_000.0);
    }
    println!("{bytes:?} bytes a position of no columns, ratings, game, both, ...");
    // Eleven bits of a game, one each of whether it tells all, and whose rating is whose.
    assert!(bytes[7] < bytes[0] + 5.5, "{bytes:?}");
}
