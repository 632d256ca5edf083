//! What makes one candidate better than another.

use super::surd::{Surd, ratio};
use crate::choice::{Figure, Reached};
use crate::score::half_points;
use tabia::{Flags, Marks, Ratings};

/// What candidates are compared by. Always as the player of the move sees it.
///
/// A draw is half a win. Without games there is no worth, however it is regularized: else a
/// position that nobody ever came to would pass for an even one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Points a game: wins and half the draws, divided by the games. From 0 to 1.
    Score,
    /// (points + a) / (games + b): the score as if b even games had been played before (Gaudel et
    /// al. 2010, Algorithm 5).
    Regularized(Prior),
    /// The score less 2/√games: the lower end of a confidence interval (Gaudel et al. 2010,
    /// Algorithm 2). Below 0 with few games.
    LowerConfidence,
    /// The lower end of the 95 % interval of Wilson (1927); draws are half a win and half a loss.
    Wilson,
    /// Two for a win, one for a draw: the weights of Polyglot's books.
    Points,
    /// Games alone.
    Games,
    /// The eval of the position behind the move, in the game's own unit; a proven win is above all
    /// evals, a proven loss below, a proven draw 0.
    Eval,
    /// The average rating of those who played the move (Fierz 2005).
    Rating,
    /// Their performance rating with it ([`Ratings::performance`]).
    Performance,
    /// Performance less rating ([`Ratings::gain`]).
    Gain,
    /// What annotators said of the move: 3 for `!!`, 2 for `!`, 1 for `!?`, and as much below 0 for
    /// `??`, `?` and `?!`; the sum of the best and the worst that was said. 0 without marks.
    Marks,
}

/// Games that are counted as played before: points and games, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prior {
    /// Points, in hundredths.
    pub points: u32,
    /// Games, in hundredths.
    pub games: u32,
}

impl Prior {
    /// Half a win in one game: Reg.
    pub const EVEN: Self = Self { points: 50, games: 100 };
    /// A hundred wins in two hundred games: Reg2.
    pub const STRONG: Self = Self { points: 10_000, games: 20_000 };
}

/// Above every eval.
const PROVEN: i32 = 1 << 16;

impl Criterion {
    /// What is known of a position or a move is worth so much, if that can be told from it.
    pub fn of(self, known: &Reached) -> Option<Surd> {
        if self == Self::Eval {
            return eval(known).map(|eval| Surd::fraction(eval.into(), 1));
        }
        if self.is_of_ratings() {
            return known.ratings.and_then(|ratings| self.of_ratings(&ratings));
        }
        if self == Self::Marks {
            return Some(Surd::fraction(annotation(known.marks).into(), 1));
        }
        let games = known.counts.games();
        (games > 0).then(|| self.of_counts(half_points(known.counts), games))
    }

    /// Whether such a value is a sure win, than which nothing is better.
    pub(super) fn is_won(self, value: &Surd) -> bool {
        self == Self::Eval && word_of_eval(value.to_f64()) == Some("win")
    }

    /// Whether it is told from the ratings of players.
    pub fn is_of_ratings(self) -> bool {
        matches!(self, Self::Rating | Self::Performance | Self::Gain)
    }

    /// In thousandths of a point, so that logarithms are the same on all machines.
    fn of_ratings(self, ratings: &Ratings) -> Option<Surd> {
        let number = match self {
            Self::Rating => ratings.average(),
            Self::Performance => ratings.performance(),
            _ => ratings.gain(),
        };
        number.map(|number| Surd::fraction((number * 1000.0).round() as i128, 1000))
    }

    /// The games it is told from, and what they are called.
    pub(super) fn games_of(self, known: &Reached) -> (u64, &'static str) {
        if self.is_of_ratings() {
            (known.ratings.map_or(0, |ratings| ratings.games.into()), "rated games")
        } else {
            (known.counts.games(), "games")
        }
    }

    fn of_counts(self, half_points: u64, games: u64) -> Surd {
        let (points, n) = (i128::from(half_points), u128::from(games));
        match self {
            Self::Score => Surd::fraction(points, 2 * n),
            Self::Regularized(prior) => Surd::fraction(
                50 * points + i128::from(prior.points),
                100 * n + u128::from(prior.games),
            ),
            Self::LowerConfidence => Surd::less_root(ratio(points, 2 * n), ratio(4, n)),
            Self::Wilson => wilson(points, n),
            Self::Points => Surd::fraction(points, 1),
            _ => Surd::fraction(n.cast_signed(), 1),
        }
    }

    /// Whether it is a part of the whole, given in percent, and no number of things or eval.
    pub fn is_part(self) -> bool {
        let is_number = matches!(self, Self::Points | Self::Games | Self::Eval | Self::Marks);
        !is_number && !self.is_of_ratings()
    }

