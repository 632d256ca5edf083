//! Tabia, an on-disk opening-book database for board games.
//!
//! A book is one immutable file of fixed-size rows in open-addressed hash tables with linear probing, each also a sorted run, so that a
//! position is found with one multiplication and a short forward scan, and books merge as streams. It grows by a journal beside it. The engine
//! knows keys and rows, and no game.
//!
//! - Reading: [`Book`], [`BookSet`]; the fastest probes: [`Table`].
//! - Making: [`NewBook`], from [`sort::Sorter`]s or other books.
//! - Changing: [`Writer`], with [`Batch`]es.
//! - Trusting: [`check()`], [`salvage()`], [`diff()`].

#![warn(missing_debug_implementations)]

mod book;
pub mod bytes;
mod check;
mod column;
mod create;
mod diff;
mod env;
mod error;
#[doc(hidden)]
pub mod format;
mod journal;
pub mod key;
mod merge;
mod partitions;
mod publish;
pub mod row;
mod salvage;
mod set;
pub mod sort;
pub mod storage;
pub mod stream;
mod table;
mod unix;
mod writer;

pub use book::{Book, View};
pub use check::{CheckReport, Finding, check};
pub use column::{BestGame, Cell, Cells, Column, Columns, Field, FieldRule, Ratings, WithCells, Years};
pub use create::NewBook;
pub use diff::{DiffSummary, Difference, TableDiff, diff};
pub use env::{Env, Progress, Stage};
pub use error::{Error, Result};
pub use format::{
    BadLoad, BadName, BadShare, Digest, Fact, Header, Keyed, Load, Name, Refusal, Results, Rule, Section, Share, Source, TableShape, Tag,
};
pub use journal::{Batch, JournalInfo, journal_path};
pub use key::{Hash, Key, home, mix, unmix};
pub use merge::{Duplicates, MergeOptions, Merged, check_sources, merge, merge_into};
pub use publish::{AtomicFile, AtomicWriter, Existing};
pub use row::{Counts, MoveRow, NO_EVAL, PositionRow, Row, TableKind, flags, marks, sort_and_merge};
pub use salvage::{Kept, SalvageReport, salvage};
pub use set::BookSet;
pub use table::Table;
pub use writer::Writer;

/// The README's example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
