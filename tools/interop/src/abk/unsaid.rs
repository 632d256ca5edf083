//! What a book holds and an Arena book doesn't say, by reason.

use crate::Reason;

/// Moves of the book that are not in the tree: beyond the limits, or not reached from the start.
pub const UNWRITTEN: Reason =
    Reason::new("unwritten", "moves beyond the limits or not reached from the start");
/// Lines that stop where a position comes back.
pub const REPEATED: Reason = Reason::new("repeated", "lines that end where a position comes back");
/// Moves met that no rule of chess allows.
pub const ILLEGAL: Reason = Reason::new("illegal", "moves that are not legal");
/// Nodes with more games than 32 bits count.
pub const SATURATED: Reason = Reason::new("saturated", "nodes with more games than can be written");
/// Nodes of moves with marks that a priority doesn't express: it expresses `never` and comes back
/// as that.
pub const MARKED: Reason = Reason::new("marked", "marks that are no priority, or a rough one");
/// Positions met that have an eval, a depth or flags.
pub const JUDGED: Reason = Reason::new("judged", "positions with evals or flags");
/// Nodes of moves with ratings.
pub const RATED: Reason = Reason::new("rated", "nodes whose moves have ratings");

/// All of these, in the order in which they are reported.
pub const ALL: &[Reason] = &[UNWRITTEN, REPEATED, ILLEGAL, SATURATED, MARKED, JUDGED, RATED];
