//! What a ChessBase book holds and rows don't say, by reason.

use crate::Reason;

/// Pages without a place.
pub const UNLISTED: Reason = Reason::new("unlisted", "pages that the .cto file doesn't name");
/// Positions that are there before.
pub const REPEATED: Reason = Reason::new("repeated", "positions there more than once");
/// Positions that are not reached from the start: whose move it is there is unknown.
pub const UNREACHED: Reason = Reason::new("unreached", "positions not reached from the start");
/// Moves whose code isn't known.
pub const UNKNOWN: Reason = Reason::new("unknown", "moves with unknown codes");
/// Moves that are not legal.
pub const ILLEGAL: Reason = Reason::new("illegal", "moves that are not legal");
/// Moves to positions that are not in the book: they have no games.
pub const UNCOUNTED: Reason =
    Reason::new("uncounted", "moves to positions that are not in the book");
/// Games without a result, a game counted at each position.
pub const UNDECIDED: Reason =
    Reason::new("undecided", "games without a result, a game counted at each position");
/// Positions with fewer games than wins, draws and losses.
pub const CONTRADICTORY: Reason =
    Reason::new("contradictory", "positions with fewer games than results");
/// Annotations other than ! ? !! ?? !? ?!, and recommendations other than the two known.
pub const ANNOTATIONS: Reason = Reason::new("annotations", "annotations and recommendations");
/// Positions with comments.
pub const COMMENTS: Reason = Reason::new("comments", "comments on positions");
/// Positions with ratings.
pub const RATED: Reason = Reason::new("rated", "positions with ratings");

/// All of these, in the order in which they are reported.
pub const ALL: &[Reason] = &[
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
