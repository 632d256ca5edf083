//! Damaged packed books: every byte changed is found and placed, no answer is wrong, nothing panics
//! whatever pages say, and salvage keeps the other pages.

use crate::books::{
    Answer, Content, answer, checked, chunk, collect, every_column, folder_in_memory, keys_of,
    name_at, open, salvaged, sample, streamed,
};
use crate::image::Image;
use crate::misplaced::with_large_groups;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tabia::bytes::Bytes;
use tabia::format::{Header, Tag};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    BestGame, Book, Columns, Env, Error, Existing, MoveRow, PositionRow, Row, Rule, WithCells,
};
use tabia_testing::{Sample, whole};

/// A packed book, and what it says of all its keys and of some others.
struct Patient {
    _folder: tempfile::TempDir,
    path: PathBuf,
    header: Header,
    bytes: Vec<u8>,
    keys: Vec<u64>,
    answers: Vec<Answer>,
}

impl Patient {
    fn of(content: Content, columns: Columns) -> Self {
        let (folder, path) = folder_in_memory();
        let content = content.with_cells(columns, 1);
        let new = content.new_book().packed(true);
        let header = new.write(&Env::default(), &path, Existing::Refuse).unwrap();
        let book = open(&path);
        let mut keys = keys_of(&book);
        keys.extend([1, 2, 3]);
        keys.sort_unstable();
        keys.dedup();
        let answers = keys.iter().map(|&key| answer(&book, key).unwrap()).collect();
        Self { _folder: folder, bytes: fs::read(&path).unwrap(), path, header, keys, answers }
    }
}

/// All rows, or none if there was an error.
fn all_rows<S: Bytes>(book: &Book<S>) -> Option<(Chunk<PositionRow>, Chunk<MoveRow>)> {
    let (positions, moves) = (streamed(book), streamed(book));
    positions.ok().zip(moves.ok())
}

/// Changes bytes of a book, so many apart, each by one of its bits or, where not all are changed, by
/// all of them.
fn change_bytes(patient: &Patient, apart: usize) {
    let file = File::options().write(true).open(&patient.path).unwrap();
    let all = all_rows(&open(&patient.path)).unwrap();
    let mut sample = Sample::one_in(if apart == 1 { 12 } else { 8 });
    let kind = |at: usize| if apart == 1 { (at % 8, at % 4096 / 512) } else { (0, 0) };
    let mut takes = |at: &usize| sample.takes_of((name_at(&patient.header, *at as u64), kind(*at)));
    for at in (0..patient.bytes.len()).step_by(apart).filter(|at| takes(at)) {
        let change = if apart == 1 { 1 << (at % 8) } else { 0xff };
        let mut bytes = patient.bytes.clone();
        bytes[at] ^= change;
        file.write_all_at(&bytes[at..=at], at as u64).unwrap();
        let name = name_at(&patient.header, at as u64);
        let report = checked(&patient.path);
        let placed = report.bad.iter().any(|finding| finding.section == name);
        assert!(placed, "byte {at} of {name}: {:?}", report.bad);
        match Book::open(&patient.path) {
            Ok(book) => {
                let in_memory = Book::from_bytes(&bytes[..]).unwrap();
                for rows in [all_rows(&book), all_rows(&in_memory)].into_iter().flatten() {
                    assert!(rows == all, "byte {at} of {name}");
                }
                let asked = if apart == 1 {
                    vec![at % patient.keys.len(), at / 8 % patient.keys.len()]
                } else {
                    (0..patient.keys.len()).collect()
                };
                for place in asked {
                    if let Ok(answer) = answer(&book, patient.keys[place]) {
                        assert!(answer == patient.answers[place], "byte {at} of {name}");
                    }
                }
            }
            Err(error) => {
                assert!(["header", "PACK"].contains(&name.as_str()), "byte {at}: {error}");
            }
        }
        file.write_all_at(&[patient.bytes[at]], at as u64).unwrap();
    }
    let all = patient.bytes.len();
    println!("of {all} bytes of a packed book the sampled ones changed: all found and placed");
}

#[test]
fn every_byte_of_a_packed_book() {
    change_bytes(&Patient::of(sample(3, 150), Columns::NONE), 1);
}

#[test]
fn bytes_of_a_packed_book_with_columns_and_a_large_group() {
    let patient = Patient::of(with_large_groups(sample(4, 60), &[77], 2000), every_column());
    assert!(patient.header.table(tabia::TableKind::Moves).unwrap().length >= 2000 * 24);
    // The rows of the large group are many.
    change_bytes(&patient, 61);
}

