//! Why a book can't be read.

use super::{NODE, START};

/// Why bytes couldn't be read as an Arena book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It doesn't begin like one.
    #[error("it is no Arena book: it begins with {0:02x?} instead of 03 and `AB2` or `ABK`")]
    Magic(Vec<u8>),
    /// It ends within its header or a node.
    #[error("it is cut off: {0} bytes are not {START} of a header and {NODE} for each node")]
    Length(usize),
    /// It says that its nodes begin or are as long as in no known book.
    #[error(
        "its nodes begin at byte {start} and have {size} bytes: only {START} and {NODE} are known"
    )]
    Layout {
        /// Where nodes begin.
        start: u32,
        /// Bytes of a node.
        size: u32,
    },
    /// It has more nodes than can be numbered.
    #[error("it has more than 2,147,483,647 nodes")]
    Large,
}
