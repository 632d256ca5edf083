//! Salvage: every row outside the damage is kept, and nothing else.

use crate::books::{
    Content, WON, by_rank, cells_of, checked, every_column, folder, journaled_books, moves_of,
    open_writer, rows_of, salvaged, sample,
};
use std::fs;
use tabia::format::{Header, Section, Tag};
use tabia::{
    Batch, Column, Env, Error, Existing, Hash, MoveRow, Row, Rule, TableKind, WithCells,
    journal_path, salvage,
};
use tabia_testing::model::Model;

#[test]
fn salvage_needs_neither_the_first_page_nor_the_sums() {
    let (folder, path) = folder();
    let content = Content { filter: true, ..sample(1, 3000) }.with_cells(every_column(), 1);
    let header = content.write(&path);
    let clean = fs::read(&path).unwrap();
    let sums = |tag: Tag| header.section(tag.sums()).unwrap().offset as usize;
    let mut cases = vec![(0..4096, None), (0..8, None)];
    cases.push((sums(Tag::POSITIONS)..sums(Tag::POSITIONS) + 64, None));
    for column in Column::ALL {
        cases.push((sums(column.tag)..sums(column.tag) + 8, Some(column.tag.sums())));
    }
    for (round, (range, section)) in cases.into_iter().enumerate() {
        let mut bytes = clean.clone();
        bytes[range].fill(0xaa);
        fs::write(&path, &bytes).unwrap();
        let output = folder.path().join(format!("salvaged-{round}.tabia"));
        let report = salvaged(&path, &output);
        assert!(!report.bad.is_empty() && report.cells == 0);
        if let Some(section) = section {
            assert_eq!((report.bad.len(), &report.bad[0].section), (1, &section.to_string()));
        }
        assert!(fs::read(&output).unwrap() == clean, "round {round}");
    }
}

#[test]
fn salvage_leaves_out_a_journal_that_is_not_the_books_or_has_no_sound_header() {
    for (folder, path, journal, _) in journaled_books() {
        let content = sample(2, 20);
        content.write(path.with_extension("other"));
        let mut damaged = journal.clone();
        damaged[20] ^= 1;
        let others = (path.with_extension("other"), journal, Rule::J2);
        let cases = [others, (path.clone(), damaged, Rule::J1)];
        for (round, (book, journal, rule)) in cases.into_iter().enumerate() {
            fs::write(journal_path(&book), journal).unwrap();
            let output = folder.path().join(format!("salvaged-{round}.tabia"));
            let report = salvaged(&book, &output);
            assert_eq!((report.frames, report.bad.len(), report.bad[0].rule), (0, 1, rule));
            assert_eq!(rows_of(&output).0.len(), 20);
        }
    }
}

#[test]
fn salvage_refuses_what_has_neither_header_nor_copy() {
    let (folder, path) = folder();
    sample(1, 20).write(&path);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 4096;
    bytes[100] ^= 1;
    bytes[last + 100] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let output = folder.path().join("salvaged.tabia");
    let error = salvage(&Env::default(), &path, &output, Existing::Refuse).unwrap_err();
    assert!(matches!(error, Error::Refused { .. }), "{error}");
    assert!(!output.exists());
}

type Damaged = Vec<(Tag, u64)>;

/// Whether a cell of a section is in one of the damaged blocks.
fn touched(section: &Section, slot: u64, damaged: &Damaged) -> bool {
    let mut blocks = slot * section.cell / 4096..=((slot + 1) * section.cell - 1) / 4096;
    blocks.any(|block| damaged.contains(&(section.tag, block)))
}

/// The rows of a table outside its damaged blocks, each with its slot.
fn outside<'a>(
    clean: &'a [u8],
    table: &'a Section,
    damaged: &'a Damaged,
) -> impl Iterator<Item = (u64, &'a [u8])> {
    let slots = clean[table.offset as usize..][..table.length as usize].chunks(24);
    (0..).zip(slots).filter(|(slot, row)| row[23] != 0xff && !touched(table, *slot, damaged))
}

fn hash_of(row: &[u8]) -> Hash {
    Hash::from_bits(u64::from_le_bytes(row[..8].try_into().unwrap()))
}

/// What can be kept of the moves of a book in which these blocks are damaged: rows outside those of
/// the table, each with the cells that are outside those of its columns; and how many cells are
/// lost.
fn expected_moves(
    clean: &[u8],
    header: &Header,
    content: &Content,
    damaged: &Damaged,
) -> (Model, u64) {
    let all = content.model_of_moves();
    let (mut kept, mut lost) = (Model::default(), 0);
    for (slot, bytes) in outside(clean, header.table(TableKind::Moves).unwrap(), damaged) {
        let (key, code) = (hash_of(bytes).key(), u16::from_le_bytes([bytes[20], bytes[21]]));
        let mut row = all.moves[&(key, code)].row(key, code, every_column());
        for column in Column::ALL {
            if touched(header.section(column.tag).unwrap(), slot, damaged) {
                row.cells = row.cells.with_bytes(column, &vec![0; column.size()]);
                lost += 1;
            }
        }
        kept.add_played(&row);
    }
    (kept, lost)
}

