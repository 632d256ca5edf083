//! How good a move did: its score, and what is sure of it with few games.
//!
//! [`Order`] can compare moves by their score or by the lower end of its 95 % interval, which is
//! the default: where the two choose differently from one half of the master games, moves of the best
//! score get 49.0 % in the other half, those of the best lower end 51.7 % (with a floor of 20 games the
//! difference may be chance). By score a lucky rare move also leads out of the book: White's best first
//! move of 20 games or more leaves a solution tree of 8 positions by score, of 3,421 by the interval.

use crate::choice::{Criterion, FLOOR, Reached, decimal, decimal_text};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use tabia::{Counts, MoveRow, Ratings, Row, WithCells};

/// A score as users give it: a part of all points in percent, to the hundredth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u16);

impl Percent {
    /// No score at all: every move has it.
    pub const NONE: Self = Self(0);
    /// In hundredths of a percent.
    const WHOLE: u16 = 10_000;

    /// So many hundredths of a percent, of which a whole has 10,000.
    pub(crate) const fn hundredths_of(hundredths: u16) -> Self {
        Self(hundredths)
    }

    /// In hundredths of a percent.
    pub fn hundredths(self) -> u16 {
        self.0
    }

    /// Whether games with these results scored at least as much. No games score nothing.
    pub fn is_met(self, counts: Counts) -> bool {
        let whole = counts.games() * 2 * u64::from(self.0);
        self.0 == 0 || (counts.games() > 0 && half_points(counts) * u64::from(Self::WHOLE) >= whole)
    }

    /// Whether a part is at least this much of a whole.
    pub fn is_share(self, part: u64, whole: u64) -> bool {
        u128::from(part) * u128::from(Self::WHOLE) >= u128::from(whole) * u128::from(self.0)
    }

    /// Whether games with these results scored no more. No games don't.
    pub fn is_kept(self, counts: Counts) -> bool {
        counts.games() > 0
            && half_points(counts) * u64::from(Self::WHOLE)
                <= counts.games() * 2 * u64::from(self.0)
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal_text(self.0.into(), 2))
    }
}

/// A text that is no percentage.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("give a percentage from 0 to 100, such as 25 or 47.5")]
pub struct BadPercent;

impl FromStr for Percent {
    type Err = BadPercent;

    fn from_str(text: &str) -> Result<Self, BadPercent> {
        let hundredths = decimal(text, 2).and_then(|hundredths| u16::try_from(hundredths).ok());
        let is_short = text.find('.').unwrap_or(text.len()) <= 3;
        let hundredths = hundredths.filter(|hundredths| is_short && *hundredths <= Self::WHOLE);
        hundredths.map(Self).ok_or(BadPercent)
    }
}

/// What makes a move better than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The lower end of the 95 % interval of the score (Wilson 1927): two wins are not much.
    #[default]
    Bound,
    /// The score itself.
    Score,
    /// How often it was played.
    Games,
    /// The average rating of those who played it (Fierz 2005). Moves of fewer than [`FLOOR`] rated
    /// games come behind all others.
    Rating,
    /// Their performance rating with it, likewise.
    Performance,
    /// Performance less rating, likewise.
    Gain,
    /// What annotators said of it ([`Criterion::Marks`]).
    Marks,
}

impl Order {
    /// Whether it is told from the ratings of players.
    pub fn is_of_ratings(self) -> bool {
        matches!(self, Self::Rating | Self::Performance | Self::Gain)
    }

    /// The better of two moves first; at equal value that with more games.
    pub fn compare(self, a: &WithCells<MoveRow>, b: &WithCells<MoveRow>) -> Ordering {
        let games = |played: &WithCells<MoveRow>| played.row.counts().games();
        self.value(b).total_cmp(&self.value(a)).then(games(b).cmp(&games(a)))
    }

    fn value(self, played: &WithCells<MoveRow>) -> f64 {
        let counts = played.row.counts();
        let criterion = match self {
            Self::Bound if counts.games() == 0 => return 0.0,
            Self::Bound => return lower_bound(score(counts), counts.games() as f64),
            Self::Score => return score(counts),
            Self::Games => return counts.games() as f64,
            Self::Rating => Criterion::Rating,
            Self::Performance => Criterion::Performance,
            Self::Gain => Criterion::Gain,
            Self::Marks => Criterion::Marks,
        };
        let ratings = played.cells.get::<Ratings>();
        let ratings = ratings.filter(|ratings| u64::from(ratings.games) >= FLOOR);
        let known = Reached { ratings, marks: played.row.marks(), ..Reached::default() };
        criterion.of(&known).map_or(f64::NEG_INFINITY, |value| value.to_f64())
    }
}

