//! Books of toys on a disk, and growing them.

use crate::toy::Toy;
use std::path::{Path, PathBuf};
use tabia::storage::System;
use tabia::{
    Book, Env, Existing, Keyed, MergeOptions, MoveRow, NewBook, PositionRow, Row, Share, merge,
};
use tabia_engines::Limit;
use tabia_grow::{
    Budget, Error, EvalFact, GrowingBook, Grown, Plan, Progress, Stop, Watch, Worker, grow,
};
use tabia_play::choice::GameHistory;

/// A folder for books, gone when the test is over.
pub struct Shelf(tempfile::TempDir);

impl Shelf {
    pub fn new() -> Self {
        // In memory if that can be had: every batch is synced.
        let memory = Path::new("/dev/shm");
        Self(tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir()).unwrap())
    }

    /// Where a file of this name is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Files beside a book, but for its journal.
    pub fn others(&self, book: &str) -> Vec<String> {
        let names =
            std::fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let names = names.map(|name| name.into_string().unwrap());
        names.filter(|name| *name != book && *name != format!("{book}-journal")).collect()
    }

    /// Removes all files.
    pub fn clear(&self) {
        for entry in std::fs::read_dir(self.0.path()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }

    /// A book of these rows.
    pub fn book(&self, name: &str, positions: &[PositionRow], moves: &[MoveRow]) -> PathBuf {
        let path = self.path(name);
        let (mut positions, mut moves) = (positions.to_vec(), moves.to_vec());
        positions.sort_by_key(Row::rank);
        moves.sort_by_key(Row::rank);
        let new = NewBook::new("toy".parse().unwrap(), "number".parse().unwrap());
        new.positions(&positions)
            .moves(&moves)
            .write(&Env::default(), &path, Existing::Refuse)
            .unwrap();
        path
    }

    /// An empty book in four shares, in a folder.
    pub fn shares(&self) -> PathBuf {
        let (whole, folder) = (self.book("whole.tabia", &[], &[]), self.path("set"));
        std::fs::create_dir(&folder).unwrap();
        for number in 0..4 {
            let options = MergeOptions { share: Share::new(2, number), ..MergeOptions::default() };
            let path = folder.join(format!("{number}.tabia"));
            merge(&Env::default(), &path, &[Book::open(&whole).unwrap()], options).unwrap();
        }
        std::fs::remove_file(&whole).unwrap();
        folder
    }
}

/// A plan of so many expansions, by Buro's method.
pub fn plan(expansions: u64) -> Plan {
    let budget = Budget { expansions: Some(expansions), ..Budget::default() };
    Plan { budget, ..Plan::new(EvalFact::of("oracle", &Limit::default(), "toy")) }
}

/// Watches nothing.
pub struct Nobody;

impl Watch for Nobody {
    fn step(&self, _: &Progress<'_>) -> bool {
        true
    }

    fn note(&self, _: &str) {}
}

/// Watches by a function; there is to be nothing to note.
pub struct Looks<F>(pub F);

impl<F: Fn(&Progress<'_>) -> bool> Watch for Looks<F> {
    fn step(&self, progress: &Progress<'_>) -> bool {
        (self.0)(progress)
    }

    fn note(&self, line: &str) {
        panic!("{line}");
    }
}

/// Opens a book, or the set in a folder.
pub fn opened<'a>(env: Env<'a>, path: &Path, compact_at: u64) -> Result<GrowingBook<'a>, Error> {
    let open = if path.is_dir() { GrowingBook::open_set } else { GrowingBook::open };
    open(env, path, compact_at)
}

/// Grows a book by these workers, watched.
pub fn grow_by(
    path: &Path,
    toy: &Toy,
    plan: &Plan,
    workers: Vec<Box<dyn Worker>>,
    watch: &dyn Watch,
) -> Result<(Grown, Stop), Error> {
    let mut book = opened(Env::default(), path, 1 << 12)?;
    let opening = GameHistory::start(toy.stand(0), Keyed::Position);
    grow(&System, &mut book, opening, plan, workers, watch)
}

/// How many batches were ever added to a book: one for each expansion.
pub fn batches(path: &Path) -> u64 {
    GrowingBook::open(Env::default(), path, u64::MAX).unwrap().sequence()
}

/// Makes sure that a book is sound.
pub fn sound(path: &Path) {
    let report = tabia::check(&Env::default(), path).unwrap();
    assert!(report.ok(), "{report:?}");
}

/// A plan with room for so many expansions in all, of which a book has some.
pub fn rest(plan: &Plan, path: &Path) -> Plan {
    let left = plan.budget.expansions.unwrap() - batches(path);
    Plan { budget: Budget { expansions: Some(left), ..plan.budget }, ..plan.clone() }
}

/// The bytes of a book with its journal in it.
pub fn bytes(path: &Path) -> Vec<u8> {
    tabia::Writer::open(Env::default(), path).unwrap().compact().unwrap();
    std::fs::read(path).unwrap()
}
