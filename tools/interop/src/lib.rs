//! Books of other programs, read into rows of Tabia books and written from books.
//!
//! One module a format. Reading gives rows, which a [`tabia::sort::Sorter`] brings in order and merges; writing walks a book with boards.

pub mod abk;
mod chess;
pub mod ctg;
pub mod edax;
mod lost;
pub mod mcst;
pub mod polyglot;
mod row;
pub mod suite;

pub use lost::Loss;
pub use row::AnyRow;
