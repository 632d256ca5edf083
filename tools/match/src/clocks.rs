//! The clocks of a game.

use std::time::Duration;
use tabia_engines::{Clock, TimeControl};
use tabia_games::Side;

/// Two clocks.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    made: [u32; 2],
}

impl Clocks {
    /// As they are when a game begins.
    pub fn new(control: TimeControl) -> Self {
        let start =
            control.base + if control.base.is_zero() { control.increment } else { Duration::ZERO };
        Self { control, left: [start; 2], made: [0; 2] }
    }

    /// What they show a side before its move.
    pub fn shown(&self, side: Side) -> Clock {
        let moves_to_go = self.control.moves.map(|moves| moves - self.made[side.index()] % moves);
        Clock { control: self.control, left: self.left, moves_to_go }
    }

    /// A side has moved. Whether it was in time, if being late by this much is forgiven.
    pub fn spend(&mut self, side: Side, took: Duration, margin: Duration) -> bool {
        let (left, made) = (&mut self.left[side.index()], &mut self.made[side.index()]);
        let in_time = took <= *left + margin;
        *made += 1;
        *left = left.saturating_sub(took) + self.control.increment;
        if self.control.moves.is_some_and(|moves| made.is_multiple_of(moves)) {
            *left += self.control.base;
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn time_is_spent_and_given() {
        let mut clocks = Clocks::new("2/10+1".parse().unwrap());
        assert_eq!(clocks.shown(Side::Second).moves_to_go, Some(2));
        assert!(clocks.spend(Side::First, millis(4000), millis(0)));
        assert_eq!(
            (clocks.shown(Side::First).of(Side::First), clocks.shown(Side::First).moves_to_go),
            (millis(7000), Some(1))
        );
        let holds = clocks.spend(Side::First, millis(7050), millis(100));
        assert!(holds, "late by less than the margin");
        let found = clocks.shown(Side::First).of(Side::First);
        assert_eq!(found, millis(11_000), "ten seconds for the next two moves, and one more");
        assert!(!clocks.spend(Side::First, millis(11_200), millis(100)));
        assert_eq!(clocks.shown(Side::First).of(Side::Second), millis(10_000));
    }
}
