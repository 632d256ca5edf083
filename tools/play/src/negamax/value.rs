//! What a position is worth.

use crate::score::lower_bound;
use std::fmt;
use std::ops::{Neg, RangeInclusive};
use tabia::Counts;

/// What a position is worth to one of the sides: a number in the graph's [`Unit`], or a sure win or
/// loss, which are better and worse than any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(i32);

impl Value {
    /// More than any number: Buro's plus infinity.
    pub const WIN: Self = Self(i16::MAX as i32 + 1);
    /// Less than any number: Buro's minus infinity.
    pub const LOSS: Self = Self(-Self::WIN.0);
    /// Less than what anything else is worth that isn't lost for sure.
    pub const WORST: Self = Self(-(i16::MAX as i32));
    /// A draw, and as good for one side as for the other.
    pub const EVEN: Self = Self(0);
    /// Numbers beyond this, on either side, are mates in so many plies: 32,000 less the plies, as
    /// archives are read and as programs write them.
    pub const MOST: i16 = 30_000;
    /// A number. `i16::MIN`, which rows have for "none", counts as one more.
    pub fn new(number: i16) -> Self {
        Self(i32::from(number.max(-i16::MAX)))
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<i16> {
        i16::try_from(self.0).ok().filter(|_| !self.is_sure())
    }

    /// Whether it is a win or a loss.
    pub fn is_sure(self) -> bool {
        self == Self::WIN || self == Self::LOSS
    }

    /// The least value that is at most so much worse. What is sure is worth nothing else.
    pub fn less(self, tolerance: u16) -> Self {
        if self.is_sure() {
            self
        } else {
            Self((self.0 - i32::from(tolerance)).max(Self::LOSS.0 + 1))
        }
    }

    /// The same seen from a move earlier: a mate is one ply further away, anything else is what it
    /// was. A mate never becomes so long that it is none.
    pub fn a_move_earlier(self) -> Self {
        match self.number() {
            Some(number) if number > Self::MOST + 1 => Self(self.0 - 1),
            Some(number) if number < -Self::MOST - 1 => Self(self.0 + 1),
            _ => self,
        }
    }

    /// The same seen from a move earlier, if that brings it nearer to this value.
    pub(crate) fn a_move_nearer(self, to: Self) -> Self {
        let earlier = self.a_move_earlier();
        if (self > to) == (earlier < self) { earlier } else { self }
    }

    /// Bounds for all positions on a line, of those where it begins: mates come nearer on the way.
    pub(crate) fn on_a_line(bounds: RangeInclusive<Self>) -> RangeInclusive<Self> {
        let (least, most) = bounds.into_inner();
        let is_mate = |value: Self| !value.is_sure() && value.0.abs() > i32::from(Self::MOST);
        let least = if is_mate(least) && least < Self::EVEN { -Self::new(i16::MAX) } else { least };
        let most = if is_mate(most) && most > Self::EVEN { Self::new(i16::MAX) } else { most };
        least..=most
    }
}

impl Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::WIN => f.pad("win"),
            Self::LOSS => f.pad("loss"),
            Self(number) => fmt::Display::fmt(&number, f),
        }
    }
}

/// A number, or in words.
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number() {
            Some(number) => serializer.serialize_i16(number),
            None => serializer.collect_str(self),
        }
    }
}

/// What values are told in. A graph has one: evals and scores are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The evals of positions, in the game's own unit: centipawns, discs ...
    Eval,
    /// The score of the games that came to a position, which means the same in all phases of a game
    /// (Buro 1999, footnote 5): 10,000 for nothing but wins, 0 for as many wins as losses, -10,000
    /// for nothing but losses.
    Score,
}

impl Unit {
    /// Of a score of 1, in the unit of scores.
    const WHOLE: i128 = 10_000;

    /// What `wins` less `losses` of so many games are worth, with so many games more that are
    /// drawn: few games don't prove much. None without games.
    ///
    /// With one game more this is the regularized rate of Gaudel et al. 2010 (Algorithm 5), with
    /// 200 more that of their Reg2, both moved so that one half is 0.
    pub fn score(won: i64, games: u64, prior: u32) -> Option<Value> {
        let score = Self::WHOLE * i128::from(won) / (i128::from(games) + i128::from(prior)).max(1);
        (games > 0).then(|| Value(score.clamp(-Self::WHOLE, Self::WHOLE) as i32))
    }

    /// What games that came to a position say of it at least in favor of the side that isn't to
    /// move, which chose to go there: few games are held against it. None without games.
    ///
    /// It is the lower end of the 95 % interval of Wilson (1927) for that side's score, with draws
    /// as half a win, seen by the side to move: the same as
    /// [`Criterion::Wilson`](crate::choice::Criterion::Wilson) has for a move that leads there, so
    /// that a move of one game is worth less than one that scored a little worse in a hundred.
    pub fn bound(won: i64, games: u64) -> Option<Value> {
        let n = games as f64;
        let score = (0.5 - won as f64 / (2.0 * n)).clamp(0.0, 1.0);
        let value = (1.0 - 2.0 * lower_bound(score, n)) * Self::WHOLE as f64;
        (games > 0).then(|| Value(value.round() as i32))
    }

