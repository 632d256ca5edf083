//! Tables of several pieces (12,288 slots are read at a time): rows that are out of order or out of
//! place where pieces meet, with every checksum right. Findings T6 and T7.

use crate::books::{
    Content, checked, collect, columns_of_bits, folder_in_memory, moves_of, of_hashes, open, stream,
};
use crate::image::Image;
use std::fs;
use std::path::{Path, PathBuf};
use tabia::format::{Load, Tag};
use tabia::stream::{RowSet, Rows};
use tabia::{
    Columns, Duplicates, Env, Error, Existing, Hash, MergeOptions, PositionRow, Row, Rule,
    TableKind, diff, home, merge, merge_into, mix, salvage,
};
use tempfile::TempDir;

/// Slots of a piece.
const PIECE: usize = 12_288;

/// Few pieces are read by the one who asks, many by several threads.
const SIZES: [usize; 2] = [25_000, 60_000];

fn content(rows: usize) -> Content {
    let hashes = (0..rows).map(|i| mix(i as u64 ^ 0xfeed_0000));
    of_hashes(hashes)
}

/// A sound book in a folder of its own: that, the place for a changed one, its own, and what is in it.
fn made(content: Content, columns: Columns) -> (TempDir, PathBuf, PathBuf, Content, Image) {
    let (folder, path) = folder_in_memory();
    let sound = folder.path().join("sound");
    let content = content.with_cells(columns, 1);
    content.write(&sound);
    let image = Image::read(&sound);
    (folder, path, sound, content, image)
}

/// Changes the slots of a table, and nothing beside it.
fn change(image: &Image, kind: TableKind, exchange: impl Fn(&mut [[u8; 24]])) -> Image {
    let mut image = image.clone();
    exchange(image.body(Tag::table(kind)).as_chunks_mut().0);
    image
}

/// The occupied slot that is the first from this one on.
fn next_row(slots: &[[u8; 24]], from: usize) -> usize {
    (from..slots.len()).find(|&slot| slots[slot][23] != 0xff).unwrap()
}

/// The occupied slot that is the last before this one.
fn last_row(slots: &[[u8; 24]], before: usize) -> usize {
    (0..before).rev().find(|&slot| slots[slot][23] != 0xff).unwrap()
}

fn is_b16(error: Error) -> bool {
    matches!(error, Error::Damaged { rule: Rule::B16, .. })
}

/// Whether whoever reads all rows of a table finds out that they are out of order: streams, merges,
/// comparisons.
fn assert_streams_refuse(path: &Path, sound: &Path, kind: TableKind, what: &str) {
    let book = open(path);
    assert!(stream(&book, kind).is_err_and(is_b16), "{what}");
    let one_by_one = match kind {
        TableKind::Positions => book.all_positions().unwrap().find_map(Result::err),
        TableKind::Moves => book.all_moves().unwrap().find_map(Result::err),
    };
    assert!(one_by_one.is_some_and(is_b16), "{what}");
    let other = open(sound);
    assert!(diff(&Env::default(), &other, &book, |_| ()).is_err_and(is_b16), "{what}");
    let output = path.with_extension("output");
    let options = MergeOptions { duplicates: Duplicates::Allow, ..MergeOptions::default() };
    let merged = merge(&Env::default(), &output, &[other, book], options);
    assert!(merged.is_err_and(is_b16) && !output.exists(), "{what}");
    let target = path.with_extension("target");
    fs::copy(sound, &target).unwrap();
    let merged = merge_into(&Env::default(), &target, &[open(path)], Duplicates::Allow);
    assert!(merged.is_err_and(is_b16), "{what}");
    assert_eq!(open(&target).journal().frames, 0, "{what}");
}

/// Whether `check` finds a row at this slot out of place.
fn assert_found(path: &Path, kind: TableKind, slots: &[usize], what: &str) {
    let report = checked(path);
    let block = |slot: usize| Some((slot * 24 / 4096) as u64);
    let found = |slot: usize| {
        report.bad.iter().any(|bad| {
            bad.rule == Rule::B16
                && bad.block == block(slot)
                && bad.section == Tag::table(kind).to_string()
        })
    };
    assert!(slots.iter().any(|&slot| found(slot)), "{what}: {:?}", report.bad);
}

