//! What can end growing before its budget is used up.

use crate::task::WorkerError;
use std::path::PathBuf;

/// Why a book can't be grown, or not any further. What was written before is in the book.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading or writing the book.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// Reading the book as a graph.
    #[error(transparent)]
    Graph(#[from] tabia_play::Error),
    /// An engine can't be started.
    #[error(transparent)]
    Engine(#[from] tabia_engines::Error),
    /// Reading archives of games.
    #[error(transparent)]
    Archive(#[from] tabia_archives::ArchiveError),
    /// A book of another game.
    #[error("{}: is a book of {game}, by {keys} keys", path.display())]
    OtherGame {
        /// The book.
        path: PathBuf,
        /// Its game.
        game: String,
        /// How its keys are made.
        keys: String,
    },
    /// A book without one of the tables.
    #[error(
        "{}: has no table of {table}: a book that grows needs positions and moves", path.display()
    )]
    NoTable {
        /// The book.
        path: PathBuf,
        /// The table that it lacks.
        table: tabia::TableKind,
    },
    /// Evals in another unit.
    #[error(
        "{}: has evals in {theirs}, and these are in {ours}: they can't be compared", path.display()
    )]
    Unit {
        /// The book.
        path: PathBuf,
        /// The unit of its evals.
        theirs: String,
        /// The unit of those that would be added.
        ours: String,
    },
    /// Moves of fewer games are to count than the book's deviations allow.
    #[error(
        "{}: took moves of fewer than {known} games for none when it grew, and deviations may be among them: --min-games {asked} is too few, give at least {known} or nothing",
        path.display()
    )]
    MinGames {
        /// The book.
        path: PathBuf,
        /// From how many games on moves count in the book.
        known: u64,
        /// From how many on they were to count.
        asked: u64,
    },
    /// No worker could do a task.
    #[error("{} can't be expanded, tried {times} times: {last}", place(line))]
    Failed {
        /// The moves that lead to the position; empty for the start.
        line: String,
        /// How often it was tried.
        times: u32,
        /// What went wrong last.
        last: Box<WorkerError>,
    },
    /// There are no workers any more.
    #[error("no worker is left; the last one ended so: {last}")]
    NoWorkers {
        /// What went wrong last.
        last: Box<WorkerError>,
    },
    /// The name of the file that keeps what is being expanded is taken.
    #[error(
        "{} is in the way: it is no file of growing by this version; move it away", .0.display()
    )]
    InTheWay(PathBuf),
}

/// A position by the moves that lead there.
fn place(line: &str) -> String {
    if line.is_empty() { "the start".to_owned() } else { format!("the position after `{line}`") }
}

/// The start of a text on one line, for messages.
pub(crate) fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(80).collect()
}
