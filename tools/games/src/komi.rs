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
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = whole.len() + part.len() > 0 && are_digits(whole) && are_digits(part);
    if !is_number
        || part.bytes().skip(2).any(|digit| digit != b'0')
        || whole.trim_start_matches('0').len() > 3
    {
        return None;
    }
    let digit =
        |index: usize| part.as_bytes().get(index).map_or(0, |digit| i32::from(digit - b'0'));
    let value = whole.bytes().fold(0, |value, digit| value * 10 + i32::from(digit - b'0')) * 100
        + digit(0) * 10
        + digit(1);
    Some(if is_negative { -value } else { value })
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / 100.0)
    }
}
