//! What a ChessBase book holds and rows don't say, by reason.

use crate::LossReason;

/// Pages without a place.
pub const UNLISTED: LossReason =
    LossReason::new("unlisted", "pages that the .cto file doesn't name");
/// Positions that are there before.
pub const REPEATED: LossReason = LossReason::new("repeated", "positions there more than once");
/// Positions that are not reached from the start: whose move it is there is unknown.
pub const UNREACHED: LossReason =
    LossReason::new("unreached", "positions not reached from the start");
/// Moves whose code isn't known.
pub const UNKNOWN: LossReason = LossReason::new("unknown", "moves with unknown codes");
/// Moves that are not legal.
pub const ILLEGAL: LossReason = LossReason::new("illegal", "moves that are not legal");
/// Moves to positions that are not in the book: they have no games.
pub const UNCOUNTED: LossReason =
    LossReason::new("uncounted", "moves to positions that are not in the book");
/// Games without a result, a game counted at each position.
pub const UNDECIDED: LossReason =
    LossReason::new("undecided", "games without a result, a game counted at each position");
/// Positions with fewer games than wins, draws and losses.
pub const CONTRADICTORY: LossReason =
    LossReason::new("contradictory", "positions with fewer games than results");
/// Annotations other than ! ? !! ?? !? ?!, and recommendations other than the two known.
pub const ANNOTATIONS: LossReason =
    LossReason::new("annotations", "annotations and recommendations");
/// Positions with comments.
pub const COMMENTS: LossReason = LossReason::new("comments", "comments on positions");
/// Positions with ratings.
pub const RATED: LossReason = LossReason::new("rated", "positions with ratings");

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[
    UNLISTED,
    REPEATED,
    UNREACHED,
    UNKNOWN,
    ILLEGAL,
    UNCOUNTED,
    UNDECIDED,
    CONTRADICTORY,
    ANNOTATIONS,
    COMMENTS,
    RATED,
];
