//! Game archives to played games, and games to the rows of a Tabia book.
//!
//! The way of the data: [`Input`] opens an archive, tells its compression by content and keeps a digest of what it held; [`Files`] are those in a tar
//! archive, or the archive itself, each with its [`Format`]; [`split`] cuts them at game boundaries; a reader of the format ([`reading`]; [`pgn`] is one) reads and replays the
//! games of such a piece into a [`Played`] game; [`ingest()`] runs all of that, on one thread or several,
//! with the same result, and hands the games to [`GameSink`]s. A [`Gatherer`] is one: [`game_visits`] makes [`Visit`]s of a game, each position and each
//! move once, and [`collect`] sorts visits in bounded memory and makes the rows of a book of them.
//!
//! A game that can't go in is skipped, counted by its [`Reason`] and reported with its file and byte offset; its neighbours go in.

mod charset;
pub mod collect;
pub mod dedup;
pub mod digest;
mod error;
mod files;
pub mod filter;
mod foreign;
mod format;
pub mod game_visits;
mod gather;
mod guess;
mod ingest;
mod input;
mod kept;
pub mod lines;
mod names;
pub mod othello;
pub mod pgn;
mod played;
mod reader;
pub mod reading;
mod rich_visit;
pub mod sgf;
pub mod split;
mod tally;
mod visit;
mod wanted;

pub use error::{ArchiveError, IngestError};
pub use files::{File, Files};
pub use format::Format;
pub use game_visits::{Tables, VisitSink, Visiting};
pub use gather::Gatherer;
pub use guess::{Guess, guess};
pub use ingest::{GameSink, Keeper, Observer, Options, Origin, Progress, SourceStanding, Standing, ingest, ingest_from};
pub use input::{Input, Warning};
pub use kept::{Also, Found, Keepable, Kept, ResumeError, is_kept_in, remove_kept};
pub use played::{Eval, Played, Ply};
pub use rich_visit::{KeyedEval, RichVisit, room_for};
pub use tally::{Counters, Filtered, Reason, Skipped, SourceTally, Tally};
pub use visit::{Collectable, ForMover, OfVisit, Visit};
pub use wanted::{Scored, UnknownResults, Wanted};
