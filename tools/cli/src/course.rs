//! How far long work of several stages has come as a whole, and how long it goes on.

use std::time::Duration;

/// Work that is told how far it has come: until the first time, nothing can be said of the time.
const SOONEST: Duration = Duration::from_secs(2);
/// The part of the work that has to be done before.
const LEAST: f64 = 0.005;

/// A stage of long work.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    pub name: &'static str,
    /// The share of the whole time that it takes, roughly: only ratios count.
    pub weight: f64,
    /// How often it is gone through, each time from nothing to all, such as once a table.
    pub passes: u32,
}

impl Leg {
    pub const fn new(name: &'static str, weight: f64, passes: u32) -> Self {
        Self { name, weight, passes }
    }
}

/// The stages of long work, in order, and how far it has come.
#[derive(Debug)]
pub struct Course {
    legs: Vec<Leg>,
    /// The leg that the work is in, which time it goes through it, and how much of it was done.
    leg: usize,
    pass: u32,
    done: f64,
    /// Of all the work, how much was done when it was first told, when that was, and now.
    first: Option<(f64, Duration)>,
    now: f64,
}

impl Course {
    /// Work of these stages, some of which may be left out. Of work without stages nothing can be
    /// said.
    pub fn new(legs: &[Leg]) -> Self {
        Self { legs: legs.to_vec(), leg: 0, pass: 0, done: 0.0, first: None, now: 0.0 }
    }

    /// Hears how much of a stage is done, after this time; the part of the whole that is done, which
    /// never becomes less. None if it isn't known.
    pub fn hear(&mut self, name: &str, done: u64, total: u64, time: Duration) -> Option<f64> {
        let leg = self.legs.iter().skip(self.leg).position(|leg| leg.name == name);
        let leg = match leg {
            Some(further) => self.leg + further,
            None if self.legs.is_empty() => return None,
            None => return Some(self.now),
        };
        let part = if total == 0 { 0.0 } else { (done as f64 / total as f64).min(1.0) };
        if leg != self.leg {
            (self.leg, self.pass) = (leg, 0);
        } else if part < self.done / 2.0 {
            // Threads may be out of step a little; half of it is another pass.
            self.pass += 1;
        }
        self.done = part;
        let Leg { weight, passes, .. } = self.legs[leg];
        let of_leg = ((f64::from(self.pass) + part) / f64::from(passes.max(1))).min(1.0);
        let weights = |legs: &[Leg]| legs.iter().map(|leg| leg.weight).sum::<f64>();
        let whole = (weights(&self.legs[..leg]) + weight * of_leg) / weights(&self.legs);
        self.now = self.now.max(whole);
        self.first.get_or_insert((self.now, time));
        Some(self.now)
    }

