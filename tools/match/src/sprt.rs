//! When a match has shown enough: the sequential probability ratio test of its pairs of games.

use crate::facts::Facts;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// What counts instead of no pair at all, so that no result of a pair is impossible.
const UNSEEN: f64 = 1e-3;
/// Halvings of an interval until nothing is left of it.
const HALVINGS: u32 = 64;

/// Two hypotheses on how much stronger the first engine is, and how often a test may err.
///
/// As text it is `ELO0:ELO1`, or `ELO0:ELO1:ALPHA:BETA`; both errors are 0.05 if not given. Elo is
/// that of the score (logistic).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The Elo of H0 and, which is more, of H1.
    elo: [f64; 2],
    /// How often H1 may be accepted where H0 is true, and H0 where H1 is true.
    errors: [f64; 2],
}

/// A text that says no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` says no test: write ELO0:ELO1 or ELO0:ELO1:ALPHA:BETA, the first Elo below the second, \
     both from -1000 to 1000, the errors between 0 and 0.5"
)]
pub struct BadSprt(String);

impl FromStr for Sprt {
    type Err = BadSprt;

    fn from_str(text: &str) -> Result<Self, BadSprt> {
        let bad = || BadSprt(text.to_owned());
        let numbers: Result<Vec<f64>, _> = text.split(':').map(str::parse).collect();
        let (elo, errors) = match numbers.map_err(|_| bad())?[..] {
            [elo0, elo1] => ([elo0, elo1], [0.05; 2]),
            [elo0, elo1, alpha, beta] => ([elo0, elo1], [alpha, beta]),
            _ => return Err(bad()),
        };
        let is_sound = elo.iter().all(|elo| (-1000.0..=1000.0).contains(elo))
            && elo[0] < elo[1]
            && errors.iter().all(|&error| error > 0.0 && error < 0.5);
        is_sound.then_some(Self { elo, errors }).ok_or_else(bad)
    }
}

impl Sprt {
    /// The logarithms of the likelihood ratio at which H0 and H1 are accepted (Wald 1945).
    pub fn bounds(&self) -> [f64; 2] {
        let [alpha, beta] = self.errors;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The logarithm of the likelihood of H1 over that of H0, when so many pairs gave the first
    /// engine 0, 0.5, 1, 1.5 and 2 points.
    ///
    /// It is the generalized test (Li, Liu and Ying 2014, "Generalized sequential probability ratio
    /// test for separate families of hypotheses"): each hypothesis is as likely as the likeliest
    /// distribution of pairs with its score, which is found as in Van den Bergh's "Maximum
    /// likelihood estimation for multinomial distributions" for Fishtest. It knows no draw ratio
    /// and no bias of openings beforehand.
    pub fn log_likelihood_ratio(&self, pairs: [u32; 5]) -> f64 {
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
        let [h0, h1] = self.elo.map(|elo| likeliest(counts, score(elo)));
        (0..5).map(|at| counts[at] * (h1[at] / h0[at]).ln()).sum()
    }
}

/// The score at which this difference in Elo is expected.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The likeliest distribution of pairs with this score, where so many were seen.
///
/// It is `p / (1 + t (a - score))` for the shares p seen of the scores a, with the t that gives it
/// this score: the sum falls with t between the two where a share would be infinite.
fn likeliest(counts: [f64; 5], score: f64) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let away = |at: usize| at as f64 / 4.0 - score;
    let share = |at: usize, t: f64| counts[at] / total / (1.0 + t * away(at));
    let [mut low, mut high] = [-1.0 / (1.0 - score), 1.0 / score];
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if (0..5).map(|at| share(at, middle) * away(at)).sum::<f64>() > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    [0, 1, 2, 3, 4].map(|at| share(at, f64::midpoint(low, high)))
}

/// What is held for true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Hypothesis {
    /// The first engine is stronger by the lower Elo at most.
    H0,
    /// It is stronger by the higher Elo at least.
    H1,
}

/// How far a test has come. It takes the pairs of games in their order, up to the first that isn't
/// whole, and none after its decision: the order in which games end changes nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    #[serde(flatten)]
    test: Sprt,
    /// At which logarithms of the likelihood ratio H0 and H1 are accepted.
    pub bounds: [f64; 2],
    /// Where it stands.
    pub log_likelihood_ratio: f64,
    /// How many games that follows from, from the first one on.
    pub games: u32,
    /// How many pairs of them gave the first engine 0, 0.5, 1, 1.5 and 2 points.
    pub pairs: [u32; 5],
    /// What is accepted; none if nothing is decided yet.
    pub accepted: Option<Hypothesis>,
}

impl SprtReport {
    /// A test that has seen nothing.
    pub fn new(test: Sprt) -> Self {
        Self {
            test,
            bounds: test.bounds(),
            log_likelihood_ratio: 0.0,
            games: 0,
            pairs: [0; 5],
            accepted: None,
        }
    }

    /// Takes those of these games, by their numbers, that it hasn't seen; whether it is decided.
    pub fn advance(&mut self, games: &BTreeMap<u32, Facts>) -> bool {
        while self.accepted.is_none()
            && let Some(one) = games.get(&(self.games + 1))
            && let Some(other) = games.get(&(self.games + 2))
        {
            self.count(one.half_points() + other.half_points());
        }
        self.accepted.is_some()
    }

