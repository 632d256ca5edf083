//! Numbers that get better by the results of games: simultaneous perturbation stochastic
//! approximation.

use std::str::FromStr;
use tabia::mix;

/// By which power of the iterations steps fall, and how far to the sides is looked (Spall 1998).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of all iterations that is added to their number, so that the first steps aren't too
/// large (Spall 1998).
const STABILITY: f64 = 0.1;
/// The most that a value may be.
const MOST: f64 = 1e9;
/// The least that may be looked to the sides.
const LEAST_REACH: f64 = 1e-6;

/// A number that is tuned. As text: `NAME=VALUE:MIN:MAX:REACH`, with `:int` behind it if it is
/// whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Letters, digits, `-` and `_`.
    pub name: String,
    /// Where it starts.
    pub value: f64,
    /// The least and the most that it may be.
    pub bounds: [f64; 2],
    /// How far to each side is looked in the last iteration: so far that games tell the difference.
    pub reach: f64,
    /// Whether it is rounded to a whole number for games.
    pub is_whole: bool,
}

/// A text that says no parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` says no parameter: write NAME=VALUE:MIN:MAX:REACH, such as margin=3:0.5:8:0.5, with \
     :int behind whole ones, whose reach is 0.5 at least"
)]
pub struct BadParameter(String);

impl FromStr for Parameter {
    type Err = BadParameter;

    fn from_str(text: &str) -> Result<Self, BadParameter> {
        let bad = || BadParameter(text.to_owned());
        let (name, numbers) = text.split_once('=').ok_or_else(bad)?;
        let whole = numbers.strip_suffix(":int");
        let is_whole = whole.is_some();
        let numbers: Result<Vec<f64>, _> =
            whole.unwrap_or(numbers).split(':').map(str::parse).collect();
        let [value, least, most, reach] = numbers.map_err(|_| bad())?[..] else {
            return Err(bad());
        };
        let of_name = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let is_sound = !name.is_empty()
            && name.chars().all(of_name)
            && [least, most].iter().all(|bound| (-MOST..=MOST).contains(bound))
            && least < most
            && (least..=most).contains(&value)
            && (LEAST_REACH..=most - least).contains(&reach)
            && (!is_whole
                || reach >= 0.5 && [value, least, most].iter().all(|number| number.fract() == 0.0));
        let name = name.to_owned();
        let parameter = Self { name, value, bounds: [least, most], reach, is_whole };
        is_sound.then_some(parameter).ok_or_else(bad)
    }
}

impl Parameter {
    /// What stands for its value in an engine's command.
    pub fn placeholder(&self) -> String {
        format!("{{{}}}", self.name)
    }

    /// A value as games have it: within the bounds, and no finer than a hundredth of the reach. 0
    /// has no sign.
    fn rounded(&self, value: f64) -> f64 {
        let finest = 10_f64.powf((-self.reach.log10()).ceil() + 2.0);
        let unit = if self.is_whole { 1.0 } else { finest };
        ((value * unit).round() / unit).clamp(self.bounds[0], self.bounds[1]) + 0.0
    }
}

/// Tunes parameters: each iteration moves all of them to one side and to the other at once, each in
/// a direction drawn by the seed, and takes a step to the side that won.
///
/// With N iterations, in iteration k the sides are `c = REACH (N/k)^0.101` away, and a step is
/// `RATE REACH^2 ((0.1 N + N)/(0.1 N + k))^0.602 / c` for each point by which one side is ahead in
/// a pair of games, so that in the last one it is RATE times the reach: Spall's gains (1998,
/// "Implementation of the simultaneous perturbation algorithm for stochastic optimization"), set by
/// what they are in the end as in Fishtest, whose R_end and c_end these are.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    values: Vec<f64>,
    iterations: u32,
    rate: f64,
    seed: u64,
    /// The one that is next, from 1.
    iteration: u32,
}

impl Spsa {
    /// From the start, for so many iterations.
    pub fn new(parameters: Vec<Parameter>, iterations: u32, rate: f64, seed: u64) -> Self {
        let values = parameters.iter().map(|parameter| parameter.value).collect();
        Self { parameters, values, iterations, rate, seed, iteration: 1 }
    }

    /// The values so far, as games have them.
    pub fn values(&self) -> Vec<f64> {
        self.moved(0.0)
    }

    /// The values of the two sides that are to play against each other.
    pub fn sides(&self) -> [Vec<f64>; 2] {
        [self.moved(1.0), self.moved(-1.0)]
    }

