//! Game archives to Tabia books: one [`BuildPlan`], one call.
//!
//! The way of the data: [`tabia_archives`] reads and replays games, on one thread or several; a
//! counter makes [`Occurrence`]s of a game, each position and each move once; a sorter sorts these
//! in bounded memory and makes the rows of a book of them. Where games that are in the archives
//! more than once are to count once, all games are written to files first, and copies are found
//! there ([`dedup`]). Long builds are written in parts, from which they go on if they are
//! interrupted; the parts are merged at the end.
//!
//! ```
//! use tabia::{Book, Env};
//! use tabia_build::{ArchiveList, BuildPlan};
//! use tabia_games::{Chess, Game, Known};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (games, path) = (folder.path().join("games.pgn"), folder.path().join("games.tabia"));
//! # std::fs::write(&games, "[Result \"1-0\"]\n\n1. e4 e5 1-0\n")?;
//! let plan = BuildPlan::new(Known::Chess(Chess::start()));
//! plan.build(&Env::default(), &ArchiveList::of(&[games])?, &path, &mut ())?;
//! let position = Book::open(&path)?.position(Chess::start().key())?;
//! # use tabia::Row;
//! assert_eq!(position.map(|row| row.counts().games()), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For a game that [`tabia_games::Known`] doesn't know, a [`GameCounter`] takes the games of any
//! reader, and [`SortedRows`] go into a [`tabia::NewBook`].

mod archive_list;
mod build;
mod counter;
mod course;
pub mod dedup;
pub mod distributed;
pub mod edits;
mod error;
mod facts;
mod foretold;
mod game_collector;
mod game_occurrences;
mod in_order;
mod memory;
mod occurrence;
mod parts;
mod plan;
mod recount;
mod remembered;
mod run;
pub mod set;
pub mod shelf;
mod skipped_list;
mod sorter;
pub mod stages;
pub mod whole;
mod with_cells;

pub use archive_list::{ArchiveList, LeftOut};
pub use build::{Added, Built};
pub use counter::GameCounter;
pub use course::{Course, Leg};
pub use error::{BuildError, Result, hint_of_system};
pub use foretold::{Foretold, Need};
pub use game_collector::missing_games;
pub use game_occurrences::OccurrenceMaker;
pub use memory::{Memory, read_size};
pub use occurrence::{ForMover, FromOccurrence, KeyedEval, Occurrence, Sortable};
pub use plan::{BuildPlan, MOST_REFUSED, Resume, Tables};
pub use remembered::reading_ways;
pub use run::{BuildObserver, ReadingObserver};
pub use skipped_list::one_line;
pub use sorter::{SortedRows, Sorter, TableRows};
pub use with_cells::{OccurrenceWithCells, room_for};

pub use tabia_gamefile::KeptGames;

/// The README's example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
