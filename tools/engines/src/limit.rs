//! What an engine may use for a move: a limit, or nodes that are drawn for each move, so that games
//! differ.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tabia::mix;
use tabia_games::Side;

/// What an engine may use for a move; all of it none: what the engine itself takes for enough.
///
/// As text, always the same for the same limit: `nodes 10000`, `depth 12`, `movetime 500ms`,
/// `clock 40/60+0.6` (as the clocks are when a game begins), several of them in this order parted by
/// spaces, or `none`.
///
/// ```
/// use tabia_engines::Limit;
///
/// let limit: Limit = "depth 12 nodes 10000".parse()?;
/// assert_eq!(limit.to_string(), "nodes 10000 depth 12");
/// # Ok::<(), tabia_engines::BadLimit>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Nodes of its search.
    pub nodes: Option<u64>,
    /// Plies of its search.
    pub depth: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// What the clocks show.
    pub clock: Option<Clock>,
}

/// A text that is no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no limit: write `nodes 10000`, `depth 12`, `movetime 500ms` or `clock 40/60+0.6`, several of them parted by spaces, or `none`"
)]
pub struct BadLimit(String);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.movetime.map(|time| match time.subsec_nanos() % 1_000_000 {
                0 => format!("movetime {}ms", time.as_millis()),
                _ => format!("movetime {}ns", time.as_nanos()),
            }),
            self.clock.map(|clock| format!("clock {}", clock.control)),
        ];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        f.write_str(if text.is_empty() { "none" } else { &text })
    }
}

impl FromStr for Limit {
    type Err = BadLimit;

    fn from_str(text: &str) -> Result<Self, BadLimit> {
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        let limit = if words == ["none"] { Some(Self::default()) } else { read_limit(&words) };
        limit.ok_or_else(|| BadLimit(text.to_owned()))
    }
}

/// Pairs of what is limited and how much.
fn read_limit(words: &[&str]) -> Option<Limit> {
    let (mut limit, (pairs, rest)) = (Limit::default(), words.as_chunks());
    for &[name, text] in pairs {
        let is_said = match name {
            "nodes" => limit.nodes.replace(digits(text, 20)?).is_some(),
            "depth" => limit.depth.replace(digits(text, 10)?.try_into().ok()?).is_some(),
            "movetime" => limit.movetime.replace(movetime(text)?).is_some(),
            "clock" => limit.clock.replace(Clock::start(text.parse().ok()?)).is_some(),
            _ => true,
        };
        if is_said {
            return None;
        }
    }
    (rest.is_empty() && !pairs.is_empty()).then_some(limit)
}

/// `500ms`, or `1500ns` for what is no whole number of milliseconds.
fn movetime(text: &str) -> Option<Duration> {
    if let Some(millis) = text.strip_suffix("ms") {
        return digits(millis, 20).map(Duration::from_millis);
    }
    digits(text.strip_suffix("ns")?, 20).map(Duration::from_nanos)
}

/// The clocks of a game as they are before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// How they are set.
    pub control: TimeControl,
    /// What the first and the second player have left.
    pub left: [Duration; 2],
    /// How many moves the side to move still has to make in that time, if the time is for a number
    /// of moves.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The clocks when a game begins.
    pub fn start(control: TimeControl) -> Self {
        Self { control, left: [control.base; 2], moves_to_go: control.moves }
    }

    /// What a side has left.
    pub fn of(&self, side: Side) -> Duration {
        self.left[side.index()]
    }
}

/// How clocks are set: `10+0.1`, ten seconds and a tenth more for each move; `40/60`, a minute for
/// each forty moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For how many moves the time is; for all if none.
    pub moves: Option<u32>,
    /// The time.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no time control: write seconds and what each move adds, as in 10+0.1, with the number of moves before it if it is for so many, as in 40/60"
)]
pub struct BadTimeControl(String);

/// Seconds that a clock may have: a day.
const MOST: u64 = 86_400;

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    fn from_str(text: &str) -> Result<Self, BadTimeControl> {
        read(text).ok_or_else(|| BadTimeControl(text.to_owned()))
    }
}

fn read(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(digits(moves, 4).filter(|&moves| moves > 0)? as u32), rest),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let (base, increment) = (seconds(base)?, seconds(increment)?);
    (base + increment > Duration::ZERO).then_some(TimeControl { moves, base, increment })
}

