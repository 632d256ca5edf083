//! Probing: a map, a file and bytes in memory answer alike, for hits, misses, the ends of the range
//! of keys, and any load.

use crate::books::{Content, WON, by_rank, checked, folder, open, sample, write};
use crate::image::Image;
use tabia::format::{Load, Tag};
use tabia::{Book, Counts, Hash, MoveRow, PositionRow, Row, Rule, TableKind, mix, unmix};

#[test]
fn every_reader_finds_every_row_and_nothing_else() {
    let sizes = [(500, 3000), (800, 1), (800, 0), (800, 5000), (980, 5000)];
    for ((load, positions), filter) in
        sizes.into_iter().flat_map(|size| [(size, false), (size, true)])
    {
        let (_folder, path) = folder();
        let mut content = sample(u64::from(load), positions);
        for key in [0, u64::MAX, unmix(u64::MAX), unmix(u64::MAX - 1)] {
            content.positions.push(PositionRow::new(key, Counts::new(9, 9, 9)));
            content.push_move(MoveRow::new(key, u16::MAX, Counts::new(9, 9, 9)));
        }
        // Thousands of moves of one position are one slice.
        (0..5000).for_each(|code| content.push_move(MoveRow::new(77, code, WON)));
        let content = if positions == 0 { Content::default() } else { content.settled() };
        let content = Content { filter, ..content };
        write(content.new_book().load(Load::from_thousandths(load).unwrap()), &path);
        let report = checked(&path);
        assert!(report.ok(), "{:?}", report.bad);
        assert_eq!(report.rows, (content.positions.len() + content.moves.len()) as u64);
        probe_all(&path, &content);
    }
}

#[expect(unsafe_code, reason = "maps a file that nobody else knows")]
fn probe_all(path: &std::path::Path, content: &Content) {
    let file = open(path);
    let memory = Book::from_bytes(std::fs::read(path).unwrap()).unwrap();
    // SAFETY: the file stands in a folder of this test's own.
    let map = unsafe { Book::map(path) }.unwrap();
    // SAFETY: likewise.
    let warm = unsafe { Book::map_warm(path) }.unwrap();
    let (positions, moves) = (by_rank(&content.positions), by_rank(content.moves.rows()));
    let mut keys: Vec<u64> = content.positions.iter().map(Row::key).collect();
    keys.extend((0..1000).map(|i| mix(i ^ 0x5555_5555)));
    keys.extend([0, 77, u64::MAX, unmix(u64::MAX), unmix(1)]);
    // The kernel may do as it likes with the hint; no key is out of its range, and no answer
    // changes.
    map.will_need(&keys);
    file.will_need(&keys);
    memory.will_need(&keys);
    map.will_need_with_moves(&keys);
    let mut batch = vec![None; keys.len()];
    map.positions(&keys, &mut batch).unwrap();
    let mut from_file = vec![None; keys.len()];
    file.positions(&keys, &mut from_file).unwrap();
    assert_eq!(from_file, batch);
    let table = map.position_table().unwrap();
    let mut borrowed = vec![None; keys.len()];
    table.get_batch(&keys, &mut borrowed);
    assert!(borrowed.iter().map(|row| row.copied()).eq(batch.iter().copied()));
    for (key, in_batch) in keys.into_iter().zip(batch) {
        let h = Hash::of(key);
        let position = positions.get(&(h, 0)).copied();
        assert_eq!(in_batch, position);
        assert_eq!(file.position(key).unwrap(), position);
        assert_eq!(memory.position(key).unwrap(), position);
        assert_eq!(table.get(key), position.as_ref());
        assert_eq!(warm.position_table().unwrap().get(key), position.as_ref());
        let expected: Vec<MoveRow> =
            moves.range((h, 0)..=(h, u16::MAX)).map(|(_, row)| *row).collect();
        assert_eq!(&file.moves(key).unwrap()[..], &expected);
        assert_eq!(map.move_table().unwrap().moves(key), &expected);
        assert_eq!(memory.move_table().unwrap().moves(key), &expected);
    }
}

/// So large that table and tags are written, and verified, in several pieces.
#[test]
fn b21_the_tags_of_a_large_table_are_those_of_its_slots() {
    let (_folder, path) = crate::books::folder_in_memory();
    let rows = |count: u64| (0..count).map(|i| PositionRow::new(mix(i), WON));
    let positions: Vec<PositionRow> = rows(1_000_000).collect();
    let content = Content { positions, filter: true, ..Content::default() };
    let header = content.write(&path);
    let (table, tags) =
        (*header.table(TableKind::Positions).unwrap(), *header.section(Tag::TAGS).unwrap());
    let beside = (2, Some(TableKind::Positions));
    assert_eq!((tags.length, (tags.cell, tags.beside)), (2 * table.shape.slots(), beside));
    let report = checked(&path);
    assert!(report.ok(), "{:?}", report.bad);
    assert_eq!(report.rows, 1_000_000);
    let book = Book::from_bytes(std::fs::read(&path).unwrap()).unwrap();
    let probed = book.position_table().unwrap();
    assert!(rows(1_000_000).all(|row| probed.get(row.key()) == Some(&row)));
    assert!((1_000_000..1_100_000).all(|i| probed.get(mix(i)).is_none()));
    let mut image = Image::read(&path);
    let homes = table.shape.homes;
    // Each tag as the specification has it.
    let expected: Vec<u16> =
        (0..).zip(image.slots::<PositionRow>()).map(|(slot, row)| tag(slot, row, homes)).collect();
    let stored = |image: &mut Image| {
        let tags = image.body(Tag::TAGS).as_chunks().0.iter();
        tags.map(|tag| u16::from_le_bytes(*tag)).collect::<Vec<_>>()
    };
    assert!(stored(&mut image) == expected);
    // A bit of one of them, at the ends and where pieces meet, of rows and of empty slots; every
    // checksum is right.
    let slots = expected.len();
    let rows: Vec<bool> = image.slots::<PositionRow>().iter().map(|row| !row.is_empty()).collect();
    assert!(rows.iter().any(|row| *row) && rows[slots - 1..] == [false]);
    for slot in [0, 12_287, 12_288, 12_289, 24_576, slots / 2, slots - 1] {
        let mut changed = image.clone();
        changed.body(Tag::TAGS)[2 * slot + 1] ^= 4;
        changed.write(&path);
        let report = checked(&path);
        assert_eq!(report.bad.len(), 1, "{:?}", report.bad);
        let (bad, offset) = (&report.bad[0], tags.offset + 2 * slot as u64);
        let found = (bad.rule, bad.section.as_str(), bad.offset);
        assert_eq!(found, (Rule::B21, "TAGS", offset), "slot {slot}");
    }
}

/// The tag of a slot, counted from the specification.
fn tag(slot: u64, row: &PositionRow, homes: u64) -> u16 {
    let place = u128::from(row.hash().get()) * u128::from(homes);
    let (home, low) = ((place >> 64) as u64, place as u64);
    let tag = if row.is_empty() { ((slot + 1) & 127) << 9 } else { (home & 127) << 9 | low >> 55 };
    tag as u16
}
