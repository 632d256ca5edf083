//! Ending games early that both engines think are over.

use std::str::FromStr;
use tabia_engines::Eval;
use tabia_games::{Outcome, Side};

/// When games are ended by what the engines think of them; never if nothing is said. A move without
/// an eval, such as one from a book, is no opinion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// When a game counts as won.
    pub win: Option<WinRule>,
    /// When a game counts as drawn.
    pub draw: Option<DrawRule>,
}

/// A game is won if both engines have said so for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    /// In hundredths of the game's unit, at least.
    pub eval: i32,
    /// For this many moves of each side.
    pub moves: u32,
}

/// A game is drawn if both engines have said so for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// In hundredths of the game's unit, at most, for either side.
    pub eval: i32,
    /// For this many moves of each side.
    pub moves: u32,
    /// Not before this many moves of each side.
    pub after: u32,
}

/// A text that is no rule of adjudication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` says no rule: write {expected}")]
pub struct BadAdjudication {
    text: String,
    expected: &'static str,
}

/// The whole numbers that a text has between colons.
fn numbers<const N: usize>(
    text: &str,
    expected: &'static str,
) -> Result<[u32; N], BadAdjudication> {
    let bad = || BadAdjudication { text: text.to_owned(), expected };
    let numbers: Result<Vec<u32>, _> = text.split(':').map(str::parse).collect();
    let numbers: [u32; N] = numbers.map_err(|_| bad())?.try_into().map_err(|_| bad())?;
    if numbers.iter().all(|number| *number <= 30_000) && numbers[1] > 0 {
        Ok(numbers)
    } else {
        Err(bad())
    }
}

impl FromStr for WinRule {
    type Err = BadAdjudication;

    fn from_str(text: &str) -> Result<Self, BadAdjudication> {
        let [eval, moves] = numbers(text, "EVAL:MOVES, as in 600:4")?;
        Ok(Self { eval: eval as i32, moves })
    }
}

impl FromStr for DrawRule {
    type Err = BadAdjudication;

    fn from_str(text: &str) -> Result<Self, BadAdjudication> {
        let [eval, moves, after] = numbers(text, "EVAL:MOVES:AFTER, as in 10:8:40")?;
        Ok(Self { eval: eval as i32, moves, after })
    }
}

/// What both engines think of a game, ply by ply.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evals {
    /// As the first player sees them, in hundredths.
    evals: Vec<Option<i32>>,
}

/// More than any eval that is no mate.
const MATE: i32 = 1_000_000;

impl Evals {
    /// What the side that just moved thought.
    pub fn add(&mut self, side: Side, eval: Option<Eval>) {
        let own = eval.map(|eval| match eval {
            Eval::Hundredths(value) => value.clamp(-MATE, MATE),
            Eval::Mate(moves) if moves > 0 => MATE,
            Eval::Mate(_) => -MATE,
        });
        self.evals.push(own.map(|value| if side == Side::First { value } else { -value }));
    }

    /// The outcome that both sides have agreed on for long enough, after `plies` plies of the game.
    pub fn agreed(&self, rules: &Adjudication, plies: usize) -> Option<Outcome> {
        let all = |moves: u32, holds: &dyn Fn(i32) -> bool| {
            let count = 2 * moves as usize;
            self.evals.len() >= count
                && self.evals[self.evals.len() - count..].iter().all(|eval| eval.is_some_and(holds))
        };
        if let Some(WinRule { eval, moves }) = rules.win {
            for (sign, outcome) in [(1, Outcome::FirstWins), (-1, Outcome::SecondWins)] {
                if all(moves, &|value| sign * value >= eval) {
                    return Some(outcome);
                }
            }
        }
        let DrawRule { eval, moves, after } = rules.draw?;
        (plies >= 2 * after as usize && all(moves, &|value| value.abs() <= eval))
            .then_some(Outcome::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evals(own: &[Option<i32>]) -> Evals {
        let mut evals = Evals::default();
        for (ply, eval) in own.iter().enumerate() {
            evals.add([Side::First, Side::Second][ply % 2], eval.map(Eval::Hundredths));
        }
        evals
    }

    #[test]
    fn both_must_agree_for_all_the_moves() {
        let rules = Adjudication { win: "600:2".parse().ok(), draw: "10:2:3".parse().ok() };
        let agreed = |own: &[Option<i32>], plies| evals(own).agreed(&rules, plies);
        let found = agreed(&[Some(700), Some(-650), Some(600), Some(-900)], 4);
        assert_eq!(found, Some(Outcome::FirstWins));
        let found = agreed(&[Some(-700), Some(650), Some(-600), Some(900)], 4);
        assert_eq!(found, Some(Outcome::SecondWins));
        assert_eq!(agreed(&[Some(700), Some(-650), Some(600), Some(-599)], 4), None);
        assert_eq!(agreed(&[Some(700), None, Some(600), Some(-700)], 4), None);
        assert_eq!(agreed(&[Some(-650), Some(600), Some(-700)], 4), None, "too few");
        assert_eq!(agreed(&[Some(5), Some(-10), Some(0), Some(10)], 6), Some(Outcome::Draw));
        assert_eq!(agreed(&[Some(5), Some(-10), Some(0), Some(10)], 5), None, "too early");
    }

    #[test]
    fn rules_are_numbers_between_colons() {
        assert_eq!("600:4".parse(), Ok(WinRule { eval: 600, moves: 4 }));
        assert_eq!("10:8:40".parse(), Ok(DrawRule { eval: 10, moves: 8, after: 40 }));
        for bad in ["", "600", "600:0", "a:b", "-1:4", "600:4:1", "99999:1"] {
            assert!(bad.parse::<WinRule>().is_err(), "{bad}");
        }
    }
}