/// `1.5`, or minutes and seconds: `2:30`.
fn seconds(text: &str) -> Option<Duration> {
    let (minutes, text) = text
        .split_once(':')
        .map_or(Some((0, text)), |(minutes, text)| Some((digits(minutes, 4)?, text)))?;
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let thousandths = digits(&format!("{part:0<3}"), 3)?;
    let whole = digits(whole, 5)? + 60 * minutes;
    (whole <= MOST).then(|| Duration::from_secs(whole) + Duration::from_millis(thousandths))
}

fn digits(text: &str, most: usize) -> Option<u64> {
    let is_number =
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// A number that is drawn anew for each move, between two bounds, all magnitudes alike: as text
/// `250..4000`, or one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    least: u64,
    most: u64,
}

/// A text that says no [`Dice`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no number of nodes: give one, or two as in 250..4000")]
pub struct BadDice(String);

impl Dice {
    /// Between a number times 1/`below` and times `above`, but 1 at least.
    pub fn around(nodes: u64, below: f64, above: f64) -> Self {
        let part = |factor: f64| ((nodes as f64 * factor) as u64).max(1);
        Self { least: part(1.0 / below), most: part(above) }
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<u64> {
        (self.least == self.most).then_some(self.least)
    }

    /// The number for a ply of a game.
    pub fn draw(self, seed: u32, ply: usize) -> u64 {
        let drawn = mix(mix(u64::from(seed)).wrapping_add(ply as u64)) >> 11;
        let part = drawn as f64 / (1_u64 << 53) as f64;
        let span = self.most as f64 / self.least as f64;
        ((self.least as f64 * libm::pow(span, part)) as u64).clamp(self.least, self.most)
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number() {
            Some(number) => write!(f, "{number}"),
            None => write!(f, "{}..{}", self.least, self.most),
        }
    }
}

impl FromStr for Dice {
    type Err = BadDice;

    fn from_str(text: &str) -> Result<Self, BadDice> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.parse().ok().filter(|number| (1..=1 << 40).contains(number));
        match (number(least), number(most)) {
            (Some(least), Some(most)) if least <= most => Ok(Self { least, most }),
            _ => Err(BadDice(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(moves: u32, base: u64, increment: u64) -> TimeControl {
        let [base, increment] = [base, increment].map(Duration::from_millis);
        TimeControl { moves: Some(moves).filter(|&moves| moves > 0), base, increment }
    }

    #[test]
    fn limits_are_written_in_one_way_and_read_in_any_order() {
        let clock = Some(Clock::start(control(40, 60_000, 600)));
        let all = Limit {
            nodes: Some(u64::MAX),
            depth: Some(12),
            movetime: Some(Duration::from_millis(500)),
            clock,
        };
        let odd = Limit { movetime: Some(Duration::from_nanos(1_500_000)), ..Limit::default() };
        for (text, limit) in [
            ("none", Limit::default()),
            ("nodes 10000", Limit { nodes: Some(10_000), ..Limit::default() }),
            ("nodes 18446744073709551615 depth 12 movetime 500ms clock 40/60+0.6", all),
            ("movetime 1500000ns", odd),
        ] {
            assert_eq!((limit.to_string().as_str(), text.parse()), (text, Ok(limit)));
        }
        let found = " clock 40/60+0.6 movetime 500ms depth 12  nodes 18446744073709551615".parse();
        assert_eq!(found, Ok(all));
        for bad in [
            "",
            "nodes",
            "nodes x",
            "nodes -1",
            "nodes 1 nodes 2",
            "depth 4294967296",
            "none none",
            "nodes 18446744073709551616",
            "movetime 500",
            "movetime 1.5ms",
            "clock 0",
            "depth 1 none",
        ] {
            assert_eq!(bad.parse::<Limit>(), Err(BadLimit(bad.to_owned())), "{bad}");
        }
    }

    #[test]
    fn time_controls_are_read_as_people_write_them() {
        for (text, wanted) in [
            ("10+0.1", control(0, 10_000, 100)),
            ("40/60+0.6", control(40, 60_000, 600)),
            ("40/60", control(40, 60_000, 0)),
            ("5", control(0, 5000, 0)),
            ("0+1", control(0, 0, 1000)),
            ("2:30+1.25", control(0, 150_000, 1250)),
        ] {
            let read: TimeControl = text.parse().unwrap();
            assert_eq!(read, wanted, "{text}");
            assert_eq!(read.to_string().parse(), Ok(read), "{text}");
        }
        for bad in [
            "", "0", "0+0", "/5", "0/5", "40/", "x", "-1", "1e3", "5+", "+5", "999999", "1.2345",
            "5+1+1", "40/60/2",
        ] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }
}
