//! How much counts are scaled after a game was lost.

use std::fmt;
use tabia::Counts;

/// How often a game counts in an overlay, so that its counts can be scaled in whole numbers.
pub const COPIES: u32 = 100;

/// How much the counts of the i-th of n moves of a lost game are scaled: its wins are multiplied by
/// 1 - rate w, and its losses by 1 + rate w, w being i/n or what the [`Shape`] says.
///
/// A half is rounded up. Losses become [`COPIES`] times w at least: else a move that never lost
/// would stay one that never lost, whatever it is multiplied by; that the game was lost is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// In percent.
    pub rate: u32,
    /// How it depends on the depth in the game.
    pub shape: Shape,
}

/// How much of the rate the i-th of n moves gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// i/n.
    #[default]
    Linear,
    /// (i/n)^2: less at the start.
    Square,
    /// All of it.
    Flat,
}

/// The paper's example: 80 % of the wins, 120 % of the losses, for the last of a game's moves.
impl Default for Scaling {
    fn default() -> Self {
        Self { rate: 20, shape: Shape::Linear }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Linear => "linear",
            Self::Square => "square",
            Self::Flat => "flat",
        })
    }
}

/// Whose wins the wins of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Those of the side that lost.
    Us,
    /// Those of its opponent.
    Them,
}

/// What a move's counts are multiplied by: w as a fraction, and the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    weight: u128,
    whole: u128,
    rate: u128,
}

impl Scaling {
    /// For the move of this number of so many.
    pub fn shares(&self, place: u32, moves: u32) -> Shares {
        let (place, moves) = (u128::from(place.min(moves)), u128::from(moves.max(1)));
        let (weight, whole) = match self.shape {
            Shape::Linear => (place, moves),
            Shape::Square => (place * place, moves * moves),
            Shape::Flat => (1, 1),
        };
        Shares { weight, whole, rate: u128::from(self.rate.min(100)) }
    }
}

impl Shares {
    /// Counts of a row after one of us has lost: wins, draws and losses.
    pub fn of_lost(&self, counts: Counts, wins_of: Mover) -> [u64; 3] {
        let Counts { wins, draws, losses } = counts;
        let (ours, theirs) = match wins_of {
            Mover::Us => (wins, losses),
            Mover::Them => (losses, wins),
        };
        let (whole, part) = (100 * self.whole, self.rate * self.weight);
        let ours = rounded(u128::from(ours) * (whole - part), whole);
        let least = rounded(u128::from(COPIES) * self.weight, self.whole);
        let theirs = rounded(u128::from(theirs) * (whole + part), whole).max(least);
        match wins_of {
            Mover::Us => [ours, draws.into(), theirs],
            Mover::Them => [theirs, draws.into(), ours],
        }
    }
}

/// The nearest whole number, a half upwards.
fn rounded(number: u128, by: u128) -> u64 {
    ((2 * number + by) / (2 * by)) as u64
}

/// Counts of rows that are compared with each other, all halved (a half upwards) until they fit.
pub fn fitting(mut rows: Vec<[u64; 3]>) -> Vec<Counts> {
    while rows.iter().flatten().any(|&count| count > u32::MAX.into()) {
        rows.iter_mut().flatten().for_each(|count| *count = count.div_ceil(2));
    }
    let row = |[wins, draws, losses]: [u64; 3]| Counts {
        wins: wins as u32,
        draws: draws as u32,
        losses: losses as u32,
    };
    rows.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_are_scaled_by_their_place() {
        let scaled = |shape, place, counts| {
            Scaling { rate: 20, shape }.shares(place, 4).of_lost(counts, Mover::Us)
        };
        let before = Counts::new(1000, 300, 500);
        assert_eq!(scaled(Shape::Linear, 1, before), [950, 300, 525]);
        assert_eq!(scaled(Shape::Linear, 2, before), [900, 300, 550]);
        assert_eq!(scaled(Shape::Linear, 4, before), [800, 300, 600]);
        assert_eq!(scaled(Shape::Square, 1, before), [988, 300, 506], "987.5 and 506.25");
        assert_eq!(scaled(Shape::Square, 4, before), [800, 300, 600]);
        assert_eq!(scaled(Shape::Flat, 1, before), [800, 300, 600]);
        let theirs =
            Scaling::default().shares(4, 4).of_lost(Counts::new(500, 1, 1000), Mover::Them);
        assert_eq!(theirs, [600, 1, 800], "wins are the opponent's");
    }

    #[test]
    fn a_move_that_never_lost_has_lost_once() {
        let scaled = |place, losses| {
            Scaling::default().shares(place, 4).of_lost(Counts::new(100, 0, losses), Mover::Us)[2]
        };
        assert_eq!([scaled(1, 0), scaled(2, 0), scaled(4, 0)], [25, 50, 100]);
        assert_eq!([scaled(4, 100), scaled(4, 200)], [120, 240]);
    }

    #[test]
    fn what_is_too_large_is_halved_together() {
        let most = u64::from(u32::MAX);
        assert_eq!(fitting(vec![[most, 1, 0]]), [Counts::new(u32::MAX, 1, 0)]);
        assert_eq!(
            fitting(vec![[most + 1, 7, 0], [8, 1, 3]]),
            [Counts::new(1 << 31, 4, 0), Counts::new(4, 1, 2)],
            "what isn't 0 doesn't become 0"
        );
    }

    proptest! {
        /// Any counts and places: wins don't grow, losses don't shrink, and a loss makes the score worse.
        #[test]
        fn a_loss_is_never_a_gain(
            [wins, draws, losses] in any::<[u32; 3]>(),
            (moves, place, rate) in (1u32..500).prop_flat_map(|moves| (Just(moves), 1..=moves, 1u32..=100)),
            shape in prop::sample::select(vec![Shape::Linear, Shape::Square, Shape::Flat]),
        ) {
            let shares = Scaling { rate, shape }.shares(place, moves);
            let [w, d, l] = shares.of_lost(Counts::new(wins, draws, losses), Mover::Us);
            prop_assert!(w <= u64::from(wins) && d == u64::from(draws) && l >= u64::from(losses));
            let turned = shares.of_lost(Counts::new(losses, draws, wins), Mover::Them);
            prop_assert_eq!(turned, [l, d, w]);
            prop_assert_eq!(fitting(vec![[w, d, l]]).len(), 1);
        }
    }
}
