//! What a book holds and an Arena book doesn't say, by reason.

use crate::LossReason;

/// Moves of the book that are not in the tree: beyond the limits, or not reached from the start.
pub const UNWRITTEN: LossReason =
    LossReason::new("unwritten", "moves beyond the limits or not reached from the start");
/// Lines that stop where a position comes back.
pub const REPEATED: LossReason =
    LossReason::new("repeated", "lines that end where a position comes back");
/// Moves met that no rule of chess allows.
pub const ILLEGAL: LossReason = LossReason::new("illegal", "moves that are not legal");
/// Nodes with more games than 32 bits count.
pub const SATURATED: LossReason =
    LossReason::new("saturated", "nodes with more games than can be written");
/// Nodes of moves with marks that a priority doesn't express: it expresses `never` and comes back
/// as that.
pub const MARKED: LossReason =
    LossReason::new("marked", "marks that are no priority, or a rough one");
/// Positions met that have an eval, a depth or flags.
pub const JUDGED: LossReason = LossReason::new("judged", "positions with evals or flags");
/// Nodes of moves with ratings.
pub const RATED: LossReason = LossReason::new("rated", "nodes whose moves have ratings");

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[UNWRITTEN, REPEATED, ILLEGAL, SATURATED, MARKED, JUDGED, RATED];
