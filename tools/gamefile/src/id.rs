//! Short names of games: 47 bits of the digest as eight letters, as lichess names its games.

use std::fmt;
use std::str::FromStr;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The id of a game: the upper 47 of the 48 bits of its digest, written as eight digits to the base
/// of 62. Two digests that differ in their last bit alone have one id.
///
/// ```
/// use tabia_gamefile::GameId;
///
/// let id = GameId::of(0x5eed_5a2a_c0de);
/// assert_eq!(id.to_string(), "EomBDwiN");
/// assert_eq!("EomBDwiN".parse(), Ok(id));
/// assert_eq!(id.digests(), [0x5eed_5a2a_c0de, 0x5eed_5a2a_c0df]);
/// assert!("zzzzzzzz".parse::<GameId>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(u64);

impl GameId {
    /// That of the game with this digest.
    pub fn of(digest: u64) -> Self {
        Self((digest & ((1 << 48) - 1)) >> 1)
    }

    /// The digests that have it.
    pub fn digests(self) -> [u64; 2] {
        [self.0 << 1, self.0 << 1 | 1]
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [b'0'; 8];
        let mut rest = self.0;
        for letter in letters.iter_mut().rev() {
            *letter = DIGITS[(rest % 62) as usize];
            rest /= 62;
        }
        f.pad(std::str::from_utf8(&letters).unwrap_or_default())
    }
}

/// A text that is no id of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no id of a game: these have eight letters and digits")]
pub struct BadId(String);

impl FromStr for GameId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let bad = || BadId(text.chars().take(40).collect());
        if text.len() != 8 {
            return Err(bad());
        }
        let mut number = 0_u64;
        for byte in text.bytes() {
            let digit = DIGITS.iter().position(|&digit| digit == byte).ok_or_else(bad)?;
            number = number * 62 + digit as u64;
        }
        if number < 1 << 47 { Ok(Self(number)) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_digests_lead_to_each_other() {
        for digest in [0, 1, 2, 61 << 1, 62 << 1, (1 << 48) - 1, 0x5eed_5a2a_c0de] {
            let id = GameId::of(digest);
            assert_eq!(id.to_string().parse(), Ok(id));
            assert!(id.digests().contains(&digest));
        }
        for bad in ["", "0000000", "000000000", "0000000-", "é000000", "zzzzzzzz"] {
            assert!(bad.parse::<GameId>().is_err(), "{bad}");
        }
    }
}
