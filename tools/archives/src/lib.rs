//! Game archives to played games, and games to the rows of a Tabia book.
//!
//! The way of the data: [`Input`] opens an archive, tells its compression by content and keeps a digest of what it held; [`split`] cuts the text at
//! game boundaries; [`pgn`] reads and replays the games of such a piece into a [`Played`] game; [`game_visits`] makes [`Visit`]s of it, each position
//! and each move once a game; [`ingest()`] runs all of it, on one thread or several, with the same result, and hands the visits to a [`VisitSink`].
//! [`collect`] is such a sink: it sorts visits in bounded memory and makes the rows of a book of them.
//!
//! A game that can't go in is skipped, counted by its [`Reason`] and reported with its file and byte offset; its neighbours go in.

pub mod collect;
mod error;
pub mod filter;
mod foreign;
pub mod game_visits;
mod ingest;
mod input;
pub mod pgn;
mod played;
pub mod split;
mod tally;
mod visit;
mod wanted;

pub use error::{ArchiveError, IngestError};
pub use game_visits::Tables;
pub use ingest::{Observer, Options, Progress, VisitSink, ingest};
pub use input::{Input, Warning};
pub use played::{Eval, Played, Ply};
pub use tally::{Counters, Filtered, Reason, Skipped, SourceTally, Tally};
pub use visit::{ForMover, OfVisit, Visit};
pub use wanted::{UnknownResults, Wanted};
