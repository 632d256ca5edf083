//! Mixed strategies: rules with weights, one of which is drawn for each side at the beginning of a
//! game and kept to its end (Gaudel et al. 2010, section 4).

use crate::choice::rules::percent;
use crate::choice::{BadRuleSpec, Choice, RowLookup, RuleSpec, Select, Situation};
use crate::error::Error;
use crate::mix::{Weighted, Weights};
use tabia_games::{Game, Node};

/// Rules and how often each is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// The rules of the first and the second player, each with a weight: how often it is drawn, in
    /// proportion to those of the others. A side whose weights are all 0 never has a move.
    pub sides: [Vec<(RuleSpec, u64)>; 2],
}

/// The weight of what is always drawn.
const WHOLE: f64 = (1u64 << 53) as f64;

impl Mixture {
    /// What a file of `tabia-match mix` says.
    ///
    /// # Errors
    /// If a strategy in it is no rule.
    pub fn new(weights: &Weights) -> Result<Self, BadRuleSpec> {
        let read = |strategy: &Weighted| {
            strategy.rule.parse().map(|spec| (spec, (strategy.weight * WHOLE).round() as u64))
        };
        let side = |strategies: &[Weighted]| strategies.iter().map(read).collect();
        let sides: [Result<_, _>; 2] = [side(&weights.first), side(&weights.second)];
        let [first, second] = sides;
        Ok(Self { sides: [first?, second?] })
    }

    /// All its rules, prepared as [`RuleSpec::prepare`] does it.
    pub(super) fn ready<'a, G: Game>(
        &self,
        rows: &'a dyn RowLookup,
        theirs: Option<&'a dyn RowLookup>,
        start: &Node<G>,
    ) -> Result<Mixed<'a, G>, Error> {
        let ready = |(spec, weight): &(RuleSpec, u64)| {
            let (name, weight) = (spec.to_string(), *weight);
            Ok(Strategy { name, weight, rule: spec.ready(rows, theirs, start)? })
        };
        let side = |rules: &Vec<(RuleSpec, u64)>| rules.iter().map(ready).collect();
        let [first, second]: [Result<_, Error>; 2] = self.sides.each_ref().map(side);
        Ok(Mixed([first?, second?]))
    }
}

/// The strategies of a mixture. Which one is drawn depends on the seed and the number of the game
/// alone ([`Seed::of_game`](crate::choice::Seed::of_game)), so that it need not be remembered.
pub(super) struct Mixed<'a, G: Game>([Vec<Strategy<'a, G>>; 2]);

struct Strategy<'a, G: Game> {
    name: String,
    weight: u64,
    rule: Box<dyn Select<G> + 'a>,
}

impl<G: Game> Select<G> for Mixed<'_, G> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let position = &at.history.present().position;
        let side = position.side().index();
        let weights: Vec<u64> = self.0[side].iter().map(|strategy| strategy.weight).collect();
        let mut rng = at.seed.of_game();
        // So that the sides are drawn for independently.
        (0..side).for_each(|_| _ = rng.next_u64());
        let Some(drawn) = rng.weighted(&weights) else {
            let why = format!("the mixture has no strategy for {}", position.sides()[side]);
            return Ok(Choice::none(at.candidates.len(), why));
        };
        let Strategy { name, weight, rule } = &self.0[side][drawn];
        let choice = rule.select(at)?;
        let total: f64 = weights.iter().map(|&weight| weight as f64).sum();
        let chance = percent(*weight as f64 / total, 1);
        let why = format!("{name}, drawn for this game with {chance}: {}", choice.why);
        Ok(Choice { why, ..choice })
    }

    fn note(&self) -> Option<String> {
        self.0.iter().flatten().find_map(|strategy| strategy.rule.note())
    }
}
