//! The first of several rules that has an answer, and the rule that says nothing by itself.

use crate::choice::{Choice, Select, Situation};
use crate::error::Error;
use tabia_games::Game;

/// Rules that are asked one after the other.
pub struct FirstOf<'a, G: Game>(Vec<(String, Box<dyn Select<G> + 'a>)>);

impl<'a, G: Game> FirstOf<'a, G> {
    /// These, each with its name.
    pub fn new(rules: Vec<(String, Box<dyn Select<G> + 'a>)>) -> Self {
        Self(rules)
    }
}

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Always;

impl<G: Game> Select<G> for Always {
    fn select(&self, at: &Situation<'_, G>) -> Result<Choice, Error> {
        let marked = (0..at.candidates.len()).filter(|&place| at.candidates[place].is_always());
        let games = |place: usize| (at.candidates[place].games(), std::cmp::Reverse(place));
        let chosen = marked.max_by_key(|&place| games(place));
        let why = if chosen.is_some() { "marked always" } else { "no move is marked always" };
        Ok(Choice { chosen, ..Choice::none(at.candidates.len(), why) })
    }
}
