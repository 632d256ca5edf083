//! Why games ended.

use std::str::FromStr;
use tabia_archives::named;

named! {
    /// Why a game ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum EndReason {
        /// Checkmate.
        Checkmate = "checkmate",
        /// Stalemate.
        Stalemate = "stalemate",
        /// A position occurred for the third time.
        Repetition = "repetition",
        /// Fifty moves of both without a capture or a pawn's move.
        FiftyMoves = "fifty-moves",
        /// As many moves as the rules of draughts allow without a man's move or a capture, or with a
        /// few pieces left.
        NoProgress = "no-progress",
        /// Neither side has what it takes to mate.
        Material = "material",
        /// What wins a variant of chess: a king on the hill, the third check, no pieces left.
        Goal = "goal",
        /// Points or discs were counted.
        Count = "count",
        /// The side to move has no move.
        NoMoves = "no-moves",
        /// A player gave up.
        Resignation = "resignation",
        /// Both engines thought it decided.
        AdjudicatedWin = "adjudicated-win",
        /// Both engines thought it level.
        AdjudicatedDraw = "adjudicated-draw",
        /// It had as many plies as a game may.
        PlyLimit = "ply-limit",
        /// A player answered with something that is no legal move.
        IllegalMove = "illegal-move",
        /// A player's time was over.
        TimeOver = "time-over",
        /// A player without a clock gave no answer.
        NoAnswer = "no-answer",
        /// A player's program ended, or said what no engine says.
        Crash = "crash",
    }
}

impl EndReason {
    /// Whether the loser did something wrong, which is why the game ended.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::TimeOver | Self::NoAnswer | Self::Crash)
    }
}

impl FromStr for EndReason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|reason| reason.name() == text).ok_or(())
    }
}
