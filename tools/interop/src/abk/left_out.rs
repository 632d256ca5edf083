//! What a book holds and an Arena book doesn't say, by reason.

use crate::lost::reasons;

reasons! { new
    /// Moves of the book that are not in the tree: beyond the limits, or not reached.
    UNWRITTEN: "unwritten", "moves beyond the limits or not reached from the start";
    /// Lines that stop where a position comes back.
    REPEATED: "repeated", "lines that end where a position comes back";
    /// Moves met that no rule of chess allows.
    ILLEGAL: "illegal", "moves that are not legal";
    /// Nodes with more games than 32 bits count.
    SATURATED: "saturated", "nodes with more games than can be written";
    /// Nodes of moves with marks that a priority doesn't express: it expresses `never` and comes
    /// back as that.
    MARKED: "marked", "marks that are no priority, or a rough one";
    /// Positions met that have an eval, a depth or flags.
    JUDGED: "judged", "positions with evals or flags";
    /// Nodes of moves with ratings.
    RATED: "rated", "nodes whose moves have ratings";
}
