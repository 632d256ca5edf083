//! Komi: points for White in Go.

use std::fmt;
use std::str::FromStr;

/// Komi: the points that White gets for moving second, to a hundredth of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i32);

impl Komi {
    /// 7.5 points, as Chen and Zhang count 9x9 games.
    pub const SEVEN_AND_A_HALF: Self = Self(750);

    /// In hundredths of a point.
    pub const fn hundredths(self) -> i32 {
        self.0
    }
}

/// A text that is no komi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no komi: write points from -999.99 to 999.99, as in 7.5")]
pub struct BadKomi(String);

impl FromStr for Komi {
    type Err = BadKomi;

    fn from_str(text: &str) -> Result<Self, BadKomi> {
        hundredths(text.trim()).map(Self).ok_or_else(|| BadKomi(text.to_owned()))
    }
}

/// The hundredths that a text with a point or a comma says. Further digits must be zeros.
fn hundredths(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let is_said = !whole.is_empty() || !part.is_empty();
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let digits = format!("{whole}{part:0<2}");
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_komi = is_said && whole.len() <= 3 && part.len() <= 2 && are_digits;
    is_komi.then(|| digits.parse::<i32>().ok())?.map(|hundredths| sign * hundredths)
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 100.0)
    }
}
