//! Time controls: what a tag says, and the classes of speed that lichess has for them.

use crate::named;
use serde::{Deserialize, Serialize};

named! {
    /// How fast a game is, by the time a player has for forty moves; the fastest first.
    ///
    /// The classes and their bounds are those of lichess (<https://lichess.org/faq#time-controls>):
    /// the base time and forty times the increment.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum TimeClass {
        /// Less than 30 seconds.
        Ultrabullet = "ultrabullet",
        /// Less than 3 minutes.
        Bullet = "bullet",
        /// Less than 8 minutes.
        Blitz = "blitz",
        /// Less than 25 minutes.
        Rapid = "rapid",
        /// Less than a day.
        Classical = "classical",
        /// A day and more, or no time control at all.
        Correspondence = "correspondence",
    }
}

/// Moves that a player is taken to make.
const MOVES: u64 = 40;

/// The milliseconds below which a game is of a class.
const BELOW: [(u64, TimeClass); 5] = [
    (30_000, TimeClass::Ultrabullet),
    (180_000, TimeClass::Bullet),
    (480_000, TimeClass::Blitz),
    (1_500_000, TimeClass::Rapid),
    (86_400_000, TimeClass::Classical),
];

impl TimeClass {
    /// The class of a game with this TimeControl tag, if it says one.
    ///
    /// Reads `300` and `180+2` (seconds for the game, and for each move), `40/9000` and
    /// `40/7200+30` (for a number of moves, repeated if nothing follows), several periods as in
    /// `40/7200:3600`, `*60` (an hourglass), and `-` (no time control). Fractions of a second may
    /// follow a point. Of several periods those count that a player needs for forty moves.
    pub fn of_tag(tag: &[u8]) -> Option<Self> {
        match tag.trim_ascii() {
            b"-" => Some(Self::Correspondence),
            tag => milliseconds(std::str::from_utf8(tag).ok()?).map(Self::of),
        }
    }

    /// The class for this many milliseconds for forty moves.
    fn of(milliseconds: u64) -> Self {
        let class = BELOW.iter().find(|(bound, _)| milliseconds < *bound);
        class.map_or(Self::Correspondence, |&(_, class)| class)
    }
}

#[derive(Clone, Copy)]
struct Period {
    /// All that are left if none.
    moves: Option<u64>,
    base: u64,
    increment: u64,
}

/// What a player has for forty moves.
fn milliseconds(text: &str) -> Option<u64> {
    let (mut time, mut left, mut last) = (0, MOVES, None);
    for field in text.split(':') {
        let period = Period::read(field)?;
        if left > 0 {
            time += period.spend(&mut left);
        }
        last = Some(period);
    }
    // The last period comes again; each time a move is made at least, so that this ends.
    while left > 0 {
        time += last?.spend(&mut left);
    }
    Some(time)
}

impl Period {
    fn read(field: &str) -> Option<Self> {
        if let Some(hourglass) = field.strip_prefix('*') {
            return Some(Self { moves: None, base: thousandths(hourglass)?, increment: 0 });
        }
        let (moves, time) = match field.split_once('/') {
            Some((moves, time)) => (Some(number(moves).filter(|&moves| moves > 0)?), time),
            None => (None, field),
        };
        let (base, increment) =
            time.split_once('+').map_or((time, None), |(base, increment)| (base, Some(increment)));
        Some(Self {
            moves,
            base: thousandths(base)?,
            increment: increment.map_or(Some(0), thousandths)?,
        })
    }

    /// The time it gives for the moves that are left, of which it takes its own away.
    fn spend(self, left: &mut u64) -> u64 {
        let moves = self.moves.map_or(*left, |moves| moves.min(*left));
        *left -= moves;
        self.base + self.increment * moves
    }
}

/// A number of up to nine digits.
fn number(text: &str) -> Option<u64> {
    super::number(text.as_bytes(), 1..=9).map(u64::from)
}

/// Seconds, in thousandths.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    number(part)?;
    let part = part
        .bytes()
        .chain(*b"00")
        .take(3)
        .fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    Some(number(whole)? * 1000 + part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_its_class() {
        use TimeClass::{Blitz, Bullet, Classical, Correspondence, Rapid, Ultrabullet};
        for (tags, class) in [
            ("15+0|29|29.999|10+0.05", Ultrabullet),
            ("0+1|30|60+0|10+1|10+0.5|*60|179+0|60/60:60|20/60:20/60:9999", Bullet),
            ("180+0|180+2|300|300+3|479| 300 ", Blitz),
            ("480|600+0|900+5|20/240|1/30", Rapid),
            (
                "1500|1800+3|7200+15|40/9000|40/7200:3600|40/7200:20/3600:900+30|40/5400+30:1800+30",
                Classical,
            ),
            ("1/86400|10/432000|1209600|-", Correspondence),
        ] {
            for tag in tags.split('|') {
                assert_eq!(TimeClass::of_tag(tag.as_bytes()), Some(class), "{tag}");
            }
        }
        assert_eq!(TimeClass::of_tag(b"40/60:junk"), None);
    }

    #[test]
    fn what_says_no_time_has_no_class() {
        for tag in [
            "", "?", "unknown", "5 min", "300+", "+3", "0/300", "/300", "40/", "40", "3O0",
            "300+3+3", "-300", "1e3", "300.", ".5", ":", "300:", "*",
        ] {
            let expected = (tag == "40").then_some(TimeClass::Bullet);
            assert_eq!(TimeClass::of_tag(tag.as_bytes()), expected, "{tag}");
        }
        assert_eq!(TimeClass::of_tag(b"\xff"), None);
    }

    #[test]
    fn huge_numbers_are_no_harm() {
        assert_eq!(TimeClass::of_tag(b"1/999999999+999999999"), Some(TimeClass::Correspondence));
        assert_eq!(TimeClass::of_tag(b"9999999999"), None);
        assert_eq!(TimeClass::of_tag(b"99999999999999999999/1"), None);
        let many = ["1/1"; 100_000].join(":");
        assert_eq!(TimeClass::of_tag(many.as_bytes()), Some(TimeClass::Bullet));
    }
}
