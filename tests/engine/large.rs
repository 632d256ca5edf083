//! More rows than 2^32: a synthetic book in a sparse file, and (by the long command) a table of
//! that many rows written to a disk that keeps nothing.

use crate::books::{chess_book, open};
use crate::synthetic::Synthetic;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use tabia::bytes::{Bytes, Pread};
use tabia::format::{Digest, Header, Load, Section, TableShape, Tag};
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};
use tabia::{Counts, Env, Existing, PositionRow, home, mix, unmix};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

const ROWS: u64 = (1 << 32) + 5;

#[test]
fn a_row_beyond_the_first_2_to_the_32_is_found() {
    // About 128 GB of nothing: only the pages written below take space.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("book.tabia");
    let homes = Load::default().homes(ROWS);
    let shape = TableShape { rows: ROWS, homes, max_displacement: 3, ..TableShape::default() };
    let table = Section {
        tag: Tag::POSITIONS,
        cell: 24,
        offset: 4096,
        length: 24 * shape.slots(),
        shape,
        ..Section::default()
    };
    let blocks = table.length.div_ceil(4096);
    let sums = Section {
        tag: Tag::POSITIONS.sums(),
        offset: table.end(),
        length: 8 * blocks,
        ..Section::default()
    };
    let list = |tag, offset| Section {
        tag,
        offset,
        length: 8,
        checksum: xxh3_64(&[0; 8]),
        ..Section::default()
    };
    let sources = list(Tag::SOURCES, sums.end());
    let facts = list(Tag::FACTS, sources.end());
    let sections = vec![table, sums, sources, facts];
    let empty = chess_book();
    let empty = empty.write(&Env::default(), &path, Existing::Refuse).unwrap();
    let digest = Digest::NONE;
    let header = Header { digest, file_length: facts.end() + 4096, sections, ..empty };
    let key = unmix(u64::MAX - (1 << 58));
    let row = PositionRow::new(key, Counts::new(7, 0, 0));
    let slot = home(mix(key), homes);
    assert!(slot > 1 << 32);
    let file = File::create(&path).unwrap();
    file.set_len(header.file_length).unwrap();
    file.write_all_at(&header.seal().0, 0).unwrap();
    file.write_all_at(row.as_bytes(), table.offset + 24 * slot).unwrap();
    for block in slot * 24 / 4096..(slot * 24 + 100) / 4096 + 1 {
        let mut bytes = vec![0; 4096];
        let written = Pread::open(&path).unwrap();
        written.read_exact_at(&mut bytes, table.offset + block * 4096).unwrap();
        file.write_all_at(&xxh3_64(&bytes).to_le_bytes(), sums.offset + 8 * block).unwrap();
    }
    let book = open(&path);
    assert_eq!(book.position(key).unwrap(), Some(row));
    println!("{ROWS} rows in {} bytes: found in slot {slot}", header.file_length);
}

/// A disk that keeps nothing.
struct Nowhere;

/// A file that keeps nothing: it says so, or that all was written.
pub struct NoFile {
    pub takes: bool,
}

impl Storage for Nowhere {
    fn open(&self, _: &Path, _: Missing) -> std::io::Result<Box<dyn StorageFile>> {
        Ok(Box::new(NoFile { takes: true }))
    }

    fn scratch(&self, folder: &Path) -> std::io::Result<Box<dyn StorageFile>> {
        System.scratch(folder)
    }

    fn rename(&self, _: &Path, _: &Path) -> std::io::Result<()> {
        Ok(())
    }

    fn rename_new(&self, _: &Path, _: &Path) -> std::io::Result<()> {
        Ok(())
    }

    fn remove(&self, _: &Path) -> std::io::Result<()> {
        Ok(())
    }

    fn create(&self, _: &Path, _: Option<&Path>) -> std::io::Result<Box<dyn StorageFile>> {
        Ok(Box::new(NoFile { takes: true }))
    }

    fn leftover(&self, _: &Path) -> std::io::Result<Leftover> {
        Ok(Leftover::Nothing)
    }

    fn open_folder(&self, _: &Path) -> std::io::Result<Box<dyn StorageFolder>> {
        Ok(Box::new(NoFile { takes: true }))
    }
}

impl StorageFolder for NoFile {
    fn sync(&self) -> std::io::Result<()> {
        Ok(())
    }
}

impl StorageFile for NoFile {
    fn write_at(&self, bytes: &[u8], _: u64) -> std::io::Result<usize> {
        Ok(if self.takes { bytes.len() } else { 0 })
    }

    fn read_at(&self, _: &mut [u8], _: u64) -> std::io::Result<usize> {
        Ok(0)
    }

    fn set_len(&self, _: u64) -> std::io::Result<()> {
        Ok(())
    }

    fn sync(&self) -> std::io::Result<()> {
        Ok(())
    }

    fn try_lock(&self) -> std::io::Result<bool> {
        Ok(true)
    }

    fn is_at(&self, _: &Path) -> std::io::Result<bool> {
        Ok(true)
    }

    fn finish(&self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes so many rows to nowhere; what the header says of them.
fn written(rows: u64, packed: bool) -> (Header, Section) {
    let (env, set) = (Env { storage: &Nowhere, progress: &() }, Synthetic(rows));
    let new = chess_book().positions(&set).packed(packed);
    let header = new.write(&env, Path::new("/nowhere/book.tabia"), Existing::Refuse).unwrap();
    let table = *header.table(tabia::TableKind::Positions).unwrap();
    assert_eq!((table.shape.rows, table.shape.wins), (rows, rows));
    (header, table)
}

fn write_to_nowhere(rows: u64) {
    let (header, table) = written(rows, false);
    assert_eq!(table.shape.homes, Load::default().homes(rows));
    assert_eq!(table.length, 24 * table.shape.slots());
    let (bytes, reach) = (header.file_length, table.shape.max_displacement);
    println!("{rows} rows written to nowhere: {bytes} bytes, reach {reach}");
}

#[test]
fn a_million_rows_are_written() {
    write_to_nowhere(1_000_003);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test engine large -- --ignored --nocapture"]
fn more_than_2_to_the_32_rows_are_written() {
    write_to_nowhere(ROWS);
}

/// As [`write_to_nowhere`], packed: rows as even as these are so many bytes each.
fn pack_to_nowhere(rows: u64) {
    let (header, table) = written(rows, true);
    assert_eq!(table.length, 0);
    let pages = header.section(Tag::PAGE).unwrap();
    assert_eq!(pages.shape.rows, rows);
    assert!(pages.length / 4096 - pages.shape.homes <= 2);
    let bits = (pages.length * 8) as f64 / rows as f64;
    println!("{rows} rows packed to nowhere: {} bytes, {bits:.2} bits each", header.file_length);
    // A remainder, a bucket, a class of one bit, and what groups and pages take.
    let remainder = 64 - (rows as f64).log2().round() as i32;
    assert!((5.0..8.0).contains(&(bits - f64::from(remainder))), "{bits}");
}

#[test]
fn a_million_rows_are_packed() {
    pack_to_nowhere(1_000_003);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test engine large -- --ignored --nocapture"]
fn more_than_2_to_the_32_rows_are_packed() {
    pack_to_nowhere((1 << 32) + 12_345);
}
