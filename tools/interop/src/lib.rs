//! Tabia books to and from other files: books of other programs, opening suites, and rows as text,
//! JSON Lines and Parquet; names of openings.
//!
//! One module a format of another program. Reading gives rows, which a [`RowSorter`] brings in
//! order and merges; writing walks a book with boards. The module `rows` holds what data tools read
//! and write, rows of books of any game.
//!
//! Features, all on if nothing else is said: `rows` for text and JSON Lines, `parquet` for Parquet
//! besides (with the crate `parquet`, most of the compile time), and a game each: `chess` for the
//! books of Arena and ChessBase and the evaluations of lichess, for writing suites and for reading castlings in Polyglot's books,
//! `othello` for those of Edax; trees of games
//! and what is of any game know the games whose features are on, `go` and `draughts` among them.
//! What else there is of Polyglot's books needs none of these.

#[cfg(feature = "chess")]
pub mod abk;
#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "chess")]
pub mod ctg;
mod detect;
#[cfg(feature = "othello")]
pub mod edax;
mod hash_index;
#[cfg(feature = "chess")]
pub mod lichess_evals;
mod lost;
pub mod mcst;
pub mod opening_names;
pub mod polyglot;
mod reached;
mod row;
#[cfg(feature = "rows")]
pub mod rows;
pub mod suite;

pub use detect::ForeignBook;
pub use hash_index::HashIndex;
pub use lost::{LossReason, Losses, WriteError};
pub use reached::{Legality, Reach, Reached};
pub use row::{AnyRow, RowSorter, SortedRows};