/// Whatever stands in a page that has its checksum: no reader panics, and none goes on forever.
#[test]
fn pages_that_lie_are_read_without_a_panic() {
    for (content, columns) in [
        (sample(3, 150), Columns::NONE),
        (with_large_groups(sample(4, 60), &[77], 2000), every_column()),
        (Content::default(), Columns::NONE),
    ] {
        let patient = Patient::of(content, columns);
        let sound = Image::read(&patient.path);
        let pack = sound.clone().body(Tag::PACK).len();
        let of_page = (0..700).chain(3000..3040).map(|at| (Tag::PAGE, at));
        let games = (0..if columns == Columns::NONE { 0 } else { 64 }).map(|at| (Tag::GAMES, at));
        let mut sample = Sample::one_in(36);
        for (tag, at) in (0..pack).map(|at| (Tag::PACK, at)).chain(of_page).chain(games) {
            for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                // Each byte of what pages say of themselves, and each change.
                if !sample.takes_of((tag, at % 64)) & !sample.takes_of(change) {
                    continue;
                }
                let mut image = sound.clone();
                image.body(tag)[at] ^= change;
                if tag == Tag::PACK {
                    image.body(Tag::COPY)[at] ^= change;
                }
                let bytes = image.bytes();
                let Ok(book) = Book::from_bytes(&bytes[..]) else { continue };
                for &key in &patient.keys {
                    drop(answer(&book, key));
                }
                all_rows(&book);
                if change == 1 << (at % 8) || !whole() {
                    fs::write(&patient.path, &bytes).unwrap();
                    drop(checked(&patient.path));
                    let book = open(&patient.path);
                    all_rows(&book);
                    patient.keys.iter().for_each(|&key| drop(answer(&book, key)));
                }
            }
        }
    }
}

/// A least eval that no number stands for would be another book of the same content.
#[test]
fn a_book_without_evals_has_no_least_eval() {
    let positions = (0..50).map(|key| PositionRow::new(key, tabia::Counts::default())).collect();
    let patient = Patient::of(Content { positions, ..Content::default() }, Columns::NONE);
    let mut image = Image::read(&patient.path);
    for tag in [Tag::PACK, Tag::COPY] {
        assert_eq!(image.body(tag)[14], 0);
        image.body(tag)[16] = 1;
    }
    let refused = Book::from_bytes(image.bytes()).map(drop).unwrap_err();
    assert!(refused.to_string().contains("B-29"), "{refused}");
}

#[test]
fn salvage_keeps_what_is_on_other_pages() {
    let patient = Patient::of(sample(6, 3000), every_column());
    let pages = patient.header.section(Tag::PAGE).unwrap();
    let count = pages.length / 4096;
    assert!(count > 10, "{count} pages");
    let all = collect::<PositionRow>(&open(&patient.path));
    let saved = patient.path.with_file_name("saved.tabia");
    let lost = |path: &Path| {
        let report = salvaged(path, &saved);
        assert!(open(&saved).header().packed);
        assert!(checked(&saved).ok());
        let kept = collect::<PositionRow>(&open(&saved));
        let by_rank = crate::books::by_rank(&all);
        assert!(kept.iter().all(|row| by_rank.get(&row.rank()) == Some(row)));
        assert_eq!(report.positions.unwrap().kept, kept.len() as u64);
        (all.len() - kept.len(), report.bad)
    };
    // A page in the middle.
    let mut bytes = patient.bytes.clone();
    bytes[(pages.offset + 5 * 4096 + 100) as usize] ^= 1;
    fs::write(&patient.path, &bytes).unwrap();
    let (rows, bad) = lost(&patient.path);
    assert!((1..3 * all.len() / count as usize).contains(&rows), "{rows} rows are lost");
    assert!(bad.len() == 1 && bad[0].rule == Rule::B31 && bad[0].block == Some(5), "{bad:?}");
    // The parameters: there is a copy of them.
    let mut bytes = patient.bytes.clone();
    bytes[patient.header.section(Tag::PACK).unwrap().offset as usize + 5] ^= 1;
    fs::write(&patient.path, &bytes).unwrap();
    assert!(matches!(Book::open(&patient.path), Err(Error::Refused { .. })));
    let (rows, bad) = lost(&patient.path);
    assert!(rows == 0 && bad.len() == 1 && bad[0].rule == Rule::B29, "{bad:?}");
    // Cut off in the middle of the pages.
    fs::write(&patient.path, &patient.bytes[..(pages.offset + 6 * 4096 + 77) as usize]).unwrap();
    let (rows, bad) = lost(&patient.path);
    assert!(rows < all.len() && rows > all.len() / 2, "{rows} rows are lost");
    assert!(bad.iter().any(|finding| finding.rule == Rule::B5), "{bad:?}");
    // Games of a dictionary: the cells that name them say nothing, all rows and all other cells
    // are kept.
    let games = *patient.header.section(Tag::GAMES).unwrap();
    let mut bytes = patient.bytes.clone();
    bytes[games.offset as usize + 4096 + 40] ^= 1;
    fs::write(&patient.path, &bytes).unwrap();
    assert!(all_rows(&open(&patient.path)).is_none(), "a stream verifies the games");
    let (rows, bad) = lost(&patient.path);
    assert!(rows == 0 && bad.len() == 1, "{bad:?}");
    assert!(bad[0].rule == Rule::B13 && bad[0].section == "DICT" && bad[0].block == Some(1));
    let report = salvaged(&patient.path, &saved);
    let (before, after) = (&patient.bytes, chunk::<MoveRow>(&open(&saved)));
    let before = chunk::<MoveRow>(&Book::from_bytes(&before[..]).unwrap());
    assert_eq!(after.rows(), before.rows());
    let names_game = |row: &WithCells<MoveRow>| row.cells.get() != Some(BestGame::default());
    let gone = before.iter().zip(after.iter()).filter(|(a, b)| names_game(a) && !names_game(b));
    assert!((200..=report.cells).contains(&(gone.count() as u64)), "{} cells", report.cells);
    let kept = before.iter().zip(after.iter()).filter(|(a, b)| names_game(b) && a != b);
    assert_eq!(kept.count(), 0);
    // What is whole is salvaged to the same rows.
    fs::write(&patient.path, &patient.bytes).unwrap();
    let (rows, bad) = lost(&patient.path);
    assert!(rows == 0 && bad.is_empty());
    let cells = |path: &Path| chunk::<MoveRow>(&open(path));
    assert_eq!(cells(&saved), cells(&patient.path));
}

