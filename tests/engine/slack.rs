//! Keys that were chosen to collide: tables with more slack than usual are right, and it is said
//! that they are slow (finding D7).

use crate::books::{
    Content, answer, checked, chunk, collect, columns_of_bits, every_column, folder,
    folder_in_memory, merge_new, of_hashes, open, open_writer, rows_of, salvaged, sample, write,
};
use std::fs;
use std::path::Path;
use tabia::format::{Load, Tag};
use tabia::{
    Batch, Book, Columns, Env, Existing, Hash, MergeOptions, MoveRow, PositionRow, Row, Share,
    TableKind, TableShape, merge, mix, unmix,
};

/// So many hashes that all have the least home, the greatest, or one in the middle, in tables of up
/// to 2^30 homes.
fn with_one_home(place: u64, count: u64) -> impl Iterator<Item = u64> + Clone {
    // A home in the middle begins in the middle of all hashes, where their number is even.
    let first = match place {
        0 => 0,
        1 => 1 << 63,
        _ => u64::MAX - count + 1,
    };
    (0..count).map(move |i| first + i)
}

fn shape(path: &Path, kind: TableKind) -> TableShape {
    open(path).header().table(kind).unwrap().shape
}

/// Whether every reader, stream and check finds the book to be what its content is, and it merges,
/// is added to and salvaged as any other.
fn assert_right(path: &Path, content: &Content, crowded: &[TableKind]) {
    let file = open(path);
    let bytes = fs::read(path).unwrap();
    let memory = Book::from_bytes(&bytes[..]).unwrap();
    assert_eq!(collect::<PositionRow>(&file), content.positions);
    assert_eq!(chunk::<MoveRow>(&file), content.moves);
    let keys: Vec<u64> = content.positions.iter().map(Row::key).collect();
    let absent: Vec<u64> =
        keys.iter().step_by(11).map(|&key| mix(key)).chain([0, u64::MAX].map(unmix)).collect();
    let mut found = vec![None; keys.len()];
    memory.positions(&keys, &mut found).unwrap();
    assert!(found.iter().zip(&content.positions).all(|(found, row)| *found == Some(*row)));
    for (row, moved) in
        content.positions.iter().zip(content.moves.iter()).step_by(1 + keys.len() / 300)
    {
        let expected = (Some(*row), vec![moved]);
        assert_eq!(answer(&file, row.key()).unwrap(), expected);
        assert_eq!(answer(&memory, row.key()).unwrap(), expected);
    }
    for &key in absent.iter().filter(|&&key| !keys.contains(&key)) {
        assert_eq!(answer(&file, key).unwrap(), (None, vec![]));
        assert_eq!(answer(&memory, key).unwrap(), (None, vec![]));
        assert!(file.moves(key).unwrap().is_empty());
    }
    let report = checked(path);
    assert!(report.ok(), "{:?}", report.bad);
    assert_eq!(report.crowded, crowded);
    for kind in TableKind::ALL {
        assert_eq!(shape(path, kind).is_crowded(kind, file.header().load), crowded.contains(&kind));
    }
    assert_goes_on(path, content, &bytes);
}

/// Whether it merges, is added to, compacted and salvaged as any other.
fn assert_goes_on(path: &Path, content: &Content, bytes: &[u8]) {
    let (other, output) = (path.with_extension("other"), path.with_extension("output"));
    let header = open(path).header().clone();
    let more = Content { filter: false, ..sample(99, 200) };
    write(more.new_book().load(header.load), &other);
    write(content.with(&more).new_book().load(header.load), &output);
    let expected = fs::read(&output).unwrap();
    for turned in [false, true] {
        let mut books = vec![open(path), open(&other)];
        if turned {
            books.reverse();
        }
        let options = MergeOptions { existing: Existing::Replace, ..MergeOptions::default() };
        merge(&Env::default(), &output, &books, options).unwrap();
        assert!(fs::read(&output).unwrap() == expected);
    }
    salvaged(path, &output);
    assert!(fs::read(&output).unwrap() == bytes);
    // A row taken away and put back by journals.
    let row = content.positions[content.positions.len() / 2];
    let mut writer = open_writer(&output);
    writer.append(Batch::new().delete_position(row.key())).unwrap();
    writer.compact().unwrap();
    assert_eq!(open(&output).position(row.key()).unwrap(), None);
    writer.append(Batch::new().put_position(row)).unwrap();
    writer.compact().unwrap();
    drop(writer);
    assert_eq!(open(&output).digest(), open(path).digest());
    fs::remove_file(output).unwrap();
    fs::remove_file(other).unwrap();
}

