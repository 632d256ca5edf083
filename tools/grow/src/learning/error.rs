//! Why nothing can be learned, or no more.

use std::io;
use std::path::PathBuf;
use tabia_archives::ArchiveError;

/// Why nothing can be learned, or no more. What was learned before is in the overlay.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Reading or writing a book.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// Reading archives.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A book whose counts are games, where what is learned should go.
    #[error("{}: its counts are games, which learning doesn't change: give the name of an overlay, which is made if it isn't there", .0.display())]
    Games(PathBuf),
    /// An overlay, where a book of games should be.
    #[error("{}: its counts were learned: give the book that it lies over", .0.display())]
    Overlay(PathBuf),
    /// A book that doesn't know who won.
    #[error("{}: doesn't know how its games ended: there is nothing to scale", .0.display())]
    NoResults(PathBuf),
    /// An overlay and a book that don't belong together.
    #[error("{}: {what}", overlay.display())]
    OtherKind {
        /// The overlay.
        overlay: PathBuf,
        /// In what they differ.
        what: String,
    },
    /// The list of learned games can't be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// What was to be done with it.
        action: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A file that is no list of learned games has its name.
    #[error("{}: is no list of learned games by this version; move it away", .0.display())]
    InTheWay(PathBuf),
    /// An overlay that has learned something, without the list of what.
    #[error("{}: the list of the games that were learned is missing: put it beside the overlay again, or begin a new overlay", .0.display())]
    NoList(PathBuf),
}
