//! The journal beside a book: batches of changes, each a frame, wholly there or wholly not. Section 7 of the format specification.

mod append;
mod batch;
mod frame;
mod overlay;
mod recover;

pub(crate) use append::{Added, AddedMoves, Journal};
pub use batch::Batch;
pub(crate) use batch::Change;
pub(crate) use frame::MAGIC as JOURNAL_MAGIC;
pub(crate) use overlay::{Delta, Layered, Overlaid, Overlay};
pub(crate) use recover::{State, frames, holds_nothing, last_sequence, parts, read_journal, recover, survey};

use crate::storage::beside;
use std::path::{Path, PathBuf};

/// What a journal's name adds to its book's.
const SUFFIX: &str = "-journal";

/// Where the journal of a book stands.
#[must_use]
pub fn journal_path(book: &Path) -> PathBuf {
    beside(book, SUFFIX)
}

/// What stands in a book's journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalInfo {
    /// Batches.
    pub frames: u64,
    /// Bytes of the journal, without a torn tail.
    pub bytes: u64,
    /// The sequence of the last batch; the book's own if there is none.
    pub sequence: u64,
    /// Bytes of a torn tail, never acknowledged: the next writer cuts it off (J-6).
    pub torn: u64,
}
