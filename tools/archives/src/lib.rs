//! Game archives to played games, and which of them are wanted.
//!
//! The way of the data: [`Input`] opens an archive, recognizes its compression by content and keeps
//! a digest of its bytes; [`Files`] are those in a tar archive, or the archive itself, each with
//! its [`Format`]; [`split`] cuts them at game boundaries; a reader of the format ([`reading`];
//! [`pgn`] is one) reads and replays the games of such a segment, each into a [`GameRecord`];
//! [`ingest()`] runs all of that, on one thread or several, with the same result, and hands the
//! games to [`GameSink`]s. The crate `tabia-build` makes books of them.
//!
//! Features, all on if nothing else is said: a game each (`chess`, `othello`, `go`, `draughts`,
//! `connect`) and a way each in which archives are compressed or packed (`bzip2`, `gzip`, `tar`, `zstd`). An archive
//! whose compression is off is refused, never misread.
//!
//! A game that can't be counted is skipped, counted by its [`Reason`] and reported with its file
//! and byte offset; the games around it count.

// With a game off, some of what its reader shares with others has no user.
#![cfg_attr(not(feature = "default"), allow(dead_code))]

mod compression;
mod digest;
mod error;
mod files;
pub mod filter;
mod foreign;
mod format;
mod game_record;
mod guess;
mod ingest;
mod input;
pub mod lines;
#[cfg(feature = "othello")]
pub mod othello;
pub mod pgn;
mod reader;
pub mod reading;
#[cfg(feature = "go")]
pub mod sgf;
pub mod split;
mod stats;
mod variations;
mod wanted;

pub use error::{ArchiveError, IngestError};
pub use files::{File, Files};
pub use foreign::unread_book;
pub use format::Format;
pub use game_record::{EvalComment, GameDetails, GameRecord, Ply};
pub use guess::{Guess, guess};
pub use ingest::{
    Checkpoint, GameSink, IngestProgress, Observer, Origin, Saver, SourceCheckpoint, ingest,
    ingest_from,
};
pub use input::{Input, Warning};
pub use reader::formats;
pub use stats::{Filtered, GameCounts, Reason, Skipped, SourceStats, Stats};
pub use wanted::{Options, Scored, UnknownResults, Wanted};
