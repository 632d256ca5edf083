//! Why a book can't be read, or written.

use super::{NODE, START};
use std::io;
use std::path::PathBuf;

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

/// Why a book couldn't be written for Arena.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The engine's word: the book can't be read.
    #[error(transparent)]
    Book(#[from] tabia::Error),
    /// The system's word: the file can't be written.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
    /// The book isn't of chess.
    #[error("{}: it is a book of {game}, and Arena's are of chess", path.display())]
    Game {
        /// The book.
        path: PathBuf,
        /// Its game.
        game: String,
    },
}