    /// What one of it is in the unit of thresholds: hundredths of a percent, or itself.
    pub fn unit(self) -> u16 {
        if self.is_part() { 10_000 } else { 1 }
    }

    /// Its name among the figures of a candidate.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Regularized(_) => "reg",
            Self::LowerConfidence => "lcb",
            Self::Wilson => "wilson",
            Self::Points => "points",
            Self::Games => "games",
            Self::Eval => "eval",
            Self::Rating => "rating",
            Self::Performance => "performance",
            Self::Gain => "gain",
            Self::Marks => "marks",
        }
    }

    /// Such a value as a figure.
    pub fn figure(self, value: &Surd) -> Figure {
        let number = value.to_f64();
        match word_of_eval(number).filter(|_| self == Self::Eval) {
            Some(word) => Figure::Word(word.to_owned()),
            None if self.is_part() => Figure::Score(number),
            None if self.is_of_ratings() => Figure::Value((number * 10.0).round() / 10.0),
            None => Figure::Value(number),
        }
    }

    /// How people read such a value.
    pub fn shown(self, value: &Surd) -> String {
        self.shown_to(value, 1)
    }

    /// Two different values such that the difference shows.
    pub fn shown_apart(self, one: &Surd, other: &Surd) -> (String, String) {
        let shown = |decimals| (self.shown_to(one, decimals), self.shown_to(other, decimals));
        (1..9).map(shown).find(|(one, other)| one != other).unwrap_or_else(|| shown(1))
    }

    fn shown_to(self, value: &Surd, decimals: usize) -> String {
        let number = value.to_f64();
        match self {
            _ if self.is_part() => percent(number, decimals),
            Self::Eval => word_of_eval(number).map_or_else(|| format!("{number:+}"), str::to_owned),
            Self::Gain => format!("{number:+.decimals$}"),
            _ if self.is_of_ratings() => format!("{number:.decimals$}"),
            _ => format!("{number}"),
        }
    }
}

/// What was said of a move, as a number.
fn annotation(marks: Marks) -> i8 {
    let most = |said: [(Marks, i8); 3]| {
        said.into_iter().filter(|(mark, _)| marks.contains(*mark)).map(|(_, number)| number).max()
    };
    let good = most([(Marks::BRILLIANT, 3), (Marks::GOOD, 2), (Marks::INTERESTING, 1)]);
    let bad = most([(Marks::BLUNDER, 3), (Marks::BAD, 2), (Marks::DUBIOUS, 1)]);
    good.unwrap_or(0) - bad.unwrap_or(0)
}

/// A part of the whole as people read it, without zeros at the end.
pub fn percent(part: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", part * 100.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    format!("{text} %")
}

/// Proven evals in words.
fn word_of_eval(eval: f64) -> Option<&'static str> {
    let proven = f64::from(PROVEN);
    if eval >= proven { Some("win") } else { (eval <= -proven).then_some("loss") }
}

/// An eval, or what is proven. Proofs that contradict each other prove nothing.
fn eval(known: &Reached) -> Option<i32> {
    match known.flags & Flags::PROOFS {
        Flags::PROVEN_WIN => Some(PROVEN),
        Flags::PROVEN_DRAW => Some(0),
        Flags::PROVEN_LOSS => Some(-PROVEN),
        _ => known.eval.map(i32::from),
    }
}

