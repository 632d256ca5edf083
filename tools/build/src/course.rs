//! How far long work of several stages has come as a whole, and how long it goes on.

use std::time::Duration;

/// How long the work has to go on before its end is estimated.
const SOONEST: Duration = Duration::from_secs(2);
/// The part of the work that has to be done before.
const LEAST: f64 = 0.005;

/// A stage of long work.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    /// Its name.
    pub name: &'static str,
    /// The share of the whole time that it takes, roughly: only ratios count.
    pub weight: f64,
}

impl Leg {
    /// A stage and its weight.
    pub const fn new(name: &'static str, weight: f64) -> Self {
        Self { name, weight }
    }
}

/// The stages of long work, in order, and how far it has come.
#[derive(Debug)]
pub struct Course {
    legs: Vec<Leg>,
    /// The leg that the work is in, and how much of it was done.
    leg: usize,
    done: f64,
    /// Of all the work, how much was done when it was first told, when that was, and now.
    first: Option<(f64, Duration)>,
    now: f64,
}

impl Course {
    /// Work of these stages, some of which may be left out; what is gone through several times,
    /// such as once a table, is there as often. Of work without stages nothing can be said.
    pub fn new(legs: &[Leg]) -> Self {
        Self { legs: legs.to_vec(), leg: 0, done: 0.0, first: None, now: 0.0 }
    }

    /// Hears how much of a stage is done, after this time; the part of the whole that is done, which
    /// never becomes less. None if it isn't known.
    pub fn hear(&mut self, name: &str, done: u64, total: u64, time: Duration) -> Option<f64> {
        let from = |first: usize| {
            let further = self.legs.iter().skip(first).position(|leg| leg.name == name);
            further.map(|further| first + further)
        };
        let part = if total == 0 { 0.0 } else { (done as f64 / total as f64).min(1.0) };
        self.leg = match from(self.leg) {
            // Threads may be out of step a little; half of it is another time.
            Some(leg) if leg == self.leg && part < self.done / 2.0 => from(leg + 1).unwrap_or(leg),
            Some(leg) => leg,
            None if self.legs.is_empty() => return None,
            None => return Some(self.now),
        };
        self.done = part;
        let weights = |legs: &[Leg]| legs.iter().map(|leg| leg.weight).sum::<f64>();
        let before = weights(&self.legs[..self.leg]);
        let whole = (before + self.legs[self.leg].weight * part) / weights(&self.legs);
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

#[cfg(test)]
mod tests {
    use super::*;

    const LEGS: [Leg; 4] = [
        Leg::new("reading", 6.0),
        Leg::new("sorting", 1.0),
        Leg::new("writing", 1.5),
        Leg::new("writing", 1.5),
    ];

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

    /// M1: the games are written before the rows, in stages of the same names.
    #[test]
    fn m1_stages_that_come_again_count_each_time() {
        let (games, rows) =
            ([("counting", 1.0), ("writing", 2.0)], [("counting", 3.0), ("writing", 4.0)]);
        let legs: Vec<Leg> =
            games.iter().chain(&rows).map(|&(name, weight)| Leg::new(name, weight)).collect();
        let mut course = Course::new(&legs);
        let heard = [
            // How many games there are isn't known while they are counted.
            ("counting", 5, 0, 0.0),
            ("writing", 5, 10, 0.2),
            ("writing", 10, 10, 0.3),
            ("counting", 0, 10, 0.3),
            ("counting", 10, 10, 0.6),
            ("writing", 5, 10, 0.8),
        ];
        for (name, done, total, expected) in heard {
            let now = course.hear(name, done, total, seconds(1)).unwrap();
            assert!((now - expected).abs() < 1e-9, "{name} {done}: {now}");
        }
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
        let mut resumed = Course::new(&[Leg::new("reading", 1.0)]);
        resumed.hear("reading", 50, 100, seconds(0));
        resumed.hear("reading", 75, 100, seconds(10));
        assert_eq!(resumed.left(seconds(10)), Some(seconds(10)));
    }
}
