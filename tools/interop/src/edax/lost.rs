//! What an Edax book holds and rows don't say, and what is odd in it, by reason.

use crate::LossReason;

/// Positions that the header counts and the file doesn't have.
pub const MISSING: LossReason =
    LossReason::new("missing", "positions that the header counts and that are not there");
/// Records of a position that was there before.
pub const REPEATED: LossReason = LossReason::new("repeated", "positions there more than once");
/// Moves that are not legal, passes where there is a move among them.
pub const ILLEGAL: LossReason = LossReason::new("illegal", "moves that are not legal");
/// Moves of a position that are there before.
pub const DOUBLED: LossReason = LossReason::new("doubled", "moves there more than once");
/// Positions with moves that are neither links nor worse than the leaf.
pub const UNCOVERED: LossReason = LossReason::new("uncovered", "positions without all their moves");
/// Links to positions that are not in the book.
pub const UNLINKED: LossReason =
    LossReason::new("unlinked", "links to positions that are not there");
/// Links whose score isn't the value of the position after them, which counts.
pub const DIFFERING: LossReason =
    LossReason::new("differing", "scores of links that are not the value behind them");
/// Values and scores beyond 64 discs.
pub const OUT_OF_RANGE: LossReason = LossReason::new("out_of_range", "values beyond 64 discs");
/// Positions with bounds other than their value.
pub const BOUNDS: LossReason = LossReason::new("bounds", "positions with bounds");
/// Positions with lines that are not played to the end, of which a book counts only how many.
pub const OPEN_LINES: LossReason =
    LossReason::new("open_lines", "positions with lines not played to the end");
/// Positions whose lines aren't counted, as they are no games ([`Lines::LeaveOut`](super::Lines)).
pub const LINES: LossReason =
    LossReason::new("lines", "positions' numbers of lines, which are no games");

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[
    MISSING,
    REPEATED,
    ILLEGAL,
    DOUBLED,
    UNCOVERED,
    UNLINKED,
    DIFFERING,
    OUT_OF_RANGE,
    BOUNDS,
    OPEN_LINES,
    LINES,
];
