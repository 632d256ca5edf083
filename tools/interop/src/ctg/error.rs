//! Why a book can't be read.

use super::PAGE;

/// Why bytes couldn't be read as a ChessBase book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It has no whole pages.
    #[error("it is no ChessBase book, or cut off: {0} bytes are not whole pages of {PAGE}")]
    Length(usize),
    /// The file with the places of pages is cut off, or says less than another one.
    #[error("the .cto file doesn't fit: it has {0} bytes instead of 16 and 4 for each place")]
    Places(usize),
    /// The file with the places used doesn't fit.
    #[error("the .ctb file doesn't fit: {0}")]
    Bounds(String),
    /// Something in a page isn't understood.
    #[error("page {page}, byte {offset} of it: {fault}")]
    Fault {
        /// The page; 0 is the header's.
        page: usize,
        /// Where in it.
        offset: usize,
        /// What.
        fault: Fault,
    },
}

/// What is wrong with a ChessBase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The page says a length that it can't have.
    #[error("its {0} bytes in use are not 4 to {PAGE}")]
    Used(u16),
    /// Positions end elsewhere than the page says.
    #[error("its positions end here, and not at byte {0}")]
    End(u16),
    /// The page ends within a position.
    #[error("a position is cut off")]
    Cut,
    /// A position has no board, or a bit that means nothing.
    #[error("{0:#04x} is no length of a board")]
    Length(u8),
    /// The board's bits don't end where they should.
    #[error("its board is not of 64 squares in {0} bytes")]
    Board(u8),
    /// The moves' bytes are no codes and annotations.
    #[error("{0} bytes are no list of moves")]
    Moves(u8),
}
