//! Tabia, an on-disk opening-book database for board games.
//!
//! A book is one immutable file of fixed-size rows in open-addressed hash tables with linear
//! probing, each also a sorted run, so that a position is found with one multiplication and a short
//! forward scan, and books merge as streams. It grows by a journal beside it. The engine knows keys
//! and rows, and no game.
//!
//! # From rows to a book, and back
//!
//! A game gives each position a 64-bit [`Key`] and each move a code. Rows are made of both and of
//! [`Counts`] seen by the side to move, and are handed over in order; a [`sort::Sorter`] takes them
//! in any order.
//!
//! ```
//! use tabia::{Batch, Book, Counts, Env, Existing, MergeOptions, MoveRow, NewBook, PositionRow, Row, Writer, merge};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (path, other, all) = (folder.path().join("a.tabia"), folder.path().join("b.tabia"), folder.path().join("all.tabia"));
//! // Build: a position, and a move that was played there.
//! let won = Counts { wins: 1, draws: 0, losses: 0 };
//! for path in [&path, &other] {
//!     NewBook::new("chess".parse()?, "polyglot".parse()?)
//!         .positions(&vec![PositionRow::new(42, won)])
//!         .moves(&vec![MoveRow::new(42, 796, won)])
//!         .write(&Env::default(), path, Existing::Refuse)?;
//! }
//!
//! // Probe: a position, and all its moves in the order of their codes.
//! let book = Book::open(&path)?;
//! assert_eq!(book.position(42)?.map(|row| row.counts()), Some(won));
//! assert_eq!(book.moves(42)?.first().map(MoveRow::code), Some(796));
//!
//! // Journal: changes that are durable when `append` returns, all of a batch or none.
//! let mut writer = Writer::open(Env::default(), &path)?;
//! let mut batch = Batch::new();
//! batch.add_move(MoveRow::new(42, 405, won));
//! writer.append(&batch)?;
//! assert_eq!(Book::open(&path)?.moves(42)?.len(), 2);
//!
//! // Merge: counts add up, in whatever order books are merged.
//! let books = [Book::open(&path)?, Book::open(&other)?];
//! merge(&Env::default(), &all, &books, MergeOptions::default())?;
//! assert_eq!(Book::open(&all)?.position(42)?.map(|row| row.counts().wins), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! - Reading: [`Book`], [`BookSet`]; the fastest probes: [`Table`].
//! - Making: [`NewBook`], from [`sort::Sorter`]s or other books.
//! - Changing: [`Writer`], with [`Batch`]es.
//! - Its files on disk: [`BookFiles`].
//! - Trusting: [`check()`], [`salvage()`], [`diff()`].

#![warn(missing_debug_implementations)]

mod book;
pub mod bytes;
mod check;
mod column;
mod companions;
mod create;
mod diff;
mod env;
mod error;
mod files;
#[doc(hidden)]
pub mod format;
mod join;
mod journal;
pub mod key;
mod merge;
mod packed;
#[doc(hidden)]
pub mod parallel;
mod partitions;
mod platform;
mod publish;
mod read_book;
pub mod remote;
pub mod row;
mod salvage;
mod set;
pub mod sort;
pub mod storage;
pub mod stream;
mod table;
mod writer;

pub use book::{Book, View};
pub use check::{CheckReport, Finding, check};
pub use column::{
    BestGame, Cell, Cells, Column, Columns, Field, FieldRule, Ratings, WithCells, Years,
};
pub use companions::Companions;
pub use create::NewBook;
pub use diff::{DiffSummary, Difference, TableDiff, diff};
pub use env::{Env, Progress, Stage};
pub use error::{Context, Error, Result};
pub use files::{Beside, BookFile, BookFiles};
pub use format::{
    BadLoad, BadName, BadShare, Digest, Fact, Header, Keyed, Load, Name, Refusal, Results, Rule,
    Section, Share, Slice, Source, TableShape, Tag,
};
pub use join::{Archives, Duplicates};
pub use journal::{Batch, JournalInfo, journal_path, stray_journals};
pub use key::{Hash, Key, home, mix, unmix};
pub use merge::{BookRows, CountedAnew, MergeOptions, Merged, merge, merge_into, merge_with};
pub use publish::{AtomicFile, AtomicWriter, Existing};
pub use read_book::ReadBook;
pub use row::{
    Counts, Flags, Marks, MoveRow, NO_EVAL, PositionRow, Row, TableKind, sort_and_merge,
};
pub use salvage::{Kept, SalvageReport, salvage};
pub use set::BookSet;
pub use table::Table;
pub use writer::Writer;
