//! What a book holds and a tree can't say, by reason.

use crate::LossReason;

/// Games that were drawn, of all nodes together: they are not among a node's games.
pub const DRAWS: LossReason = LossReason::missed("draws", "draws, a game counted at each node");
/// Lines that have an eval, a depth or flags.
pub const JUDGED: LossReason =
    LossReason::missed("judged_positions", "positions with evals or flags");
/// Moves that have marks.
pub const MARKED: LossReason = LossReason::missed("marked_moves", "moves with marks");
/// Moves that have ratings.
pub const RATED: LossReason = LossReason::missed("rated_moves", "moves with ratings");
/// Rows to which no line leads from the start by legal moves.
pub const UNREACHED: LossReason =
    LossReason::missed("unreached_rows", "rows to which no line leads");
/// Lines whose counts are not those of the move that leads to them, or that have a move to them and
/// no counts.
pub const DIFFERING: LossReason = LossReason::missed(
    "differing_positions",
    "positions that aren't worth what the move to them is",
);

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[DRAWS, JUDGED, MARKED, RATED, UNREACHED, DIFFERING];
