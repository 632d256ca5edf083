//! Dates: reading what archives and people write for one, and which of them are wanted.

use super::number;
use std::fmt;
use std::str::FromStr;

/// The days that a date may mean, each as year × 10,000 + month × 100 + day: `2020.05.??` is any
/// day of that May. The year is always known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    first: u32,
    last: u32,
}

impl Date {
    ///
    /// The date in a tag, as PGN writes it, `2020.05.??`; also `2020`, and with `-` or `/`. None if
    /// the year isn't known. Impossible months or days are unknown, and a day without its month is
    /// ignored; text may follow.
    pub fn of_tag(tag: &[u8]) -> Option<Self> {
        let mut parts = tag.trim_ascii().splitn(3, |byte| matches!(byte, b'.' | b'-' | b'/'));
        let year = number(parts.next()?, 4..=4).filter(|&year| year > 0)?;
        let month = parts.next().and_then(|month| number(month, 2..=2));
        let day = parts.next().and_then(|day| number(day.get(..2).unwrap_or(day), 2..=2));
        Some(Self::new(year, month.filter(|month| (1..=12).contains(month)), day))
    }

    /// The year.
    pub fn year(self) -> u16 {
        (self.first / 10_000) as u16
    }

    /// The month, from 1, if it is known.
    pub fn month(self) -> Option<u8> {
        let month = (self.first / 100 % 100) as u8;
        (self.last - self.first < 100).then_some(month)
    }

    /// The day of the month, from 1, if it is known.
    pub fn day(self) -> Option<u8> {
        (self.last == self.first).then_some((self.first % 100) as u8)
    }

    /// The days of a year, of its month, or the one day.
    fn new(year: u32, month: Option<u32>, day: Option<u32>) -> Self {
        let at = |month: u32, day: u32| year * 10_000 + month * 100 + day;
        let Some(month) = month else { return Self { first: at(1, 1), last: at(12, 31) } };
        match day.filter(|day| (1..=days_of(year, month)).contains(day)) {
            Some(day) => Self { first: at(month, day), last: at(month, day) },
            None => Self { first: at(month, 1), last: at(month, days_of(year, month)) },
        }
    }
}

fn days_of(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

/// A text that is no date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no date: write 2020, 2020.05 or 2020.05.17")]
pub struct BadDate(String);

/// What a person writes: a year, a month or a day that is there, parted by `.` or `-`.
impl FromStr for Date {
    type Err = BadDate;

    fn from_str(text: &str) -> Result<Self, BadDate> {
        let bad = || BadDate(text.to_owned());
        let mut parts = text.split(['.', '-']);
        let mut next = |digits, last| match parts.next() {
            None => Ok(None),
            Some(part) => number(part.as_bytes(), digits..=digits)
                .filter(|value| (1..=last).contains(value))
                .map(Some)
                .ok_or_else(bad),
        };
        let year = next(4, 9999)?.ok_or_else(bad)?;
        let month = next(2, 12)?;
        let day = next(2, month.map_or(0, |month| days_of(year, month)))?;
        if parts.next().is_some() { Err(bad()) } else { Ok(Self::new(year, month, day)) }
    }
}

/// As `2020`, `2020.05` or `2020.05.17`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = (self.first / 10_000, self.first / 100 % 100, self.first % 100);
        match self.last - self.first {
            0 => write!(f, "{year:04}.{month:02}.{day:02}"),
            1..100 => write!(f, "{year:04}.{month:02}"),
            _ => write!(f, "{year:04}"),
        }
    }
}

/// Bounds for dates, both inclusive: from the first day of the one to the last day of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    /// Not before this.
    pub since: Option<Date>,
    /// Not after this.
    pub until: Option<Date>,
}

impl Dates {
    /// Whether there is a bound.
    pub fn is_set(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// Whether there is a day between the bounds.
    pub fn are_possible(&self) -> bool {
        self.since.is_none_or(|since| self.until.is_none_or(|until| since.first <= until.last))
    }

    /// Whether a game of this date is wanted: if all days that it may mean are within the bounds.
    pub fn take(&self, date: Option<Date>) -> bool {
        let Some(date) = date else { return !self.is_set() };
        self.since.is_none_or(|since| date.first >= since.first)
            && self.until.is_none_or(|until| date.last <= until.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn possible(date: Date) -> [u32; 2] {
        [date.first, date.last]
    }

    #[test]
    fn tags_are_read_as_far_as_they_are_known() {
        for (tags, days) in [
            ("2020.05.17| 2020-05-17 |2020/05/17|2020.05.17`", [20_200_517, 20_200_517]),
            ("2020.05.??", [20_200_501, 20_200_531]),
            ("2020.02.??", [20_200_201, 20_200_229]),
            ("1900.02.??", [19_000_201, 19_000_228]),
            ("2021.02.29", [20_210_201, 20_210_228]),
            ("2020.??.??|2020.??.14|2020.13.01|2020.5.1|2020|2020.", [20_200_101, 20_201_231]),
        ] {
            for tag in tags.split('|') {
                assert_eq!(Date::of_tag(tag.as_bytes()).map(possible), Some(days), "{tag}");
            }
        }
        let none =
            "|?|????.??.??|0000.00.00|20|20200517|202?.01.01|17.05.2020|May 2020|-|...|99999";
        for tag in none.split('|') {
            assert_eq!(Date::of_tag(tag.as_bytes()), None, "{tag}");
        }
        assert_eq!(Date::of_tag(b"\xff\xfe"), None);
        assert_eq!(Date::of_tag(b"2020.05.1\xff").map(possible), Some([20_200_501, 20_200_531]));
    }

    #[test]
    fn people_write_dates_that_are_there() {
        for text in ["2020", "2020.05", "2020.05.17", "2024.02.29", "0001"] {
            let date: Date = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(date.to_string(), text);
            assert_eq!(text.replace('.', "-").parse(), Ok(date));
        }
        let none = "|20|2020.|2020.5|2020.13|2020.00|2020.02.30|2020.05.17.1|2020/05|0000|2020.??|today|２０２０";
        for text in none.split('|') {
            assert_eq!(text.parse::<Date>(), Err(BadDate(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_game_is_wanted_if_all_its_possible_days_are() {
        let dates = |since: &str, until: &str| Dates {
            since: since.parse().ok(),
            until: until.parse().ok(),
        };
        for (bounds, tag, wanted) in [
            (dates("", ""), "????.??.??", true),
            (dates("2020", ""), "????.??.??", false),
            (dates("", "2020"), "", false),
            (dates("2020", ""), "2020.??.??", true),
            (dates("2020.05", ""), "2020.??.??", false),
            (dates("2020.05", ""), "2020.05.??", true),
            (dates("2020.05.02", ""), "2020.05.??", false),
            (dates("2020.05.02", ""), "2020.05.02", true),
            (dates("2020.05.02", ""), "2020.05.01", false),
            (dates("", "2020"), "2020.12.31", true),
            (dates("", "2020"), "2021.01.01", false),
            (dates("", "2020.05"), "2020.05.31", true),
            (dates("", "2020.05"), "2020.06.01", false),
            (dates("", "2020.05"), "2020.??.??", false),
            (dates("", "2020.05.30"), "2020.05.??", false),
            (dates("2020", "2020"), "2020", true),
            (dates("2020", "2020"), "2019.12.31", false),
        ] {
            assert_eq!(bounds.take(Date::of_tag(tag.as_bytes())), wanted, "{bounds:?} {tag}");
        }
        assert!(dates("2020", "2020.01").are_possible() && !dates("2021", "2020").are_possible());
    }
}
