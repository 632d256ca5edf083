//! Random numbers that are the same for the same seed, game and ply, on every machine.

use std::time::{SystemTime, UNIX_EPOCH};
use tabia::mix;

/// 2^64 divided by the golden ratio, made odd: the increment of SplitMix64.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// What makes the numbers for exploring others than those for choosing.
const EXPLORING: u64 = 0x6578_706c_6f72_6521;

/// What random choices follow from: a seed, and the number of the game that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seed {
    /// What the user gave.
    pub seed: u64,
    /// Games before this one.
    pub game: u64,
}

impl Seed {
    /// A seed that another process, or this one a moment later, hardly gets: made of the clock and
    /// the process's number. Below 2^31, as GUIs keep numbers.
    pub fn of_clock() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let process = u64::from(std::process::id()) << 32;
        Self { seed: mix(since.as_nanos() as u64 ^ process) >> 33, game: 0 }
    }

    /// Random numbers for what is drawn once a game.
    pub fn of_game(self) -> Rng {
        Rng(mix(mix(self.seed).wrapping_add(self.game)))
    }

    /// Random numbers for what is drawn at a ply of the game: the same ones each time.
    pub fn of_ply(self, ply: usize) -> Rng {
        let Rng(game) = self.of_game();
        Rng(mix(game ^ (ply as u64 + 1).wrapping_mul(STEP)))
    }

    /// Random numbers for whether the book is asked at a ply at all: the same ones each time, and
    /// independent of those of [`Seed::of_ply`].
    pub fn of_exploring(self, ply: usize) -> Rng {
        Self { seed: mix(self.seed ^ EXPLORING), ..self }.of_ply(ply)
    }
}

/// A sequence of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The next number, all of 64 bits equally likely.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `bound`, each exactly equally likely; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // The last, incomplete round of numbers is thrown again.
        let last = u64::MAX - (u64::MAX % bound + 1) % bound;
        loop {
            let number = self.next_u64();
            if number <= last {
                return number % bound;
            }
        }
    }

    /// A number from 0 to below 1, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index drawn in proportion to weights; none if all are 0.
    pub fn weighted(&mut self, weights: &[u64]) -> Option<usize> {
        let total: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        // So many weights that they don't add up to 64 bits are taken by their upper parts.
        let shift = 128u32.saturating_sub(total.leading_zeros()).saturating_sub(64);
        let parts = || weights.iter().map(|&weight| weight >> shift);
        let mut point = self.below(parts().sum());
        parts().position(|part| {
            let is_it = point < part;
            point = point.wrapping_sub(part);
            is_it
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_game_and_ply_give_the_same_numbers() {
        let numbers = |seed: Seed, ply| {
            let mut rng = seed.of_ply(ply);
            [rng.next_u64(), rng.next_u64()]
        };
        let seed = Seed { seed: 7, game: 3 };
        assert_eq!(numbers(seed, 4), numbers(seed, 4));
        let others = [
            numbers(Seed { seed: 8, ..seed }, 4),
            numbers(Seed { game: 4, ..seed }, 4),
            numbers(seed, 5),
        ];
        assert!(others.iter().all(|&other| other != numbers(seed, 4)));
    }

    #[test]
    fn two_seeds_of_the_clock_differ() {
        let seeds = [(); 20].map(|()| {
            std::thread::sleep(std::time::Duration::from_micros(50));
            Seed::of_clock().seed
        });
        assert!(seeds.iter().any(|&seed| seed != seeds[0]));
        assert!(seeds.iter().all(|&seed| seed <= i32::MAX as u64));
    }

    #[test]
    fn chances_are_as_the_weights() {
        let mut rng = Seed::default().of_game();
        let mut drawn = [0u32; 3];
        for _ in 0..60_000 {
            drawn[rng.weighted(&[1, 0, 2]).unwrap()] += 1;
        }
        // Four standard deviations.
        assert!(drawn[1] == 0 && drawn[0].abs_diff(20_000) < 460, "{drawn:?}");
        assert_eq!((rng.weighted(&[]), rng.weighted(&[0, 0])), (None, None));
        assert!(rng.weighted(&[u64::MAX; 5]).is_some());
        assert!((0..1000).all(|_| rng.below(3) < 3 && (0.0..1.0).contains(&rng.unit())));
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
    }
}
