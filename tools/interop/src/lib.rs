//! Tabia books to and from other files: books of other programs, opening suites, and rows as text,
//! JSON Lines and Parquet.
//!
//! One module a format of another program. Reading gives rows, which a [`RowSorter`] brings in
//! order and merges; writing walks a book with boards. The module `rows` holds what data tools read
//! and write, rows of books of any game.
//!
//! Features, both on if nothing else is said: `rows` for text and JSON Lines, `parquet` for Parquet
//! besides (with the crate `parquet`, most of the compile time).

pub mod abk;
mod chess;
pub mod ctg;
mod detect;
pub mod edax;
mod legal;
mod lost;
pub mod mcst;
pub mod polyglot;
mod row;
#[cfg(feature = "rows")]
pub mod rows;
pub mod suite;

pub use detect::ForeignBook;
pub use legal::{Legality, legality};
pub use lost::{LossReason, Losses};
pub use row::{AnyRow, RowSorter, SortedRows};