#[test]
fn salvage_loses_exactly_the_cells_of_damaged_blocks_of_columns_and_the_rows_of_those_of_tables() {
    let (folder, path) = folder();
    let content = Content { filter: true, ..sample(1, 3000) }.with_cells(every_column(), 1);
    let header = content.write(&path);
    let clean = fs::read(&path).unwrap();
    let (ratings, game, years) = (Column::RATINGS.tag, Column::GAME.tag, Column::YEARS.tag);
    let (positions, table) = (Tag::POSITIONS, Tag::MOVES);
    let last = |tag| header.section(tag).unwrap().length.div_ceil(4096) - 1;
    let rounds: [Damaged; 12] = [
        vec![(positions, 0)],
        vec![(positions, 1), (positions, 2)],
        vec![(positions, last(positions))],
        vec![(positions, 0), (positions, 3), (positions, last(positions) - 1)],
        vec![(ratings, 0)],
        vec![(game, 1), (game, 2)],
        vec![(years, last(years))],
        vec![(ratings, 1), (game, 0), (years, 0)],
        vec![(table, 0), (table, 3), (table, 4)],
        vec![(table, 5), (ratings, 5), (ratings, 6), (game, 2)],
        vec![(Tag::TAGS, 0), (Tag::TAGS, 1)],
        (0..=last(ratings)).map(|block| (ratings, block)).collect(),
    ];
    let mut batch = Batch::new();
    let row = MoveRow::new(content.moves.rows()[40].key(), 9, WON);
    let cells = cells_of(every_column(), &row, 3);
    batch.add_move_with(row, cells);
    let all_positions = by_rank(&content.positions);
    for (round, damaged) in rounds.iter().enumerate() {
        let mut bytes = clean.clone();
        for (tag, block) in damaged {
            bytes[(header.section(*tag).unwrap().offset + block * 4096) as usize + 1] ^= 0x10;
        }
        fs::write(&path, &clean).unwrap();
        let _ = fs::remove_file(journal_path(&path));
        let frames = round as u64 % 2;
        let (mut expected, lost) = expected_moves(&clean, &header, &content, damaged);
        let rows = expected.moves.len() as u64;
        let expected_positions: Vec<_> =
            outside(&clean, header.table(TableKind::Positions).unwrap(), damaged)
                .map(|(_, row)| all_positions[&(hash_of(row), 0)])
                .collect();
        if frames > 0 {
            open_writer(&path).append(&batch).unwrap();
            expected.add_played(&WithCells { row, cells });
        }
        fs::write(&path, &bytes).unwrap();
        let output = folder.path().join(format!("salvaged-{round}"));
        let report = salvaged(&path, &output);
        assert_eq!(moves_of(&output), expected.rows(every_column()).1, "round {round}");
        assert_eq!(rows_of(&output).0, expected_positions, "round {round}");
        let (positions, moves) = (report.positions.unwrap(), report.moves.unwrap());
        assert_eq!(positions.lost(), (all_positions.len() - expected_positions.len()) as u64);
        assert_eq!((moves.kept, moves.expected), (rows, content.moves.len() as u64), "{round}");
        assert_eq!((report.cells, report.frames), (lost, frames), "round {round}");
        assert!(report.facts && report.sources, "round {round}");
        // Tags follow from the table: nothing is lost with them.
        let mut told: Damaged =
            damaged.iter().copied().filter(|(tag, _)| *tag != Tag::TAGS).collect();
        told.retain(|(tag, block)| {
            let told = |bad: &tabia::Finding| {
                bad.section == tag.to_string() && bad.block == Some(*block) && bad.rule == Rule::B13
            };
            !report.bad.iter().any(told)
        });
        assert!(told.is_empty(), "round {round}: {told:?} of {:?}", report.bad);
        let others = report.bad.iter().filter(|bad| bad.section != "TAGS").count();
        assert_eq!(others, damaged.iter().filter(|(tag, _)| *tag != Tag::TAGS).count());
        let report = checked(&output);
        assert!(report.ok(), "{:?}", report.bad);
    }
}

#[test]
fn salvage_keeps_the_rows_and_the_cells_before_a_cut() {
    let (folder, path) = folder();
    let content = sample(2, 3000).with_cells(every_column(), 1);
    let header = content.write(&path);
    let clean = fs::read(&path).unwrap();
    let columns = Column::ALL.iter().map(|column| column.tag);
    let tags: Vec<Tag> = [Tag::POSITIONS, Tag::MOVES].into_iter().chain(columns).collect();
    for (round, tag) in tags.iter().enumerate() {
        let section = header.section(*tag).unwrap();
        // In the second block: what is in the first is whole, and so is all in front of the section.
        fs::write(&path, &clean[..section.offset as usize + 5000]).unwrap();
        let gone = tags[round..].iter().flat_map(|later| {
            let first = u64::from(later == tag);
            let blocks = first..header.section(*later).unwrap().length.div_ceil(4096);
            blocks.map(|block| (*later, block))
        });
        let gone = gone.collect();
        let (expected, lost) = expected_moves(&clean, &header, &content, &gone);
        let positions = outside(&clean, header.table(TableKind::Positions).unwrap(), &gone).count();
        let output = folder.path().join(format!("salvaged-{round}"));
        let report = salvaged(&path, &output);
        let kept = [report.positions, report.moves].map(|table| table.unwrap().kept as usize);
        assert_eq!((report.cells, kept), (lost, [positions, expected.moves.len()]), "{tag}");
        assert!(!report.sources && !report.facts, "{tag}");
        assert_eq!(moves_of(&output), expected.rows(every_column()).1, "{tag}");
        assert!(checked(&output).ok());
    }
}

/// An error of the system is no damage: nothing is left out for it, and nothing made.
#[test]
fn salvage_leaves_nothing_out_that_the_system_refuses() {
    let (folder, path) = folder();
    sample(1, 20).write(&path);
    let output = folder.path().join("salvaged.tabia");
    // A journal that is elsewhere, and can't be reached there.
    std::os::unix::fs::symlink("/nowhere/journal", journal_path(&path)).unwrap();
    let error = salvage(&Env::default(), &path, &output, Existing::Refuse).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert!(!output.exists());
}
