//! The cells of version 1 as values: ratings, the best game, years.
//!
//! A cell of ratings takes 24 bytes because it also holds the rated games and their score. A
//! performance rating can't be computed from wins, draws and losses, which count unrated games too:
//! it would be wrong by 11.5 points on average in the master games.

use super::{Cell, Column};

/// How far a performance may be from the opponents' ratings, as in the table of the FIDE handbook
/// (B.02).
const MOST_ABOVE: f64 = 800.0;

/// Ratings of those who played a move, and of those they played it against: sums over all rated
/// games, those in which the ratings of both players are known.
///
/// ```
/// use tabia::Ratings;
///
/// // Four games of players rated 2100 against 2000, won three to one.
/// let ratings = Ratings { mover_sum: 4 * 2100, opponent_sum: 4 * 2000, games: 4, score: 6 };
/// assert_eq!(ratings.average(), Some(2100.0));
/// assert_eq!(ratings.performance().map(f64::round), Some(2191.0));
/// assert_eq!(ratings.gain().map(f64::round), Some(91.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ratings {
    /// The sum of the ratings of those who made the move; a cell holds at most [`Ratings::MOST`].
    pub mover_sum: u64,
    /// The sum of the ratings of their opponents; a cell holds at most [`Ratings::MOST`].
    pub opponent_sum: u64,
    /// The rated games.
    pub games: u32,
    /// Two for each rated game that the mover won, one for each that was drawn.
    pub score: u64,
}

impl Ratings {
    /// The greatest sum of ratings that a cell holds; greater ones become this one.
    pub const MOST: u64 = (1 << 48) - 1;

    /// The ratings of one game: the mover's and the opponent's, and two for a win of the mover, one
    /// for a draw.
    #[must_use]
    pub fn of_game(mover: u16, opponent: u16, score: u8) -> Self {
        Self {
            mover_sum: mover.into(),
            opponent_sum: opponent.into(),
            games: 1,
            score: score.into(),
        }
    }

    /// The average rating of those who made the move; none without rated games.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        self.per_game(self.mover_sum)
    }

    /// The average rating of their opponents; none without rated games.
    #[must_use]
    pub fn opponents(&self) -> Option<f64> {
        self.per_game(self.opponent_sum)
    }

    /// The performance rating: the rating at which the score was to be expected (Elo 1978),
    /// `opponents + 400 log10(p / (1 - p))`, where `p` is the score's share of the rated games. The
    /// second part is kept within 800, as in the table of the FIDE handbook (B.02). None without
    /// rated games.
    #[must_use]
    pub fn performance(&self) -> Option<f64> {
        let share = (self.score as f64 / (2.0 * f64::from(self.games))).min(1.0);
        let above = (400.0 * (share / (1.0 - share)).log10()).clamp(-MOST_ABOVE, MOST_ABOVE);
        self.opponents().map(|opponents| opponents + above)
    }

    /// How much better than their rating players did with the move: performance less average,
    /// perhaps the best measure of a move (Fierz 2005). None without rated games.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        self.performance().zip(self.average()).map(|(performance, average)| performance - average)
    }

    fn per_game(&self, sum: u64) -> Option<f64> {
        (self.games > 0).then(|| sum as f64 / f64::from(self.games))
    }
}

impl Cell for Ratings {
    const COLUMN: &'static Column = Column::RATINGS;

    fn values(&self) -> impl IntoIterator<Item = u64> {
        [self.mover_sum, self.opponent_sum, self.games.into(), self.score]
    }

    fn of_values(values: &[u64]) -> Self {
        let &[mover_sum, opponent_sum, games, score] = values else { return Self::default() };
        Self { mover_sum, opponent_sum, games: games as u32, score }
    }
}

/// The best game in which a move was made: that of the highest rank, of equal ones that of the
/// greatest digest.
///
/// ```
/// use tabia::{BestGame, Cells};
///
/// let [a, b] = [BestGame { rank: 5540, digest: 7 }, BestGame { rank: 5445, digest: 9 }];
/// let both = Cells::NONE.with(a).merged(&Cells::NONE.with(b));
/// assert_eq!(both.get(), Some(a));
/// assert!(BestGame::default().is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BestGame {
    /// How much the game is worth showing: the sum of both players' ratings, 0 if one of them is
    /// not known.
    pub rank: u16,
    /// What the game can be found by: 48 bits of a digest of its contents (start, moves, tags).
    pub digest: u64,
}

impl BestGame {
    /// The greatest digest that a cell holds.
    pub const MOST: u64 = (1 << 48) - 1;

    /// Whether there is no game.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl Cell for BestGame {
    const COLUMN: &'static Column = Column::GAME;

    fn values(&self) -> impl IntoIterator<Item = u64> {
        [u64::from(self.rank) << 48 | self.digest & Self::MOST]
    }

    fn of_values(values: &[u64]) -> Self {
        let game = values.first().copied().unwrap_or_default();
        Self { rank: (game >> 48) as u16, digest: game & Self::MOST }
    }
}

/// The years in which a move was made.
///
/// ```
/// use tabia::Years;
///
/// assert_eq!(Years::of_game(1972), Years { first: Some(1972), last: Some(1972) });
/// assert_eq!(Years::of_game(0), Years { first: None, last: None });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Years {
    /// The first one, if one is known.
    pub first: Option<u16>,
    /// The last one, if one is known.
    pub last: Option<u16>,
}

impl Years {
    /// Those of a game of this year.
    #[must_use]
    pub fn of_game(year: u16) -> Self {
        let year = Some(year).filter(|&year| year > 0);
        Self { first: year, last: year }
    }
}

impl Cell for Years {
    const COLUMN: &'static Column = Column::YEARS;

    fn values(&self) -> impl IntoIterator<Item = u64> {
        [self.first, self.last].map(|year| year.unwrap_or_default().into())
    }

    fn of_values(values: &[u64]) -> Self {
        let year =
            |index: usize| values.get(index).map(|&year| year as u16).filter(|&year| year > 0);
        Self { first: year(0), last: year(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Cells;
    use super::*;

    #[test]
    fn performance_is_the_rating_at_which_the_score_was_to_be_expected() {
        let near = |got: Option<f64>, expected: f64| {
            assert!(got.is_some_and(|got| (got - expected).abs() < 0.01), "{got:?}, {expected}");
        };
        let ratings = |games, score| Ratings {
            mover_sum: 2100 * u64::from(games),
            opponent_sum: 2000 * u64::from(games),
            games,
            score,
        };
        near(ratings(4, 4).performance(), 2000.0);
        near(ratings(4, 6).performance(), 2190.85); // three points of four: 400 log10(3)
        near(ratings(4, 6).gain(), 90.85);
        near(ratings(4, 2).performance(), 1809.15);
        near(ratings(4, 8).performance(), 2800.0);
        near(ratings(4, 0).performance(), 1200.0);
        near(ratings(200, 399).performance(), 2800.0); // 1,040 above, if it were not kept within 800
        let [a, b] = [Ratings::of_game(2100, 2000, 2), Ratings::of_game(2300, 1900, 1)];
        let both: Ratings = Cells::NONE.with(a).merged(&Cells::NONE.with(b)).get().unwrap();
        near(both.average(), 2200.0);
        near(both.opponents(), 1950.0);
        assert_eq!((both.games, both.score), (2, 3));
        let none = Ratings::default();
        assert_eq!((none.average(), none.performance(), none.gain()), (None, None, None));
    }
}