/// Twice the points: two for a win, one for a draw.
pub(crate) fn half_points(counts: Counts) -> u64 {
    2 * u64::from(counts.wins) + u64::from(counts.draws)
}

/// Points a game, from 0 to 1; 0 without games.
fn score(counts: Counts) -> f64 {
    half_points(counts) as f64 / (2 * counts.games().max(1)) as f64
}

/// The lower end of the 95 % interval of Wilson (1927) of a score in so many games, one at least; with
/// draws as half a win and half a loss, which makes it a little wider than it need be. Only operations
/// that IEEE 754 rounds in one way, so that all machines agree.
pub(crate) fn lower_bound(score: f64, games: f64) -> f64 {
    const Z: f64 = 1.96;
    let spread = (score * (1.0 - score) / games + Z * Z / (4.0 * games * games)).sqrt();
    (score + Z * Z / (2.0 * games) - Z * spread) / (1.0 + Z * Z / games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::Cells;

    #[test]
    fn percentages_are_read_as_users_write_them() {
        for (text, hundredths) in [("0", 0), ("47.5", 4750), ("100", 10_000), ("5.05", 505)] {
            assert_eq!(text.parse(), Ok(Percent(hundredths)), "{text}");
            assert_eq!(Percent(hundredths).to_string(), text);
        }
        for bad in ["", "101", "100.01", "-1", "+1", "1e1", "1.234", "1,5", "25%", "nan", "1000"] {
            assert_eq!(bad.parse::<Percent>(), Err(BadPercent), "{bad}");
        }
    }

    #[test]
    fn a_score_is_met_exactly_at_its_edge() {
        let quarter = Percent(2500);
        assert!(quarter.is_met(Counts::new(1, 0, 3)) && quarter.is_met(Counts::new(0, 1, 1)));
        assert!(!quarter.is_met(Counts::new(1, 0, 4)) && !quarter.is_met(Counts::new(0, 0, 0)));
        assert!(quarter.is_kept(Counts::new(1, 0, 3)) && quarter.is_kept(Counts::new(1, 0, 4)));
        assert!(!quarter.is_kept(Counts::new(2, 0, 5)) && !quarter.is_kept(Counts::new(0, 0, 0)));
        assert!(Percent(0).is_met(Counts::new(0, 0, 9)) && Percent(0).is_met(Counts::new(0, 0, 0)));
        let full = Counts::new(u32::MAX, u32::MAX, u32::MAX);
        assert!(Percent(5000).is_met(full) && !Percent(5001).is_met(full));
    }

    #[test]
    fn orders_differ_where_few_games_went_well() {
        let (lucky, main, usual) =
            (Counts::new(3, 0, 0), Counts::new(500, 300, 200), Counts::new(900, 0, 1100));
        let played = |counts: Counts| WithCells::from(MoveRow::new(1, 1, counts));
        let sorted = |order: Order| {
            let mut moves = [usual, lucky, main];
            moves.sort_by(|&a, &b| order.compare(&played(a), &played(b)));
            moves
        };
        assert_eq!(sorted(Order::Score), [lucky, main, usual]);
        assert_eq!(sorted(Order::Bound), [main, lucky, usual]);
        assert_eq!(sorted(Order::Games), [usual, main, lucky]);
        assert_eq!(
            Order::Score.compare(&played(Counts::new(2, 0, 2)), &played(Counts::new(1, 0, 1))),
            Ordering::Less,
            "more games at equal score"
        );
    }

    /// Finding P7: what Fierz lists decides only among moves of twenty rated games.
    #[test]
    fn ratings_of_few_games_come_last() {
        let rated = |code: u16, games: u32, rating: u64| {
            let sum = rating * u64::from(games);
            let ratings =
                Ratings { mover_sum: sum, opponent_sum: sum, games, score: 2 * u64::from(games) };
            let row = MoveRow::new(1, code, Counts::new(games, 0, 0));
            WithCells { row, cells: Cells::NONE.with(ratings) }
        };
        let (often, rarely) = (rated(1, 20, 2100), rated(2, 19, 2800));
        for order in [Order::Rating, Order::Performance, Order::Gain] {
            assert_eq!(order.compare(&often, &rarely), Ordering::Less, "{order:?}");
        }
    }
}
