//! Polyglot's books: what is read of any bytes, what is written, and that books come back.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io;
use tabia::storage::System;
use tabia::stream::Chunk;
use tabia::{Cells, Counts, Env, Marks, MoveRow, Ratings, WithCells};
use tabia_interop::polyglot::{
    self, Entry, EntrySorter, GatherOptions, Gathered, Header, Learn, Meaning, Read, Weight,
    WeightBasis,
};

fn read(bytes: &[u8]) -> (Vec<Entry>, Read) {
    let mut entries = Vec::new();
    let read = polyglot::read(bytes, |entry| {
        entries.push(entry);
        Ok::<_, io::Error>(())
    });
    (entries, read.unwrap())
}

fn bytes(entries: &[Entry]) -> Vec<u8> {
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}

fn entry(key: u64, code: u16, weight: u16, learn: u32) -> Entry {
    Entry { key, code, weight, learn }
}

/// What is kept of all moves, weighed by their points.
fn options() -> GatherOptions<'static> {
    GatherOptions {
        weigh: &|moves, weights| WeightBasis::Points.weigh(moves, weights),
        min_games: 0,
        min_weight: 1,
        keep: &|_| true,
    }
}

fn gather<R: Into<WithCells<MoveRow>>>(
    rows: Vec<R>,
    options: &GatherOptions<'_>,
) -> (Vec<Entry>, Gathered) {
    let mut rows: Chunk<MoveRow> = rows.into_iter().map(Into::into).collect();
    rows.sort_and_merge();
    let mut entries = Vec::new();
    let gathered = polyglot::gather(
        &rows,
        options,
        |entry| {
            entries.push(entry);
            Ok(())
        },
        |_| Ok(()),
    );
    (entries, gathered.unwrap())
}

fn write(entries: &[Entry], header: Option<&Header>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut sorter = EntrySorter::new(&System, folder.path(), 0);
    entries.iter().for_each(|&entry| sorter.push(entry).unwrap());
    let mut out = Vec::new();
    let written = sorter.write(&Env::default(), header, &mut out, |_| Ok(())).unwrap();
    assert_eq!(written, out.len() as u64);
    out
}

#[test]
fn every_oddity_is_read_and_told() {
    let header = Header { variants: vec!["normal".into()], comment: "ours".into() };
    let mut book = header.entries();
    book.extend([
        entry(5, 796, 3, 0),
        entry(5, 0, 9, 0),
        entry(5, 797, 0, 7),
        entry(5, 797, 0, 7),
        entry(5, 797, 2, 0),
    ]);
    book.extend([entry(4, 0xffff, 1, 0), entry(0, 796, 1, 0), entry(9, 1, u16::MAX, u32::MAX)]);
    let mut bytes = bytes(&book);
    bytes.extend_from_slice(b"cut off");
    let (entries, read) = read(&bytes);
    let whole = [
        entry(5, 796, 3, 0),
        entry(5, 797, 0, 7),
        entry(5, 797, 2, 0),
        entry(4, 0xffff, 1, 0),
        entry(9, 1, u16::MAX, u32::MAX),
    ];
    assert_eq!(entries, whole);
    let told = Read {
        entries: 5,
        weightless: 1,
        learned: 2,
        disorders: 1,
        header: Some(header),
        repeated: 1,
        null_moves: 1,
        key_zero: 1,
        trailing: 7,
    };
    assert_eq!(read, told);
}

#[test]
fn entries_with_key_0_are_a_header_only_if_they_say_so() {
    let zeros = [entry(0, 0, 0, 0), entry(0, 7, 7, 7), entry(3, 1, 1, 0)];
    let (entries, told) = read(&bytes(&zeros));
    assert_eq!((entries.len(), told.key_zero, told.header), (1, 2, None));
    let (entries, told) = read(b"");
    assert_eq!((entries.len(), told), (0, Read::default()));
    // A header without end takes no more memory than one of 64 KiB.
    let mut long = Header::of_chess("").unwrap().entries();
    long.resize(100_000, Entry::from_bytes(*b"\0\0\0\0\0\0\0\0abcdefgh"));
    let (_, told) = read(&bytes(&long));
    assert!(told.header.is_some_and(|header| header.comment.len() <= 1 << 16));
}

#[test]
fn a_failing_disk_and_a_full_one_are_told() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
    assert!(polyglot::read(Broken, |_| Ok::<_, io::Error>(())).is_err());
    let full = polyglot::read(&bytes(&[entry(1, 2, 3, 4)])[..], |_| Err(io::Error::other("full")));
    assert_eq!(full.unwrap_err().to_string(), "full");
}

fn row(key: u64, code: u16, counts: [u32; 3]) -> MoveRow {
    let [wins, draws, losses] = counts;
    MoveRow::new(key, code, Counts::new(wins, draws, losses))
}

#[test]
fn weights_are_points_and_moves_that_earned_none_are_left_out() {
    let rows = vec![
        row(1, 10, [3, 1, 9]),
        row(1, 11, [0, 0, 9]),
        row(2, 5, [0, 0, 0]),
        row(3, 6, [70_000, 0, 0]),
        row(3, 7, [35_000, 1, 0]),
    ];
    let (mut entries, gathered) = gather(rows.clone(), &options());
    entries.sort_by_key(|entry| (entry.key, entry.code));
    assert_eq!(entries, [entry(1, 10, 7, 0), entry(3, 6, 65_535, 0), entry(3, 7, 32_768, 0)]);
    let expected = Gathered { entries: 3, positions: 2, scaled: 1, light: 2, ..Default::default() };
    assert_eq!(gathered, expected);
    let (entries, gathered) = gather(rows.clone(), &GatherOptions { min_weight: 0, ..options() });
    assert_eq!((entries.len(), gathered.light), (5, 0));
    let options = GatherOptions { min_games: 14, min_weight: 0, ..options() };
    let (entries, gathered) = gather(rows, &options);
    assert_eq!((entries.len(), gathered.few_games), (2, 3));
}

