//! Rules made of rules: mixed strategies, one of which is drawn for a game, and exploring.

use crate::choice::{Choice, Seed, Select, Situation};
use crate::error::Error;
use crate::score::Percent;
use tabia_games::{Game, Side};

/// One of several rules, drawn for each side at the beginning of a game and kept to its end (Gaudel
/// et al. 2010, section 4).
///
/// Which one is drawn depends on the seed and the number of the game alone ([`Seed::of_game`]), so
/// that it need not be remembered.
pub struct Mixed<'a, G: Game> {
    /// For the first and the second player.
    sides: [Vec<Strategy<'a, G>>; 2],
}

/// A rule of a mixture.
pub struct Strategy<'a, G: Game> {
    /// What people know it by.
    pub name: String,
    /// How often it is drawn, in proportion to the weights of the others.
    pub weight: u64,
    /// The rule.
    pub rule: Box<dyn Select<G> + 'a>,
}

impl<'a, G: Game> Mixed<'a, G> {
    /// A mixture for the first player, and one for the second. A side whose weights are all 0 never
    /// has a move.
    pub fn new(first: Vec<Strategy<'a, G>>, second: Vec<Strategy<'a, G>>) -> Self {
        Self { sides: [first, second] }
    }

    /// The strategy of a side in the game of this seed.
    pub fn drawn(&self, side: Side, seed: Seed) -> Option<&Strategy<'a, G>> {
        let strategies = &self.sides[side.index()];
        let weights: Vec<u64> = strategies.iter().map(|strategy| strategy.weight).collect();
        let mut rng = seed.of_game();
        // So that the sides are drawn for independently.
        (0..side.index()).for_each(|_| _ = rng.next_u64());
        rng.weighted(&weights).map(|index| &strategies[index])
    }

    fn chance(&self, side: Side, strategy: &Strategy<'a, G>) -> f64 {
        let total: f64 =
            self.sides[side.index()].iter().map(|strategy| strategy.weight as f64).sum();
        strategy.weight as f64 / total
    }
}

impl<G: Game> Select<G> for Mixed<'_, G> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let position = &at.history.present().position;
        let side = position.side();
        let Some(strategy) = self.drawn(side, at.seed) else {
            let player = position.sides()[side.index()];
            return Ok(Choice::none(
                at.candidates.len(),
                format!("the mixture has no strategy for {player}"),
            ));
        };
        let choice = strategy.rule.select(at)?;
        let chance = super::percent(self.chance(side, strategy), 1);
        Ok(Choice {
            why: format!("{}, drawn for this game with {chance}: {}", strategy.name, choice.why),
            ..choice
        })
    }

    fn note(&self) -> Option<String> {
        self.sides.iter().flatten().find_map(|strategy| strategy.rule.note())
    }
}

/// A rule that has no move in a part of its turns, so that the engine plays by itself: "While
/// learning, the program should be allowed to sometimes reject all moves and simply try something
/// different" (Rollason 2007, "Creating Book Knowledge").
///
/// Whether it has one depends on the seed, the number of the game and the ply alone
/// ([`Seed::of_exploring`](crate::choice::Seed::of_exploring)). Moves marked `always` are played all
/// the same.
pub struct Exploring<'a, G: Game> {
    rule: Box<dyn Select<G> + 'a>,
    share: Percent,
}

impl<'a, G: Game> Exploring<'a, G> {
    /// A rule that is followed but for this share of its turns.
    pub fn new(rule: Box<dyn Select<G> + 'a>, share: Percent) -> Self {
        Self { rule, share }
    }
}

impl<G: Game> Select<G> for Exploring<'_, G> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let drawn = at.seed.of_exploring(at.history.plies()).below(10_000);
        if drawn >= u64::from(self.share.hundredths()) {
            return self.rule.select(at);
        }
        let why = format!("exploring: in {} % of its turns the book plays nothing", self.share);
        Ok(Choice::none(at.candidates.len(), why))
    }

    fn note(&self) -> Option<String> {
        self.rule.note()
    }
}
