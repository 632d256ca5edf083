//! A book that is added to, changed, compacted and opened again, against two maps that are changed
//! in the same way.

use crate::books::{any_content, by_rank, folder, rows_of};
use proptest::prelude::*;
use std::collections::BTreeMap;
use tabia::format::Load;
use tabia::{Batch, Book, Counts, Env, Hash, MoveRow, PositionRow, Row, Writer, check};

#[derive(Clone, Debug)]
enum Step {
    Batch(Vec<Change>),
    Compact,
    Reopen,
}

#[derive(Clone, Debug)]
enum Change {
    AddPosition(PositionRow),
    PutPosition(PositionRow),
    DeletePosition(u64),
    AddMove(MoveRow),
    PutMove(MoveRow),
    DeleteMove(u64, u16),
}

fn any_change() -> impl Strategy<Value = Change> {
    let key = || prop_oneof![0u64..12, Just(u64::MAX), Just(tabia::unmix(u64::MAX))];
    let counts = || {
        (0u32..4, 0u32..4, 0u32..4).prop_map(|(wins, draws, losses)| Counts { wins, draws, losses })
    };
    let position = move || {
        (key(), counts(), any::<i16>(), 0u8..3).prop_map(|(key, counts, eval, depth)| {
            PositionRow::new(key, counts).with_eval(eval, depth)
        })
    };
    let played = move || {
        (key(), 0u16..4, counts()).prop_map(|(key, code, counts)| MoveRow::new(key, code, counts))
    };
    prop_oneof![
        position().prop_map(Change::AddPosition),
        position().prop_map(Change::PutPosition),
        key().prop_map(Change::DeletePosition),
        played().prop_map(Change::AddMove),
        played().prop_map(Change::PutMove),
        (key(), 0u16..4).prop_map(|(key, code)| Change::DeleteMove(key, code)),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => prop::collection::vec(any_change(), 0..12).prop_map(Step::Batch),
        1 => Just(Step::Compact),
        1 => Just(Step::Reopen),
    ]
}

type Table<R> = BTreeMap<(Hash, u16), R>;

fn add<R: Row>(table: &mut Table<R>, row: R) {
    table.entry(row.rank()).and_modify(|before| before.merge(&row)).or_insert(row);
}

fn apply(
    changes: &[Change],
    positions: &mut Table<PositionRow>,
    moves: &mut Table<MoveRow>,
) -> Batch {
    let mut batch = Batch::new();
    for change in changes {
        match *change {
            Change::AddPosition(row) => {
                batch.add_position(row);
                add(positions, row);
            }
            Change::PutPosition(row) => {
                batch.put_position(row);
                positions.insert(row.rank(), row);
            }
            Change::DeletePosition(key) => {
                batch.delete_position(key);
                positions.remove(&(Hash::of(key), 0));
            }
            Change::AddMove(row) => {
                batch.add_move(row);
                add(moves, row);
            }
            Change::PutMove(row) => {
                batch.put_move(row);
                moves.insert(row.rank(), row);
            }
            Change::DeleteMove(key, code) => {
                batch.delete_move(key, code);
                moves.remove(&(Hash::of(key), code));
            }
        }
    }
    batch
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_book_does_what_a_map_does(start in any_content(), steps in prop::collection::vec(any_step(), 1..12)) {
        let (_folder, path) = folder();
        start.write(&path, Load::default());
        let (mut positions, mut moves) = (by_rank(&start.positions), by_rank(&start.moves));
        let mut reader = Book::open(&path).unwrap();
        let mut writer = Writer::open(Env::default(), &path).unwrap();
        let mut sequence = 0;
        for step in &steps {
            match step {
                Step::Batch(changes) => {
                    let batch = apply(changes, &mut positions, &mut moves);
                    sequence += 1;
                    prop_assert_eq!(writer.append(&batch).unwrap(), sequence);
                }
                Step::Compact => {
                    let had_frames = writer.journal().frames > 0;
                    prop_assert_eq!(writer.compact().unwrap(), had_frames);
                    prop_assert!(!tabia::journal_path(&path).exists());
                }
                Step::Reopen => {
                    drop(writer);
                    writer = Writer::open(Env::default(), &path).unwrap();
                }
            }
            let (position_rows, move_rows) = rows_of(&path);
            prop_assert_eq!(by_rank(&position_rows), positions.clone());
            prop_assert_eq!(by_rank(&move_rows), moves.clone());
            reader.refresh().unwrap();
            for key in (0..12).chain([u64::MAX, tabia::unmix(u64::MAX)]) {
                let h = Hash::of(key);
                prop_assert_eq!(reader.position(key).unwrap(), positions.get(&(h, 0)).copied());
                let expected: Vec<_> = moves.range((h, 0)..=(h, u16::MAX)).map(|(_, row)| *row).collect();
                prop_assert_eq!(&reader.moves(key).unwrap()[..], &expected);
            }
            let report = check(&Env::default(), &path).unwrap();
            prop_assert!(report.bad.iter().all(|finding| finding.what.contains("proofs")), "{:?}", report.bad);
        }
    }
}
