//! The journal beside a book: batches of changes, each a frame, wholly there or wholly not. Section
//! 8 of the format specification.

mod append;
mod batch;
mod deltas;
mod frame;
mod frames;
mod layout;
mod overlay;
mod parts;
mod recover;
mod stray;
mod window;

pub(crate) use append::{Added, Journal};
pub use batch::Batch;
pub(crate) use deltas::Change;
pub(crate) use frame::{JournalHeader, MAGIC as JOURNAL_MAGIC};
pub(crate) use frames::frames;
pub(crate) use layout::Layouts;
pub(crate) use overlay::{Layered, Overlaid, Overlay};
pub(crate) use parts::Unsound;
pub(crate) use recover::{
    State, check_tables, holds_nothing, last_sequence, last_sources, read_journal, recover, survey,
};

pub use stray::stray_journals;

use crate::files::BookFile;
use std::path::{Path, PathBuf};

/// The path of a book's journal: the book's with `-journal` appended.
#[must_use]
pub fn journal_path(book: &Path) -> PathBuf {
    BookFile::Journal.beside(book)
}

/// A summary of a book's journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JournalInfo {
    /// Batches.
    pub frames: u64,
    /// Bytes of the journal, without a torn tail.
    pub bytes: u64,
    /// The sequence of the last batch; the book's own if there is none.
    pub sequence: u64,
    /// Bytes of a torn tail, never acknowledged: the next writer cuts it off (J-6).
    pub torn: u64,
    /// Its header, if there is a journal.
    pub(crate) header: Option<JournalHeader>,
    /// Where its last frame begins; 0, where its header does, if there is none.
    pub(crate) last: u64,
    /// The checksum of the last header, which the next frame repeats.
    pub(crate) previous: u32,
    /// Bytes of sources and facts in its frames.
    pub(crate) entries: u64,
}
