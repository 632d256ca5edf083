//! What a ChessBase book holds and rows don't say, by reason.

use crate::lost::reasons;

reasons! { new
    /// Pages without a place.
    UNLISTED: "unlisted", "pages that the .cto file doesn't name";
    /// Positions that are there before.
    REPEATED: "repeated", "positions there more than once";
    /// Positions that are not reached from the start: whose move it is there is unknown.
    UNREACHED: "unreached", "positions not reached from the start";
    /// Moves whose code isn't known.
    UNKNOWN: "unknown", "moves with unknown codes";
    /// Moves that are not legal.
    ILLEGAL: "illegal", "moves that are not legal";
    /// Moves to positions that are not in the book: they have no games.
    UNCOUNTED: "uncounted", "moves to positions that are not in the book";
    /// Games without a result, a game counted at each position.
    UNDECIDED: "undecided", "games without a result, a game counted at each position";
    /// Positions with fewer games than wins, draws and losses.
    CONTRADICTORY: "contradictory", "positions with fewer games than results";
    /// Annotations other than ! ? !! ?? !? ?!, and recommendations other than the two known.
    ANNOTATIONS: "annotations", "annotations and recommendations";
    /// Positions with comments.
    COMMENTS: "comments", "comments on positions";
    /// Positions with ratings.
    RATED: "rated", "positions with ratings";
}
