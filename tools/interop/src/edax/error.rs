//! Why a book can't be read.

/// Why bytes couldn't be read as an Edax book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It doesn't begin like one.
    #[error("it is no Edax book: it begins with {0:02x?} instead of `XADEKOOB`")]
    Magic(Vec<u8>),
    /// It ends within its header.
    #[error("it is cut off: {0} bytes are less than a header of 42")]
    Header(usize),
    /// It is of a version with another layout.
    #[error(
        "it is a book of version {0}, and only version 4 is known: let Edax 4 read and save it"
    )]
    Version(u8),
    /// A position is no position.
    #[error("position {record} at byte {offset}: {fault}")]
    Fault {
        /// Which, counted from 1.
        record: u64,
        /// Where it begins.
        offset: usize,
        /// What is wrong.
        fault: Fault,
    },
}

/// What is wrong with a position of an Edax book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The file ends within it.
    #[error("it is cut off")]
    Cut,
    /// Both sides have a disc on the same square.
    #[error("both sides have discs on the same squares")]
    Discs,
}
