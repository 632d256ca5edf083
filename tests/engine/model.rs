//! A book that is added to, changed, compacted and opened again, against a model that is changed in
//! the same way.

use crate::books::{
    Content, any_book, any_columns, assert_sound, cells_of, chunk, folder, open, open_writer,
    rows_of,
};
use crate::crashes::model::{self, Change, ContentRows, batch_of};
use proptest::prelude::*;
use tabia::{Columns, Counts, MoveRow, PositionRow, Row, TableKind, WithCells};
use tabia_testing::model::Model;

#[derive(Clone, Debug)]
enum Step {
    Batch(Vec<Change>),
    Compact,
    Reopen,
}

/// Changes of a few positions and moves, with cells of some of the columns.
fn any_change() -> impl Strategy<Value = Change> {
    let key = || prop_oneof![0u64..12, Just(u64::MAX), Just(tabia::unmix(u64::MAX))];
    let counts = || {
        (0u32..4, 0u32..4, 0u32..4)
            .prop_map(|(wins, draws, losses)| Counts::new(wins, draws, losses))
    };
    let position = move || {
        (key(), counts(), any::<i16>(), 0u8..3).prop_map(|(key, counts, eval, depth)| {
            PositionRow::new(key, counts).with_eval(eval, depth)
        })
    };
    let played = move || {
        let cells = (any_columns(), any::<u64>());
        (key(), 0u16..4, counts(), cells).prop_map(|(key, code, counts, (columns, seed))| {
            let row = MoveRow::new(key, code, counts);
            WithCells { row, cells: cells_of(columns, &row, seed) }
        })
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

/// The change as a book takes it: with cells of its own columns alone.
fn fitted(change: &Change, columns: Columns) -> Change {
    let fitted = |WithCells { row, cells }: WithCells<MoveRow>| {
        let common = cells.columns().without(cells.columns().without(columns));
        WithCells { row, cells: cells.to(common) }
    };
    match change.clone() {
        Change::AddMove(played) => Change::AddMove(fitted(played)),
        Change::PutMove(played) => Change::PutMove(fitted(played)),
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn a_book_does_what_a_map_does(start in any_book(), plain: bool, steps in prop::collection::vec(any_step(), 1..12)) {
        let (_folder, path) = folder();
        let start = if plain { start.plain() } else { start };
        let columns = start.moves.columns();
        start.write(&path);
        let mut model = model::Content {
            model: Model::of(&start.positions, &start.moves),
            columns,
            ..Default::default()
        };
        let mut reader = open(&path);
        let mut writer = open_writer(&path);
        let mut sequence = 0;
        for step in &steps {
            match step {
                Step::Batch(changes) => {
                    let changes: Vec<_> = changes.iter().map(|change| fitted(change, columns)).collect();
                    changes.iter().for_each(|change| model.apply(change));
                    sequence += 1;
                    prop_assert_eq!(writer.append(&batch_of(&changes)).unwrap(), sequence);
                }
                Step::Compact => {
                    let had_frames = writer.journal().frames > 0;
                    prop_assert_eq!(writer.compact().unwrap(), had_frames);
                    prop_assert!(!tabia::journal_path(&path).exists());
                }
                Step::Reopen => {
                    drop(writer);
                    writer = open_writer(&path);
                }
            }
            let ContentRows { positions, moves, .. } = model.rows();
            prop_assert_eq!(rows_of(&path), (positions, moves.rows().to_vec()));
            prop_assert_eq!(&chunk::<MoveRow>(&open(&path)), &moves);
            reader.refresh().unwrap();
            prop_assert_eq!(reader.header().columns(TableKind::Moves), columns);
            for key in (0..12).chain([u64::MAX, tabia::unmix(u64::MAX)]) {
                let position = model.model.positions.get(&key).map(|cells| cells.row(key));
                prop_assert_eq!(reader.position(key).unwrap(), position);
                let expected: Vec<_> = moves.iter().filter(|row| row.row.key() == key).collect();
                prop_assert_eq!(&reader.moves_with_cells(key).unwrap(), &expected);
                prop_assert!(reader.moves(key).unwrap().iter().eq(expected.iter().map(|row| &row.row)));
            }
            assert_sound(&path);
        }
        writer.compact().unwrap();
        // Nothing of the way shows but the lineage.
        let whole = path.with_extension("whole");
        let ContentRows { positions, moves, .. } = model.rows();
        let digest = Content { positions, moves, ..start }.write(&whole).digest;
        prop_assert_eq!(open(&path).digest(), digest);
    }
}
