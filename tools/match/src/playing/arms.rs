//! Which move of some is worth more than what the player chooses by itself, by games of its own:
//! halving, with games that no choice before them has seen.

/// How much a move has to be better for, in standard errors of the difference. Of moves whose scores
/// differ by some points from the player's own, a half gains most: with one fifth less is gained, with
/// none a third more of the moves are worse than the player's own.
const SURE: f64 = 0.5;
/// How many times as many games as a position has that one game in twenty comes to, at the most.
const MOST: f64 = 2.0;
/// Games whose score counts as nothing is known of a move yet.
const PRIOR: f64 = 6.0;

/// Scores of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub games: u32,
    /// Points, from 0 to 2 a game.
    pub half_points: u32,
    squares: u32,
}

impl Tally {
    pub fn count(&mut self, half_points: u32) {
        self.games += 1;
        self.half_points += half_points;
        self.squares += half_points * half_points;
    }

    /// Points a game, from 0 to 1; a half where there are none.
    pub fn score(&self) -> f64 {
        if self.games == 0 { 0.5 } else { f64::from(self.half_points) / f64::from(2 * self.games) }
    }

    fn and(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            half_points: self.half_points + other.half_points,
            squares: self.squares + other.squares,
        }
    }

    /// The square of the standard error of its score, with a game lost and a game won besides: no run
    /// of equal results is sure.
    fn variance(&self) -> f64 {
        let games = f64::from(self.games) + 2.0;
        let mean = (f64::from(self.half_points) + 2.0) / 2.0 / games;
        ((f64::from(self.squares) + 4.0) / 4.0 / games - mean * mean) / games
    }
}

/// How many games each arm has in each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rounds([u32; 3]);

impl Rounds {
    /// As many as a position deserves that a game reaches so often: what a game adds falls with the
    /// games that a position has had, so a position that is reached four times as often gets twice as
    /// many.
    pub fn at(reach: f64) -> Self {
        let part = (reach / 0.05).sqrt().min(MOST);
        Self([(16.0, 8), (48.0, 12), (64.0, 24)].map(|(games, least)| {
            let games: f64 = games * part;
            (games.ceil() as u32).max(least)
        }))
    }
}

/// The arms of a position: the first is what the player chooses by itself.
#[derive(Clone, Debug)]
pub(super) struct Arms {
    rounds: Rounds,
    /// Of each arm what was played in each round.
    tallies: Vec<[Tally; 3]>,
    round: usize,
    /// Those that are still played, the first always.
    left: Vec<usize>,
}

impl Arms {
    /// So many arms besides the player's own choice.
    pub fn new(arms: usize, rounds: Rounds) -> Self {
        Self {
            rounds,
            tallies: vec![Default::default(); arms + 1],
            round: 0,
            left: (0..=arms).collect(),
        }
    }

    /// Which arms are to be played how often now; nothing where all is known.
    pub fn wanted(&self) -> Vec<(usize, u32)> {
        let games = self.rounds.0.get(self.round);
        let left = self.left.iter().filter(|_| self.left.len() > 1);
        games.map_or_else(Vec::new, |&games| left.map(|&arm| (arm, games)).collect())
    }

    /// A game of this round.
    pub fn count(&mut self, arm: usize, half_points: u32) {
        self.tallies[arm][self.round].count(half_points);
    }

    fn all(&self, arm: usize) -> Tally {
        self.tallies[arm].into_iter().fold(Tally::default(), Tally::and)
    }

    /// Ends the round: the better ones go on, two of them, then one, and none that seems to be worse
    /// than the player's own choice once that is known by many games.
    pub fn halve(&mut self) {
        let own = self.all(0).score();
        let shrunk = |arm: usize| {
            let tally = self.all(arm);
            (f64::from(tally.half_points) / 2.0 + PRIOR * own) / (f64::from(tally.games) + PRIOR)
        };
        let mut others: Vec<usize> = self.left.iter().copied().filter(|&arm| arm > 0).collect();
        others.sort_by(|&a, &b| shrunk(b).total_cmp(&shrunk(a)).then(a.cmp(&b)));
        others.truncate(if self.round == 0 { 2 } else { 1 });
        if self.round > 0 {
            others.retain(|&arm| shrunk(arm) > own);
        }
        self.round += 1;
        self.left = std::iter::once(0).chain(others).collect();
    }

    /// The arm that is surely better than the player's own choice, by games that chose nothing before
    /// they were played.
    pub fn best(&self) -> Option<usize> {
        let fresh = |arm: usize| self.tallies[arm][1].and(self.tallies[arm][2]);
        let last = |arm: usize| self.tallies[arm][2];
        let &arm = self.left.get(1)?;
        let ahead = |tally: &dyn Fn(usize) -> Tally| {
            let (a, b) = (tally(arm), tally(0));
            a.score() - b.score() - SURE * (a.variance() + b.variance()).sqrt()
        };
        (ahead(&fresh) > 0.0 && last(arm).score() >= last(0).score()).then_some(arm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia::mix;

    /// Plays arms of known scores; which is chosen.
    fn chosen(scores: &[f64], seed: u64) -> Option<usize> {
        let mut arms = Arms::new(scores.len() - 1, Rounds::at(1.0));
        let mut drawn = seed;
        loop {
            let wanted = arms.wanted();
            if wanted.is_empty() {
                return arms.best();
            }
            for (arm, games) in wanted {
                for _ in 0..games {
                    drawn = mix(drawn.wrapping_add(1));
                    let won = (drawn >> 11) as f64 / (1_u64 << 53) as f64;
                    arms.count(arm, if won < scores[arm] { 2 } else { 0 });
                }
            }
            arms.halve();
        }
    }

    fn share(scores: &[f64], wanted: Option<usize>) -> f64 {
        let found = (0..400).filter(|&seed| chosen(scores, mix(seed)) == wanted).count();
        found as f64 / 400.0
    }

    #[test]
    fn what_is_better_is_found_and_what_is_not_is_seldom_taken_for_it() {
        assert!(share(&[0.4, 0.4, 0.6, 0.4, 0.4], Some(2)) > 0.85);
        // Nothing is better than the player's own choice.
        assert!(share(&[0.5, 0.5, 0.5, 0.5, 0.5], None) > 0.6);
        assert!(share(&[0.6, 0.4, 0.5, 0.3], None) > 0.95);
        assert_eq!(chosen(&[0.5], 1), None);
    }

    #[test]
    fn seldom_reached_positions_cost_less() {
        let found = [1.0, 0.05, 0.0001].map(Rounds::at);
        assert_eq!(found, [Rounds([32, 96, 128]), Rounds([16, 48, 64]), Rounds([8, 12, 24])]);
    }
}