#[test]
fn the_book_makers_word_is_kept() {
    let marked = |code, mark| row(1, code, [5, 0, 0]).with_marks(mark);
    let rows = vec![
        marked(10, Marks::NEVER),
        marked(11, Marks::GOOD),
        marked(12, Marks::ALWAYS | Marks::BRILLIANT),
        row(2, 5, [1, 0, 0]).with_marks(Marks::NEVER | Marks::ALWAYS),
        row(3, 5, [0, 0, 0]).with_marks(Marks::ALWAYS),
    ];
    let (mut entries, gathered) =
        gather(rows.clone(), &GatherOptions { min_games: 3, ..options() });
    entries.sort_by_key(|entry| entry.key);
    assert_eq!(entries, [entry(1, 12, 65_535, 0), entry(3, 5, 65_535, 0)]);
    let found = Gathered { entries: 2, positions: 2, never: 2, light: 1, ..Gathered::default() };
    assert_eq!(gathered, Gathered { outweighed: 1, annotated: 1, ..found });
    let (entries, _) = gather(rows, &GatherOptions { min_weight: 0, ..options() });
    assert!(entries.contains(&entry(1, 11, 0, 0)) && !entries.iter().any(|entry| entry.code == 10));
}

#[test]
fn what_no_entry_can_say_is_left_out() {
    let ratings = Ratings { mover_sum: 5000, opponent_sum: 5000, games: 2, score: 3 };
    let rated = WithCells { row: row(1, 7, [1, 0, 0]), cells: Cells::NONE.with(ratings) };
    let rows = vec![
        row(0, 10, [1, 0, 0]).into(),
        row(1, 0, [1, 0, 0]).into(),
        rated,
        row(1, 8, [1, 0, 0]).into(),
    ];
    let (entries, gathered) =
        gather(rows, &GatherOptions { keep: &|row| row.code() != 8, ..options() });
    assert_eq!(entries, [entry(1, 7, 2, 0)], "the score of rated games is no learn field");
    let found = Gathered { entries: 1, positions: 1, rated: 1, ..Gathered::default() };
    assert_eq!(gathered, Gathered { unwanted: 1, unwritable: 2, ..found });
}

/// Any rule may weigh, even one that says too little or too much.
#[test]
fn any_rule_may_weigh() {
    let rows = || vec![row(1, 10, [1, 0, 0]), row(1, 11, [1, 0, 0]), row(1, 12, [1, 0, 0])];
    let weigh = |given: Vec<u64>| {
        let weigh = move |_: &[MoveRow], weights: &mut Vec<u64>| *weights = given.clone();
        let (entries, _) = gather(rows(), &GatherOptions { weigh: &weigh, ..options() });
        entries.iter().map(|entry| (entry.code, entry.weight)).collect::<Vec<_>>()
    };
    assert_eq!(weigh(vec![1, 2, 3]), [(10, 1), (11, 2), (12, 3)]);
    assert_eq!(weigh(vec![u64::MAX, 0, u64::MAX]), [(10, 65_535), (12, 65_535)]);
    assert_eq!(weigh(vec![]), []);
    assert_eq!(weigh(vec![9; 9]), [(10, 9), (11, 9), (12, 9)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing is too odd to be read; what is read is what a loop over the bytes finds.
    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(prop_oneof![Just(0u8), any::<u8>()], 0..400)) {
        let (entries, told) = read(&bytes);
        let all: Vec<_> = bytes.chunks_exact(16).map(|bytes| {
            let number = |range: std::ops::Range<usize>| bytes[range].iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
            entry(number(0..8), number(8..10) as u16, number(10..12) as u16, number(12..16) as u32)
        }).collect();
        let mut kept: Vec<_> = all.iter().copied().filter(|entry| entry.key != 0).collect();
        kept.dedup();
        kept.retain(|entry| entry.code != 0);
        let header = if told.header.is_some() { all.iter().take_while(|entry| entry.key == 0).count() } else { 0 };
        prop_assert_eq!(told.entries + told.repeated + told.null_moves + told.key_zero + header as u64, all.len() as u64);
        prop_assert_eq!(entries, kept);
        prop_assert_eq!(told.trailing, bytes.len() as u64 % 16);
    }

    /// Files are sorted as a model sorts them, with however little memory, and come back entry by
    /// entry.
    #[test]
    fn entries_come_back(
        entries in prop::collection::vec((1u64..50, 1u16..50, any::<u16>(), any::<u32>()), 0..200),
        spread in any::<bool>(),
        comment in prop::option::of("[a-z ]{0,30}"),
    ) {
        let key = |key: u64| if spread { key.wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { key };
        let model: BTreeMap<_, _> = entries.into_iter().map(|(k, code, weight, learn)| ((key(k), code), entry(key(k), code, weight, learn))).collect();
        let mut sorted: Vec<_> = model.values().copied().collect();
        let meaning = Meaning { weight: Weight::Points, learn: Learn::Keep };
        let (gathered, _) = gather(sorted.iter().map(|&entry| meaning.row(entry)).collect(), &GatherOptions { min_weight: 0, ..options() });
        sorted.sort_by_key(|entry| (entry.key, u16::MAX - entry.weight, entry.code));
        let header = comment.map(|comment| Header::of_chess(&comment).unwrap());
        let written = write(&gathered, header.as_ref());
        let (again, told) = read(&written);
        prop_assert_eq!(again, sorted);
        prop_assert_eq!((told.header, told.disorders, told.trailing), (header, 0, 0));
    }
}