    /// How long the whole work goes on, if it goes on as it did; none as long as that is a guess.
    pub fn left(&self, time: Duration) -> Option<Duration> {
        let (first, since) = self.first?;
        let (done, took) = (self.now - first, time.saturating_sub(since));
        if took < SOONEST || done < LEAST {
            return None;
        }
        Duration::try_from_secs_f64(took.as_secs_f64() * (1.0 - self.now) / done).ok()
    }
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

/// Characters of the bar, at least and at most.
const NARROWEST: usize = 10;
const WIDEST: usize = 30;

/// A line of less than so many characters: the stage, how much of the whole is done and how long it
/// goes on, and of these facts those that there is room for, the first ones first.
pub fn line(
    stage: &str,
    done: Option<f64>,
    left: Option<Duration>,
    facts: &[String],
    columns: usize,
) -> String {
    let mut head = format!("{stage:>8}");
    if let Some(done) = done {
        // All is done when the work has ended, and then there is no line.
        head += &format!(" {:>3}%", ((done * 100.0) as u32).min(99));
    }
    let mut tail = left.map_or_else(String::new, |left| format!("  {} left", clock(left)));
    let most = columns.saturating_sub(1);
    let length = |text: &str| text.chars().count();
    let bar =
        if done.is_some() && length(&head) + 3 + NARROWEST <= most { NARROWEST + 3 } else { 0 };
    for fact in facts {
        let joint = if tail.is_empty() || tail.ends_with("left") { "  " } else { ", " };
        if length(&head) + bar + length(&tail) + joint.len() + length(fact) > most {
            break;
        }
        tail += joint;
        tail += fact;
    }
    if let (Some(done), true) = (done, bar > 0) {
        let room = most.saturating_sub(length(&head) + length(&tail) + 3);
        let width = room.min(WIDEST);
        let full = ((done * width as f64) as usize).min(width);
        head += &format!(" [{}{}]", "#".repeat(full), "-".repeat(width - full));
    }
    (head + &tail).chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEGS: [Leg; 3] =
        [Leg::new("reading", 6.0, 1), Leg::new("sorting", 1.0, 1), Leg::new("writing", 3.0, 2)];

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn stages_and_tables_never_begin_again_from_nothing() {
        let mut course = Course::new(&LEGS);
        let mut last = 0.0;
        let heard = [
            ("reading", 0, 0.0),
            ("reading", 50, 0.3),
            ("reading", 100, 0.6),
            ("sorting", 0, 0.6),
            ("sorting", 100, 0.7),
            // Threads out of step, another time through the same stage, and a stage that is not
            // in the plan.
            ("sorting", 99, 0.7),
            ("sorting", 10, 0.7),
            ("checking", 10, 0.7),
            ("writing", 100, 0.85),
            ("writing", 0, 0.85),
            ("writing", 50, 0.925),
            ("reading", 0, 0.925),
            ("writing", 100, 1.0),
            ("writing", 3, 1.0),
        ];
        for (number, (name, done, expected)) in heard.into_iter().enumerate() {
            let now = course.hear(name, done, 100, seconds(number as u64)).unwrap();
            assert!((now - expected).abs() < 1e-9 && now >= last, "{number}: {name}: {now}");
            last = now;
        }
        assert_eq!(Course::new(&[]).hear("reading", 1, 2, seconds(1)), None);
    }

    #[test]
    fn the_time_left_is_that_of_the_whole() {
        let mut course = Course::new(&LEGS);
        course.hear("reading", 0, 100, seconds(0));
        assert_eq!(course.left(seconds(10)), None);
        course.hear("reading", 50, 100, seconds(30));
        assert_eq!(course.left(seconds(30)), Some(seconds(70)));
        assert_eq!(course.left(seconds(1)), None);
        // What a resumed build had done before took no time now.
        let mut resumed = Course::new(&[Leg::new("reading", 1.0, 1)]);
        resumed.hear("reading", 50, 100, seconds(0));
        resumed.hear("reading", 75, 100, seconds(10));
        assert_eq!(resumed.left(seconds(10)), Some(seconds(10)));
    }

    #[test]
    fn a_line_fits_any_terminal_and_facts_go_last_ones_first() {
        let facts = ["118 MB of 277 MB", "52 MB/s", "123,456 games", "1.2 GB of memory"];
        let facts: Vec<String> = facts.map(str::to_owned).to_vec();
        let at = |columns| line("reading", Some(0.43), Some(seconds(130)), &facts, columns);
        for columns in 0..200 {
            assert!(at(columns).chars().count() <= columns.saturating_sub(1), "{columns}");
        }
        assert_eq!(
            at(80),
            " reading  43% [####------]  2:10 left  118 MB of 277 MB, 52 MB/s, 123,456 games"
        );
        assert_eq!(at(50), " reading  43% [#########-------------]  2:10 left");
        assert_eq!(at(20), " reading  43%  2:10");
        assert!(at(120).ends_with("1.2 GB of memory"));
        assert_eq!(line("walking", None, None, &facts[1..2], 80), " walking  52 MB/s");
        let full = format!(" writing  99% [{}]", "#".repeat(30));
        assert_eq!(line("writing", Some(1.0), None, &[], 50), full);
    }

    #[test]
    fn times_are_told_as_clocks_do() {
        assert_eq!([3, 130, 3723].map(|time| clock(seconds(time))), ["0:03", "2:10", "1:02:03"]);
    }
}