/// Whether salvage makes a sound book of rows that are in the content, and loses no more than so
/// many.
fn assert_salvaged(path: &Path, content: &Content, most_lost: u64, what: &str) {
    let output = path.with_extension("salvaged");
    let report = salvage(&Env::default(), path, &output, Existing::Replace)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    let again = checked(&output);
    assert!(again.ok(), "{what}: {:?}", again.bad);
    let lost = report.positions.unwrap().lost() + report.moves.unwrap().lost();
    assert!((1..=most_lost).contains(&lost), "{what}: {lost} rows lost");
    let positions: Vec<PositionRow> = collect(&open(&output));
    let mut all = content.positions.iter();
    assert!(positions.iter().all(|row| all.any(|mine| mine == row)), "{what}");
    let mut all = content.moves.iter();
    assert!(moves_of(&output).iter().all(|row| all.any(|mine| mine.row == row.row)), "{what}");
    let kept = positions.len() + moves_of(&output).len();
    assert_eq!(kept as u64 + lost, (content.positions.len() + content.moves.len()) as u64);
}

#[test]
fn t6_t7_rows_exchanged_where_pieces_meet_are_found_by_all_and_left_out_by_salvage() {
    for (rows, columns) in SIZES.into_iter().zip([Columns::NONE, columns_of_bits(0b100)]) {
        let (_folder, path, sound, content, image) = made(content(rows), columns);
        for kind in TableKind::ALL {
            let slots = image.clone().body(Tag::table(kind)).as_chunks().0.to_vec();
            for border in (PIECE..slots.len() - PIECE / 2).step_by(PIECE) {
                let (before, behind) = (last_row(&slots, border), next_row(&slots, border));
                let what = format!("{rows} rows, {kind}, slots {before} and {behind}");
                // Exchanged, or a row that is there twice, on either side.
                let changes: [&dyn Fn(&mut [[u8; 24]]); 3] = [
                    &|slots| slots.swap(before, behind),
                    &|slots| slots[behind] = slots[before],
                    &|slots| slots[before] = slots[behind],
                ];
                for exchange in changes {
                    change(&image, kind, exchange).write(&path);
                    assert_found(&path, kind, &[before, behind], &what);
                    assert_streams_refuse(&path, &sound, kind, &what);
                    assert_salvaged(&path, &content, 2, &what);
                }
            }
        }
    }
}

/// A piece without rows lies between those that are exchanged: what came before it is still known.
#[test]
fn t7_order_is_verified_across_pieces_without_rows() {
    // In the lowest tenth and in the highest one of all hashes.
    let tenth = u64::MAX / 10;
    let low = (0..24_000u64).map(|i| mix(i) / 12).filter(|h| *h < tenth);
    let high =
        (0..24_000u64).map(|i| u64::MAX - mix(i ^ 0xabc) / 12).filter(|h| *h > u64::MAX - tenth);
    let content = of_hashes(low.chain(high));
    let (_folder, path, sound, content, image) = made(content, columns_of_bits(0b100));
    for kind in TableKind::ALL {
        let slots = image.clone().body(Tag::table(kind)).as_chunks().0.to_vec();
        let empty = (0..slots.len() / PIECE)
            .filter(|piece| slots[piece * PIECE..][..PIECE].iter().all(|slot| *slot == [0xff; 24]));
        let empty: Vec<_> = empty.collect();
        assert!(!empty.is_empty(), "{kind}");
        let (before, behind) =
            (last_row(&slots, empty[0] * PIECE), next_row(&slots, empty[0] * PIECE));
        assert!(before / PIECE + 1 < behind / PIECE);
        change(&image, kind, |slots| slots.swap(before, behind)).write(&path);
        assert_found(&path, kind, &[before, behind], "exchanged");
        assert_streams_refuse(&path, &sound, kind, "exchanged");
        assert_salvaged(&path, &content, 2, "exchanged");
        change(&image, kind, |slots| slots[behind] = slots[before]).write(&path);
        assert_found(&path, kind, &[behind], "twice");
        assert_streams_refuse(&path, &sound, kind, "twice");
    }
}

/// The least hash that has this home.
fn least_of_home(home_wanted: u64, homes: u64) -> u64 {
    let h = ((u128::from(home_wanted) << 64).div_ceil(u128::from(homes))) as u64;
    assert_eq!(home(h, homes), home_wanted);
    h
}

/// Random hashes without those of homes near the borders of pieces, and there two of one home: the
/// first stands in the last slot of a piece, the second is pushed into the next.
fn with_pushed_rows(rows: usize) -> (Content, Vec<usize>) {
    let homes = Load::default().homes(rows as u64);
    let borders: Vec<usize> = (PIECE..homes as usize - 300).step_by(PIECE).collect();
    let near = |h: u64| borders.iter().any(|&border| home(h, homes).abs_diff(border as u64) < 200);
    let pair = |border| [0, 1].map(|more| least_of_home(border as u64 - 1, homes) + more);
    let crafted: Vec<u64> = borders.iter().flat_map(|&border| pair(border)).collect();
    let random =
        (0..).map(|i: u64| mix(i ^ 0xdead_0000)).filter(|&h| !near(h)).take(rows - crafted.len());
    (of_hashes(random.chain(crafted)), borders)
}

