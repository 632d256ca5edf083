//! What an Arena book holds and rows don't say, by reason.

use crate::Reason;

/// Deleted nodes.
pub const DELETED: Reason = Reason::new("deleted", "deleted nodes");
/// Nodes whose move isn't legal.
pub const ILLEGAL: Reason = Reason::new("illegal", "nodes with illegal moves");
/// Links out of the file, to nodes that were reached before, or too deep.
pub const TANGLED: Reason = Reason::new("tangled", "links to nowhere or to nodes linked before");
/// Nodes to which no line of legal moves leads, but for deleted ones that were met.
pub const UNREACHED: Reason = Reason::new("unreached", "nodes that can't be reached");
/// Nodes with more wins and losses than games: they have no draws.
pub const CONTRADICTORY: Reason =
    Reason::new("contradictory", "nodes with more wins and losses than games");
/// Moves whose priority is neither 5 nor expressed by a mark.
pub const PRIORITIES: Reason = Reason::new("priorities", "priorities");

/// All of these, in the order in which they are reported.
pub const ALL: &[Reason] = &[DELETED, ILLEGAL, TANGLED, UNREACHED, CONTRADICTORY, PRIORITIES];
