//! Probing: a map, a file and bytes in memory answer alike, for hits, misses, the ends of the range of keys, and any load.

use crate::books::{Content, by_rank, folder, sample};
use tabia::format::{Load, Tag};
use tabia::{Book, Counts, Env, MoveRow, PositionRow, Row, check, mix, unmix};

#[test]
fn every_reader_finds_every_row_and_nothing_else() {
    let sizes = [(500, 3000), (800, 1), (800, 0), (800, 5000), (980, 5000)];
    for ((load, positions), filter) in sizes.into_iter().flat_map(|size| [(size, false), (size, true)]) {
        let (_folder, path) = folder();
        let mut content = sample(u64::from(load), positions);
        for key in [0, u64::MAX, unmix(u64::MAX), unmix(u64::MAX - 1)] {
            content.positions.push(PositionRow::new(key, Counts { wins: 9, draws: 9, losses: 9 }));
            content.moves.push(MoveRow::new(key, u16::MAX, Counts { wins: 9, draws: 9, losses: 9 }));
        }
        let content = if positions == 0 { Content::default() } else { content.settled() };
        let content = Content { filter, ..content };
        content.write(&path, Load::from_thousandths(load).unwrap());
        let report = check(&Env::default(), &path).unwrap();
        assert!(report.ok(), "{:?}", report.bad);
        assert_eq!(report.rows, (content.positions.len() + content.moves.len()) as u64);
        probe_all(&path, &content);
    }
}

#[expect(unsafe_code, reason = "maps a file that nobody else knows")]
fn probe_all(path: &std::path::Path, content: &Content) {
    let file = Book::open(path).unwrap();
    let memory = Book::from_bytes(std::fs::read(path).unwrap()).unwrap();
    // SAFETY: the file stands in a folder of this test's own.
    let map = unsafe { Book::map(path) }.unwrap();
    // SAFETY: likewise.
    let warm = unsafe { Book::map_warm(path) }.unwrap();
    let (positions, moves) = (by_rank(&content.positions), by_rank(&content.moves));
    let mut keys: Vec<u64> = content.positions.iter().map(Row::key).collect();
    keys.extend((0..1000).map(|i| mix(i ^ 0x5555_5555)));
    keys.extend([0, u64::MAX, unmix(u64::MAX), unmix(1)]);
    // The kernel may do as it likes with the hint; no key is out of its range, and no answer changes.
    map.will_need(&keys);
    file.will_need(&keys);
    memory.will_need(&keys);
    let mut batch = vec![None; keys.len()];
    map.positions(&keys, &mut batch).unwrap();
    let table = map.position_table().unwrap();
    let mut borrowed = vec![None; keys.len()];
    table.get_batch(&keys, &mut borrowed);
    assert!(borrowed.iter().map(|row| row.copied()).eq(batch.iter().copied()));
    for (key, in_batch) in keys.into_iter().zip(batch) {
        let h = mix(key);
        let position = positions.get(&(h, 0)).copied();
        assert_eq!(in_batch, position);
        assert_eq!(file.position(key).unwrap(), position);
        assert_eq!(memory.position(key).unwrap(), position);
        assert_eq!(table.get(key), position.as_ref());
        assert_eq!(warm.position_table().unwrap().get(key), position.as_ref());
        let expected: Vec<MoveRow> = moves.range((h, 0)..=(h, u16::MAX)).map(|(_, row)| *row).collect();
        assert_eq!(&file.moves(key).unwrap()[..], &expected);
        assert_eq!(map.move_table().unwrap().moves(key), &expected);
        assert_eq!(memory.move_table().unwrap().moves(key), &expected);
    }
}

/// So large that table and filter are written, and verified, in several pieces.
#[test]
fn b21_a_large_filter_is_that_of_its_positions() {
    let (_folder, path) = crate::books::folder_in_memory();
    let rows = |count: u64| (0..count).map(|i| PositionRow::new(mix(i), Counts { wins: 1, draws: 0, losses: 0 }));
    let mut positions: Vec<PositionRow> = rows(1_000_000).collect();
    let content = Content { positions: std::mem::take(&mut positions), filter: true, ..Content::default() };
    let header = content.write(&path, Load::default());
    let filter = *header.section(Tag::FILTER).unwrap();
    assert_eq!(filter.length, 64 * 19_532);
    let report = check(&Env::default(), &path).unwrap();
    assert!(report.ok(), "{:?}", report.bad);
    assert_eq!(report.rows, 1_000_000);
    let book = Book::from_bytes(std::fs::read(&path).unwrap()).unwrap();
    let table = book.position_table().unwrap();
    assert!(rows(1_000_000).all(|row| table.get(row.key()) == Some(&row)));
    assert!((1_000_000..1_100_000).all(|i| table.get(mix(i)).is_none()));
    // A bit too many in the last block, with every checksum made to match, is found there.
    let mut bytes = std::fs::read(&path).unwrap();
    let (start, end) = (filter.offset as usize, (filter.offset + filter.length) as usize);
    let place = (start..end).rev().find(|&at| bytes[at] != 0xff).unwrap();
    bytes[place] = 0xff;
    let mut header = header;
    for section in header.sections.iter_mut().filter(|section| section.tag == Tag::FILTER) {
        section.checksum = xxhash_rust::xxh3::xxh3_64(&bytes[start..end]);
    }
    let (page, _) = header.seal();
    let footer = bytes.len() - page.len();
    bytes[..page.len()].copy_from_slice(&page);
    bytes[footer..].copy_from_slice(&page);
    std::fs::write(&path, &bytes).unwrap();
    let report = check(&Env::default(), &path).unwrap();
    assert_eq!(report.bad.len(), 1, "{:?}", report.bad);
    assert_eq!((report.bad[0].rule, report.bad[0].offset), ("B-21", (place / 64 * 64) as u64));
}

#[test]
fn thousands_of_moves_of_one_position_are_one_slice() {
    let (_folder, path) = folder();
    let mut content = sample(3, 100);
    for code in 0..5000 {
        content.moves.push(MoveRow::new(77, code, Counts { wins: 1, draws: 0, losses: 0 }));
    }
    let content = content.settled();
    content.write(&path, Load::default());
    assert!(check(&Env::default(), &path).unwrap().ok());
    let moves = Book::open(&path).unwrap().moves(77).unwrap().into_owned();
    assert_eq!(moves.iter().map(MoveRow::code).collect::<Vec<_>>(), (0..5000).collect::<Vec<_>>());
    probe_all(&path, &content);
}
