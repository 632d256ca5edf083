//! What a book holds and a tree can't say, by reason.

use crate::lost::reasons;

reasons! { missed
    /// Games that were drawn, of all nodes together: they are not among a node's games.
    DRAWS: "draws", "draws, a game counted at each node";
    /// Lines that have an eval, a depth or flags.
    JUDGED: "judged_positions", "positions with evals or flags";
    /// Moves that have marks.
    MARKED: "marked_moves", "moves with marks";
    /// Moves that have ratings.
    RATED: "rated_moves", "moves with ratings";
    /// Rows to which no line leads from the start by legal moves.
    UNREACHED: "unreached_rows", "rows to which no line leads";
    /// Lines whose counts are not those of the move that leads to them, or that have a move to them
    /// and no counts.
    DIFFERING: "differing_positions", "positions that aren't worth what the move to them is";
}
