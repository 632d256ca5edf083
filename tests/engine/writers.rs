//! Writers, readers and files that are in each other's way.

use crate::books::{
    StopIf, append_positions, checked, chess_book, folder, folder_in_memory, journaled,
    journaled_books, open, open_writer, rows_of, sample, sample_book, source, won,
};
use crate::large::NoFile;
use crate::synthetic::InPieces;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::{fs, io};
use tabia::storage::{StorageFile, System};
use tabia::stream::{RowSet, Rows};
use tabia::{
    AtomicFile, Batch, Book, Companions, Counts, Env, Error, Existing, MergeOptions, MoveRow,
    NewBook, PositionRow, Rule, Stage, TableKind, View, Writer, journal_path, merge,
};
use tabia_testing::crash::disk::{Call, Disk, Event};
use tabia_testing::crash::fixture::Fixture;

#[test]
fn the_second_writer_is_told_at_once() {
    let (_folder, path) = sample_book(1, 10);
    let first = open_writer(&path);
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::Locked { .. })));
    let replaced = sample(2, 10).new_book().write(&Env::default(), &path, Existing::Replace);
    assert!(matches!(replaced, Err(Error::Locked { .. })));
    drop(first);
    let mut writer = open_writer(&path);
    writer.append(&won(5)).unwrap();
    // The lock moves on to the file that takes the book's place.
    assert!(writer.compact().unwrap());
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::Locked { .. })));
    writer.append(&won(6)).unwrap();
}