    /// The part of all points that a number stands for which was told from a record.
    pub fn part(number: i16) -> f64 {
        0.5 + f64::from(number) / (2 * Self::WHOLE) as f64
    }

    /// What the games of a position are worth to the side to move: by [`Unit::score`] with so many
    /// drawn games added, or by [`Unit::bound`] if no number is given.
    pub fn record(won: i64, games: u64, prior: Option<u32>) -> Option<Value> {
        match prior {
            Some(prior) => Self::score(won, games, prior),
            None => Self::bound(won, games),
        }
    }

    /// What the games that these counts tell are worth, as [`Unit::record`] says.
    pub fn record_of(counts: Counts, prior: Option<u32>) -> Option<Value> {
        Self::record(i64::from(counts.wins) - i64::from(counts.losses), counts.games(), prior)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_losses_are_beyond_all_numbers() {
        assert!(
            Value::new(i16::MAX) < Value::WIN
                && Value::LOSS < Value::new(i16::MIN)
                && -Value::WIN == Value::LOSS
        );
        let found = [Value::WIN, Value::LOSS, Value::new(-7)].map(|value| value.to_string());
        assert_eq!(found, ["win", "loss", "-7"]);
        assert_eq!([Value::WIN, Value::new(-7)].map(Value::number), [None, Some(-7)]);
    }

    #[test]
    fn a_mate_is_further_away_from_a_move_earlier() {
        let earlier = |number: i16| Value::new(number).a_move_earlier().number();
        assert_eq!([31_997, -31_990].map(earlier), [Some(31_996), Some(-31_989)]);
        for same in [30_001, 30_000, 25, 0, -30_000, -30_001] {
            assert_eq!(earlier(same), Some(same), "{same} is no mate, or the longest");
        }
        assert_eq!((earlier(i16::MAX), Value::WIN.a_move_earlier()), (Some(32_766), Value::WIN));
        let [won, lost] = [31_990, -31_990].map(Value::new);
        assert_eq!(won.a_move_nearer(Value::EVEN), Value::new(31_989));
        assert_eq!((won.a_move_nearer(Value::WIN), lost.a_move_nearer(Value::LOSS)), (won, lost));
        assert_eq!(lost.a_move_nearer(Value::WIN), Value::new(-31_989));
        let on_a_line = |least: i16, most: i16| {
            let bounds = Value::on_a_line(Value::new(least)..=Value::new(most));
            (bounds.start().number(), bounds.end().number())
        };
        assert_eq!(on_a_line(-20, 31_990), (Some(-20), Some(i16::MAX)));
        assert_eq!(on_a_line(-31_990, 50), (Some(-i16::MAX), Some(50)));
    }

    #[test]
    fn a_tolerance_never_makes_a_loss_of_a_number() {
        assert_eq!(Value::new(3).less(5), Value::new(-2));
        assert_eq!(Value::new(-32_000).less(u16::MAX), Value::new(-i16::MAX));
        assert_eq!((Value::WIN.less(9), Value::LOSS.less(9)), (Value::WIN, Value::LOSS));
    }

    #[test]
    fn scores_are_those_of_gaudel_around_one_half() {
        let score = |wins, draws, losses, prior| {
            Unit::record_of(Counts { wins, draws, losses }, Some(prior)).map(|value| value.0)
        };
        // (2 + 1/2) / (3 + 1) = 0.625: half of 0.25 above one half of 0.5.
        assert_eq!(score(2, 0, 1, 1), Some(2500));
        assert_eq!(score(1, 0, 0, 1), Some(5000));
        assert_eq!(score(0, 0, 1, 1), Some(-5000));
        assert_eq!(score(7, 3, 7, 200), Some(0));
        assert_eq!(score(0, 0, 0, 1), None);
        assert_eq!(score(u32::MAX, 0, 0, 0), Some(10_000));
        assert_eq!(score(1, 0, 2, 0), Some(-3333), "toward 0 on both sides");
    }

    #[test]
    fn a_record_is_the_lower_end_for_the_side_that_went_there() {
        use crate::choice::{Criterion, Reached};
        for (wins, draws, losses) in
            [(0, 0, 1), (1, 0, 0), (3, 4, 5), (70, 3, 150), (0, 9, 0), (u32::MAX, 7, u32::MAX)]
        {
            let counts = Counts { wins, draws, losses };
            let by_mover = Counts { wins: losses, draws, losses: wins };
            let known = Reached { counts: by_mover, ..Reached::default() };
            let lower = Criterion::Wilson.of(&known).unwrap().to_f64();
            let expected = ((1.0 - 2.0 * lower) * 1e4).round() as i32;
            assert_eq!(Unit::record_of(counts, None).map(|value| value.0), Some(expected));
        }
        let [once, often] = [(0, 1), (45, 55)]
            .map(|(wins, losses)| Unit::record_of(Counts { wins, draws: 0, losses }, None));
        assert!(often < once, "what lost once is better for the side to move than 45 of 100");
        assert_eq!(Unit::record_of(Counts::default(), None), None);
    }
}
