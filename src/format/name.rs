//! The small values a header holds about the whole book: names, how it is keyed, its load.

use crate::row::Counts;
use std::fmt;
use std::str::FromStr;

/// A short name: 1 to 16 of `a-z 0-9 -` (B-9). Games and key schemes have such names.
///
/// ```
/// let name: tabia::Name = "chess".parse()?;
/// assert_eq!(name.to_string(), "chess");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name([u8; 16]);

impl Name {
    /// The name in a header's bytes, if it is well formed.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        let len = bytes.iter().position(|&byte| byte == 0).unwrap_or(16);
        let (name, rest) = bytes.split_at(len);
        let fine = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        (len > 0 && name.iter().all(fine) && rest.iter().all(|&byte| byte == 0))
            .then_some(Self(bytes))
    }

    /// The 16 bytes of a header.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let len = self.0.iter().position(|&byte| byte == 0).unwrap_or(16);
        std::str::from_utf8(&self.0[..len]).unwrap_or_default()
    }
}

impl FromStr for Name {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let bad = || BadName(text.to_owned());
        if text.contains('\0') {
            return Err(bad());
        }
        let mut bytes = [0; 16];
        bytes.get_mut(..text.len()).ok_or_else(bad)?.copy_from_slice(text.as_bytes());
        Self::from_bytes(bytes).ok_or_else(bad)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// A text that is no [`Name`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a name: use 1 to 16 of the characters a-z, 0-9 and -")]
pub struct BadName(String);

/// What a book's keys identify.
///
/// ```
/// use tabia::{Keyed, NewBook};
///
/// let tree = NewBook::new("go-9".parse()?, "line".parse()?).keyed(Keyed::Line);
/// assert_eq!((Keyed::default().to_string(), Keyed::Line.to_string()), ("position".to_owned(), "line".to_owned()));
/// # Ok::<(), tabia::BadName>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Keyed {
    /// Positions: transpositions meet.
    #[default]
    Position,
    /// Lines: the sequence of moves from the start, so that the book is a tree.
    Line,
}

impl Keyed {
    /// The value for a header's byte.
    #[must_use]
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Position, Self::Line].get(usize::from(byte)).copied()
    }

    /// The byte in a header.
    #[must_use]
    pub fn to_byte(self) -> u8 {
        self as u8
    }
}

impl fmt::Display for Keyed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Line => "line",
        })
    }
}

/// Whether a book's counts know how games ended.
///
/// ```
/// use tabia::{Counts, Results};
///
/// let won = Counts { wins: 1, draws: 0, losses: 0 };
/// assert!(Results::Known.allow(won) && !Results::Unknown.allow(won));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Results {
    /// Games are counted by their result.
    #[default]
    Known,
    /// Games are counted, whatever their result: each as a draw, so that no row has wins or losses
    /// (B-22).
    Unknown,
}

impl Results {
    /// Whether a row of such a book may have these counts.
    #[inline]
    #[must_use]
    pub fn allow(self, counts: Counts) -> bool {
        self == Self::Known || (counts.wins | counts.losses) == 0
    }
}

/// How full a table's homes are, in thousandths: 500 to 980.
///
/// ```
/// use tabia::Load;
///
/// let load: Load = "0.8".parse()?;
/// assert_eq!((load, load.thousandths(), load.homes(1_000_000)), (Load::default(), 800, 1_250_000));
/// # Ok::<(), tabia::BadLoad>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Load(u32);

impl Load {
    /// The load in thousandths, if it is in range.
    #[must_use]
    pub fn from_thousandths(load: u32) -> Option<Self> {
        (500..=980).contains(&load).then_some(Self(load))
    }

    /// The load in thousandths.
    #[must_use]
    pub fn thousandths(self) -> u32 {
        self.0
    }

    /// The number of homes for this many rows (B-8).
    #[must_use]
    pub fn homes(self, rows: u64) -> u64 {
        let homes = (u128::from(rows) * 1000).div_ceil(u128::from(self.0));
        u64::try_from(homes).unwrap_or(u64::MAX).max(1)
    }
}

impl Default for Load {
    fn default() -> Self {
        Self(800)
    }
}

impl FromStr for Load {
    type Err = BadLoad;

    fn from_str(text: &str) -> Result<Self, BadLoad> {
        let value: f64 = text.parse().map_err(|_| BadLoad)?;
        Self::from_thousandths((value * 1000.0).round() as u32).ok_or(BadLoad)
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", f64::from(self.0) / 1000.0)
    }
}

impl fmt::Debug for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A load out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a load is a number from 0.5 to 0.98")]
pub struct BadLoad;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        for good in ["chess", "a", "go-9", "sixteen-letters0"] {
            assert_eq!(good.parse::<Name>().unwrap().as_str(), good);
        }
        for bad in ["", "Chess", "seventeen-letters", "a b", "ü", "a\0b", "a\0"] {
            assert!(bad.parse::<Name>().is_err(), "{bad}");
        }
        assert_eq!(Name::from_bytes(*b"a\0b\0\0\0\0\0\0\0\0\0\0\0\0\0"), None);
    }

    #[test]
    fn b8_homes_follow_from_rows_and_load() {
        let load = |text: &str| text.parse::<Load>().unwrap();
        assert_eq!(load("0.8").homes(0), 1);
        assert_eq!(load("0.8").homes(4), 5);
        assert_eq!(load("0.8").homes(5), 7);
        assert_eq!(load("0.98").homes(u64::MAX), u64::MAX);
        assert!("0.49".parse::<Load>().is_err());
        assert!("NaN".parse::<Load>().is_err());
        assert_eq!(load("0.975").to_string(), "0.975");
    }
}