#[test]
fn b23_keys_with_one_home_make_slack_grow_and_books_stay_right() {
    // The slack that the specification gives for so many rows in one home.
    for (count, slack) in [
        (2, 2),
        (40, 40),
        (1024, 1024),
        (1025, 1024),
        (1026, 4096),
        (4097, 4096),
        (4098, 16_384),
        (20_000, 65_536),
    ] {
        // Of many rows it is the last home that pushes them beyond all others.
        for place in if count > 5000 { 2..3 } else { 0..3 } {
            let (_folder, path) = folder();
            let filter = place != 1;
            let content = Content { filter, ..of_hashes(with_one_home(place, count)) };
            // With columns, and without.
            let content =
                content.with_cells(if place == 2 { every_column() } else { Columns::NONE }, 1);
            let header = content.write(&path);
            for kind in TableKind::ALL {
                let table = header.table(kind).unwrap();
                let (shape, homes) = (table.shape, (count * 1000).div_ceil(800));
                assert_eq!(shape.homes, homes, "{count} at {place}");
                assert_eq!(shape.max_displacement, count - 1, "{count} at {place}");
                assert_eq!(table.length, 24 * (homes + slack), "{count} at {place}");
            }
            assert_eq!(header.section(Tag::TAGS).is_some(), filter);
            // Moves come in groups.
            let crowded = [(TableKind::Positions, 1000), (TableKind::Moves, 4000)];
            let crowded = crowded.into_iter().filter(|(_, most)| count > *most);
            assert_right(&path, &content, &crowded.map(|(kind, _)| kind).collect::<Vec<_>>());
        }
    }
}

/// Beside random rows, which stay where they were; those that collide push beyond the last home.
#[test]
fn rows_that_are_pushed_beyond_the_last_home_are_found() {
    let (_folder, path) = folder();
    let random = of_hashes((0..3000).map(|i| mix(i ^ 0x1234_5678)));
    let colliding = of_hashes(with_one_home(2, 2500));
    let content =
        Content { filter: true, ..random.with(&colliding) }.with_cells(columns_of_bits(0b010), 1);
    let header = write(content.new_book().load(Load::from_thousandths(500).unwrap()), &path);
    let table = header.table(TableKind::Positions).unwrap();
    // So many are behind the last home that there would be no room with the usual slack.
    assert!(table.shape.max_displacement >= 2499 && table.length / 24 - table.shape.homes == 4096);
    assert_right(&path, &content, &TableKind::ALL);
}

/// As many rows as go into several batches of the writer: slots were handed on when it turns out
/// that there are too few.
#[test]
fn a_large_table_is_begun_anew_with_more_slack() {
    let (_folder, path) = folder_in_memory();
    let random = (0..700_000).map(|i| mix(i ^ 0x1234_5678));
    let content = of_hashes(random.chain(with_one_home(2, 6_000)));
    let content = Content { filter: true, ..content }.with_cells(every_column(), 1);
    let header = content.write(&path);
    let table = header.table(TableKind::Moves).unwrap();
    assert_eq!(table.length / 24 - table.shape.homes, 16_384);
    let report = checked(&path);
    assert!(report.ok(), "{:?}", report.bad);
    assert!(rows_of(&path) == content.rows());
    assert!(crate::books::moves_of(&path) == content.moves);
}

#[test]
fn d7_random_keys_are_never_crowded() {
    for (seed, positions, load) in [
        (1, 1, 980),
        (2, 10, 980),
        (3, 1000, 500),
        (4, 30_000, 800),
        (5, 30_000, 980),
        (6, 200_000, 800),
    ] {
        let (_folder, path) = folder_in_memory();
        let load = Load::from_thousandths(load).unwrap();
        write(sample(seed, positions).new_book().load(load), &path);
        let report = checked(&path);
        let crowded = &report.crowded;
        assert!(report.ok() && crowded.is_empty(), "{positions} at {load}: {crowded:?}");
    }
}

/// The rows of an eighth of the hashes, in a book that says nothing of that: all homes but an
/// eighth are empty.
#[test]
fn d7_the_keys_of_a_share_in_a_book_that_is_no_share_are_crowded() {
    let (folder, path) = folder_in_memory();
    let share = Share::new(3, 5).unwrap();
    let content = of_hashes((0..400_000).map(mix).filter(|&h| share.holds(Hash::from_bits(h))));
    assert!(content.positions.len() > 49_000);
    let content = Content { filter: true, ..content };
    content.write(&path);
    assert!(shape(&path, TableKind::Positions).max_displacement > 40_000);
    let report = checked(&path);
    assert!(report.ok());
    assert_eq!(report.crowded, TableKind::ALL);
    // It is right all the same, and as a share it is as any book.
    let as_share = folder.path().join("share");
    write(content.new_book().share(share), &as_share);
    assert!(shape(&as_share, TableKind::Positions).max_displacement < 200);
    assert!(checked(&as_share).crowded.is_empty());
    let of_whole = folder.path().join("of-whole");
    let options = MergeOptions { share: Some(share), ..MergeOptions::default() };
    merge(&Env::default(), &of_whole, &[open(&path)], options).unwrap();
    assert!(fs::read(&of_whole).unwrap() == fs::read(&as_share).unwrap());
    let again = folder.path().join("again");
    merge_new(&again, &[open(&path)]).unwrap();
    // A merge keeps it, and `check` says so.
    assert!(fs::read(&again).unwrap() == fs::read(&path).unwrap());
}
