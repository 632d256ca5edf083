//! Writers, readers and files that are in each other's way.

use crate::books::{folder, new_book, rows_of, sample};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::{fs, io};
use tabia::format::Load;
use tabia::storage::{Leftover, Missing, Storage, StorageFile, StorageFolder, System};
use tabia::stream::{RowSet, Rows};
use tabia::{Batch, Book, Counts, Env, Error, MoveRow, PositionRow, Progress, Stage, TableKind, View, Writer, journal_path};

fn batch(key: u64) -> Batch {
    let mut batch = Batch::new();
    batch.add_position(PositionRow::new(key, Counts { wins: 1, draws: 0, losses: 0 }));
    batch
}

#[test]
fn the_second_writer_is_told_at_once() {
    let (_folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    let first = Writer::open(Env::default(), &path).unwrap();
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::Locked { .. })));
    assert!(matches!(new_book(&sample(2, 10), Load::default()).write(&Env::default(), &path, true), Err(Error::Locked { .. })));
    drop(first);
    Writer::open(Env::default(), &path).unwrap();
}

#[test]
fn the_lock_moves_on_with_the_book_when_it_is_compacted() {
    let (_folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer.append(&batch(5)).unwrap();
    assert!(writer.compact().unwrap());
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::Locked { .. })));
    writer.append(&batch(6)).unwrap();
}

#[test]
fn a_reader_keeps_what_it_has_until_it_refreshes() {
    let (_folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    let mut reader = Book::open(&path).unwrap();
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer.append(&batch(5)).unwrap();
    assert_eq!(reader.position(5).unwrap(), None);
    assert!(reader.refresh().unwrap());
    assert!(reader.position(5).unwrap().is_some());
    writer.compact().unwrap();
    assert!(reader.position(5).unwrap().is_some());
    assert!(reader.refresh().unwrap());
    assert!(!reader.refresh().unwrap());
    assert!(reader.position(5).unwrap().is_some());
    assert_eq!(Book::open_view(&path, View::Bare).unwrap().position(6).unwrap(), None);
}

#[test]
fn an_output_that_exists_is_kept_unless_it_is_to_be_replaced() {
    let (folder, path) = folder();
    fs::write(&path, "precious").unwrap();
    let content = sample(1, 10);
    let error = new_book(&content, Load::default()).write(&Env::default(), &path, false).unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    new_book(&content, Load::default()).write(&Env::default(), &path, true).unwrap();
    assert_eq!(rows_of(&path).0, content.positions);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn replacing_a_book_retires_its_journal() {
    let (folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    Writer::open(Env::default(), &path).unwrap().append(&batch(5)).unwrap();
    let journal = fs::read(journal_path(&path)).unwrap();
    let content = sample(2, 10);
    new_book(&content, Load::default()).write(&Env::default(), &path, true).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // Had a crash kept the journal, it would be known as stale (J-3).
    fs::write(journal_path(&path), journal).unwrap();
    assert_eq!(rows_of(&path).0, content.positions);
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    assert!(!journal_path(&path).exists());
    writer.append(&batch(5)).unwrap();
    assert!(Book::open(&path).unwrap().position(5).unwrap().is_some());
}

#[test]
fn j3_a_journal_left_behind_by_a_crash_after_compaction_is_not_applied_twice() {
    let (_folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer.append(&batch(5)).unwrap();
    let journal = fs::read(journal_path(&path)).unwrap();
    writer.compact().unwrap();
    drop(writer);
    let compacted = rows_of(&path);
    fs::write(journal_path(&path), &journal).unwrap();
    assert_eq!(rows_of(&path), compacted);
    Writer::open(Env::default(), &path).unwrap();
    assert!(!journal_path(&path).exists());
}

#[test]
fn j3_the_journal_of_another_book_is_refused() {
    let (folder, path) = folder();
    let other = folder.path().join("other.tabia");
    sample(1, 10).write(&path, Load::default());
    sample(2, 10).write(&other, Load::default());
    Writer::open(Env::default(), &other).unwrap().append(&batch(5)).unwrap();
    fs::copy(journal_path(&other), journal_path(&path)).unwrap();
    assert!(matches!(Book::open(&path), Err(Error::ForeignJournal { .. })));
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::ForeignJournal { .. })));
    assert!(journal_path(&path).exists());
    assert!(Book::open_view(&path, View::Bare).is_ok());
}

#[test]
fn j8_changes_of_a_missing_table_are_refused() {
    let (_folder, path) = folder();
    let content = sample(1, 10);
    let new = tabia::NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap()).moves(&content.moves);
    new.write(&Env::default(), &path, false).unwrap();
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    assert!(matches!(writer.append(&batch(5)), Err(Error::NoTable { .. })));
    assert!(!journal_path(&path).exists());
}

