//! How one candidate is picked of several, given what each is worth.

use super::criterion::Criterion;
use super::percent;
use super::surd::Surd;
use crate::choice::Rng;
use std::cmp::Reverse;
use std::num::NonZeroU64;

/// How one is picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The best; of equal ones that with more games, then that with the least code.
    Best,
    /// Drawn from those whose value is at most so much below the best, each equally likely: in
    /// hundredths of a percent where it is a part of the whole, else in its own unit.
    Near(u32),
    /// Drawn in proportion to the value.
    Proportion,
    /// Drawn in proportion to exp(value / temperature), which is given in millionths of the value's
    /// unit (1 is a whole score).
    Softmax(NonZeroU64),
}

/// A candidate that may be picked.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    /// Its index among all candidates, which stand in the order of their codes.
    pub place: usize,
    pub value: Surd,
    pub games: u64,
}

/// What was picked.
pub(super) struct Picked {
    /// Its index among all candidates.
    pub place: usize,
    pub why: String,
    /// The chance of each that may be picked, in their order, if it was drawn.
    pub chances: Option<Vec<f64>>,
}

impl Pick {
    /// Picks one; none if there is none, or if all weights are 0.
    pub(super) fn pick(
        self,
        criterion: Criterion,
        standing: &[Standing],
        rng: Rng,
    ) -> Option<Picked> {
        let best = best(standing)?;
        match self.weights(criterion, standing, &best.value) {
            Some(weights) => draw(&weights, standing, rng),
            None => {
                let why = why_best(criterion, best, standing);
                Some(Picked { place: best.place, why, chances: None })
            }
        }
    }

    /// How likely each is, in proportion.
    pub(super) fn odds(self, criterion: Criterion, standing: &[Standing]) -> Vec<u64> {
        let Some(best) = best(standing) else { return Vec::new() };
        let of_best = || standing.iter().map(|one| u64::from(one.place == best.place)).collect();
        self.weights(criterion, standing, &best.value).unwrap_or_else(of_best)
    }

    /// The weights that are drawn by, if it is drawn: whole numbers, the same on all machines.
    fn weights(self, criterion: Criterion, standing: &[Standing], best: &Surd) -> Option<Vec<u64>> {
        let weight: Box<dyn Fn(&Surd) -> u64> = match self {
            Self::Best => return None,
            Self::Near(margin) => {
                let least = best.less(margin, criterion.unit().into());
                Box::new(move |value| u64::from(*value >= least))
            }
            Self::Proportion => Box::new(move |value| in_proportion(criterion, value)),
            Self::Softmax(temperature) => {
                Box::new(move |value| boltzmann(value, best, temperature))
            }
        };
        Some(standing.iter().map(|one| weight(&one.value)).collect())
    }
}

/// The best; of equal ones that with more games, then the first.
fn best(standing: &[Standing]) -> Option<&Standing> {
    standing.iter().max_by_key(|one| (&one.value, one.games, Reverse(one.place)))
}

/// Numbers of things as they are, parts of the whole in 2^-40; nothing for what is below 0.
fn in_proportion(criterion: Criterion, value: &Surd) -> u64 {
    let unit = if criterion.is_part() { (1u64 << 40) as f64 } else { 1.0 };
    // Counts have less than 53 bits; a float becomes the nearest whole number that there is.
    (value.to_f64() * unit) as u64
}

/// exp((value - best) / temperature) in 2^-48. The exponential function is that of the crate
/// `libm`, which is made of operations that IEEE 754 rounds in one way, unlike the system's.
fn boltzmann(value: &Surd, best: &Surd, temperature: NonZeroU64) -> u64 {
    let below = if value == best { 0.0 } else { best.to_f64() - value.to_f64() };
    (libm::exp(-below * 1e6 / temperature.get() as f64) * (1u64 << 48) as f64) as u64
}

fn draw(weights: &[u64], standing: &[Standing], mut rng: Rng) -> Option<Picked> {
    let drawn = rng.weighted(weights)?;
    let total: f64 = weights.iter().map(|&weight| weight as f64).sum();
    let chances: Vec<f64> = weights.iter().map(|&weight| weight as f64 / total).collect();
    let possible = weights.iter().filter(|&&weight| weight > 0).count();
    let why = match possible {
        1 => "the only move that can be drawn".to_owned(),
        _ => format!("drawn from {possible} moves with a chance of {}", percent(chances[drawn], 1)),
    };
    Some(Picked { place: standing[drawn].place, why, chances: Some(chances) })
}

/// Why it is the best: what it is worth, and what decided if others are worth the same.
fn why_best(criterion: Criterion, best: &Standing, standing: &[Standing]) -> String {
    let shown = format!("{} {}", criterion.name(), criterion.shown(&best.value));
    let equal: Vec<_> = standing.iter().filter(|one| one.value == best.value).collect();
    let in_as_many = equal.iter().filter(|one| one.games == best.games).count();
    match (standing.len(), equal.len(), in_as_many) {
        (1, ..) => format!("{shown}, the only candidate"),
        (all, 1, _) => format!("{shown} is the best of {all}"),
        (_, equal, 1) => format!("{shown}, the same as {} more, but in more games", equal - 1),
        (_, _, equal) => format!(
            "{shown}, the same as {} more, all in {} {}: the first of them",
            equal - 1,
            best.games,
            if best.games == 1 { "game" } else { "games" }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(values: &[(i128, u128, u64)]) -> Vec<Standing> {
        let one = |(place, &(over, under, games)): (usize, &(i128, u128, u64))| Standing {
            place,
            value: Surd::fraction(over, under),
            games,
        };
        values.iter().enumerate().map(one).collect()
    }

    #[test]
    fn weights_are_what_they_are_said_to_be() {
        let weights = |pick: Pick, criterion, values: &[(i128, u128, u64)]| {
            let standing = standing(values);
            let best = standing.iter().map(|one| &one.value).max().unwrap();
            pick.weights(criterion, &standing, best).unwrap()
        };
        assert_eq!(
            weights(Pick::Proportion, Criterion::Points, &[(7, 1, 0), (0, 1, 0), (1 << 34, 1, 0)]),
            [7, 0, 1 << 34]
        );
        let got = weights(Pick::Proportion, Criterion::Score, &[(1, 4, 0), (1, 1, 0)]);
        assert_eq!(got, [1 << 38, 1 << 40]);
        let got = weights(Pick::Near(10), Criterion::Eval, &[(-3, 1, 0), (7, 1, 0), (-4, 1, 0)]);
        assert_eq!(got, [1, 1, 0]);
        // exp(0), exp(-1), exp(-2.5) and exp(-100) in 2^-48, by python's decimal.
        let softmax = Pick::Softmax(NonZeroU64::new(100_000).unwrap());
        let found = weights(
            softmax,
            Criterion::Score,
            &[(9, 10, 0), (8, 10, 0), (65, 100, 0), (-91, 10, 0)],
        );
        let expected = [281_474_976_710_656.0, 103_548_857_136_060.0, 23_104_873_075_956.0, 0.0f64];
        found.iter().zip(expected).for_each(|(&found, expected)| {
            assert!((found as f64 - expected).abs() < 1.5, "{found} {expected}")
        });
    }
}