/// Whether a stream ends at a page, and not only at a row that is out of order.
fn is_of_page<R: Row>(book: &impl RowSet<R>) -> bool {
    let read = book.rows().and_then(Rows::collect);
    read.is_err_and(|error| !error.to_string().contains("out of order"))
}

/// Of a page whose checksum is right and whose groups are not, nothing is kept: neither what stands
/// before the damage nor what stands behind it.
#[test]
fn salvage_leaves_a_page_that_lies_out_as_a_whole() {
    let patient = Patient::of(sample(6, 1500), Columns::NONE);
    let pages = *patient.header.section(Tag::PAGE).unwrap();
    let saved = patient.path.with_file_name("saved.tabia");
    let sound = Image::read(&patient.path);
    let kept = |bytes: &[u8]| {
        fs::write(&patient.path, bytes).unwrap();
        let report = salvaged(&patient.path, &saved);
        let book = open(&saved);
        (collect::<PositionRow>(&book), collect::<MoveRow>(&book), report.bad)
    };
    let mut bytes = patient.bytes.clone();
    bytes[(pages.offset + 2 * 4096 + 1000) as usize] ^= 1;
    let without = kept(&bytes);
    assert_eq!(without.2[0].block, Some(2));
    let mut lies = 0;
    for at in (2 * 4096 + 8..3 * 4096 - 8).step_by(13) {
        let mut image = sound.clone();
        image.body(Tag::PAGE)[at] ^= 0xff;
        let bytes = image.bytes();
        let Ok(book) = Book::from_bytes(&bytes[..]) else { continue };
        let found = kept(&bytes);
        if is_of_page::<PositionRow>(&book) {
            assert!(found.0 == without.0, "byte {at}");
            lies += 1;
        }
        assert!(!is_of_page::<MoveRow>(&book) || found.1 == without.1, "byte {at}");
    }
    assert!(lies > 10, "{lies} pages");
}

#[test]
fn check_finds_pages_that_are_not_as_they_are_written() {
    let patient = Patient::of(sample(8, 150), Columns::NONE);
    let sound = Image::read(&patient.path);
    let (mut tried, mut found, mut other, mut groups) = (0, 0, 0, 0);
    for bit in (0..8 * 4088).step_by(37) {
        let mut image = sound.clone();
        image.body(Tag::PAGE)[bit / 8] ^= 1 << (bit % 8);
        fs::write(&patient.path, image.bytes()).unwrap();
        let report = checked(&patient.path);
        tried += 1;
        if report.bad.iter().any(|finding| finding.rule == Rule::B32) {
            found += 1;
            groups += u32::from(report.bad.iter().any(|finding| finding.what.contains("group")));
        } else if report.bad.is_empty() {
            // Another book that is sound: of other keys, moves or evals.
            let rows = collect::<PositionRow>(&open(&patient.path));
            assert!(rows.is_sorted_by(|a, b| a.hash() < b.hash()));
            other += 1;
        }
    }
    println!("{tried} pages: {found} are not as they are written, {other} are other books");
    assert!(found > tried / 2 && groups > 100, "{found} of {tried}, {groups} by their groups");
}

/// Where nothing is read, too, and on other pages than the last.
#[test]
fn check_finds_what_is_in_the_free_room_of_a_page() {
    let patient = Patient::of(sample(8, 2000), Columns::NONE);
    let sound = Image::read(&patient.path);
    let pages = sound.clone().body(Tag::PAGE).clone();
    let mut tried = 0;
    for (page, bytes) in pages.chunks_exact(4096).enumerate() {
        let Some(free) = bytes[..4088].windows(16).rposition(|bytes| bytes == [0; 16]) else {
            continue;
        };
        let mut image = sound.clone();
        image.body(Tag::PAGE)[4096 * page + free + 8] ^= 1;
        fs::write(&patient.path, image.bytes()).unwrap();
        let report = checked(&patient.path);
        assert!(report.bad.iter().any(|finding| finding.rule == Rule::B32), "page {page}");
        tried += 1;
    }
    assert!(tried >= 3 && pages.len() > 3 * 4096, "{tried} pages");
}
