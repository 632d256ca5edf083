//! ChessBase's opening books (`.ctg` with `.cto` and `.ctb` beside it), for reading.
//!
//! ```text
//! .ctg = pages of 4,096 bytes; all numbers are big-endian
//! page 0:  24 u32 positions, 28 u32 games, the rest unknown
//! page:    0 u16 positions, 2 u16 bytes used (these four among them), then that many positions:
//!
//! position: u8  bytes of the board (this one among them) in bits 0 to 4; bit 5: en passant; bit 6: castling
//!           board, bit by bit from the highest: a1, a2 ... a8, b1 ... h8
//!               empty 0; pawn 110 white, 111 black; knight 10010, 10011; bishop 10100, 10101; rook 10110, 10111; queen 100010, 100011; king 100000, 100001
//!             zeros; the last bits of the last byte are: the file of en passant (3 bits, if there is), the castling rights (4 bits, if there are: Black's short and long,
//!             White's short and long)
//!           u8  bytes of the list of moves (this one among them), then of each move its code and its annotation
//!           u24 games, losses, wins, draws     u32 unknown
//!           u24 games, u32 sum of ratings      u24 games, u32 sum of performances
//!           u8  recommendation     u8 unknown     u8 comment on the position
//!
//! .cto = 16 bytes, then of each hash the number of its page (u32; all ones: none), page 0 being the one behind the header
//! .ctb = 4 bytes, then the least and the greatest place in the .cto that is used (u32 each); in
//!        real books more bytes follow, of unknown meaning
//! ```
//!
//! Boards are stored with White to move: with Black to move the board is turned over and the colors
//! change, and if neither side may castle and the king of the side to move is on one of the files a
//! to d, the board is mirrored. Moves are those of that board: a code says which piece of its kind
//! moves, counted in the order of the board's bits, and by how many files and ranks it goes, around
//! the board's edges. The file doesn't say whose move it really was. So books are *walked* from the
//! start of chess: the pages give all positions by their boards, and those that the book's moves
//! lead to get their rows, with the sides as they really are. A move's games are those of the
//! position it leads to.
//!
//! Where this is from: descriptions and readers of others. What a real book (simple.ctg, 4
//! positions) shows: the pages, the header's two numbers, boards with and without castling rights,
//! two codes of pawn moves, that `games` also counts games without a result. Only from the
//! description: en passant, mirrored boards, all other codes, the order of losses and wins,
//! ratings, annotations and recommendations.
//!
//! - *Codes 26 and 249* are two moves of the second queen, by six files or six ranks; which is
//!   which is not known. The one that is legal is taken, of two the one that leads into the book.
//! - *Results*: a book in which nothing was won, lost or drawn, only played, makes a book of counts
//!   without results ([`tabia::format::Results::Unknown`]); else games without a result are left
//!   out.
//! - *Annotations* 1 to 6 (! ? !! ?? !? ?!) become marks. *Recommendations* 64 (red) become
//!   `never`, 128 (green) `always` unless the move has a `?` of any kind, by which ChessBase colors
//!   it blue.
//! - *Promotions* are to queens: there is no code for others.

mod board;
mod moves;
mod page;
mod read;

use crate::lost::reasons;
pub use read::{Files, Read, read};

const PAGE: usize = 4096;

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

reasons! {
    /// What a ChessBase book holds and rows don't say, by reason.
    lost, is_missed: false;
    UNLISTED: "unlisted", "pages that the .cto file doesn't name";
    REPEATED: "repeated", "positions there more than once";
    /// Whose move it is there is unknown.
    UNREACHED: "unreached", "positions not reached from the start";
    UNKNOWN: "unknown", "moves with unknown codes";
    ILLEGAL: "illegal", "moves that are not legal";
    /// They have no games.
    UNCOUNTED: "uncounted", "moves to positions that are not in the book";
    UNDECIDED: "undecided", "games without a result, a game counted at each position";
    CONTRADICTORY: "contradictory", "positions with fewer games than results";
    /// Others than ! ? !! ?? !? ?! and the two recommendations known.
    ANNOTATIONS: "annotations", "annotations and recommendations";
    COMMENTS: "comments", "comments on positions";
    RATED: "rated", "positions with ratings";
}
