//! Real Polyglot books come in and go out again with equal entries; what differs is named.

use std::collections::BTreeMap;
use std::error::Error;
use tabia::storage::System;
use tabia::stream::{RowSet, Rows};
use tabia::{Env, MoveRow};
use tabia_games::{Chess, Known};
use tabia_interop::Reached;
use tabia_interop::polyglot::{
    self, EntrySorter, GatherOptions, Learn, Meaning, Weight, WeightBasis,
};

/// Key, move, weight, learn.
type Entry = (u64, u16, u16, u32);

fn entries(bytes: &[u8]) -> Vec<Entry> {
    let number =
        |bytes: &[u8]| bytes.iter().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    let entry = |bytes: &[u8]| {
        let half = |at: usize| number(&bytes[at..at + 2]) as u16;
        (number(&bytes[..8]), half(8), half(10), number(&bytes[12..]) as u32)
    };
    bytes.chunks_exact(16).map(entry).collect()
}

#[test]
fn real_books_come_back() {
    for (name, repeated, disorders, learned) in [
        ("donna-gm2001.bin", 0, 0, 0),
        ("donna-rodent.bin", 126, 1, 0),
        ("perfect2021-Perfect2021.bin", 0, 0, 0),
        ("pychess-lasker-trap.bin", 0, 0, 0),
        ("pychess-performance.bin", 0, 0, 88_848),
    ] {
        let Some(bytes) = crate::shared::data(&format!("books/{name}")) else { return };
        let folder = tempfile::tempdir().unwrap();
        let (env, memory) = (Env::default(), 1 << 28);
        let meaning = Meaning { weight: Weight::Games, learn: Learn::Keep };
        let read = polyglot::sorted::<Box<dyn Error>>(
            &bytes[..],
            meaning,
            &env,
            folder.path(),
            memory,
            |_| Ok(()),
        );
        let (read, moves, lost) = read.unwrap();
        let lost = lost.each().find(|(reason, _)| reason.name == "repeated");
        assert_eq!((lost.unwrap().1, read.disorders), (repeated, disorders), "{name}");
        let (moves, _) = polyglot::respell(moves, &env, folder.path(), memory, |_| Ok(())).unwrap();
        let chess = Known::Chess(Chess::start());
        let reached = Reached::walk(&moves, &chess, |_| Ok(())).unwrap();
        assert_eq!(reached.legality().illegal, 0, "{name}");
        let options = GatherOptions {
            weigh: &|moves: &[MoveRow], weights| WeightBasis::Points.weigh(moves, weights),
            min_games: 0,
            min_weight: 1,
            keep: &|_| true,
        };
        let mut sorter = EntrySorter::new(&System, folder.path(), memory);
        let push = |entry| sorter.push(entry);
        let gathered = polyglot::gather(&moves, &options, push, |_| Ok(())).unwrap();
        assert_eq!((gathered.learned, gathered.scaled), (learned, 0), "{name}");
        let mut written = Vec::new();
        sorter.write(&env, None, &mut written, |_| Ok(())).unwrap();
        let mut before = entries(&bytes);
        before.dedup();
        // Two entries of rodent's stand once more behind its end, out of order: their weights are
        // added.
        let mut sums: BTreeMap<(u64, u16), (u16, u32)> = BTreeMap::new();
        for (key, code, weight, learn) in before {
            let sum = sums.entry((key, code)).or_default();
            *sum = (sum.0 + weight, sum.1 + learn);
        }
        let mut expected: Vec<Entry> = sums
            .into_iter()
            .map(|((key, code), (weight, learn))| (key, code, weight, learn))
            .collect();
        let united = read.entries - moves.rows().unwrap().count().unwrap();
        assert_eq!(united, read.entries - expected.len() as u64, "{name}");
        assert_eq!(united, if repeated > 0 { 2 } else { 0 }, "{name}");
        expected.sort_by_key(|&(key, code, weight, _)| (key, u16::MAX - weight, code));
        assert!(entries(&written) == expected, "{name}");
    }
}
