//! What a file of evaluations holds and rows don't say, and what is odd in it, by reason.

use crate::lost::reasons;

reasons! { new
    /// Positions from which no game can be played: no king, too many pieces.
    POSITIONS: "illegal", "positions that no game can be played from";
    /// Positions of which no search says anything.
    EMPTY: "no_eval", "positions without an evaluation";
    /// Searches less deep than wanted.
    SHALLOW: "shallow", "positions that were searched less deep than wanted";
    /// Positions that may stand under another key: see [`tabia_games::Chess::hides_en_passant`].
    EN_PASSANT: "en_passant",
        "positions that may be others: en passant by a pinned pawn isn't told in the file";
}
