//! Who is to move, and how a game ended.

/// One of the two players. Who that is to a person (White, Black ...) is
/// [`Game::sides`](crate::Game::sides).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who moves first from the game's start: White in chess, Black in Go and Othello.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a decided game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The first player won.
    FirstWins,
    /// Neither side won.
    Draw,
    /// The second player won.
    SecondWins,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::FirstWins => Some(Side::First),
            Self::Draw => None,
            Self::SecondWins => Some(Side::Second),
        }
    }

    /// The outcome in which this side wins.
    pub const fn won_by(side: Side) -> Self {
        match side {
            Side::First => Self::FirstWins,
            Side::Second => Self::SecondWins,
        }
    }

    /// The outcome in which the first player has more by this: discs, points, or anything else.
    pub const fn of_lead(lead: i32) -> Self {
        match lead {
            1.. => Self::FirstWins,
            0 => Self::Draw,
            _ => Self::SecondWins,
        }
    }

    /// Wins, draws and losses of this one game as `side` sees them: one of the three is 1.
    pub const fn counts_for(self, side: Side) -> [u32; 3] {
        match (self, side) {
            (Self::Draw, _) => [0, 1, 0],
            (Self::FirstWins, Side::First) | (Self::SecondWins, Side::Second) => [1, 0, 0],
            _ => [0, 0, 1],
        }
    }
}
