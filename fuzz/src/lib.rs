//! What the fuzz targets share: an input read byte by byte, books to start from, an allocator that
//! refuses to be greedy.

mod archives;
mod games;
mod input;
mod journal;
mod mend;

pub use archives::{Outcome, Reports, read_all, read_both_ways, wanted};
pub use games::{GameParts, edit_game_file, mend_games};
pub use input::Input;
pub use journal::{Journal, keys_of};
pub use mend::{Book, Mend};
pub use tabia_testing::model::{CellValues, Model, MoveCells, PositionCells, columns_of_bits};
pub use tabia_testing::{FaultyDisk, chess_book, settle};

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use tabia::bytes::Bytes;
use tabia::stream::{Chunk, RowSet, Rows as _};
use tabia::{Env, Error, Existing, Finding, MoveRow, NewBook, PositionRow, Row, Rule, check};
use tabia_interop::AnyRow;

/// The valid golden books of the specification, in the order in which an input chooses them.
pub const GOLDEN: [&[u8]; 18] = [
    include_bytes!("../../format-spec/golden/example.tabia"),
    include_bytes!("../../format-spec/golden/small.tabia"),
    include_bytes!("../../format-spec/golden/empty.tabia"),
    include_bytes!("../../format-spec/golden/one-row.tabia"),
    include_bytes!("../../format-spec/golden/positions-load-500.tabia"),
    include_bytes!("../../format-spec/golden/moves-load-980.tabia"),
    include_bytes!("../../format-spec/golden/optional-sections.tabia"),
    include_bytes!("../../format-spec/golden/blocks.tabia"),
    include_bytes!("../../format-spec/golden/tags.tabia"),
    include_bytes!("../../format-spec/golden/tags-one-row.tabia"),
    include_bytes!("../../format-spec/golden/columns-example.tabia"),
    include_bytes!("../../format-spec/golden/columns.tabia"),
    include_bytes!("../../format-spec/golden/columns-empty.tabia"),
    include_bytes!("../../format-spec/golden/columns-load-980.tabia"),
    include_bytes!("../../format-spec/golden/counts.tabia"),
    include_bytes!("../../format-spec/golden/counts-ratings.tabia"),
    include_bytes!("../../format-spec/golden/years.tabia"),
    include_bytes!("../../format-spec/golden/share-1.tabia"),
];

/// Valid golden files of games, likewise.
pub const GAMES: [&[u8]; 3] = [
    include_bytes!("../../format-spec/golden/games.tabia-games"),
    include_bytes!("../../format-spec/golden/games-of-lines.tabia-games"),
    include_bytes!("../../format-spec/golden/no-games.tabia-games"),
];

/// The most bytes that may be asked for at once. The files of the targets are well below a
/// megabyte; the largest buffers of fixed size that the engine and the archives use are about as
/// much.
const GREEDY: usize = 64 << 20;

/// The system's allocator, except that it aborts when somebody believes a file that speaks of
/// sixty-four megabytes.
struct Frugal;

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Frugal {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        refuse_greed(layout.size());
        // SAFETY: the caller's promises are those the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        refuse_greed(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        refuse_greed(size);
        // SAFETY: as above.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

#[inline]
fn refuse_greed(size: usize) {
    if size > GREEDY {
        greedy();
    }
}

#[cold]
fn greedy() -> ! {
    eprintln!(
        "an allocation of more than {} MiB was asked for:\n{}",
        GREEDY >> 20,
        std::backtrace::Backtrace::force_capture()
    );
    std::process::abort()
}

#[global_allocator]
static ALLOCATOR: Frugal = Frugal;

/// Rows of both tables of another program's book, without cells.
#[derive(Debug, Default, PartialEq)]
pub struct Rows {
    pub positions: Vec<PositionRow>,
    pub moves: Vec<MoveRow>,
}

impl Rows {
    /// One row more.
    pub fn take(&mut self, row: AnyRow) {
        match row {
            AnyRow::Position(row) => self.positions.push(row),
            AnyRow::Move(played) => self.moves.push(played.row),
        }
    }

    /// In order, those of one key (and move) merged.
    pub fn settled(mut self) -> Self {
        settle(&mut self.positions);
        settle(&mut self.moves);
        self
    }
}

/// A folder in memory where that can be had, gone when it is dropped.
pub fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    tempfile::Builder::new().prefix("tabia-fuzz-").tempdir_in(place).expect("a temporary folder")
}

/// All rows of a set, with their cells.
///
/// # Errors
/// The set's.
pub fn collect<R: Row>(set: &impl RowSet<R>) -> tabia::Result<Chunk<R>> {
    set.rows()?.collect()
}

/// The rows of a table, which are in order; none if the book has no such table.
pub fn table<R: Row, S: Bytes>(book: &tabia::Book<S>) -> Option<Chunk<R>>
where
    tabia::Book<S>: RowSet<R>,
{
    let rows = book.has(R::TABLE).then(|| collect::<R>(book).expect("a sound table"))?;
    let in_order = rows.rows().is_sorted_by(|one, other| one.rank() < other.rank());
    assert!(in_order, "rows are out of order");
    Some(rows)
}

/// What a sound book says.
pub fn model_of<S: Bytes>(book: &tabia::Book<S>) -> Model {
    let positions = table::<PositionRow, S>(book).unwrap_or_default();
    Model::of(positions.rows(), &table::<MoveRow, S>(book).unwrap_or_default())
}

/// A sound book, opened.
pub fn open(path: impl AsRef<Path>) -> tabia::Book {
    tabia::Book::open(path).expect("a sound book")
}

/// The bytes of a file that is there.
pub fn bytes_of(path: impl AsRef<Path>) -> Vec<u8> {
    std::fs::read(path).expect("the file is there")
}

/// Writes rows as a book, which is sound.
pub fn sound_book(new: NewBook<'_>, path: &Path) -> tabia::Book {
    new.write(&Env::default(), path, Existing::Refuse).expect("rows make a book");
    assert!(sound(path));
    open(path)
}

pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths
}

/// Whether nothing is wrong with a book, except that proofs in it contradict each other (M-3): a
/// merge may bring that about.
pub fn sound(path: &Path) -> bool {
    let report = check(&tabia::Env::default(), path).unwrap_or_else(|error| panic!("{error}"));
    let bad: Vec<_> = report.bad.iter().filter(|finding| !is_conflict(finding)).collect();
    bad.is_empty() || panic!("{bad:?}")
}

/// Whether this is a conflict of proofs, with which a row is valid.
pub fn is_conflict(finding: &Finding) -> bool {
    finding.rule == Rule::M3
}

/// Whether an error says in one line what is wrong with a file.
pub fn expect_words(error: &Error) {
    assert!(!error.to_string().trim().is_empty(), "an error without words: {error:?}");
}
