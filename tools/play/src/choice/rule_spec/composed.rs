//! Rules made of rules: mixed strategies, the first of several that has an answer, and exploring; and
//! the rule that says nothing by itself.

use crate::Error;
use crate::choice::rules::percent;
use crate::choice::{BadRuleSpec, Choice, RowLookup, RuleSpec, Select, Situation};
use crate::mix::{Weighted, Weights};
use crate::score::Percent;
use std::cmp::Reverse;
use tabia_games::{Game, Node};

/// Rules and how often each is drawn: one of them for each side at the beginning of a game, and kept to
/// its end (Gaudel et al. 2010, section 4).
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

/// Rules with their names, asked one after the other.
pub struct FirstOf<'a, G: Game>(pub Vec<(String, Box<dyn Select<G> + 'a>)>);

impl<G: Game> Select<G> for FirstOf<'_, G> {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let mut reasons = Vec::new();
        for (name, rule) in &self.0 {
            let choice = rule.select(at)?;
            reasons.push(format!("{name}: {}", choice.why));
            if choice.chosen.is_some() {
                return Ok(Choice { why: reasons.join("; else "), ..choice });
            }
        }
        Ok(Choice::none(at.candidates.len(), reasons.join("; else ")))
    }

    fn note(&self) -> Option<String> {
        self.0.iter().find_map(|(_, rule)| rule.note())
    }
}

/// Plays moves that are marked `always`, and no others: of several the one played most often.
pub struct Always;

impl<G: Game> Select<G> for Always {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let marked = (0..at.candidates.len()).filter(|&place| at.candidates[place].is_always());
        let chosen = marked.max_by_key(|&place| (at.candidates[place].games(), Reverse(place)));
        let why = if chosen.is_some() { "marked always" } else { "no move is marked always" };
        Ok(Choice { chosen, ..Choice::none(at.candidates.len(), why) })
    }
}

/// A rule that has no move in a part of its turns, so that the engine plays by itself: "While
/// learning, the program should be allowed to sometimes reject all moves and simply try something
/// different" (Rollason 2007, "Creating Book Knowledge").
///
/// Whether it has one depends on the seed, the number of the game and the ply alone
/// ([`Seed::of_exploring`](crate::choice::Seed::of_exploring)). Moves marked `always` are played
/// all the same.
pub struct Exploring<'a, G: Game> {
    pub rule: Box<dyn Select<G> + 'a>,
    pub share: Percent,
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
