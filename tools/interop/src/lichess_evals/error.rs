//! What can be wrong with a file of evaluations.

use std::io;

/// Why a file of evaluations wasn't read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system's word.
    #[error("cannot read: {0}")]
    Io(#[from] io::Error),
    /// A line isn't what such files have.
    #[error("line {line}: no position with evaluations: {why}")]
    Line {
        /// Counted from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A line is longer than any in such files.
    #[error("line {line}: longer than {most} bytes")]
    Long {
        /// Counted from 1.
        line: u64,
        /// The most bytes of a line.
        most: usize,
    },
}
