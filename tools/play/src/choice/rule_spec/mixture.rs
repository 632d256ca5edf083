//! Mixtures as a file says them: strategies with weights, each a rule as users write it.

use crate::choice::{BadRuleSpec, Mixed, RowLookup, RuleSpec, Strategy};
use crate::error::Error;
use crate::mix::{Weighted, Weights};
use tabia_games::{Game, Node};

/// Rules and how often each is drawn, for either player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixture {
    first: Vec<(RuleSpec, u64)>,
    second: Vec<(RuleSpec, u64)>,
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
        let side = |strategies: &[Weighted]| {
            strategies.iter().map(read).collect::<Result<_, BadRuleSpec>>()
        };
        Ok(Self { first: side(&weights.first)?, second: side(&weights.second)? })
    }

    /// The rules of either player, and how likely each is.
    pub fn chances(&self) -> [Vec<(&RuleSpec, f64)>; 2] {
        [&self.first, &self.second].map(|side| {
            let whole: f64 = side.iter().map(|(_, weight)| *weight as f64).sum();
            side.iter().map(|(spec, weight)| (spec, *weight as f64 / whole)).collect()
        })
    }

    /// All its rules, prepared as [`RuleSpec::prepare`] does it.
    pub(super) fn ready<'a, G: Game>(
        &self,
        rows: &'a dyn RowLookup,
        theirs: Option<&'a dyn RowLookup>,
        start: &Node<G>,
    ) -> Result<Mixed<'a, G>, Error> {
        let ready = |(spec, weight): &(RuleSpec, u64)| {
            Ok(Strategy {
                name: spec.to_string(),
                weight: *weight,
                rule: spec.ready(rows, theirs, start)?,
            })
        };
        let side = |strategies: &[(RuleSpec, u64)]| {
            strategies.iter().map(ready).collect::<Result<Vec<_>, Error>>()
        };
        Ok(Mixed::new(side(&self.first)?, side(&self.second)?))
    }
}
