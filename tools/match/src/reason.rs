//! Why games ended.

use std::fmt;
use std::str::FromStr;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndReason {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// A position occurred for the third time.
    Repetition,
    /// Fifty moves of both without a capture or a pawn's move.
    FiftyMoves,
    /// As many moves as the rules of draughts allow without a man's move or a capture, or with a few
    /// pieces left.
    NoProgress,
    /// Neither side has what it takes to mate.
    Material,
    /// Points or discs were counted.
    Count,
    /// The side to move has no move.
    NoMoves,
    /// A player gave up.
    Resignation,
    /// Both engines thought it decided.
    AdjudicatedWin,
    /// Both engines thought it level.
    AdjudicatedDraw,
    /// It had as many plies as a game may.
    PlyLimit,
    /// A player answered with something that is no legal move.
    IllegalMove,
    /// A player's time was over.
    TimeOver,
    /// A player without a clock gave no answer.
    NoAnswer,
    /// A player's program ended, or said what no engine says.
    Crash,
}

impl EndReason {
    /// All of them, with what they are called in files and reports.
    pub const ALL: [(Self, &'static str); 16] = [
        (Self::Checkmate, "checkmate"),
        (Self::Stalemate, "stalemate"),
        (Self::Repetition, "repetition"),
        (Self::FiftyMoves, "fifty-moves"),
        (Self::NoProgress, "no-progress"),
        (Self::Material, "material"),
        (Self::Count, "count"),
        (Self::NoMoves, "no-moves"),
        (Self::Resignation, "resignation"),
        (Self::AdjudicatedWin, "adjudicated-win"),
        (Self::AdjudicatedDraw, "adjudicated-draw"),
        (Self::PlyLimit, "ply-limit"),
        (Self::IllegalMove, "illegal-move"),
        (Self::TimeOver, "time-over"),
        (Self::NoAnswer, "no-answer"),
        (Self::Crash, "crash"),
    ];

    /// What it is called in files and reports.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(reason, _)| *reason == self).map_or("", |(_, name)| name)
    }

    /// Whether the loser did something wrong, which is why the game ended.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::TimeOver | Self::NoAnswer | Self::Crash)
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EndReason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(_, name)| *name == text).map(|(reason, _)| *reason).ok_or(())
    }
}
