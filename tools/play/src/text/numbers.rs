//! Numbers as people read them.

use std::io::{self, Write};
use std::time::Duration;
use tabia::{Counts, Key};
use tabia_interop::rows;

/// With a comma between thousands: `415,536`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in a unit that fits: `277 MB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if number < 1000 {
        return format!("{number} bytes");
    }
    let mut value = number as f64;
    let mut unit = "";
    for next in UNITS {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A part of a whole in percent, with one decimal: `38.1%`; of nothing, a dash.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1}%", part as f64 * 100.0 / whole as f64) }
}

/// The points of a side in percent of all: a draw is half a point.
pub fn score(counts: Counts) -> String {
    percent(2 * u64::from(counts.wins) + u64::from(counts.draws), 2 * counts.games())
}

/// Seconds to the thousandth.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Hours, minutes and seconds: `1:02:03`, `2:03`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// A key as users give it: 16 hexadecimal digits.
///
/// # Errors
/// What is expected, for people.
pub fn read_key(text: &str) -> Result<Key, &'static str> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    rows::key(digits.as_bytes()).ok_or("a key is 16 hexadecimal digits")
}

/// A number and what is counted: `1 game`, `2 games`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Writes a number in a line of its own, with what it is called and what is to be said of it.
pub(super) fn write_fact(
    out: &mut impl Write,
    name: &str,
    number: u64,
    said: &str,
) -> io::Result<()> {
    writeln!(out, "{}", format!("{name:<11} {:>14}  {said}", grouped(number)).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 415_536].map(grouped), ["0", "999", "1,000", "415,536"]);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn bytes_have_a_unit_that_fits() {
        assert_eq!([0, 999, 1000].map(bytes), ["0 bytes", "999 bytes", "1.0 kB"]);
        assert_eq!([277_000_000, u64::MAX].map(bytes), ["277 MB", "18 EB"]);
    }

    #[test]
    fn a_share_of_nothing_is_a_dash() {
        assert_eq!(percent(0, 0), "-");
        assert_eq!(percent(1, 3), "33.3%");
    }

    #[test]
    fn times_are_as_on_clocks() {
        let found = [3, 130, 3723].map(|time| clock(Duration::from_secs(time)));
        assert_eq!(found, ["0:03", "2:10", "1:02:03"]);
    }
}
