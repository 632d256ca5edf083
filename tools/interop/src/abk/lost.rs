//! What an Arena book holds and rows don't say, by reason.

use crate::LossReason;

/// Deleted nodes.
pub const DELETED: LossReason = LossReason::new("deleted", "deleted nodes");
/// Nodes whose move isn't legal.
pub const ILLEGAL: LossReason = LossReason::new("illegal", "nodes with illegal moves");
/// Links out of the file, to nodes that were reached before, or too deep.
pub const TANGLED: LossReason =
    LossReason::new("tangled", "links to nowhere or to nodes linked before");
/// Nodes to which no line of legal moves leads, but for deleted ones that were met.
pub const UNREACHED: LossReason = LossReason::new("unreached", "nodes that can't be reached");
/// Nodes with more wins and losses than games: they have no draws.
pub const CONTRADICTORY: LossReason =
    LossReason::new("contradictory", "nodes with more wins and losses than games");
/// Moves whose priority is neither 5 nor expressed by a mark.
pub const PRIORITIES: LossReason = LossReason::new("priorities", "priorities");

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[DELETED, ILLEGAL, TANGLED, UNREACHED, CONTRADICTORY, PRIORITIES];
