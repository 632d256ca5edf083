//! Amounts of memory and of disk, as users write them, and how memory is shared out.

use std::str::FromStr;

/// The least a user may give.
const LEAST: u64 = 16 << 20;
/// More than any machine has: surely a mistake.
const MOST: u64 = 1 << 46;

/// An amount of memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory(u64);

impl Memory {
    /// What one of `sorters` sorters may hold. An eighth is left for buffers of reading, merging
    /// and writing.
    pub fn share(self, sorters: usize) -> usize {
        let share = (self.0 - self.0 / 8) / sorters.max(1) as u64;
        usize::try_from(share).unwrap_or(usize::MAX)
    }
}

/// Reads an amount of something on disk, in bytes; it may be 0.
///
/// # Errors
/// What is expected, for people.
pub fn read_size(text: &str) -> Result<u64, &'static str> {
    bytes_of(text).ok_or("give an amount such as 500M or 4G, or 0")
}

/// Bytes, as users write them: a number and a unit of 1024 bytes, of their square and so on.
fn bytes_of(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

impl FromStr for Memory {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let bytes = bytes_of(text).filter(|bytes| (LEAST..=MOST).contains(bytes));
        bytes.map(Self).ok_or("give an amount such as 512M or 2G, from 16M to 64T")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_users_write_them() {
        for (text, megabytes) in
            [("16M", 16), ("2G", 2048), ("2GiB", 2048), ("64mb", 64), ("16777216", 16)]
        {
            assert_eq!(text.parse(), Ok(Memory(megabytes << 20)), "{text}");
        }
        let bad = "banana G 2X -1G 1.5G 1M 0 99999999999999999999G 18446744073709551615T 65T";
        for bad in bad.split(' ').chain(["", "2 G"]) {
            assert!(bad.parse::<Memory>().is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_stay_below_the_whole() {
        assert!(4 * Memory(64 << 20).share(4) <= 56 << 20);
    }
}
