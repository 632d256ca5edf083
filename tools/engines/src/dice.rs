//! How much an engine thinks, drawn for each move, so that games differ.

use std::fmt;
use std::str::FromStr;
use tabia::mix;

/// A number that is drawn anew for each move, between two bounds, all magnitudes alike: as text
/// `250..4000`, or one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    least: u64,
    most: u64,
}

/// A text that says no [`Dice`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no number of nodes: give one, or two as in 250..4000")]
pub struct BadDice(String);

impl Dice {
    /// Between a number times 1/`below` and times `above`, but 1 at least.
    pub fn around(nodes: u64, below: f64, above: f64) -> Self {
        let part = |factor: f64| ((nodes as f64 * factor) as u64).max(1);
        Self { least: part(1.0 / below), most: part(above) }
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<u64> {
        (self.least == self.most).then_some(self.least)
    }

    /// The number for a ply of a game.
    pub fn draw(self, seed: u32, ply: usize) -> u64 {
        let drawn = mix(mix(u64::from(seed)).wrapping_add(ply as u64)) >> 11;
        let part = drawn as f64 / (1_u64 << 53) as f64;
        let span = self.most as f64 / self.least as f64;
        ((self.least as f64 * libm::pow(span, part)) as u64).clamp(self.least, self.most)
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "{number}"),
            None => write!(f, "{}..{}", self.least, self.most),
        }
    }
}

impl FromStr for Dice {
    type Err = BadDice;

    fn from_str(text: &str) -> Result<Self, BadDice> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.parse().ok().filter(|number| (1..=1 << 40).contains(number));
        match (number(least), number(most)) {
            (Some(least), Some(most)) if least <= most => Ok(Self { least, most }),
            _ => Err(BadDice(text.to_owned())),
        }
    }
}