/// With z = 1.96 and so z² = 2401/625, p the score:
/// `(p + z²/2n - z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`, here multiplied out.
fn wilson(half_points: i128, games: u128) -> Surd {
    let (h, n) = (ratio(half_points, 1), ratio(games, 1));
    let (z2, two) = (ratio(2401, 625), ratio(2, 1));
    let under = &two * (&n + &z2);
    let spread = &z2 * (&z2 + &h * (&two * &n - &h) / &n) / (&under * &under);
    Surd::less_root((&h + &z2) / under, spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::Counts;

    fn known(wins: u32, draws: u32, losses: u32) -> Reached {
        Reached { counts: Counts::new(wins, draws, losses), ..Reached::default() }
    }

    #[test]
    fn ratings_and_marks_are_what_fierz_lists() {
        // Four games of players rated 2100 against 2000, won three to one.
        let ratings = Ratings { mover_sum: 8400, opponent_sum: 8000, games: 4, score: 6 };
        let rated = Reached { ratings: Some(ratings), ..known(9, 9, 9) };
        let shown = [Criterion::Rating, Criterion::Performance, Criterion::Gain]
            .map(|criterion| criterion.shown(&criterion.of(&rated).unwrap()));
        assert_eq!(shown, ["2100.0", "2190.8", "+90.8"]);
        let said = |marks| {
            Criterion::Marks.of(&Reached { marks, ..known(1, 0, 0) }).unwrap().to_f64() as i8
        };
        let good = [Marks::BRILLIANT, Marks::GOOD, Marks::INTERESTING, Marks::ALWAYS];
        assert_eq!(good.map(said), [3, 2, 1, 0]);
        assert_eq!([Marks::DUBIOUS, Marks::BAD, Marks::BLUNDER].map(said), [-1, -2, -3]);
        assert_eq!(said(Marks::GOOD | Marks::BLUNDER | Marks::DUBIOUS), -1);
    }

    #[test]
    fn no_games_are_worth_nothing_and_saturated_ones_no_trouble() {
        let all = [
            Criterion::Score,
            Criterion::Regularized(Prior::EVEN),
            Criterion::LowerConfidence,
            Criterion::Wilson,
            Criterion::Points,
            Criterion::Games,
            Criterion::Eval,
        ];
        for criterion in all {
            assert_eq!(criterion.of(&known(0, 0, 0)), None);
            let full = criterion.of(&known(u32::MAX, u32::MAX, u32::MAX));
            assert_eq!(full.is_none(), criterion == Criterion::Eval);
            assert!(full.is_none_or(|value| value.to_f64().is_finite()));
        }
    }

    #[test]
    fn proofs_are_above_and_below_all_evals() {
        let of = |eval, flags| {
            Criterion::Eval
                .of(&Reached { eval, flags, ..known(0, 0, 0) })
                .map(|value| Criterion::Eval.shown(&value))
        };
        assert_eq!(of(Some(i16::MAX), Flags::PROVEN_LOSS).as_deref(), Some("loss"));
        assert_eq!(of(None, Flags::PROVEN_WIN | Flags::EXPANDED).as_deref(), Some("win"));
        assert_eq!(of(Some(-12), Flags::PROVEN_DRAW).as_deref(), Some("+0"));
        assert_eq!(of(Some(-12), Flags::PROVEN_WIN | Flags::PROVEN_LOSS).as_deref(), Some("-12"));
        assert_eq!(of(None, Flags::empty()), None);
    }

    #[test]
    fn what_is_below_doesnt_look_equal() {
        let (near, half) = (Surd::fraction(49_999, 100_000), Surd::fraction(1, 2));
        let found = Criterion::Score.shown_apart(&near, &half);
        assert_eq!(found, ("49.999 %".to_owned(), "50.000 %".to_owned()));
        let found = Criterion::Score.shown_apart(&Surd::fraction(4, 9), &half);
        assert_eq!(found, ("44.4 %".to_owned(), "50 %".to_owned()));
        assert_eq!(Criterion::Eval.shown(&Surd::fraction(7, 1)), "+7");
    }

    fn close(criterion: Criterion, known: Reached, expected: f64) {
        let value = criterion.of(&known).unwrap().to_f64();
        let holds = (value - expected).abs() < 1e-12;
        assert!(holds, "{criterion:?} of {known:?}: {value}, not {expected}");
    }

    #[test]
    fn values_are_those_of_the_papers() {
        // 5 wins, 2 draws, 3 losses: 6 points of 10.
        let some = known(5, 2, 3);
        close(Criterion::Score, some, 0.6);
        close(Criterion::Regularized(Prior::EVEN), some, 6.5 / 11.0);
        close(Criterion::Regularized(Prior::STRONG), some, 106.0 / 210.0);
        close(Criterion::Regularized(Prior { points: 150, games: 250 }), some, 7.5 / 12.5);
        close(Criterion::LowerConfidence, some, 0.6 - 2.0 / 10f64.sqrt());
        close(Criterion::Points, some, 12.0);
        close(Criterion::Games, some, 10.0);
        // 10 wins of 10: 10 / (10 + 1.96²); statsmodels' proportion_confint(6, 10, method="wilson")
        // with z = 1.96.
        close(Criterion::Wilson, known(10, 0, 0), 10.0 / 13.8416);
        let (p, n, z) = (0.6f64, 10.0, 1.96f64);
        let expected = (p + z * z / 2.0 / n - z * (p * (1.0 - p) / n + z * z / 4.0 / n / n).sqrt())
            / (1.0 + z * z / n);
        close(Criterion::Wilson, some, expected);
        close(Criterion::Wilson, known(0, 0, 5), 0.0);
    }

    /// The footnote on page 5: 2 of 3 is before 19,999 of 30,000 by the score, and behind it when
    /// regularized.
    #[test]
    fn the_papers_footnote() {
        let (few, many) = (known(2, 0, 1), known(19_999, 0, 10_001));
        assert!(Criterion::Score.of(&few) > Criterion::Score.of(&many));
        assert!(
            Criterion::Regularized(Prior::EVEN).of(&few)
                < Criterion::Regularized(Prior::EVEN).of(&many)
        );
    }
}