/// Rows in order with their sums right, but each in a slot where no search finds it, or before its
/// home, where pieces meet.
#[test]
fn t7_rows_out_of_place_where_pieces_meet_are_found() {
    for rows in SIZES {
        let (content, borders) = with_pushed_rows(rows);
        let (_folder, path, _, content, image) = made(content, Columns::NONE);
        assert_eq!(content.positions.len(), rows);
        for (kind, &border) in TableKind::ALL
            .into_iter()
            .flat_map(|kind| borders.iter().map(move |border| (kind, border)))
        {
            let what = format!("{rows} rows, {kind}, border {border}");
            let slots = image.clone().body(Tag::table(kind)).as_chunks().0.to_vec();
            let is_empty = |slot: usize| slots[slot] == [0xff; 24];
            assert!(is_empty(border - 2) && is_empty(border + 1), "{what}");
            assert!(!is_empty(border - 1) && !is_empty(border), "{what}");
            assert!(image.clone().entry(kind).shape.max_displacement >= 2, "{what}");
            // Both a slot later: behind an empty slot.
            change(&image, kind, |slots| slots[border - 1..border + 2].rotate_right(1))
                .write(&path);
            assert_found(&path, kind, &[border], &what);
            // The second one a slot later: an empty slot between them.
            change(&image, kind, |slots| slots.swap(border, border + 1)).write(&path);
            assert_found(&path, kind, &[border + 1], &what);
            // Both a slot earlier: before their home.
            change(&image, kind, |slots| slots[border - 2..border + 1].rotate_left(1)).write(&path);
            assert_found(&path, kind, &[border - 2], &what);
            // Far behind.
            change(&image, kind, |slots| slots.swap(border, border + 150)).write(&path);
            assert_found(&path, kind, &[border + 150], &what);
        }
        // As it was, all is well.
        image.write(&path);
        assert!(checked(&path).ok());
    }
}

/// Salvage keeps no row that stands before its home, or further from it than any row is said to be,
/// though it is in order.
#[test]
fn b16_salvage_leaves_out_rows_where_no_search_finds_them() {
    let (content, borders) = with_pushed_rows(SIZES[0]);
    let (_folder, path, _, content, image) = made(content, Columns::NONE);
    for kind in TableKind::ALL {
        let border = borders[0];
        assert!(image.clone().entry(kind).shape.max_displacement < 150);
        change(&image, kind, |slots| slots.swap(border - 2, border - 1)).write(&path);
        assert_salvaged(&path, &content, 1, "before its home");
        change(&image, kind, |slots| slots.swap(border, border + 150)).write(&path);
        assert_salvaged(&path, &content, 1, "beyond the max_displacement");
    }
}

#[test]
fn t7_rows_between_two_hashes_are_verified_across_pieces() {
    let (_folder, path, _, content, image) = made(content(60_000), Columns::NONE);
    let slots = image.clone().body(Tag::POSITIONS).as_chunks().0.to_vec();
    let border = 2 * PIECE;
    let (before, behind) = (last_row(&slots, border), next_row(&slots, border));
    change(&image, TableKind::Positions, |slots| slots.swap(before, behind)).write(&path);
    let book = open(&path);
    let hash =
        |slot: usize| Hash::from_bits(u64::from_le_bytes(slots[slot][..8].try_into().unwrap()));
    let (low, high) = (hash(next_row(&slots, PIECE + 100)), hash(next_row(&slots, border + 100)));
    let read = |hashes| RowSet::<PositionRow>::rows_between(&book, hashes).and_then(Rows::collect);
    assert!(read(low..=high).is_err_and(is_b16));
    // What is not read is not missed.
    let first = hash(next_row(&slots, PIECE / 2));
    let expected: Vec<_> =
        content.positions.iter().copied().filter(|row| row.hash() <= first).collect();
    assert_eq!(read(Hash::MIN..=first).unwrap().rows(), expected);
    let last = hash(next_row(&slots, border + PIECE + 100));
    let expected: Vec<_> =
        content.positions.iter().copied().filter(|row| row.hash() >= last).collect();
    assert_eq!(read(last..=Hash::MAX).unwrap().rows(), expected);
}
