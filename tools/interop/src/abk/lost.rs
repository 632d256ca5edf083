//! What an Arena book holds and rows don't say, by reason.

use crate::lost::reasons;

reasons! { new
    /// Deleted nodes.
    DELETED: "deleted", "deleted nodes";
    /// Nodes whose move isn't legal.
    ILLEGAL: "illegal", "nodes with illegal moves";
    /// Links out of the file, to nodes that were reached before, or too deep.
    TANGLED: "tangled", "links to nowhere or to nodes linked before";
    /// Nodes to which no line of legal moves leads, but for deleted ones that were met.
    UNREACHED: "unreached", "nodes that can't be reached";
    /// Nodes with more wins and losses than games: they have no draws.
    CONTRADICTORY: "contradictory", "nodes with more wins and losses than games";
    /// Moves whose priority is neither 5 nor expressed by a mark.
    PRIORITIES: "priorities", "priorities";
}