    /// Goes on to the next iteration with how many points the first side is ahead in a pair of
    /// games, won less lost, from -2 to 2.
    pub fn step(&mut self, ahead: f64) {
        let (iterations, iteration) = (f64::from(self.iterations), f64::from(self.iteration));
        let added = STABILITY * iterations;
        let slowing = ((added + iterations) / (added + iteration)).powf(ALPHA);
        for at in 0..self.values.len() {
            let Parameter { bounds: [least, most], reach, .. } = self.parameters[at];
            let step = self.rate * reach * slowing / self.widening();
            self.values[at] = (self.values[at] + self.sign(at) * step * ahead).clamp(least, most);
        }
        self.iteration += 1;
    }

    /// The values, so many times as far to the first side as is looked.
    fn moved(&self, times: f64) -> Vec<f64> {
        let value = |(at, parameter): (usize, &Parameter)| {
            let distance = times * self.sign(at) * parameter.reach * self.widening();
            parameter.rounded(self.values[at] + distance)
        };
        self.parameters.iter().enumerate().map(value).collect()
    }

    /// How many times as far as in the last iteration is looked now.
    fn widening(&self) -> f64 {
        (f64::from(self.iterations) / f64::from(self.iteration)).powf(GAMMA)
    }

    /// In which direction the first side has a parameter moved in this iteration.
    fn sign(&self, at: usize) -> f64 {
        let number = (u64::from(self.iteration) << 32) + at as u64;
        if mix(mix(self.seed ^ 0x5350_5341).wrapping_add(number)) >> 63 == 0 { 1.0 } else { -1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(texts: &[&str]) -> Vec<Parameter> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn what_wins_more_is_found() {
        // Elo falls with the square of the distance from 6 and 40.
        let elo =
            |values: &[f64]| -5.0 * (values[0] - 6.0).powi(2) - 0.1 * (values[1] - 40.0).powi(2);
        let mut found = [0.0; 2];
        for seed in 0..20 {
            let tuned = parameters(&["a=3:0.5:8:0.5", "b=20:1:100:4:int"]);
            let mut spsa = Spsa::new(tuned, 1000, 0.05, seed);
            for iteration in 0..1000 {
                let [one, other] = spsa.sides();
                let score = 1.0 / (1.0 + 10_f64.powf((elo(&other) - elo(&one)) / 400.0));
                let won = |game: u64| {
                    let drawn = mix(seed << 32 | iteration << 8 | game) >> 11;
                    if (drawn as f64) < score * (1_u64 << 53) as f64 { 1.0 } else { -1.0 }
                };
                spsa.step(won(0) + won(1));
            }
            (0..2).for_each(|at| found[at] += spsa.values()[at] / 20.0);
        }
        assert!((found[0] - 6.0).abs() < 0.6 && (found[1] - 40.0).abs() < 5.0, "{found:?}");
    }

    #[test]
    fn the_last_step_is_the_rate_times_the_reach() {
        let mut spsa = Spsa::new(parameters(&["a=0:-8:8:0.5"]), 1, 0.05, 1);
        let [one, other] = spsa.sides();
        assert_eq!((one[0].abs(), one[0]), (0.5, -other[0]));
        spsa.step(2.0);
        assert_eq!(spsa.values(), [0.05 * one[0].signum()]);
    }

    #[test]
    fn sides_differ_even_at_the_bounds() {
        for value in ["1", "7", "8"] {
            for text in [format!("a={value}:1:8:0.5:int"), format!("a={value}:1:8:0.001")] {
                for seed in 0..9 {
                    let [one, other] = Spsa::new(parameters(&[&text]), 9, 0.05, seed).sides();
                    assert_ne!(one, other, "{text}");
                    let is_whole = [one[0], other[0]].iter().all(|value| value.fract() == 0.0);
                    assert_eq!(is_whole, text.ends_with(":int"), "{text}: {one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_parameter_is_refused() {
        let bad = " a a=1 a=1:0:2 =1:0:2:1 a=3:0:2:1 a=1:2:0:1 a=1:0:2:0 a=1:0:2:3 a=1:0:2:nan \
             a=nan:0:2:1 a=1:0:inf:1 a=1:0:2:1:2 a=1:0:2:0.4:int a=1.5:0:2:1:int \
             a=1:0:2:1:whole a=1:0:2:1e-7";
        for bad in bad.split(' ') {
            assert_eq!(bad.parse::<Parameter>(), Err(BadParameter(bad.to_owned())));
        }
    }
}
