//! What the points of a match say of the strength behind them.

use serde::Serialize;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A score with its error bars, and what follows from it.
///
/// The variance is that of what was seen, of pairs of games with the same opening where all games
/// have their partners (pentanomial), else of single games (trinomial). Pairs are what is
/// independent: the two games of one share their opening's bias, which makes single games look
/// noisier than the match is, or less noisy. The interval is the normal one, which is fair from
/// some tens of pairs on, and says nothing where all pairs ended alike: it has no width there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Half the width of the 95 % interval of the score.
    pub score_error: f64,
    /// The difference in Elo that the score speaks for; none if it is 0 or 1, where it is infinite.
    pub elo: Option<f64>,
    /// The ends of its 95 % interval; none where infinite.
    pub elo_interval: [Option<f64>; 2],
    /// The likelihood that the first is the stronger one.
    pub los: f64,
    /// Whether the error is that of pairs.
    pub by_pairs: bool,
}

impl Estimate {
    /// From how many pairs gave the first engine 0, 0.5, 1, 1.5 and 2 points.
    pub fn of_pairs(pairs: [u32; 5]) -> Option<Self> {
        Self::of(&pairs, true)
    }

    /// From how many games it lost, drew and won.
    pub fn of_games(games: [u32; 3]) -> Option<Self> {
        Self::of(&games, false)
    }

    /// From how often each result came that is possible, from no points to all.
    fn of(counts: &[u32], by_pairs: bool) -> Option<Self> {
        let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        if total == 0.0 {
            return None;
        }
        let most = (counts.len() - 1) as f64;
        let mean = |value: &dyn Fn(f64) -> f64| {
            counts
                .iter()
                .enumerate()
                .map(|(at, &count)| f64::from(count) * value(at as f64 / most))
                .sum::<f64>()
                / total
        };
        let score = mean(&|points| points);
        let deviation = (mean(&|points| (points - score).powi(2)) / total).sqrt();
        let score_error = Z * deviation;
        Some(Self {
            score,
            score_error,
            elo: elo(score),
            elo_interval: [elo(score - score_error), elo(score + score_error)],
            los: los(score, deviation),
            by_pairs,
        })
    }
}

/// The difference in Elo at which such a score is expected.
fn elo(score: f64) -> Option<f64> {
    // Not -0.
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10() + 0.0)
}

fn los(score: f64, deviation: f64) -> f64 {
    match score - 0.5 {
        0.0 => 0.5,
        ahead if deviation == 0.0 => f64::from(ahead > 0.0),
        ahead => 0.5 * libm::erfc(-ahead / (deviation * std::f64::consts::SQRT_2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    #[test]
    fn known_figures() {
        // Computed with Python's statistics: mean, pstdev and NormalDist of the lists of all pairs'
        // and all games' scores.
        let games = Estimate::of_games([15, 60, 25]).unwrap();
        assert!(
            close(games.score, 0.55)
                && close(games.score_error, 0.061_200)
                && close(games.elo.unwrap(), 34.860_0),
            "{games:?}"
        );
        assert!(close(games.los, 0.945_343), "{games:?}");
        let pairs = Estimate::of_pairs([2, 10, 20, 15, 3]).unwrap();
        assert!(close(pairs.score, 0.535) && close(pairs.score_error, 0.065_019), "{pairs:?}");
        assert!(close(pairs.los, 0.854_299) && pairs.by_pairs, "{pairs:?}");
    }

    #[test]
    fn scores_without_a_doubt() {
        let won = Estimate::of_pairs([0, 0, 0, 0, 7]).unwrap();
        assert_eq!((won.score, won.score_error, won.elo, won.los), (1.0, 0.0, None, 1.0));
        let level = Estimate::of_pairs([0, 0, 7, 0, 0]).unwrap();
        assert_eq!((level.elo, level.elo_interval, level.los), (Some(0.0), [Some(0.0); 2], 0.5));
        assert_eq!(Estimate::of_games([0; 3]), None);
    }

    proptest! {
        #[test]
        fn turned_around_all_is_turned_around(counts in any::<[u16; 5]>()) {
            let counts = counts.map(u32::from);
            let mut turned = counts;
            turned.reverse();
            if let (Some(a), Some(b)) = (Estimate::of_pairs(counts), Estimate::of_pairs(turned)) {
                prop_assert!((a.score + b.score - 1.0).abs() < 1e-9 && (a.los + b.los - 1.0).abs() < 1e-6);
                prop_assert!((a.score_error - b.score_error).abs() < 1e-9);
            }
        }

        #[test]
        fn pairs_that_are_independent_say_what_games_say(lost in 0..50_u32, drawn in 0..50_u32, won in 1..50_u32) {
            // Every combination of two games as often as it comes when they are drawn
            // independently: half the variance a pair, half as many pairs.
            let [l, d, w] = [lost, drawn, won];
            let pairs = Estimate::of_pairs([l * l, 2 * l * d, 2 * l * w + d * d, 2 * d * w, w * w]).unwrap();
            let games = Estimate::of_games([l, d, w]).unwrap();
            let total = f64::from(l + d + w);
            prop_assert!((pairs.score - games.score).abs() < 1e-9);
            // (variance / 2) / total^2 of pairs, variance / total of games.
            prop_assert!((pairs.score_error * (2.0 * total).sqrt() - games.score_error).abs() < 1e-9);
        }
    }
}