#[test]
fn a_reader_keeps_what_it_has_until_it_refreshes() {
    let (_folder, path) = sample_book(1, 10);
    let mut reader = open(&path);
    let mut writer = open_writer(&path);
    writer.append(&won(5)).unwrap();
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
    let error = content.new_book().write(&Env::default(), &path, Existing::Refuse).unwrap_err();
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    content.new_book().write(&Env::default(), &path, Existing::Replace).unwrap();
    assert_eq!(rows_of(&path).0, content.positions);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn replacing_a_book_retires_its_journal() {
    let (folder, path) = folder();
    sample(1, 10).write(&path);
    open_writer(&path).append(&won(5)).unwrap();
    let journal = fs::read(journal_path(&path)).unwrap();
    let content = sample(2, 10);
    content.new_book().write(&Env::default(), &path, Existing::Replace).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // Had a crash kept the journal, it would be known as stale (J-3).
    fs::write(journal_path(&path), journal).unwrap();
    assert_eq!(rows_of(&path).0, content.positions);
    let mut writer = open_writer(&path);
    assert!(!journal_path(&path).exists());
    writer.append(&won(5)).unwrap();
    assert!(open(&path).position(5).unwrap().is_some());
}

#[test]
fn j8_changes_of_a_missing_table_are_refused() {
    let (_folder, path) = folder();
    let content = sample(1, 10);
    let new = chess_book().moves(&content.moves);
    new.write(&Env::default(), &path, Existing::Refuse).unwrap();
    let mut writer = open_writer(&path);
    assert!(matches!(writer.append(&won(5)), Err(Error::NoTable { .. })));
    let refused = append_positions(&mut writer, &content.positions);
    assert!(matches!(refused, Err(Error::NoTable { table: TableKind::Positions, .. })));
    assert!(!journal_path(&path).exists());
}

#[test]
fn an_interruption_leaves_nothing_behind() {
    let (folder, path) = folder();
    let content = sample(1, 100);
    for stage in [Stage::Writing, Stage::Syncing] {
        let stop = StopIf(|now| now == stage);
        let env = Env { progress: &stop, ..Env::default() };
        let written = content.new_book().write(&env, &path, Existing::Refuse);
        assert!(matches!(written, Err(Error::Interrupted)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_book_behind_a_link_is_changed_where_it_is() {
    let (folder, path) = folder();
    let link = folder.path().join("link.tabia");
    sample(1, 10).write(&path);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut writer = open_writer(&link);
    writer.append(&won(5)).unwrap();
    assert!(journal_path(&path).exists());
    assert!(open(&link).position(5).unwrap().is_some());
    writer.compact().unwrap();
    assert!(link.is_symlink());
    assert!(open(&path).position(5).unwrap().is_some());
}

#[test]
fn the_last_sequence_of_all_is_the_end() {
    let (_folder, path) = sample_book(1, 10);
    let mut bytes = fs::read(&path).unwrap();
    bytes[120..128].fill(0xff);
    let crc = crc32fast::hash(&bytes[..4092]).to_le_bytes();
    bytes[4092..4096].copy_from_slice(&crc);
    fs::write(&path, &bytes).unwrap();
    assert!(Book::open(&path).is_ok());
    let mut writer = open_writer(&path);
    assert!(matches!(writer.append(&won(5)), Err(Error::Limit { .. })));
}

#[test]
fn a_check_stops_when_it_is_asked_to() {
    let (_folder, path) = folder();
    // Many pieces, so that the thread that reads ahead is still at it, or waits.
    sample(1, 50_000).write(&path);
    let steps = AtomicU32::new(0);
    let stop = StopIf(|_| steps.fetch_add(1, Ordering::Relaxed) >= 1);
    let env = Env { progress: &stop, ..Env::default() };
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
        Ok(Box::new(InPieces(rows.into_iter(), usize::MAX)))
    }

    fn at_most(&self) -> u64 {
        self.rows.len() as u64
    }
}

fn write_fickle(path: &Path, then: impl Fn(u32, &mut Vec<PositionRow>) + Sync) -> Error {
    let rows = Fickle { rows: sample(1, 10).positions, streamed: AtomicU32::new(0), then };
    let new = chess_book().positions(&rows);
    new.write(&Env::default(), path, Existing::Refuse).unwrap_err()
}

#[test]
fn a_book_whose_rows_change_while_they_are_read_is_not_written() {
    let (folder, path) = folder();
    let changes: [fn(&mut Vec<PositionRow>); 4] = [
        |rows| _ = rows.pop(),
        |rows| rows.extend(sample(2, 1).positions),
        |rows| rows.swap(3, 4),
        |rows| rows[5] = rows[4],
    ];
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

#[test]
fn a_book_that_is_replaced_before_it_is_locked_is_opened_anew() {
    let (fixture, path) = book_in_memory();
    let [disk, other] = Disk::new(&fixture, &fixture.files()).in_turns(&[1]);
    let (writer, new) = std::thread::scope(|scope| {
        let replaced = scope.spawn(|| {
            other.wait();
            let new = sample(2, 10).new_book().write(&other.env(), &path, Existing::Replace);
            other.end();
            new.unwrap()
        });
        (Writer::open(disk.env(), &path).unwrap(), replaced.join().unwrap())
    });
    assert_eq!(disk.calls()[..2], [Call::Open, Call::Lock]);
    assert_eq!(*writer.header(), new);
    // It is the new file that is locked.
    assert!(matches!(Writer::open(Env::default(), &path), Err(Error::Locked { .. })));
}

#[test]
fn a_file_that_takes_and_gives_nothing_is_an_error_and_no_endless_loop() {
    let file = NoFile { takes: false };
    assert_eq!(file.write_all_at(&[1], 0).unwrap_err().kind(), io::ErrorKind::WriteZero);
    assert_eq!(file.read_exact_at(&mut [0], 0).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn a_book_without_a_table_has_no_rows_of_it_and_takes_none() {
    let (_folder, path) = folder();
    let rows = sample(1, 10).positions;
    let new = chess_book().positions(&rows);
    new.write(&Env::default(), &path, Existing::Refuse).unwrap();
    let book = open(&path);
    let rows = RowSet::<MoveRow>::rows(&book).map(drop);
    assert!(matches!(rows, Err(Error::NoTable { table: TableKind::Moves, .. })));
    assert!(book.moves(5).unwrap().is_empty());
    let mut moves = Batch::new();
    assert!(moves.is_empty() && !moves.add_move(MoveRow::new(5, 1, Counts::default())).is_empty());
    let mut writer = open_writer(&path);
    assert!(matches!(writer.append(&moves), Err(Error::NoTable { table: TableKind::Moves, .. })));
    assert!(!journal_path(&path).exists());
    // A batch that can't be taken is no failure of the disk.
    writer.append(&won(5)).unwrap();
}

#[test]
#[expect(unsafe_code, reason = "maps a file that nobody else writes to")]
fn a_mapped_book_and_batches_of_probes_see_the_journal() {
    let (_folder, path) = sample_book(1, 10);
    // SAFETY: the file stands in a folder of this test's own, and the engine never writes to a
    // book's file.
    let mut map = unsafe { Book::map(&path) }.unwrap();
    let mut writer = open_writer(&path);
    writer.append(&won(5)).unwrap();
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
    assert_eq!(probe(&map), [true, false]);
    assert!(map.position_table().unwrap().get(5).is_some());
}

/// A small book in a folder in memory.
fn book_in_memory() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    sample(1, 10).write(fixture.book());
    let path = fixture.book();
    (fixture, path)
}

/// What was done to the book's journal since this was last asked.
fn journal_changes(disk: &Disk) -> Vec<Event> {
    // The book is the first file, its journal the next.
    let is_journals = |event: &Event| {
        matches!(
            event,
            Event::Write { file: 1, .. } | Event::SetLen { file: 1, .. } | Event::Sync { file: 1 }
        )
    };
    disk.take_trace().into_iter().filter(is_journals).collect()
}

/// What is written on opening for writing, before the last sync: whether it is exactly these bytes
/// of the journal, in steps of bounded size.
fn assert_renewed(changes: &[Event], journal: &[u8], from: usize, to: usize) {
    assert!(matches!(changes.last(), Some(Event::Sync { .. })), "what is written again is synced");
    let mut at = from;
    for change in changes {
        if let Event::Write { offset, bytes, .. } = change {
            let len = bytes.len();
            assert!(*offset == at as u64 && len <= 1 << 20, "{len} bytes at {offset}");
            assert!(journal[at..at + len] == **bytes, "other bytes than those that were there");
            at += len;
        }
    }
    assert_eq!(at, to, "the last frame is written again, wholly");
}

#[test]
fn d2_a_writer_writes_the_last_frame_again_before_it_builds_on_it() {
    let fixture = Fixture::new();
    let path = fixture.book();
    let (journal, ends) = journaled(&path, false);
    let disk = Disk::new(&fixture, &fixture.files());
    let mut writer = Writer::open(disk.env(), &path).unwrap();
    assert_renewed(&journal_changes(&disk), &journal, ends[2] as usize, ends[3] as usize);
    assert!(fs::read(journal_path(&path)).unwrap() == journal);
    // A frame that the writer wrote itself it knows to be durable.
    writer.append(&won(5)).unwrap();
    journal_changes(&disk);
    writer.append(&won(6)).unwrap();
    let end = writer.journal().bytes;
    let is_earlier =
        |change: &_| matches!(change, Event::Write { offset, .. } if *offset < end - 80);
    assert!(!journal_changes(&disk).iter().any(is_earlier));
    drop(writer);

    // A frame of several steps, with a torn tail behind it.
    let mut many = Batch::new();
    (0..150_000).for_each(|key| _ = many.add_position(PositionRow::new(key, Counts::default())));
    open_writer(&path).append(&many).unwrap();
    let mut journal = fs::read(journal_path(&path)).unwrap();
    let whole = journal.len();
    assert!(whole - end as usize > 3 << 20);
    journal.extend([7; 100]);
    fs::write(journal_path(&path), &journal).unwrap();
    let writer = Writer::open(disk.env(), &path).unwrap();
    assert_eq!(writer.cut(), 100);
    let changes = journal_changes(&disk);
    let is_cut = |change: &_| matches!(change, Event::SetLen { len, .. } if *len == whole as u64);
    assert!(changes.iter().any(is_cut));
    assert_renewed(&changes, &journal, end as usize, whole);
    drop(writer);

    // No frame: the header.
    fs::write(journal_path(&path), &journal[..70]).unwrap();
    let writer = Writer::open(disk.env(), &path).unwrap();
    assert_eq!(writer.cut(), 6);
    assert_renewed(&journal_changes(&disk), &journal, 0, 64);
}

#[test]
fn d8_rows_that_come_a_few_at_a_time_are_written_in_large_pieces() {
    let (fixture, path) = book_in_memory();
    let disk = Disk::new(&fixture, &fixture.files());
    let mut writer = Writer::open(disk.env(), &path).unwrap();
    let rows = sample(2, 100_000).positions;
    let bytes = rows.len() * 24;
    let mut trickle = InPieces(rows.iter().copied(), 6);
    let (sources, none) = ([source(2)], Companions::default());
    writer.append_rows(Some(&mut trickle), None, &sources, &[], none).unwrap();
    let changes = journal_changes(&disk);
    let written = |change: &_| match change {
        Event::Write { bytes, .. } => Some(bytes.len()),
        _ => None,
    };
    let writes: Vec<usize> = changes.iter().filter_map(written).collect();
    assert!(writes.len() <= bytes / (1 << 20) + 3, "{writes:?}");
    assert!(writes.iter().all(|&len| len <= 3 << 20), "{writes:?}");
    // The header of the frame comes last, and then one sync; the journal's own header was synced
    // before.
    let is_sync = |&at: &usize| matches!(changes[at], Event::Sync { .. });
    let syncs: Vec<usize> = (0..changes.len()).filter(is_sync).collect();
    assert_eq!((syncs.len(), syncs[1]), (2, changes.len() - 1));
    let header = &changes[changes.len() - 2];
    assert!(matches!(header, Event::Write { offset: 64, bytes, .. } if bytes.len() == 40));
    let journal = fs::read(journal_path(&path)).unwrap();
    let parts = u32::from_le_bytes(journal[64 + 28..64 + 32].try_into().unwrap());
    assert_eq!(parts as usize, bytes.div_ceil(1 << 20) + 1, "rows of one kind, and the sources");
    assert_eq!(rows_of(&path).0.len(), 10 + rows.len());
}

#[test]
fn d8_a_small_file_that_is_no_journal_is_left_alone() {
    for (_folder, path, whole, _) in journaled_books() {
        let journal = journal_path(&path);
        let mut newer = whole[..64].to_vec();
        newer[8] = 2;
        tabia_testing::forge::reseal_header(&mut newer);
        let mut book = b"\x89TABIA\r\n".to_vec();
        book.resize(40, 0);
        for precious in
            [&b"my notes"[..], b"x", &[7; 64], &book, &newer, &newer[..40], b"\0\0\0\0 "]
        {
            fs::write(&journal, precious).unwrap();
            let refused = |error: Error| {
                let is_j1 = matches!(&error, Error::Damaged { rule: Rule::J1, path, .. } if *path == journal);
                assert!(is_j1, "{error}");
            };
            refused(Writer::open(Env::default(), &path).map(drop).unwrap_err());
            refused(Book::open(&path).map(drop).unwrap_err());
            assert_eq!(checked(&path).bad[0].rule, Rule::J1);
            let (other, existing) = (sample(3, 5), Existing::Refuse);
            let error = other.new_book().write(&Env::default(), &path, existing).unwrap_err();
            assert!(matches!(error, Error::Exists { .. }));
            assert_eq!(fs::read(&journal).unwrap(), precious);
        }
        // What a crash may have left of a journal in the making holds nothing, and gives way.
        let torn: Vec<u8> = [&whole[..20], &[0; 20]].concat();
        for unfinished in
            [&whole[..0], &whole[..3], &whole[..12], &whole[..63], &[0; 17], &torn, &[0; 100]]
        {
            fs::write(&journal, unfinished).unwrap();
            open_writer(&path);
            assert!(!journal.exists());
        }
    }
}

/// A first batch that failed half-way on a disk that then could not even cut it off.
#[test]
fn d8_a_journal_of_a_torn_frame_alone_is_removed_by_compacting() {
    for (_folder, path, whole, ends) in journaled_books() {
        for torn in [65, 104, ends[1] - 1] {
            fs::write(journal_path(&path), &whole[..torn as usize]).unwrap();
            let mut writer = open_writer(&path);
            assert_eq!((writer.cut(), writer.journal().frames), (torn - 64, 0));
            assert!(!writer.compact().unwrap() && !journal_path(&path).exists());
            assert_eq!(writer.append(&won(5)).unwrap(), 1);
        }
        // Behind a frame it is the tail alone that goes.
        fs::write(journal_path(&path), &whole[..ends[1] as usize + 1]).unwrap();
        let writer = open_writer(&path);
        let journal = writer.journal();
        assert_eq!((writer.cut(), journal.frames, journal.bytes), (1, 1, ends[1]));
        assert_eq!(fs::metadata(journal_path(&path)).unwrap().len(), ends[1]);
    }
}

#[test]
fn t4_a_journal_of_a_newer_version_is_refused_and_not_removed() {
    for (_folder, path, whole, _) in journaled_books() {
        for (at, value) in [(8, 2), (16, 1), (23, 0x80)] {
            for frames in [false, true] {
                let mut newer = if frames { whole.clone() } else { whole[..64].to_vec() };
                newer[at] = value;
                tabia_testing::forge::reseal_header(&mut newer);
                fs::write(journal_path(&path), &newer).unwrap();
                for error in
                    [Writer::open(Env::default(), &path).map(drop), Book::open(&path).map(drop)]
                {
                    let error = error.unwrap_err();
                    assert!(error.to_string().contains("newer tabia"), "{error}");
                }
                assert_eq!(fs::read(journal_path(&path)).unwrap(), newer);
            }
        }
    }
}

#[test]
fn d8_a_folder_and_what_is_no_regular_file_are_told_before_anything_is_made() {
    let (folder, path) = folder_in_memory();
    let (inside, socket) = (folder.path().join("inside"), folder.path().join("socket"));
    fs::create_dir(&inside).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    sample(1, 10).write(&path);
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for target in [inside.clone(), folder.path().join("absent/"), folder.path().join(".."), socket]
    {
        let told = |error: Error| {
            assert!(matches!(&error, Error::InTheWay { .. }), "{}: {error}", target.display())
        };
        for existing in [Existing::Refuse, Existing::Replace] {
            let written = sample(2, 5).new_book().write(&Env::default(), &target, existing);
            told(written.map(drop).unwrap_err());
        }
        told(AtomicFile::create(&System, &target).map(drop).unwrap_err());
        assert_eq!(names(), before, "{}", target.display());
    }
    assert_eq!(fs::read_dir(&inside).unwrap().count(), 0);
}

#[test]
fn d8_nothing_is_written_through_a_link_that_leads_nowhere() {
    let (folder, path) = folder();
    sample(1, 10).write(&path);
    let target = folder.path().join("elsewhere");
    std::os::unix::fs::symlink(&target, journal_path(&path)).unwrap();
    let journal = journal_path(&path);
    let error = Writer::open(Env::default(), &path).map(drop).unwrap_err();
    assert!(matches!(&error, Error::InTheWay { path, .. } if *path == journal), "{error}");
    let error = Book::open(&path).map(drop).unwrap_err();
    assert!(matches!(&error, Error::Io { path, .. } if *path == journal), "{error}");
    assert!(!target.exists() && journal_path(&path).is_symlink());
}

#[test]
fn t5_a_writer_knows_the_sources_of_the_book_and_of_its_journal() {
    let (_folder, path) = sample_book(1, 10);
    let mut brings = won(5);
    brings.source(source(7));
    let mut writer = open_writer(&path);
    assert_eq!(writer.last_sources().unwrap(), []);
    writer.append(&brings).unwrap();
    assert_eq!(writer.last_sources().unwrap(), [source(7)]);
    writer.append_rows(None, None, &[source(3)], &[], Companions::default()).unwrap();
    assert_eq!(writer.last_sources().unwrap(), [source(3)]);
    writer.append(&won(6)).unwrap();
    assert_eq!(writer.last_sources().unwrap(), [], "of the last batch alone");
    drop(writer);
    let mut expected = vec![source(1), source(3), source(7)];
    expected.sort();
    assert_eq!(open_writer(&path).sources(), expected);
    assert_eq!(open(&path).sources().unwrap(), expected);
}

#[test]
fn a_journal_takes_no_more_sources_than_a_reader_holds() {
    let (_folder, path) = folder_in_memory();
    sample(1, 10).write(&path);
    let name = "a".repeat(4096);
    let sources = |count: u64| {
        let named = |seed| tabia::format::Source { name: name.clone(), ..source(seed) };
        (0..count).map(named).collect::<Vec<_>>()
    };
    // 64 MiB: 16 bytes of a part's header, 32 of each entry beside its name.
    let mut writer = open_writer(&path);
    writer.append_rows(None, None, &sources(9000), &[], Companions::default()).unwrap();
    drop(writer);
    let mut writer = open_writer(&path);
    writer.append_rows(None, None, &sources(7250), &[], Companions::default()).unwrap();
    let refused = writer.append_rows(None, None, &sources(10), &[], Companions::default());
    assert!(matches!(refused, Err(Error::Limit { .. })));
    let book = open(&path);
    assert_eq!((book.sources().unwrap().len(), book.journal().torn), (16_251, 0));
}

#[test]
fn t10_a_reader_whose_torn_tail_is_cut_under_it_tries_again() {
    let (_folder, path) = folder_in_memory();
    let (journal, _) = journaled(&path, false);
    // Nothing that a hole could pass for: all of it is looked through.
    let tail = vec![b'F'; 4 << 20];
    let file = fs::File::options().write(true).open(journal_path(&path)).unwrap();
    let (done, cuts) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if cuts.load(Ordering::Relaxed) == 0 {
                    std::thread::yield_now();
                    continue;
                }
                cuts.fetch_sub(1, Ordering::Relaxed);
                file.write_all_at(&tail, journal.len() as u64).unwrap();
                std::thread::yield_now();
                file.set_len(journal.len() as u64).unwrap();
            }
        });
        for _ in 0..300 {
            // Fewer cuts than tries, of which each spoils one at most.
            cuts.store(20, Ordering::Relaxed);
            let frames = Book::open(&path).map(|book| book.journal().frames);
            let report = tabia::check(&Env::default(), &path);
            if !matches!((&frames, &report), (Ok(3), Ok(report)) if report.ok()) {
                done.store(true, Ordering::Relaxed);
                panic!("{frames:?}, {report:?}");
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// A book that takes the place of one that it is made of doesn't lose what was added to that since.
#[test]
fn nothing_that_was_added_meanwhile_is_lost_with_a_book_that_is_replaced() {
    let (_folder, path) = folder();
    sample(1, 20).write(&path);
    let book = [open(&path)];
    open_writer(&path).append(&won(7)).unwrap();
    let options = MergeOptions { existing: Existing::Replace, ..MergeOptions::default() };
    let merged = merge(&Env::default(), &path, &book, options);
    assert!(matches!(merged, Err(Error::Changed { .. })), "{merged:?}");
    let copied = NewBook::copy_of(&book[0]).unwrap();
    let copied = copied.write(&Env::default(), &path, Existing::Replace);
    assert!(matches!(copied, Err(Error::Changed { .. })), "{copied:?}");
    let book = [open(&path)];
    assert!(book[0].position(7).unwrap().is_some());
    merge(&Env::default(), &path, &book, options).unwrap();
    assert!(open(&path).position(7).unwrap().is_some());
}
