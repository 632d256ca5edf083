//! What the moves of a position weigh: by how they did, and within 16 bits.

use tabia::{Counts, MoveRow, Row};

/// The greatest weight.
pub(super) const MOST: u64 = u16::MAX as u64;

/// What weights of moves are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightBasis {
    /// Two for a win, one for a draw: Polyglot's own convention.
    #[default]
    Points,
    /// Games played.
    Games,
    /// Games won.
    Wins,
    /// The score in hundredths of a percent, however few the games were.
    Score,
}

impl WeightBasis {
    /// The weight of a move with these results, at most 2^34.
    pub fn of(self, counts: Counts) -> u64 {
        let points = 2 * u64::from(counts.wins) + u64::from(counts.draws);
        match self {
            Self::Points => points,
            Self::Games => counts.games(),
            Self::Wins => counts.wins.into(),
            Self::Score => points * 5_000 / counts.games().max(1),
        }
    }

    /// The weights of these moves, in place of what `weights` held.
    pub fn weigh(self, moves: &[MoveRow], weights: &mut Vec<u64>) {
        weights.clear();
        weights.extend(moves.iter().map(|row| self.of(row.counts())));
    }
}

/// Scales the weights of a position so that the greatest is [`MOST`], if it is more; else they stay
/// as they are. Whether they were scaled.
///
/// They are rounded to the nearest, a half upwards: the ratio of two differs by the rounding alone,
/// and a weight becomes 0 if it was less than 1/131070 of the greatest.
pub(super) fn fit(weights: &mut [u64]) -> bool {
    let greatest = weights.iter().copied().max().unwrap_or(0);
    if greatest <= MOST {
        return false;
    }
    let scaled = |weight: u64| {
        (2 * u128::from(weight) * u128::from(MOST) + u128::from(greatest))
            / (2 * u128::from(greatest))
    };
    weights.iter_mut().for_each(|weight| *weight = scaled(*weight) as u64);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_are_weighed_by_what_they_did() {
        let counts = Counts::new(5, 3, 4);
        let weights =
            [WeightBasis::Points, WeightBasis::Games, WeightBasis::Wins, WeightBasis::Score]
                .map(|weights| weights.of(counts));
        assert_eq!(weights, [13, 12, 5, 5416]);
        let full = Counts::new(u32::MAX, u32::MAX, u32::MAX);
        let points = [full, Counts::default()].map(|counts| WeightBasis::Score.of(counts));
        assert_eq!(points, [5_000, 0]);
        assert!(WeightBasis::Points.of(full) < 1 << 34);
    }

    #[test]
    fn weights_are_scaled_only_if_they_must_be() {
        let fitted = |mut weights: Vec<u64>| (fit(&mut weights), weights);
        assert_eq!(fitted(vec![65_535, 0, 7]), (false, vec![65_535, 0, 7]));
        assert_eq!(fitted(vec![131_070, 65_535, 3, 1, 0]), (true, vec![65_535, 32_768, 2, 1, 0]));
        assert_eq!(fitted(vec![131_071, 1]), (true, vec![65_535, 0]));
        assert_eq!(fitted(vec![u64::MAX, u64::MAX / 2]), (true, vec![65_535, 32_767]));
        assert_eq!(fitted(vec![]), (false, vec![]));
    }

    proptest! {
        #[test]
        fn ratios_are_kept(mut weights in prop::collection::vec(0u64..1 << 34, 1..20)) {
            let before = weights.clone();
            let greatest = *before.iter().max().unwrap();
            prop_assume!(greatest > MOST);
            fit(&mut weights);
            for (&weight, &was) in weights.iter().zip(&before) {
                let exact = was as f64 * 65_535.0 / greatest as f64;
                prop_assert!((weight as f64 - exact).abs() <= 0.5 + 1e-6);
                prop_assert!(weight > 0 || was * 65_535 < greatest);
            }
            prop_assert_eq!(weights.iter().max(), Some(&65_535));
        }
    }
}
