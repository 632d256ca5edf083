//! Arena's opening books (`.abk`): a tree of chess moves from the usual start, in nodes of 28
//! bytes.
//!
//! ```text
//! offset  size  header: 900 slots of 28 bytes, 25,200 bytes; all numbers are little-endian
//!      0     4  03 41 42 32 (`AB2`) or 03 41 42 4b (`ABK`)
//!      4     4  25,200: where the nodes begin (or 0)
//!      8     4  28: bytes of a node (or 0)
//!     12   121  comment: its length, then the text
//!    133    81  author, likewise
//!    214     4  plies of the longest line
//!    218     4  nodes that are not deleted
//!    222    16  least games, least wins, win percentages of White and Black
//!    238    16  weights of priority, games and wins in choosing; half-moves for which the book is used
//!
//! offset  size  node, from slot 900 on
//!      0     2  from, to: a1 is 0, b1 is 1, h8 is 63; castling is the king's two steps
//!      2     1  promotion: 1 rook, 2 knight, 3 bishop, 4 queen, of either sign; else 0
//!      3     1  priority: 0 to 9
//!      4    12  games, won, lost
//!     16     1  what is taken: 1 rook, 2 knight, 3 bishop, 4 queen, 6 pawn, negative if it is White's; 0 for nothing and for en passant
//!     17     2  0
//!     19     1  1 if the node is deleted
//!     20     8  the slot of its first reply, that of the next move beside it; -1 (or 0): none
//! ```
//!
//! The first move from the start is in slot 900.
//!
//! Where this is from: the order of the fields and the marks of deletion and promotion are from
//! readers of others. What a real book (Perfect2021.abk, 9,571 nodes) shows: the numbers at 4 and
//! 8, that of nodes at 218, castling, and the value at 16 (without exception in its 9,142 nodes
//! that can be reached), which other readers take for plies or flags. Only from the description:
//! promotions, and that wins and losses are White's; that book has neither. It takes no rook: that
//! this is 1 there too follows from the numbers of promotions.
//!
//! What a node means here:
//!
//! - *Its games* are those of one line. Draws are the games neither won nor lost. A file whose
//!   nodes all have no wins and no losses says nothing of results and makes a book of counts
//!   without results ([`tabia::format::Results::Unknown`]). Keyed by line a book is the tree; keyed
//!   by position the games of all lines that transpose are added.
//! - *Priority* 0 is Arena's word for a move that isn't to be played and becomes the mark `never`,
//!   unless all nodes have it (programs that know no priorities write so). The others say how
//!   gladly a move is played; rows have no place for that.
//! - *Deleted nodes* are left out with all after them.

mod header;
mod node;
mod read;
mod write;

pub use crate::lost::Written;
use crate::lost::reasons;
pub use header::{Header, ReadError};
pub use node::Node;
pub use read::{Read, read};
pub use write::{Limits, write};

/// The most moves in a line.
pub const DEEPEST: usize = 4096;
const NODE: usize = 28;
/// The slot of the first node.
const FIRST: u32 = 900;
/// Bytes before it.
const START: usize = NODE * FIRST as usize;

reasons! {
    /// What an Arena book holds and rows don't say, by reason.
    lost, is_missed: false;
    DELETED: "deleted", "deleted nodes";
    ILLEGAL: "illegal", "nodes with illegal moves";
    /// Links out of the file, to nodes that were reached before, or too deep.
    TANGLED: "tangled", "links to nowhere or to nodes linked before";
    /// To them no line of legal moves leads; not those after deleted ones that were met.
    UNREACHED: "unreached", "nodes that can't be reached";
    /// They have no draws.
    CONTRADICTORY: "contradictory", "nodes with more wins and losses than games";
    /// Those that are neither 5 nor expressed by a mark.
    PRIORITIES: "priorities", "priorities";
}

reasons! {
    /// What a book holds and an Arena book doesn't say, by reason.
    left_out, is_missed: false;
    UNWRITTEN: "unwritten", "moves beyond the limits or not reached from the start";
    REPEATED: "repeated", "lines that end where a position comes back";
    ILLEGAL: "illegal", "moves that are not legal";
    /// More than 32 bits count.
    SATURATED: "saturated", "nodes with more games than can be written";
    /// A priority expresses `never` and comes back as that.
    MARKED: "marked", "marks that are no priority, or a rough one";
    /// An eval, a depth or flags, of positions met.
    JUDGED: "judged", "positions with evals or flags";
    RATED: "rated", "nodes whose moves have ratings";
}