    /// Takes a pair.
    fn count(&mut self, half_points: u32) {
        self.games += 2;
        self.pairs[half_points as usize] += 1;
        self.log_likelihood_ratio = self.test.log_likelihood_ratio(self.pairs);
        let [low, high] = self.bounds;
        self.accepted = match self.log_likelihood_ratio {
            ratio if ratio <= low => Some(Hypothesis::H0),
            ratio if ratio >= high => Some(Hypothesis::H1),
            _ => None,
        };
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.accepted {
            None => f.write_str("undecided")?,
            Some(hypothesis) => write!(f, "{hypothesis:?} accepted")?,
        }
        let Sprt { elo: [elo0, elo1], errors: [alpha, beta] } = self.test;
        let [low, high] = self.bounds;
        write!(
            f,
            " after {} games: LLR {:.2} of {low:.2} to {high:.2}; Elo {elo0} (H0) or {elo1} (H1), \
             errors {alpha} and {beta}",
            self.games, self.log_likelihood_ratio
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::mix;

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn known_figures() {
        // Computed with Python's decimal, 40 digits: the likelihood is maximized with both
        // multipliers of Lagrange by Newton's method, and its derivatives are 0 to 25 digits.
        for (test, pairs, ratio) in [
            ("0:5", [2, 10, 20, 15, 3], 0.199_329_273),
            ("0:10", [100, 400, 1000, 500, 120], 5.414_019_478),
            ("0:5", [0, 0, 7, 3, 0], 0.142_765_878),
            ("-3:1", [30, 50, 10, 20, 5], -0.978_348_841),
            ("0:5", [0, 0, 0, 0, 40], 0.571_532_673),
            ("-20:20", [1, 0, 0, 0, 1], 0.0),
        ] {
            let found = sprt(test).log_likelihood_ratio(pairs);
            assert!((found - ratio).abs() < 1e-8, "{test} {pairs:?}: {found}, not {ratio}");
        }
        let close = |found: [f64; 2], wanted: [f64; 2]| {
            (0..2).all(|at| (found[at] - wanted[at]).abs() < 1e-9)
        };
        assert!(close(sprt("0:5").bounds(), [-2.944_438_979, 2.944_438_979]));
        assert!(close(sprt("0:5:0.02:0.1").bounds(), [-2.282_382_386, 3.806_662_490]));
    }

    #[test]
    fn it_errs_as_seldom_as_it_is_asked_to() {
        // How often H1 is accepted where the first engine has this Elo, in tests of 0:40.
        let accepted = |elo: f64| {
            let more = score(elo) - 0.5;
            let shares = [0.08 - more, 0.22, 0.4, 0.22, 0.08 + more];
            let mut drawn = 0;
            let tests = (0..1000).filter(|_| {
                let mut test = SprtReport::new(sprt("0:40:0.05:0.1"));
                while test.accepted.is_none() {
                    drawn += 1;
                    let mut left = (mix(drawn) >> 11) as f64 / (1_u64 << 53) as f64;
                    let pair = (0..4).find(|&at| {
                        left -= shares[at as usize];
                        left < 0.0
                    });
                    test.count(pair.unwrap_or(4));
                }
                test.accepted == Some(Hypothesis::H1)
            });
            tests.count() as f64 / 1000.0
        };
        let [false_h1, false_h0] = [accepted(0.0), 1.0 - accepted(40.0)];
        assert!((0.025..0.065).contains(&false_h1), "{false_h1}");
        assert!((0.060..0.120).contains(&false_h0), "{false_h0}");
    }

    #[test]
    fn only_whole_pairs_from_the_first_on_decide() {
        let game = |game: u32| {
            let (side, result) = if game % 2 == 1 { ("first", "1-0") } else { ("second", "0-1") };
            let text = format!(
                "tabia-match 1 contest=7 game={game} opening=1 first={side} result={result} \
                 reason=checkmate plies=9 from=0 moves=5,4 book=0,0 micros=1,2"
            );
            (game, crate::facts::read(&text).unwrap())
        };
        let mut games: BTreeMap<_, _> = (3..=400).map(game).collect();
        let mut test = SprtReport::new(sprt("0:100"));
        assert!(!test.advance(&games) && test.games == 0, "{test}");
        games.insert(1, game(1).1);
        assert!(!test.advance(&games) && test.games == 0, "{test}");
        games.insert(2, game(2).1);
        assert!(test.advance(&games) && test.accepted == Some(Hypothesis::H1), "{test}");
        let decided = test.clone();
        assert!(test.advance(&games) && test == decided && test.games < 100, "{test}");
        assert!(test.to_string().starts_with("H1 accepted after "), "{test}");
    }

    #[test]
    fn what_is_no_test_is_refused() {
        assert_eq!(sprt("-3:1").errors, [0.05; 2]);
        let bad = " 0 0:0 5:0 0:5:0.05 0:5:0:0.05 0:5:0.05:0.5 0:nan 0:inf 0:5:nan:0.05 -1001:0 \
             0:5:0.05:0.05:1 0:5: a:b";
        for bad in bad.split(' ') {
            assert_eq!(bad.parse::<Sprt>(), Err(BadSprt(bad.to_owned())));
        }
    }
}
