//! Any bytes as a Polyglot book: what is read is what a loop over the bytes finds; the rows make a
//! sound book; what is written of it is sorted, has every move once, with the sum of its weights
//! scaled to 16 bits, and comes back.
//!
//! The first byte chooses what a weight counts, what becomes of learn fields, and whether there is
//! a header; the rest is the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use tabia::storage::System;
use tabia::stream::Chunk;
use tabia::{Book, Column, Env, MoveRow};
use tabia_fuzz::{chess_book, folder, sound_book};
use tabia_interop::polyglot::{
    self, Entry, EntrySorter, GatherOptions, Header, Learn, Meaning, Read, Weight, WeightBasis,
};

fuzz_target!(|bytes: &[u8]| {
    let [choice, bytes @ ..] = bytes else { return };
    let weight = if choice & 1 == 0 { Weight::Points } else { Weight::Games };
    let learn = [Learn::Ignore, Learn::Keep, Learn::Results][usize::from(choice >> 1 & 3) % 3];
    let (meaning, min_weight) = (Meaning { weight, learn }, u16::from(choice & 8 != 0));
    let (entries, told) = read(bytes);
    check(bytes, &entries, &told);
    let mut rows: Chunk<MoveRow> = entries.iter().map(|&entry| meaning.row(entry)).collect();
    rows.sort_and_merge();
    let folder = folder();
    let new = chess_book().results(meaning.results()).moves(&rows);
    let book = sound_book(new, &folder.path().join("book.tabia"));
    let header =
        Header::of_chess(&"x".repeat(usize::from(choice >> 4))).ok().filter(|_| *choice >= 128);
    let written = write(&book, min_weight, header.as_ref());
    let (again, told) = read(&written);
    assert_eq!((told.header, told.disorders, told.repeated, told.trailing), (header, 0, 0, 0));
    assert!(again.is_sorted_by_key(|entry| (entry.key, u16::MAX - entry.weight, entry.code)));
    if learn != Learn::Results {
        assert_eq!(by_move(&again, meaning), scaled(&entries, meaning, min_weight));
    }
});

fn read(bytes: &[u8]) -> (Vec<Entry>, Read) {
    let mut entries = Vec::new();
    let read = polyglot::read(bytes, |entry| {
        entries.push(entry);
        Ok::<_, std::io::Error>(())
    });
    (entries, read.expect("bytes in memory can be read"))
}

fn check(bytes: &[u8], entries: &[Entry], told: &Read) {
    let all: Vec<Entry> = bytes
        .chunks_exact(16)
        .map(|bytes| Entry::from_bytes(bytes.try_into().expect("16 bytes")))
        .collect();
    let mut kept: Vec<Entry> = all.iter().copied().filter(|entry| entry.key != 0).collect();
    kept.dedup();
    kept.retain(|entry| entry.code != 0);
    assert_eq!(entries, kept);
    let header = if told.header.is_some() {
        all.iter().take_while(|entry| entry.key == 0).count()
    } else {
        0
    };
    let left_out = told.repeated + told.null_moves + told.key_zero + header as u64;
    assert_eq!(told.entries + left_out, all.len() as u64);
    assert_eq!(told.trailing, bytes.len() as u64 % 16);
}

fn write(book: &Book, min_weight: u16, header: Option<&Header>) -> Vec<u8> {
    let weigh =
        |moves: &[MoveRow], weights: &mut Vec<u64>| WeightBasis::Points.weigh(moves, weights);
    let plan = GatherOptions { weigh: &weigh, min_games: 0, min_weight, keep: &|_| true };
    let folder = folder();
    let mut sorter = EntrySorter::new(&System, folder.path(), 0);
    polyglot::gather(book, &plan, |entry| sorter.push(entry), |_| Ok(()))
        .expect("a sound book is read");
    let mut out = Vec::new();
    sorter
        .write(&Env::default(), header, &mut out, |_| Ok(()))
        .expect("bytes in memory are written");
    out
}

/// WeightBasis and learn fields by key and move.
fn by_move(entries: &[Entry], meaning: Meaning) -> BTreeMap<(u64, u16), (u64, u32)> {
    let learn =
        |entry: &Entry| if meaning.columns().has(Column::RATINGS) { entry.learn } else { 0 };
    let map: BTreeMap<_, _> = entries
        .iter()
        .map(|entry| ((entry.key, entry.code), (entry.weight.into(), learn(entry))))
        .collect();
    assert_eq!(map.len(), entries.len(), "every move stands once");
    map
}

/// What the entries are worth once those of one move are one.
fn scaled(
    entries: &[Entry],
    meaning: Meaning,
    min_weight: u16,
) -> BTreeMap<(u64, u16), (u64, u32)> {
    let mut sums: BTreeMap<(u64, u16), (u64, u64)> = BTreeMap::new();
    for entry in entries {
        let sum = sums.entry((entry.key, entry.code)).or_default();
        *sum = (
            sum.0 + u64::from(entry.weight),
            sum.1 + if meaning.columns().has(Column::RATINGS) { u64::from(entry.learn) } else { 0 },
        );
    }
    let most =
        |key| sums.range((key, 0)..=(key, u16::MAX)).map(|(_, sum)| sum.0).max().unwrap_or(0);
    let fitted = |key, weight: u64| {
        let most = most(key);
        if most > 65_535 { (2 * weight * 65_535 + most) / (2 * most) } else { weight }
    };
    let of = |(&(key, code), &(weight, learn)): (&(u64, u16), &(u64, u64))| {
        // A sum that is no learn field any more is dropped.
        ((key, code), (fitted(key, weight), u32::try_from(learn).unwrap_or(0)))
    };
    sums.iter().map(of).filter(|(_, (weight, _))| *weight >= u64::from(min_weight)).collect()
}
