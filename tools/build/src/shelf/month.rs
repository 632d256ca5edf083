//! Months, as clients of explorers write them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use tabia_archives::filter::Date;

/// A month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month {
    year: u16,
    /// From 1 to 12.
    month: u8,
}

impl Month {
    /// A month of a year, from 1; none if there is no such month.
    pub fn new(year: u16, month: u8) -> Option<Self> {
        (1..=12).contains(&month).then_some(Self { year, month })
    }

    /// The month of a date, if it is known.
    pub fn of(date: Date) -> Option<Self> {
        Some(Self { year: date.year(), month: date.month()? })
    }

    /// The month after it.
    pub fn next(self) -> Self {
        match self.month {
            12 => Self { year: self.year + 1, month: 1 },
            month => Self { month: month + 1, ..self },
        }
    }
}

impl FromStr for Month {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("`{}` is no month: write 2024-01", text.escape_debug());
        let (year, month) = text.split_once('-').ok_or_else(bad)?;
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if year.len() != 4 || month.len() != 2 || !are_digits(year) || !are_digits(month) {
            return Err(bad());
        }
        let (year, month) = (year.parse().map_err(|_| bad())?, month.parse().map_err(|_| bad())?);
        Self::new(year, month).ok_or_else(bad)
    }
}

impl TryFrom<String> for Month {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Month> for String {
    fn from(month: Month) -> Self {
        month.to_string()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_read_and_follow_each_other() {
        let month: Month = "2023-12".parse().unwrap();
        assert_eq!([month.to_string(), month.next().to_string()], ["2023-12", "2024-01"]);
        for bad in ["2023", "2023-13", "2023-00", "23-01", "2023-1", "2023-01-01", "+023-01", ""] {
            assert!(bad.parse::<Month>().is_err(), "{bad}");
        }
    }
}
