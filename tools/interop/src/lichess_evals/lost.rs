//! What a file of evaluations holds and rows don't say, and what is odd in it, by reason.

use crate::LossReason;

/// Positions from which no game can be played: no king, too many pieces.
pub const POSITIONS: LossReason =
    LossReason::new("illegal", "positions that no game can be played from");
/// Positions of which no search says anything.
pub const EMPTY: LossReason = LossReason::new("no_eval", "positions without an evaluation");
/// Positions that may stand under another key: see [`tabia_games::Chess::hides_en_passant`].
pub const EN_PASSANT: LossReason = LossReason::new(
    "en_passant",
    "positions that may be others: en passant by a pinned pawn isn't told in the file",
);
/// Searches less deep than wanted.
pub const SHALLOW: LossReason =
    LossReason::new("shallow", "positions that were searched less deep than wanted");

/// All of these, in the order in which they are reported.
pub const ALL: &[LossReason] = &[POSITIONS, EMPTY, SHALLOW, EN_PASSANT];
