//! What the tests share: archives from memory, and books of them.

use std::path::{Path, PathBuf};
use tabia::stream::{Chunk, RowSet};
use tabia::{Book, Env, MoveRow, PositionRow};
use tabia_build::{ArchiveList, BuildPlan, Built};

/// A file with this content in a folder that lives as long as what is returned.
pub fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file");
    (folder, path)
}

/// A temporary folder in memory, where the system has one: syncing costs nothing there.
pub fn folder_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a temporary folder")
}

/// Builds a book, which has to go well.
pub fn build(plan: &BuildPlan, archives: &[PathBuf], path: &Path) -> Built {
    let list = ArchiveList::of(archives).unwrap_or_else(|error| panic!("{error}"));
    plan.build(&Env::default(), &list, path, &mut ()).unwrap_or_else(|error| panic!("{error}"))
}

/// The rows of both tables.
pub type Rows = (Chunk<PositionRow>, Chunk<MoveRow>);

pub fn rows_of(path: &Path) -> Rows {
    use tabia::stream::Rows as _;
    let book = Book::open(path).expect("a book");
    let positions = RowSet::<PositionRow>::rows(&book).expect("rows").collect().expect("rows");
    (positions, RowSet::<MoveRow>::rows(&book).expect("rows").collect().expect("rows"))
}
