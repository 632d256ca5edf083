//! How much memory the readers of hostile files ask for: never much more than the files themselves
//! have, whatever they say of themselves; and where even that is refused, an error comes of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tabia::format::{Header, PAGE, Section, Tag};
use tabia::stream::{Chunk, RowSet, Rows};
use tabia::{
    Book, Counts, Env, MoveRow, NewBook, PositionRow, Row, View, Writer, check, journal_path,
    salvage, sort_and_merge,
};
use tabia_testing::forge::{Forged, part};

/// The system's allocator, which counts, and refuses what is larger than a limit.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
/// The most that were held since the last reset.
static MOST: AtomicUsize = AtomicUsize::new(0);
/// The largest block that is given.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

fn take(block: *mut u8, bytes: usize) -> *mut u8 {
    if !block.is_null() {
        let held = HELD.fetch_add(bytes, Relaxed) + bytes;
        MOST.fetch_max(held, Relaxed);
    }
    block
}

// SAFETY: all is done by the system's allocator, which keeps the trait's contract, or nothing is
// given.
#[expect(unsafe_code, reason = "the trait is unsafe; nothing else sees what a reader asks for")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LIMIT.load(Relaxed) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the contract of the same method.
        take(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LIMIT.load(Relaxed) {
            return std::ptr::null_mut();
        }
        // SAFETY: as above. Zeroed memory that nobody touches counts too.
        take(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// More than the buffers of fixed size that readers have, with those of the threads that read
/// ahead.
const BOUND: usize = 48 << 20;

/// A sound book of some blocks in a folder of its own. One test at a time has it, and measures.
struct Sound {
    _alone: MutexGuard<'static, ()>,
    _folder: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    header: Header,
}

impl Sound {
    fn new() -> Self {
        static MEASURING: Mutex<()> = Mutex::new(());
        let alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.tabia");
        let counts = Counts::new(1, 2, 3);
        let mut positions: Vec<_> = (0..500).map(|key| PositionRow::new(key, counts)).collect();
        let mut moves: Vec<_> = (0..500).map(|key| MoveRow::new(key, 1, counts)).collect();
        assert_eq!((sort_and_merge(&mut positions), sort_and_merge(&mut moves)), (500, 500));
        let new = NewBook::new("chess".parse().unwrap(), "polyglot".parse().unwrap());
        let new = new.filter(true).positions(&positions).moves(&moves);
        let header = new.write(&Env::default(), &path, tabia::Existing::Refuse).unwrap();
        let bytes = fs::read(&path).unwrap();
        Self { _alone: alone, _folder: folder, path, bytes, header }
    }

    /// Lays a file of this length: the sound book, with another first and last page.
    fn lay(&self, header: &Header, len: u64) {
        let (page, _) = header.seal();
        fs::write(&self.path, &self.bytes).unwrap();
        let file = File::options().write(true).open(&self.path).unwrap();
        // Without the last page, which would stand in the middle.
        file.set_len(self.bytes.len() as u64 - PAGE).unwrap();
        file.set_len(len).unwrap();
        file.write_all_at(&page, 0).unwrap();
        file.write_all_at(&page, len - PAGE).unwrap();
    }
}

/// The most bytes that are held while this is done, beyond those that were held before.
fn most_held(work: impl FnOnce()) -> usize {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    work();
    MOST.load(Relaxed) - before
}

/// Does with a book all that reads; errors are as good as answers.
fn read_in_every_way(path: &Path) {
    let _ = check(&Env::default(), path);
    let _ =
        salvage(&Env::default(), path, &path.with_extension("salvaged"), tabia::Existing::Replace);
    for view in [View::Bare, View::Whole] {
        let Ok(book) = Book::open_view(path, view) else { continue };
        let _ = (book.sources(), book.facts(), book.position(7), book.moves(7).map(drop));
        walk::<PositionRow>(&book);
        walk::<MoveRow>(&book);
    }
    drop(Writer::open(Env::default(), path));
}

fn walk<R: Row>(book: &impl RowSet<R>) {
    let Ok(mut rows) = book.rows() else { return };
    let mut chunk = Chunk::new(tabia::Columns::NONE);
    while rows.next_chunk(&mut chunk).is_ok() && !chunk.rows().is_empty() {}
}

/// Every number in an entry of a section, by its place.
fn number(section: &mut Section, field: usize) -> &mut u64 {
    let shape = &mut section.shape;
    [
        &mut section.cell,
        &mut section.offset,
        &mut section.length,
        &mut section.checksum,
        &mut shape.rows,
        &mut shape.homes,
        &mut shape.max_displacement,
        &mut shape.wins,
    ]
    .into_iter()
    .nth(field)
    .unwrap()
}

#[test]
fn t11_hostile_headers_take_no_memory() {
    let sound = Sound::new();
    let (path, header) = (&sound.path, &sound.header);
    let mut tried = 0;
    for section in 0..header.sections.len() {
        for field in 0..8 {
            for value in
                [u64::MAX, u64::MAX / 24, 1 << 63, 1 << 48, 1 << 40, 1 << 32, 1 << 31, 1 << 26]
            {
                let mut hostile = header.clone();
                *number(&mut hostile.sections[section], field) = value;
                sound.lay(&hostile, sound.bytes.len() as u64);
                let most = most_held(|| read_in_every_way(path));
                let tag = hostile.sections[section].tag;
                assert!(most < BOUND, "{tag}, number {field} is {value}: {most} bytes");
                tried += 1;
            }
        }
    }
    assert!(tried > 300);
}

/// A file that has the length that its header says, and nothing in it: whoever wants it needs no
/// room for it.
#[test]
fn t11_lists_of_gigabytes_that_are_not_there_take_no_memory() {
    let sound = Sound::new();
    let (path, header) = (&sound.path, &sound.header);
    let last = header.sections.last().unwrap();
    assert_eq!(last.tag, Tag::FACTS);
    for length in [64 << 20, 256 << 20, (1 << 32) + 8, 1 << 42] {
        let mut hostile = header.clone();
        hostile.sections.last_mut().unwrap().length = length;
        hostile.file_length = (last.offset + length).next_multiple_of(PAGE) + PAGE;
        sound.lay(&hostile, hostile.file_length);
        let most = most_held(|| {
            let book = Book::open(path).unwrap();
            assert!(book.facts().is_err() && book.position(7).is_ok(), "{length}");
            if length < 1 << 30 {
                read_in_every_way(path);
            }
        });
        assert!(most < BOUND, "{length}: {most} bytes");
    }
}

/// A list whose checksum is right has to be read, and there may be no room for it.
#[test]
fn t11_where_there_is_no_room_for_a_list_an_error_comes_of_it() {
    let sound = Sound::new();
    let mut hostile = sound.header.clone();
    let length = 32 << 20;
    let last = hostile.sections.last_mut().unwrap();
    (last.length, last.checksum) = (length, xxhash_rust::xxh3::xxh3_64(&vec![0; length as usize]));
    hostile.file_length = (last.offset + length).next_multiple_of(PAGE) + PAGE;
    sound.lay(&hostile, hostile.file_length);
    let book = Book::open(&sound.path).unwrap();
    LIMIT.store(8 << 20, Relaxed);
    let facts = book.facts();
    LIMIT.store(usize::MAX, Relaxed);
    assert!(
        matches!(&facts, Err(tabia::Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::OutOfMemory),
        "{facts:?}"
    );
}

#[test]
fn d6_hostile_journals_take_no_memory() {
    let sound = Sound::new();
    let path = &sound.path;
    let lay = |bytes: &[u8], len: u64| {
        fs::write(journal_path(path), bytes).unwrap();
        File::options()
            .write(true)
            .open(journal_path(path))
            .unwrap()
            .set_len(len.max(bytes.len() as u64))
            .unwrap();
    };
    for operation in 0..7 {
        for (table, row_size) in [(0, 0), (1, 24), (2, 24), (2, 60)] {
            for count in [0, 1, u32::MAX] {
                for length in [
                    0,
                    1 << 20,
                    1 << 31,
                    1 << 40,
                    u64::MAX - 7,
                    u64::from(count) * u64::from(row_size),
                ] {
                    // A frame of one part whose checksums are all right.
                    let mut liar = part(operation, table, row_size, count, &[0; 64]);
                    liar[8..16].copy_from_slice(&length.to_le_bytes());
                    let mut forged = Forged::beside(path);
                    forged.frame(&[liar]);
                    lay(&forged.bytes, 0);
                    let most = most_held(|| read_in_every_way(path));
                    assert!(
                        most < BOUND,
                        "part {operation} {table} {row_size} {count} {length}: {most} bytes"
                    );
                }
            }
        }
    }
    // A frame of any length, in a file that has it, of nothing but zeros, and of any number of
    // parts.
    for length in [1 << 20, 1 << 31, 1 << 38, u64::MAX - 7] {
        for parts in [0, 1, u32::MAX] {
            let forged = Forged::beside(path);
            let (header, _) = forged.header(length, 1, 0, parts, forged.previous);
            lay(&[&forged.bytes[..], &header].concat(), (1 << 38) + 104);
            let most = most_held(|| read_in_every_way(path));
            assert!(most < BOUND, "frame {length} {parts}: {most} bytes");
        }
    }
}
