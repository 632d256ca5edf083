//! A book that is added to, changed, compacted and opened again, against a model that is changed in
//! the same way.

use crate::books::{any_content, by_rank, folder, rows_of};
use crate::crashes::model::{Change, Content, batch_of};
use proptest::prelude::*;
use tabia::format::Load;
use tabia::{Batch, Book, Counts, Env, Hash, MoveRow, PositionRow, Row, Writer, check};

#[derive(Clone, Debug)]
enum Step {
    Batch(Vec<Change>),
    Compact,
    Reopen,
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
        played().prop_map(|row| Change::AddMove(row.into())),
        played().prop_map(|row| Change::PutMove(row.into())),
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

/// A batch of these changes, which are made to a model too.
fn apply(changes: &[Change], model: &mut Content) -> Batch {
    changes.iter().for_each(|change| model.apply(change));
    batch_of(changes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_book_does_what_a_map_does(start in any_content(), steps in prop::collection::vec(any_step(), 1..12)) {
        let (_folder, path) = folder();
        start.write(&path, Load::default());
        let moves = start.moves.iter().map(|row| (row.rank(), (*row).into())).collect();
        let mut model = Content { positions: by_rank(&start.positions), moves, ..Content::default() };
        let mut reader = Book::open(&path).unwrap();
        let mut writer = Writer::open(Env::default(), &path).unwrap();
        let mut sequence = 0;
        for step in &steps {
            match step {
                Step::Batch(changes) => {
                    let batch = apply(changes, &mut model);
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
            let (positions, moves) = rows_of(&path);
            let expected = model.rows();
            prop_assert_eq!(positions, expected.positions);
            prop_assert_eq!(&moves[..], expected.moves.rows());
            reader.refresh().unwrap();
            for key in (0..12).chain([u64::MAX, tabia::unmix(u64::MAX)]) {
                let h = Hash::of(key);
                prop_assert_eq!(reader.position(key).unwrap(), model.positions.get(&(h, 0)).copied());
                let expected: Vec<_> = model.moves.range((h, 0)..=(h, u16::MAX)).map(|(_, row)| row.row).collect();
                prop_assert_eq!(&reader.moves(key).unwrap()[..], &expected);
            }
            let report = check(&Env::default(), &path).unwrap();
            prop_assert!(report.bad.iter().all(|finding| finding.what.contains("proofs")), "{:?}", report.bad);
        }
    }
}
