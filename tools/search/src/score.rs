//! What a search finds of a position: a score, and whether it is proven.

use tabia_engines::{Ending, Eval};

/// The score of a game just won. One won in so many plies is worth as much less.
pub(crate) const WON: i32 = 1_000_000;

/// Scores from here on say that the game is won; their negatives, that it is lost.
pub(crate) const LEAST_WON: i32 = WON - 1_000;

/// More than any score.
pub(crate) const INFINITE: i32 = WON + 1;

/// More than any estimate of a game that goes on.
pub(crate) const MOST_ESTIMATED: i32 = LEAST_WON - 1;

/// The scores that matter: those above `alpha` and below `beta`. A score found that is not above
/// `alpha` is an upper bound of the position's value, one that is not below `beta` a lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// In which every score matters.
    pub const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// By which a score is only compared with another.
    pub const fn above(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// As the opponent sees it.
    pub const fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A value or a bound of it, in hundredths of the game's unit, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub score: i32,
    /// It follows from ends of games alone: from no estimate, and not from the moves before.
    pub proven: bool,
}

impl Found {
    /// An estimate.
    pub const fn estimate(score: i32) -> Self {
        Self { score, proven: false }
    }

    /// As the opponent sees it.
    pub const fn turned(self) -> Self {
        Self { score: -self.score, ..self }
    }

    /// As this score is told: for a win or a loss, in how many moves.
    pub fn eval(self) -> Eval {
        let plies = WON - self.score.abs();
        match self.score {
            LEAST_WON.. => Eval::Mate((plies + 1) / 2),
            score if score <= -LEAST_WON => Eval::Mate(-(plies / 2)),
            score => Eval::Hundredths(score),
        }
    }

    /// How the game ends, if that is proven.
    pub fn sure(self) -> Option<Ending> {
        self.proven.then_some(Ending::of(self.score))
    }
}