#[test]
fn an_interruption_leaves_nothing_behind() {
    struct StopAt(Stage);
    impl Progress for StopAt {
        fn step(&self, stage: Stage, _: u64, _: u64) -> bool {
            stage != self.0
        }
    }
    let (folder, path) = folder();
    let content = sample(1, 100);
    for stage in [Stage::Writing, Stage::Syncing] {
        let env = Env { progress: &StopAt(stage), ..Env::default() };
        assert!(matches!(new_book(&content, Load::default()).write(&env, &path, false), Err(Error::Interrupted)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn what_a_crash_left_of_a_book_in_the_making_is_taken_over() {
    let (folder, path) = folder();
    let left = folder.path().join("book.tabia-new");
    fs::write(&left, vec![7; 1 << 20]).unwrap();
    // What marks a file in the making.
    fs::set_permissions(&left, Permissions::from_mode(0o1644)).unwrap();
    let content = sample(1, 10);
    content.write(&path, Load::default());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(rows_of(&path).0, content.positions);
}

#[test]
fn a_book_behind_a_link_is_changed_where_it_is() {
    let (folder, path) = folder();
    let link = folder.path().join("link.tabia");
    sample(1, 10).write(&path, Load::default());
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut writer = Writer::open(Env::default(), &link).unwrap();
    writer.append(&batch(5)).unwrap();
    assert!(journal_path(&path).exists());
    assert!(Book::open(&link).unwrap().position(5).unwrap().is_some());
    writer.compact().unwrap();
    assert!(link.is_symlink());
    assert!(Book::open(&path).unwrap().position(5).unwrap().is_some());
}

#[test]
fn the_last_sequence_of_all_is_the_end() {
    let (_folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    let mut bytes = fs::read(&path).unwrap();
    bytes[120..128].fill(0xff);
    let crc = crc32fast::hash(&bytes[..4092]).to_le_bytes();
    bytes[4092..4096].copy_from_slice(&crc);
    fs::write(&path, &bytes).unwrap();
    assert!(Book::open(&path).is_ok());
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    assert!(matches!(writer.append(&batch(5)), Err(Error::Limit { .. })));
}

#[test]
fn a_check_stops_when_it_is_asked_to() {
    struct StopAfter(AtomicU32);
    impl Progress for StopAfter {
        fn step(&self, _: Stage, _: u64, _: u64) -> bool {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < 1
        }
    }
    let (_folder, path) = folder();
    // Many pieces, so that the thread that reads ahead is still at it, or waits.
    sample(1, 50_000).write(&path, Load::default());
    let progress = StopAfter(0.into());
    let env = Env { progress: &progress, ..Env::default() };
    assert!(matches!(tabia::check(&env, &path), Err(Error::Interrupted)));
}

/// Rows that something befalls when they are streamed for the n-th time.
struct Fickle<F> {
    rows: Vec<PositionRow>,
    streamed: AtomicU32,
    then: F,
}

impl<F: Fn(u32, &mut Vec<PositionRow>) + Sync> RowSet<PositionRow> for Fickle<F> {
    fn rows(&self) -> tabia::Result<Box<dyn Rows<PositionRow> + '_>> {
        let mut rows = self.rows.clone();
        (self.then)(1 + self.streamed.fetch_add(1, Ordering::Relaxed), &mut rows);
        Ok(Box::new(Once(rows)))
    }

    fn at_most(&self) -> u64 {
        self.rows.len() as u64
    }
}

struct Once(Vec<PositionRow>);

impl Rows<PositionRow> for Once {
    fn next_chunk(&mut self, chunk: &mut Vec<PositionRow>) -> tabia::Result<()> {
        *chunk = std::mem::take(&mut self.0);
        Ok(())
    }
}

fn write_fickle(path: &Path, then: impl Fn(u32, &mut Vec<PositionRow>) + Sync) -> Error {
    let rows = Fickle { rows: sample(1, 10).positions, streamed: AtomicU32::new(0), then };
    let new = tabia::NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap()).positions(&rows);
    new.write(&Env::default(), path, false).unwrap_err()
}

#[test]
fn a_book_whose_rows_change_while_they_are_read_is_not_written() {
    let (folder, path) = folder();
    let changes: [fn(&mut Vec<PositionRow>); 4] =
        [|rows| _ = rows.pop(), |rows| rows.extend(sample(2, 1).positions), |rows| rows.swap(3, 4), |rows| rows[5] = rows[4]];
    for change in changes {
        let error = write_fickle(&path, |time, rows| {
            if time == 2 {
                change(rows)
            }
        });
        assert!(matches!(error, Error::Changed { .. }), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_file_that_appears_while_a_book_is_made_is_kept() {
    let (folder, path) = folder();
    let error = write_fickle(&path, |time, _| {
        if time == 2 {
            fs::write(&path, "precious").unwrap()
        }
    });
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The system's disk, but the first file that is opened is replaced before its lock is taken.
struct Replacing {
    by: PathBuf,
    done: AtomicBool,
}

impl Storage for Replacing {
    fn open(&self, path: &Path, missing: Missing) -> io::Result<Box<dyn StorageFile>> {
        let file = System.open(path, missing)?;
        if !self.done.swap(true, Ordering::Relaxed) {
            fs::rename(&self.by, path)?;
        }
        Ok(file)
    }

    fn scratch(&self, folder: &Path) -> io::Result<Box<dyn StorageFile>> {
        System.scratch(folder)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename_new(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }

    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn StorageFile>> {
        System.create(path, like)
    }

    fn leftover(&self, path: &Path) -> io::Result<Leftover> {
        System.leftover(path)
    }

    fn open_folder(&self, folder: &Path) -> io::Result<Box<dyn StorageFolder>> {
        System.open_folder(folder)
    }
}

#[test]
fn a_book_that_is_replaced_before_it_is_locked_is_opened_anew() {
    let (folder, path) = folder();
    let by = folder.path().join("other.tabia");
    sample(1, 10).write(&path, Load::default());
    let new = sample(2, 10).write(&by, Load::default());
    let storage = Replacing { by, done: AtomicBool::new(false) };
    let writer = Writer::open(Env { storage: &storage, progress: &() }, &path).unwrap();
    assert_eq!(*writer.header(), new);
    // It is the new file that is locked.
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::Locked { .. })));
}

/// A file that takes nothing and gives nothing, and says that this is fine.
struct Void;

impl StorageFile for Void {
    fn write_at(&self, _: &[u8], _: u64) -> io::Result<usize> {
        Ok(0)
    }

    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Ok(0)
    }

    fn set_len(&self, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn try_lock(&self) -> io::Result<bool> {
        Ok(true)
    }

    fn is_at(&self, _: &Path) -> io::Result<bool> {
        Ok(true)
    }

    fn finish(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_file_that_takes_and_gives_nothing_is_an_error_and_no_endless_loop() {
    assert_eq!(Void.write_all_at(&[1], 0).unwrap_err().kind(), io::ErrorKind::WriteZero);
    assert_eq!(Void.read_exact_at(&mut [0], 0).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn a_book_without_a_table_has_no_rows_of_it_and_takes_none() {
    let (_folder, path) = folder();
    let rows = sample(1, 10).positions;
    let new = tabia::NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap()).positions(&rows);
    new.write(&Env::default(), &path, false).unwrap();
    let book = Book::open(&path).unwrap();
    assert!(matches!(RowSet::<MoveRow>::rows(&book), Err(Error::NoTable { table: TableKind::Moves, .. })));
    assert!(book.moves(5).unwrap().is_empty());
    let mut moves = Batch::new();
    assert!(moves.is_empty() && !moves.add_move(MoveRow::new(5, 1, Counts::default())).is_empty());
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    assert!(matches!(writer.append(&moves), Err(Error::NoTable { table: TableKind::Moves, .. })));
    assert!(!journal_path(&path).exists());
    // A batch that can't be taken is no failure of the disk.
    writer.append(&batch(5)).unwrap();
}

#[test]
#[expect(unsafe_code, reason = "maps a file that nobody else writes to")]
fn a_mapped_book_and_batches_of_probes_see_the_journal() {
    let (_folder, path) = folder();
    sample(1, 10).write(&path, Load::default());
    // SAFETY: the file stands in a folder of this test's own, and the engine never writes to a book's file.
    let mut map = unsafe { Book::map(&path) }.unwrap();
    let mut writer = Writer::open(Env::default(), &path).unwrap();
    writer.append(&batch(5)).unwrap();
    let probe = |map: &Book<tabia::bytes::Map>| {
        let mut found = [None; 2];
        map.positions(&[5, 6], &mut found).unwrap();
        found.map(|row| row.is_some())
    };
    assert_eq!(probe(&map), [false, false]);
    // SAFETY: as above.
    assert!(unsafe { map.refresh() }.unwrap());
    assert_eq!(probe(&map), [true, false]);
    writer.compact().unwrap();
    // SAFETY: as above.
    assert!(unsafe { map.refresh() }.unwrap());
    assert_eq!((probe(&map), map.position_table().unwrap().get(5).is_some()), ([true, false], true));
}
