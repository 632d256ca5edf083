//! Edax's Othello books (`.dat`, `.book`, version 4), for reading.
//!
//! ```text
//! offset  size  header: 42 bytes; all numbers are little-endian, as Edax writes them on the machines it is built for
//!      0     8  58 41 44 45 4b 4f 4f 42 (`EDAX` and `BOOK` as numbers)
//!      8     2  version (4), release
//!     10     8  year (2 bytes), month, day, hour, minute, second, nothing
//!     18    20  level, empty squares down to which the book goes, two margins of error, verbosity: 4 bytes each
//!     38     4  positions
//!
//! offset  size  position: 42 bytes and 2 for each link
//!      0    16  discs of the side to move, discs of the other one; bit 0 is a1, bit 1 is b1, bit 63 is h8
//!     16    16  lines to the end that the side to move wins, draws, loses; all lines: 4 bytes each
//!     32     6  value, lower bound, upper bound: discs, 2 bytes each, for the side to move
//!     38     2  links, level
//!     40   2 n  of each link: score (signed), square (64: a pass)
//!   last     2  the best of all other moves, the leaf: score, square (65: there is none, and a score of -127)
//! ```
//!
//! A position represents its eight images. A link leads to a position of the book, the leaf to one
//! that isn't there.
//!
//! In rows:
//!
//! - *A position's eval* is its value and its depth is Edax's level. Its wins, draws and losses are
//!   lines of the book that are played to the end, not games, and are left out unless they are
//!   asked for ([`Lines`]).
//! - *A move* has the counts of the position after it, if lines count; moves that are images of
//!   each other are one, whose counts are added, as Edax adds them in the position before. A leaf has none. What Edax
//!   says of a move is said of the position after it: those of links have their own value, and the
//!   leaf's becomes a row with the score and the level of the position before.
//! - *Passes* are made by the rules themselves ([`tabia_games::Othello`]): a position in which the
//!   side to move must pass is the one after the pass, seen by the other side, and makes a row only
//!   if the book doesn't have that.
//! - *Proofs*: none. Edax widens the value of a search by margins to bounds, and a position's
//!   bounds are the best of its moves'; so they may meet because one line is solved while the other
//!   moves are guesses. In a real book of level 1 they meet at 25 empty squares, and of 29
//!   positions of at most 9 empty squares whose bounds meet 5 have another value (searched to the
//!   end).
//!
//! Where this is from: a description of Edax's sources. All of it shows in real books: every record
//! of four of them (1,941, 1,941, 95 and 38) reads to the last byte, with legal moves, all links
//! lead to positions with the link's score, and the listings of one of them say the same.

mod read;
mod record;

use crate::lost::reasons;
pub use read::{Lines, Read, read};

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

reasons! {
    /// What an Edax book holds and rows don't say, and what is odd in it, by reason.
    lost, is_missed: false;
    MISSING: "missing", "positions that the header counts and that are not there";
    REPEATED: "repeated", "positions there more than once";
    /// Passes where there is a move among them.
    ILLEGAL: "illegal", "moves that are not legal";
    DOUBLED: "doubled", "moves there more than once";
    /// Some moves are neither links nor worse than the leaf.
    UNCOVERED: "uncovered", "positions without all their moves";
    UNLINKED: "unlinked", "links to positions that are not there";
    /// The value counts.
    DIFFERING: "differing", "scores of links that are not the value behind them";
    /// Scores too.
    OUT_OF_RANGE: "out_of_range", "values beyond 64 discs";
    /// Bounds other than their value.
    BOUNDS: "bounds", "positions with bounds";
    /// Of these a book counts only how many there are.
    OPEN_LINES: "open_lines", "positions with lines not played to the end";
    /// They aren't counted: see [`Lines`](super::Lines).
    LINES: "lines", "positions' numbers of lines, which are no games";
}
