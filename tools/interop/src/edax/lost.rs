//! What an Edax book holds and rows don't say, and what is odd in it, by reason.

use crate::lost::reasons;

reasons! { new
    /// Positions that the header counts and the file doesn't have.
    MISSING: "missing", "positions that the header counts and that are not there";
    /// Records of a position that was there before.
    REPEATED: "repeated", "positions there more than once";
    /// Moves that are not legal, passes where there is a move among them.
    ILLEGAL: "illegal", "moves that are not legal";
    /// Moves of a position that are there before.
    DOUBLED: "doubled", "moves there more than once";
    /// Positions with moves that are neither links nor worse than the leaf.
    UNCOVERED: "uncovered", "positions without all their moves";
    /// Links to positions that are not in the book.
    UNLINKED: "unlinked", "links to positions that are not there";
    /// Links whose score isn't the value of the position after them, which counts.
    DIFFERING: "differing", "scores of links that are not the value behind them";
    /// Values and scores beyond 64 discs.
    OUT_OF_RANGE: "out_of_range", "values beyond 64 discs";
    /// Positions with bounds other than their value.
    BOUNDS: "bounds", "positions with bounds";
    /// Positions with lines that are not played to the end, of which a book counts only how many.
    OPEN_LINES: "open_lines", "positions with lines not played to the end";
    /// Positions whose lines aren't counted, as they are no games: see [`Lines`](super::Lines).
    LINES: "lines", "positions' numbers of lines, which are no games";
}
