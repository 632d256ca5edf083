//! Area (Chinese) scoring: a side has its stones and the empty regions that touch no others.
//! Everything on the board is taken for alive.

use super::Go;
use super::board::Points;
use crate::outcome::{Outcome, Side};
use std::fmt;
use std::str::FromStr;

/// Komi: the points that White gets for moving second, to a hundredth of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Komi(i32);

impl Komi {
    /// 7.5 points, as Chen and Zhang count 9x9 games.
    pub const SEVEN_AND_A_HALF: Self = Self(750);

    /// In hundredths of a point.
    #[must_use]
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

impl Go {
    /// The area of Black and of White, in points.
    #[must_use]
    pub fn area(&self) -> [u16; 2] {
        let mut area = [Side::First, Side::Second].map(|side| self.board.stones(side).len() as u16);
        let mut seen = Points::default();
        for point in 0..self.geometry.points() {
            if self.board.at(point).is_none() && !seen.contains(point) {
                let (region, touched) = self.region(point);
                seen.extend(&region);
                match touched {
                    [true, false] => area[0] += region.len() as u16,
                    [false, true] => area[1] += region.len() as u16,
                    _ => {}
                }
            }
        }
        area
    }

    /// By how many points Black is ahead, by area, once White has its komi.
    #[must_use]
    pub fn score(&self, komi: Komi) -> f64 {
        f64::from(self.hundredths_ahead(komi)) / 100.0
    }

    /// Who has won if the game ends here, by area.
    #[must_use]
    pub fn scored(&self, komi: Komi) -> Outcome {
        match self.hundredths_ahead(komi) {
            0 => Outcome::Draw,
            ahead => Outcome::won_by(if ahead > 0 { Side::First } else { Side::Second }),
        }
    }

    fn hundredths_ahead(&self, komi: Komi) -> i32 {
        let [black, white] = self.area();
        100 * (i32::from(black) - i32::from(white)) - komi.hundredths()
    }

    /// The empty region around an empty point, and whether stones of Black and of White touch it.
    fn region(&self, point: u16) -> (Points, [bool; 2]) {
        let (mut region, mut ahead, mut touched) =
            (Points::of(point), Points::of(point), [false; 2]);
        while let Some(point) = ahead.pop() {
            for &beside in self.geometry.neighbors(point) {
                match self.board.at(beside) {
                    Some(side) => touched[side.index()] = true,
                    None if !region.contains(beside) => {
                        region.insert(beside);
                        ahead.insert(beside);
                    }
                    None => {}
                }
            }
        }
        (region, touched)
    }
}
